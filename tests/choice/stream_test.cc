// Bulk data: the published values of SplitMix64, and the ranges and moments of what is made of them.
#include "choice/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

namespace assay {
namespace {

std::array<uint64_t, 4> First(uint64_t seed) {
  Stream stream = Bulk(seed);
  return {stream.Next(), stream.Next(), stream.Next(), stream.Next()};
}

// Computed with the definition in another language.
TEST(StreamTest, SeedsMeanTheSameForEver) {
  EXPECT_THAT(First(0),
              testing::ElementsAre(0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC));
  EXPECT_THAT(First(1),
              testing::ElementsAre(0x910A2DEC89025CC1, 0xBEEB8DA1658EEC67, 0xF893A2EEFB32555E, 0x71C18690EE42C90B));
  EXPECT_THAT(First(2),
              testing::ElementsAre(0x975835DE1C9756CE, 0xBFC846100BFC1E42, 0x987BBCBFDD7E532F, 0xC3F2827AFFE7F664));
}

TEST(StreamTest, FloatingPointIsExact) {
  EXPECT_EQ(Bulk(0).Unit(), 0x1.c4415072f63b9p-1);
  EXPECT_EQ(Bulk(1).Unit(), 0x1.22145bd91204bp-1);
  EXPECT_EQ(Bulk(2).Unit(), 0x1.2eb06bbc392eap-1);
  EXPECT_EQ(Bulk(0).Symmetric(), -0x1.ddf57c684e238p-3);
  EXPECT_EQ(Bulk(1).Symmetric(), -0x1.bbd7484ddbf6ap-1);
  EXPECT_EQ(Bulk(2).Symmetric(), -0x1.a29f28878da2cp-1);
  EXPECT_EQ(Bulk(0).Normal(), -0x1.aef5a2f8p-2);
  EXPECT_EQ(Bulk(1).Normal(), 0x1.143832d9p+1);
  EXPECT_EQ(Bulk(2).Normal(), 0x1.ce8ab14p-4);
}

TEST(StreamTest, UpToKeepsToItsRangeAndReachesItsEnds) {
  Stream stream(9);
  EXPECT_EQ(stream.UpTo(0), 0u);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) ++seen.at(stream.UpTo(5));
  // Six standard deviations: 6 * sqrt(60000 * 1/6 * 5/6) = 548.
  for (int count : seen) EXPECT_NEAR(count, 10'000, 548);
  uint64_t all = 0;
  for (int i = 0; i < 100; ++i) all |= stream.UpTo(~uint64_t{0});
  EXPECT_EQ(all, ~uint64_t{0});
}

TEST(StreamTest, RangesAndMoments) {
  constexpr int kDraws = 200'000;
  Stream stream(4);
  double unit = 0, symmetric = 0, normal = 0, square = 0;
  int beyond_one = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = stream.Unit(), s = stream.Symmetric(), n = stream.Normal();
    ASSERT_TRUE(u >= 0 && u < 1);
    ASSERT_TRUE(s >= -1 && s < 1);
    ASSERT_TRUE(n > -6 && n < 6);
    unit += u;
    symmetric += s;
    normal += n;
    square += n * n;
    beyond_one += std::abs(n) > 1;
  }
  // Six standard deviations of the mean: 6 * sqrt(1/12 / 200000) = 0.0039, and as much for the others.
  EXPECT_NEAR(unit / kDraws, 0.5, 0.0039);
  EXPECT_NEAR(symmetric / kDraws, 0, 0.0078);
  EXPECT_NEAR(normal / kDraws, 0, 0.0135);
  EXPECT_NEAR(square / kDraws, 1, 0.02);
  // 31.7 % for the normal distribution.
  EXPECT_NEAR(double{1} * beyond_one / kDraws, 0.317, 0.01);
}

TEST(StreamTest, EveryBitOfTheSeedMatters) {
  for (int bit = 0; bit < 64; ++bit) {
    int changed = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
      changed += std::popcount(Bulk(seed).Next() ^ Bulk(seed ^ uint64_t{1} << bit).Next());
    }
    EXPECT_NEAR(changed, 3200, 320) << bit;
  }
}

}  // namespace
}  // namespace assay
