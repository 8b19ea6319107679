// Runs drawn models on the reference, for the tests. Knows no operation.
#pragma once
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ops/operation.h"
#include "randomgraph/graph.h"

namespace assay {

// The outputs of the drawn model for its example.
absl::StatusOr<std::vector<ExampleValue>> RunDrawn(const DrawnModel& drawn, Mode mode, FeatureLevel level);

// How the answers of a device stand to what a conforming one may answer.
struct JudgedRun {
  size_t elements = 0, outside = 0, unknown = 0;
  std::string first_outside;  // the first element outside, for people
};
absl::StatusOr<JudgedRun> JudgeDrawn(const DrawnModel& drawn, const std::vector<ExampleValue>& answers,
                                     FeatureLevel level);

// Does every value of these outputs keep what was planned: finite, at most 2^13 in half precision (partial sums and
// what rounding adds apart), and inside of a range that is said to be sure? Empty, or the first that does not.
std::string BrokenPlan(const DrawnModel& drawn, const std::vector<ExampleValue>& outputs);

// Does the example omit an input? The model alone does not say so.
bool HasOmittedInput(const DrawnModel& drawn);

// A hash of everything in the model and its example.
uint64_t DigestOf(const DrawnModel& drawn);
// Model and example are the same in everything.
bool SameDraw(const DrawnModel& a, const DrawnModel& b);

// The violations, one a line.
std::string Text(const Violations& violations);

}  // namespace assay
