// Bounded runs of small models for the tests of this room.
#pragma once
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "reference/bounded.h"
#include "tests/reference/execution.h"

namespace assay {

// A bounded run whose inputs and observations are byte strings.
struct Seen {
  uint32_t operand;
  Dims dims;
  Bytes bytes;
};
inline absl::StatusOr<std::vector<BoundedRun>> Paths(const Model& model, const std::vector<Given>& inputs,
                                                     const std::vector<Seen>& seen, const BoundedOptions& options = {},
                                                     const Assumptions& assumptions = {}) {
  std::vector<InputBuffer> in;
  for (const Given& g : inputs) in.push_back({g.bytes, g.dims, g.omitted});
  Observations observations;
  for (const Seen& s : seen) observations[s.operand] = {s.dims, s.bytes};
  return RunBoundedPaths(model, in, observations, assumptions, options);
}
inline BoundedRun Judge(const Model& model, const std::vector<Given>& inputs, const std::vector<Seen>& seen,
                        const BoundedOptions& options = {}, const Assumptions& assumptions = {}) {
  absl::StatusOr<std::vector<BoundedRun>> runs = Paths(model, inputs, seen, options, assumptions);
  EXPECT_TRUE(runs.ok()) << runs.status();
  if (!runs.ok()) return {};
  EXPECT_EQ(runs->size(), 1u);
  return runs->front();
}
inline void ExpectInterval(const Interval& interval, double lo, double hi) {
  EXPECT_NEAR(interval.Lo(), lo, 1e-9);
  EXPECT_NEAR(interval.Hi(), hi, 1e-9);
}

// The code of a tensor with one element.
inline Seen Code(uint32_t operand, uint8_t code) { return {operand, {1}, {code}}; }

}  // namespace assay
