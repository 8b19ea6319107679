// A Dot over several pairs of matrices is the Dot of the matrices side by side: to the bit where it is bounded, and for
// small integers, of which every order of summation gives the same result.
#include <gtest/gtest.h>

#include <vector>

#include "numeric/functions.h"
#include "numeric/sums.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

template <class N>
class DotTest : public testing::Test {};
using Domains = testing::Types<float, double, Bounded<Fp32>, Bounded<Fp16>>;
TYPED_TEST_SUITE(DotTest, Domains);

TYPED_TEST(DotTest, OfSeveralPairs) {
  using N = TypeParam;
  test::Random random(11);
  const auto draw = [&](size_t count) {
    std::vector<N> out(count);
    for (N& x : out) x = N(static_cast<int>(random.Below(17)) - 8);
    return out;
  };
  for (int i = 0; i < 200; ++i) {
    const size_t rows = 1 + random.Below(5), columns = 1 + random.Below(6), depth = random.Below(20);
    const auto x = draw(rows * depth + 1), w = draw(columns * depth + 1), bias = draw(columns);
    const N* offsets = random.OneIn(2) ? bias.data() : nullptr;
    std::vector<N> once(rows * columns), thrice(rows * columns);
    Dot<N>({x.data(), rows, depth, depth}, {w.data(), columns, depth, depth}, offsets,
           Matrix<N>{once.data(), rows, columns, columns});
    size_t cuts[] = {0, random.Below(depth + 1), random.Below(depth + 1), depth};
    std::sort(std::begin(cuts), std::end(cuts));
    std::vector<Factors<N>> factors;
    for (size_t c = 0; c < 3; ++c)
      factors.push_back({{x.data() + cuts[c], rows, cuts[c + 1] - cuts[c], depth},
                         {w.data() + cuts[c], columns, cuts[c + 1] - cuts[c], depth}});
    Dot<N>(factors, offsets, Matrix<N>{thrice.data(), rows, columns, columns});
    for (size_t e = 0; e < once.size(); ++e) {
      ASSERT_EQ(Nominal(once[e]), Nominal(thrice[e]));
      ASSERT_EQ(Lo(once[e]), Lo(thrice[e]));
      ASSERT_EQ(Hi(once[e]), Hi(thrice[e]));
    }
  }
}

}  // namespace
}  // namespace assay
