// A failure that was found: reproduced, shrunk on the same failure, and told so that its reader needs nothing else.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "campaign/attempt.h"
#include "campaign/candidate.h"

namespace assay {

struct Finding {
  uint64_t index = 0;  // which graph of the campaign
  Variant variant = Variant::kAsDrawn;
  Tape tape;    // of the shrunk graph
  Model model;  // the shrunk one, in the variant that fails
  std::vector<ExampleValue> inputs;
  Attempt attempt;  // of the shrunk model: golden outputs, the driver's answer, the failure
  // The failure came back so often in so many tries of the graph as it was found. Fewer: it is flaky, and not shrunk.
  int reproduced = 0, tries = 0;
  size_t operations_found = 0;  // in the main graph, before shrinking
  size_t trials = 0;            // that shrinking took
  bool shrunk = false;          // nothing simpler was left to try
  std::string cut_short;        // why shrinking has ended early, where it was not its budget
  // The operation that failed fails alone as well: `model` is that operation, cut out of the graph that the tape draws.
  bool cut = false;

  bool flaky() const { return reproduced < tries; }
  // Findings of one group are most likely one fault: "value CONV_2D TENSOR_FLOAT32 (CONV_2D + RELU)".
  std::string GroupName() const;
};

struct ShrinkOptions {
  size_t trials = 2'000;
  std::chrono::seconds time{60};
  int reruns = 5;  // to see whether the failure is flaky
  std::stop_token stop;
};

// Runs a failed graph again, shrinks it if it fails always, and tries the result once more. It was found in the variant
// `found`, and `found_attempt` is what was seen then; if everything exposed shows a failure too, that is followed.
Finding Investigate(Device& device, const Candidate& candidate, Variant found, const Attempt& found_attempt,
                    const Options& options, const AttemptOptions& attempt, const ShrinkOptions& shrink);

}  // namespace assay
