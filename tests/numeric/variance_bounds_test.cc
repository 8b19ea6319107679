// Sums of squares about the mean over boxes, against every corner and against many points.
#include "numeric/variance_bounds.h"

#include <gtest/gtest.h>

#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Random;

double SumOfSquares(const std::vector<double>& x, std::optional<size_t> without) {
  double n = 0, mean = 0, sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (i != without) n += 1, mean += x[i];
  mean /= n;
  for (size_t i = 0; i < x.size(); ++i)
    if (i != without) sum += (x[i] - mean) * (x[i] - mean);
  return sum;
}

TEST(VarianceBoundsTest, ByHand) {
  const std::vector<Bounds> x = {{0, 0}, {1, 3}, {4, 4}};
  const VarianceBounds bounds(x);
  EXPECT_NEAR(bounds.SumOfSquares().lo, 8, 1e-12);  // at 2, the mean of the others
  EXPECT_NEAR(bounds.SumOfSquares(1).lo, 8, 1e-12);
  EXPECT_NEAR(bounds.SumOfSquares(1).hi, 8, 1e-12);
  EXPECT_NEAR(bounds.SumOfSquares(0).lo, 0.5, 1e-12);  // 3 and 4
  EXPECT_NEAR(bounds.SumOfSquares(2).lo, 0.5, 1e-12);  // 0 and 1
  EXPECT_GE(bounds.SumOfSquares().hi, 78.0 / 9);       // at 1 or 3
  EXPECT_LE(bounds.SumOfSquares().hi, 9 + 1e-12);
}

TEST(VarianceBoundsTest, HoldsEveryPointAndReachesTheLeast) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const size_t n = 2 + random.Below(5);
    std::vector<Bounds> box;
    for (size_t j = 0; j < n; ++j) {
      const double middle = random.Between(-1, 1), radius = random.OneIn(3) ? 0 : random.Unit() * 0.5;
      box.push_back({middle - radius, middle + radius});
    }
    if (random.OneIn(5)) box[0] = box[1];
    const VarianceBounds bounds(box);
    const auto without = random.OneIn(2) ? std::optional<size_t>(random.Below(n)) : std::nullopt;
    const Bounds sum = bounds.SumOfSquares(without);
    for (size_t corner = 0; corner < size_t{1} << n; ++corner) {
      std::vector<double> x;
      for (size_t j = 0; j < n; ++j) x.push_back(corner >> j & 1 ? box[j].hi : box[j].lo);
      ASSERT_LE(SumOfSquares(x, without), sum.hi + 1e-12);
    }
    // The least is where all are as near as they can be to one number.
    double least = 1e300;
    for (double c = -1.5; c <= 1.5; c += 0x1p-10) {
      std::vector<double> x;
      for (const Bounds& b : box) x.push_back(std::clamp(c, b.lo, b.hi));
      least = std::min(least, SumOfSquares(x, without));
      ASSERT_GE(least, sum.lo - 1e-12);
    }
    ASSERT_LE(least, sum.lo + 0x1p-8);
  }
}

}  // namespace
}  // namespace assay
