// The executor: a model made ready once, and executed any number of times, from any number of threads. Knows plans,
// memory, unknown shapes, control flow and deadlines; refuses to know what an operation computes, and how a device is
// reached.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "ops/operation.h"
#include "reference/hooks.h"
#include "reference/memory_plan.h"
#include "reference/observer.h"
#include "reference/status.h"

namespace assay {

using Deadline = std::chrono::steady_clock::time_point;

inline constexpr uint64_t kMostExecutionBytes = uint64_t{2} << 30;
inline constexpr std::chrono::seconds kDefaultLoopTimeout{2}, kMostLoopTimeout{15};
// How deep IF and WHILE may be nested.
inline constexpr size_t kMostNesting = 64;

struct PrepareOptions {
  Mode mode = Mode::kGolden;
  FeatureLevel level = kHighestFeatureLevel;
  std::optional<Deadline> deadline;
  std::shared_ptr<const ExecutionHooks> hooks;  // null: none
  // Constants are converted to the domain of their operations as long as these many bytes are not passed, and at
  // every execution otherwise.
  uint64_t most_constant_bytes = kMostExecutionBytes;
};

// An input of an execution; the caller owns the bytes, at any alignment, and leaves them alone meanwhile.
struct InputBuffer {
  std::span<const uint8_t> bytes;  // exactly the value, without padding
  Dims dims;                       // complete the unknown dimensions of the model; empty: as in the model
  bool omitted = false;
};
// An output: at most `bytes` is written, and less if the value is shorter. Overlaps no other buffer.
struct OutputBuffer {
  std::span<uint8_t> bytes;
  Dims dims;  // as above; 0 = unknown
};

struct ExecuteOptions {
  std::optional<Deadline> deadline;
  std::chrono::nanoseconds loop_timeout = kDefaultLoopTimeout;  // for each WHILE; at most kMostLoopTimeout
  std::stop_token stop;                                         // cancels between two operations
  ExecutionObserver* observer = nullptr;
  uint64_t most_bytes = kMostExecutionBytes;  // of memory for tensors, the caller's buffers not counted
  uint64_t most_operations = 100'000'000;     // executed ones: nested branches can be run exponentially often
};

struct OutputShape {
  Shape shape;             // as far as it is known
  bool sufficient = true;  // false: the buffer is smaller than the output (of known shape)
};

struct ExecutionResult {
  ErrorStatus status = ErrorStatus::NONE;
  std::string message;  // of an error: operation, subgraph, rule, values
  // One for each output if the status is NONE (then all are known and sufficient) or OUTPUT_INSUFFICIENT_SIZE (then at
  // least one is not); else empty.
  std::vector<OutputShape> outputs;
  uint64_t peak_bytes = 0;  // of memory for tensors
  bool cancelled = false;   // by the stop token; the status is GENERAL_FAILURE then
  bool ok() const { return status == ErrorStatus::NONE; }
};

class PreparedState;

class PreparedModel {
 public:
  explicit PreparedModel(std::unique_ptr<PreparedState> state);
  ~PreparedModel();

  // Inputs and outputs in the order of the main subgraph. Outputs are written in place where their alignment allows
  // it; after an error their contents are unspecified. Errors:
  //   INVALID_ARGUMENT               number, dimensions or lengths of the buffers do not fit the model
  //   GENERAL_FAILURE                an operation's rule is broken by the actual shapes and values; cancelled
  //   OUTPUT_INSUFFICIENT_SIZE       see ExecutionResult::outputs
  //   MISSED_DEADLINE_PERSISTENT     the deadline had passed before anything was done
  //   MISSED_DEADLINE_TRANSIENT      it, or the timeout of a loop, passed meanwhile
  //   RESOURCE_EXHAUSTED_PERSISTENT  `most_bytes` or `most_operations` do not suffice
  //   RESOURCE_EXHAUSTED_TRANSIENT   the system has no memory left
  ExecutionResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                          const ExecuteOptions& options = {}) const;

  const Model& model() const;
  Mode mode() const;
  // What is known of the outputs before execution.
  std::vector<Shape> OutputShapes() const;

  // The memory plan of a subgraph as prepared: what has a known size, with scratch memory, and where it lies.
  struct Placed {
    TensorLifetime lifetime;
    size_t offset;
  };
  std::vector<Placed> Placements(uint32_t subgraph) const;
  // Bytes of the main subgraph's memory, and of those that IF and WHILE run inside of it. Tensors of unknown size come
  // on top.
  size_t PlannedPeakBytes() const;

 private:
  std::unique_ptr<PreparedState> state_;
};

// Validates, decodes every call once, infers shapes as far as they are known, plans memory and converts constants.
// The model is copied; the bytes of its constants are shared. A call that breaks an execution rule fails when it is
// executed, not here. Errors: INVALID_ARGUMENT with every broken model rule; MISSED_DEADLINE_PERSISTENT if the deadline
// has passed; RESOURCE_EXHAUSTED_PERSISTENT if control flow is nested deeper than kMostNesting.
absl::StatusOr<std::unique_ptr<PreparedModel>> Prepare(const Model& model, const PrepareOptions& options = {});

}  // namespace assay
