// One operation cut out of a graph, with the inputs that it had there: where it fails alone too, it is the culprit, and
// the rest of the graph need not be read (judging.md 8a).
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "campaign/attempt.h"

namespace assay {

struct CutOut {
  Model model;  // one operation in its main graph; referenced subgraphs are kept
  std::vector<ExampleValue> inputs;
};

// What other operations gave to operation `operation` of the main graph becomes model inputs: the driver's `answer` (of
// the model's outputs; may be empty) where it was seen, the reference's values elsewhere. Nothing if the reference
// cannot execute the model, or the main graph has just this operation.
std::optional<CutOut> CutOutOperation(const Model& model, std::span<const ExampleValue> inputs,
                                      std::span<const ExampleValue> answer, uint32_t operation,
                                      std::chrono::nanoseconds loop_timeout);

}  // namespace assay
