// Bounded runs: what a conforming driver may answer, as one interval for each element of each tensor, and what it did
// answer judged against that (shared criteria in numeric/settle.h). At a tensor that was observed on the driver the
// interval restarts from the observed value. Refuses to know drivers and reports.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "numeric/settle.h"
#include "ops/operation.h"
#include "reference/prepared_model.h"

namespace assay {

// The driver's answer in a tensor.
struct Observation {
  Dims dims;                       // actual ones
  std::span<const uint8_t> bytes;  // storage, as many as `dims` say; they must outlive the run
};
// By operand of the main subgraph: outputs, or tensors that were outputs of an exposed copy of the model.
using Observations = std::map<uint32_t, Observation>;

// Of the finite values of one tensor that was computed.
struct WidthStatistics {
  size_t elements = 0, unknown = 0;
  // (hi - lo) / range of the elements that are not unknown; 0 if there are none. The range is that of the type for
  // quantized types and bools, and the spread of the nominal values (at least the greatest magnitude) for others.
  double median = 0, percentile90 = 0;
  size_t narrow = 0;  // elements of a width below a quarter of the range
};
WidthStatistics MeasureWidths(OperandType type, const Quantization& quantization, std::span<const Interval> elements);

struct BoundedOptions {
  FeatureLevel level = kHighestFeatureLevel;
  bool anchor = true;  // false: observations are judged, and nothing restarts from them
  bool sharp = true;   // also judge operations whose inputs were all observed by exactly these inputs
  // For conditions of IF and WHILE that may be either, in the order in which they are met. Once they are used up,
  // whatever such a condition decides is unknown.
  std::vector<bool> decisions;
  uint64_t most_bytes = kMostExecutionBytes;  // an element takes 32
  uint64_t most_operations = 1'000'000;
  uint64_t most_iterations = 1024;  // of one WHILE; its outputs are unknown when it goes on
  std::stop_token stop;
};

// A tensor of the main subgraph that an operation computed.
struct BoundedTensor {
  uint32_t operand = 0;
  uint32_t operation = 0;  // which one wrote it
  Shape shape;             // as inferred; not known where it depends on what is uncertain
  WidthStatistics widths;  // before anchoring; all elements are unknown where the shape is
};

// The judgement of an observed tensor.
struct JudgedTensor {
  uint32_t operand = 0;
  uint32_t operation = 0;  // which one wrote it
  size_t output = 0;       // as which of its outputs
  Dims dims;               // as observed
  // The driver's dims contradict the inferred shape; then every element is outside.
  bool wrong_shape = false;
  bool by_relation = false;         // judged by the operation's Accept instead of by `intervals`
  std::vector<Interval> intervals;  // what a conforming driver may hold, before anchoring. Empty if wrong_shape.
  // One for each element. Sound: for the widened inputs; outside is a failure of the driver. Sharp: for inputs exactly
  // as observed; outside is a suspect. Sharp is empty unless all inputs are constants, model inputs or observed, and
  // for IF and WHILE.
  std::vector<Verdict> sound, sharp;
  // The intersection of the interval and what was observed is empty at so many elements (they go on from what was
  // observed).
  size_t not_anchored = 0;
};

struct BoundedRun {
  std::vector<BoundedTensor> computed;  // in the order of the operations
  std::vector<JudgedTensor> judged;     // likewise
  // Conditions that might have been either, beyond options.decisions; 0: the path is decided.
  size_t undecided = 0;
  // How many of options.decisions were used.
  size_t decided = 0;
};

// The model must be valid. A model's `relaxed` is added to the assumptions. Errors as of Prepare and Execute; a
// broken execution rule is GENERAL_FAILURE where shapes and values are certain, and makes the outputs unknown where
// not.
absl::StatusOr<BoundedRun> RunBounded(const Model& model, std::span<const InputBuffer> inputs,
                                      const Observations& observations, const Assumptions& assumptions,
                                      const BoundedOptions& options = {});

// One run for each way in which conditions that may be either can turn out, up to `most_paths`; when there are more,
// the last ones leave the rest undecided. Ways that end in a broken rule are left out, unless all do. A driver conforms
// if one of the runs accepts all of its answer.
absl::StatusOr<std::vector<BoundedRun>> RunBoundedPaths(const Model& model, std::span<const InputBuffer> inputs,
                                                        const Observations& observations,
                                                        const Assumptions& assumptions, BoundedOptions options = {},
                                                        size_t most_paths = 4);

}  // namespace assay
