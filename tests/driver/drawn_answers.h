// Drawn models on a device, and the answers against the reference's bounds: without a campaign.
#pragma once
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "driver/device.h"
#include "randomgraph/graph.h"

namespace assay {

DrawnModel DrawSeed(uint64_t seed, const Options& options);

// The outputs of one execution for the model's example.
absl::StatusOr<std::vector<ExampleValue>> AnswerOf(Device& device, const DrawnModel& drawn);

// How many elements lie outside of what a conforming device may answer, on the path that fits best; one more for an
// output of a wrong shape. `judged` counts those that are not unknown. Without `anchor` a tensor that is seen need not
// be what its consumers read.
struct Judged {
  size_t outside = 0, judged = 0;
  std::string first;  // "ADD (operation 1) element 3", for people
};
absl::StatusOr<Judged> JudgeAnswer(const DrawnModel& drawn, const std::vector<ExampleValue>& answer,
                                   const Assumptions& assumptions = {}, bool anchor = true);

}  // namespace assay
