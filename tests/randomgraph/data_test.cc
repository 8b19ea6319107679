// Patterns and stored values: every one in its range, as its kind says, and the same bits everywhere.
#include "randomgraph/data.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gtest/gtest.h"
#include "numeric/storage.h"

namespace assay {
namespace {

using enum OperandType;
using enum Fill::Kind;

constexpr Pattern kAllPatterns[] = {Pattern::kEqual, Pattern::kRamp,   Pattern::kSparse,
                                    Pattern::kEnds,  Pattern::kRandom, Pattern::kDominant};
constexpr Fill::Kind kAllKinds[] = {kUniform, kNormal, kWeights, kIntegers, kDistinct, kAscending};

Recipe Of(Fill fill, Pattern pattern, uint64_t sub_seed = 7) {
  return {.fill = fill, .pattern = pattern, .sub_seed = sub_seed};
}

TEST(Values, LieInTheirRange) {
  for (const Range range : {Range{-1, 1}, Range{0.25, 4}, Range{-3, -1}, Range{2, 2}})
    for (Fill::Kind kind : kAllKinds)
      for (Pattern pattern : kAllPatterns) {
        if (pattern == Pattern::kDominant && kind != kWeights) continue;
        const Recipe recipe = Of({.kind = kind, .range = range, .fan_in = 9}, pattern);
        for (double v : ValuesOf(recipe, {5, 9})) {
          EXPECT_GE(v, range.least);
          EXPECT_LE(v, range.most);
        }
      }
}

TEST(Values, StoredInAnyTypeLieInTheirRange) {
  const Range range{0.3, 0.7};  // no bound is a number of either float format
  const Recipe recipe = Of({.kind = kUniform, .range = range}, Pattern::kEnds);
  for (OperandType type : {TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM, TENSOR_QUANT16_SYMM}) {
    const Quantization q{type == TENSOR_QUANT8_ASYMM || type == TENSOR_QUANT16_SYMM ? 0.0625f : 0, 0, nullptr};
    const Dims dims{64};
    const Bytes bytes = BytesOf(recipe, type, q, dims);
    for (size_t i = 0; i < 64; ++i) {
      const double v = ElementAt(type, q, dims, bytes.data(), i);
      EXPECT_GE(v, range.least) << NameOf(type);
      EXPECT_LE(v, range.most) << NameOf(type);
    }
  }
}

TEST(Values, SimplestAreEqual) {
  for (double v : ValuesOf(Of({.range = {-4, 4}}, Pattern::kEqual), {6})) EXPECT_EQ(v, 1);
  for (double v : ValuesOf(Of({.range = {0, 0.5}}, Pattern::kEqual), {6})) EXPECT_EQ(v, 0.25);
  for (double v : ValuesOf(Of({.range = {2, 3}}, Pattern::kEqual), {6})) EXPECT_EQ(v, 2.5);
  for (double v : ValuesOf(Of({.kind = kIntegers, .range = {0, 5}}, Pattern::kEqual), {6})) EXPECT_EQ(v, 0);
  // Weights that make a mean of four numbers.
  for (double v : ValuesOf(Of({.kind = kWeights, .fan_in = 4}, Pattern::kEqual), {2, 4})) EXPECT_EQ(v, 0.25);
}

TEST(Values, IntegersAreWholeAndReachBothEnds) {
  const std::vector<double> values = ValuesOf(Of({.kind = kIntegers, .range = {-2, 3}}, Pattern::kRandom), {1000});
  const std::set<double> seen(values.begin(), values.end());
  EXPECT_EQ(seen, (std::set<double>{-2, -1, 0, 1, 2, 3}));
}

TEST(Values, DistinctOnesDiffer) {
  const std::vector<double> values = ValuesOf(Of({.kind = kDistinct, .range = {0, 1}}, Pattern::kRandom), {100});
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 100u);
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
  const std::vector<double> rising = ValuesOf(Of({.kind = kAscending, .range = {0, 1}}, Pattern::kRandom), {100});
  EXPECT_TRUE(std::is_sorted(rising.begin(), rising.end()));
  EXPECT_EQ(std::set<double>(rising.begin(), rising.end()).size(), 100u);
  // As codes of eight bits too, if their number allows it.
  const Quantization q{1.0f / 128, 0, nullptr};
  const Bytes codes =
      BytesOf(Of({.kind = kDistinct, .range = {0, 1}}, Pattern::kRandom), TENSOR_QUANT8_ASYMM, q, {100});
  EXPECT_EQ(std::set<uint8_t>(codes.begin(), codes.end()).size(), 100u);
}

// Sum of |w| and square root of the sum of squares, of one channel.
struct Norms {
  double one = 0, two = 0;
};
Norms NormsOf(const std::vector<double>& values, size_t begin, size_t count, size_t stride) {
  Norms n;
  for (size_t i = 0; i < count; ++i) {
    const double w = values[begin + i * stride];
    n.one += std::fabs(w);
    n.two += w * w;
  }
  n.two = std::sqrt(n.two);
  return n;
}

TEST(Weights, KeepTheMagnitudeOfTheOtherFactor) {
  const Recipe recipe = Of({.kind = kWeights, .fan_in = 64}, Pattern::kRandom);
  const std::vector<double> values = ValuesOf(recipe, {32, 64});
  double mean = 0;
  for (size_t c = 0; c < 32; ++c) mean += NormsOf(values, c * 64, 64, 1).two / 32;
  EXPECT_NEAR(mean, 1, 0.1);
  EXPECT_NEAR(GrowthOf(recipe), 6.4, 1e-9);  // 0.8 * sqrt(64)
}

TEST(Weights, WithADominantTapKeepIntervalsNarrow) {
  for (size_t fan_in : {size_t{9}, size_t{72}, size_t{576}}) {
    Recipe recipe = Of({.kind = kWeights, .fan_in = fan_in}, Pattern::kDominant);
    const std::vector<double> values = ValuesOf(recipe, {16, static_cast<uint32_t>(fan_in)});
    for (size_t c = 0; c < 16; ++c) {
      const Norms n = NormsOf(values, c * fan_in, fan_in, 1);
      EXPECT_LT(n.one / n.two, 2.2) << "fan-in " << fan_in << ", channel " << c;
      EXPECT_GT(n.two, 0.7);
    }
  }
}

TEST(Weights, HaveOneDominantTapInEachChannelOfAnyDimension) {
  // A depthwise filter [1, 3, 3, 5]: the taps of channel c are 5 elements apart.
  Recipe recipe = Of({.kind = kWeights, .fan_in = 9}, Pattern::kDominant);
  recipe.channel_dim = 3;
  const std::vector<double> values = ValuesOf(recipe, {1, 3, 3, 5});
  for (size_t c = 0; c < 5; ++c) {
    size_t large = 0;
    for (size_t i = 0; i < 9; ++i) large += std::fabs(values[c + 5 * i]) >= 0.75 ? 1 : 0;
    EXPECT_EQ(large, 1u) << "channel " << c;
  }
}

TEST(Weights, SmallerThanAStepDoNotAllVanish) {
  // 1000 taps of at most 1.5 / 1000, a step is 1 / 128.
  const Recipe recipe = Of({.kind = kWeights, .fan_in = 1000}, Pattern::kDominant);
  const Bytes bytes = BytesOf(recipe, TENSOR_QUANT8_SYMM, {0x1p-7f, 0, nullptr}, {1, 1000});
  const auto zeros = static_cast<size_t>(std::count(bytes.begin(), bytes.end(), 0));
  EXPECT_GT(1000 - zeros, 50u);
  EXPECT_LT(1000 - zeros, 200u);
}

TEST(PerChannelScales, DifferAndCoverTheRange) {
  const Quantization q = PerChannelScales({-1, 1}, 3, 16, 5);
  ASSERT_NE(q.per_channel, nullptr);
  EXPECT_EQ(q.per_channel->channel_dim, 3u);
  ASSERT_EQ(q.per_channel->scales.size(), 16u);
  for (float s : q.per_channel->scales) EXPECT_GE(s * 127, 1.0f);
  EXPECT_GT(std::set<float>(q.per_channel->scales.begin(), q.per_channel->scales.end()).size(), 2u);
  const Quantization simple = PerChannelScales({-1, 1}, 0, 4, 0);
  EXPECT_EQ(std::set<float>(simple.per_channel->scales.begin(), simple.per_channel->scales.end()).size(), 1u);
}

TEST(StoreValues, CountsInTheScaleOfEachChannel) {
  auto channels = std::make_shared<PerChannel>();
  channels->channel_dim = 1;
  channels->scales = {0.5f, 0.25f};
  const Quantization q{0, 0, channels};
  const std::vector<double> values{1, 1, -2, -2};
  const Bytes bytes = StoreValues(TENSOR_QUANT8_SYMM_PER_CHANNEL, q, {2, 2}, values, {-2, 2});
  EXPECT_EQ(bytes, (Bytes{2, 4, 256 - 4, 256 - 8}));
}

TEST(StoreValues, SpecialValuesComeOnlyWhenAsked) {
  Recipe recipe = Of({.range = {-1, 1}}, Pattern::kRandom);
  const auto special = [&](OperandType type) {
    const Dims dims{500};
    const Bytes bytes = BytesOf(recipe, type, {}, dims);
    size_t count = 0;
    for (size_t i = 0; i < 500; ++i) count += std::isfinite(ElementAt(type, {}, dims, bytes.data(), i)) ? 0 : 1;
    return count;
  };
  EXPECT_EQ(special(TENSOR_FLOAT32), 0u);
  recipe.special_values = true;
  EXPECT_GT(special(TENSOR_FLOAT32), 5u);
  EXPECT_GT(special(TENSOR_FLOAT16), 5u);
}

// Written down once; a change of any of them changes what every recorded tape means.
TEST(Values, AreTheSameBitsEverywhere) {
  const auto hash = [](Fill::Kind kind, OperandType type, const Quantization& q) {
    const Bytes bytes = BytesOf(Of({.kind = kind, .range = {-1, 1}, .fan_in = 8}, Pattern::kRandom, 42), type, q, {64});
    uint64_t h = 0xcbf29ce484222325u;
    for (uint8_t b : bytes) h = (h ^ b) * 0x100000001b3u;
    return h;
  };
  EXPECT_EQ(hash(kUniform, TENSOR_FLOAT32, {}), 15626411780728294759u);
  EXPECT_EQ(hash(kNormal, TENSOR_FLOAT32, {}), 9659276450595021013u);
  EXPECT_EQ(hash(kWeights, TENSOR_FLOAT16, {}), 16008920301228457924u);
  EXPECT_EQ(hash(kNormal, TENSOR_QUANT8_ASYMM, {0x1p-7f, 128, nullptr}), 1250604047713498883u);
}

}  // namespace
}  // namespace assay
