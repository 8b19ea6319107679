// SOFTMAX against its formula.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "numeric/storage.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

OneCall Softmax(Given input, double beta, std::optional<int32_t> axis = std::nullopt) {
  const OperandType type = input.argument.type;
  std::vector<Given> inputs{std::move(input), type == TENSOR_FLOAT16 ? RealHalf(beta) : Real(beta)};
  if (axis) inputs.push_back(Int(*axis));
  return {OperationCode::SOFTMAX, std::move(inputs), {Output(type)}};
}

// From the formula alone, in long double: [outer, size, inner], along the middle.
std::vector<double> Expected(const std::vector<double>& x, size_t outer, size_t size, size_t inner, double beta) {
  std::vector<double> out(x.size());
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < inner; ++i) {
      long double sum = 0;
      for (size_t k = 0; k < size; ++k) sum += std::exp(static_cast<long double>(beta * x[(o * size + k) * inner + i]));
      for (size_t k = 0; k < size; ++k) {
        const size_t at = (o * size + k) * inner + i;
        out[at] = static_cast<double>(std::exp(static_cast<long double>(beta * x[at])) / sum);
      }
    }
  return out;
}

TEST(Softmax, ByHand) {
  const double e = std::exp(1.0);
  const OneCall softmax = Softmax(Float32({2, 2}, {0, 1, 5, 5}), 1);
  EXPECT_THAT(softmax.Golden(), ElementsAre(DoubleNear(1 / (1 + e), 1e-7), DoubleNear(e / (1 + e), 1e-7), 0.5, 0.5));
  softmax.ExpectInside();
  EXPECT_THAT(Softmax(Float32({1, 1}, {7}), 2).Golden(), ElementsAre(1));
}

TEST(Softmax, EveryAxisOfBothSigns) {
  const std::vector<double> x = Noise(2 * 3 * 4 * 5, 1, -3, 3);
  std::vector<double> stored;
  for (double v : x) stored.push_back(static_cast<float>(v));
  const size_t outer[] = {1, 2, 6, 24}, size[] = {2, 3, 4, 5}, inner[] = {60, 20, 5, 1};
  for (int32_t axis = -4; axis < 4; ++axis) {
    const size_t a = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    const OneCall softmax = Softmax(Float32({2, 3, 4, 5}, x), 0.75, axis);
    const std::vector<double> expected = Expected(stored, outer[a], size[a], inner[a], 0.75);
    const std::vector<double> golden = softmax.Golden(), fast = softmax.Fast();
    for (size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(golden[i], expected[i], 6e-8);
      EXPECT_NEAR(fast[i], expected[i], 1e-6);
    }
    softmax.ExpectInside();
  }
  EXPECT_EQ(Softmax(Float32({2, 3, 4, 5}, x), 0.75).Golden(), Softmax(Float32({2, 3, 4, 5}, x), 0.75, 3).Golden());
}

TEST(Softmax, Quantized) {
  const std::vector<int64_t> codes = NoiseCodes(3 * 6, 3, 60, 180);
  std::vector<double> x;
  for (int64_t code : codes) x.push_back(0.0625 * static_cast<double>(code - 100));
  std::vector<int64_t> expected;
  for (double y : Expected(x, 3, 6, 1, 0.5)) expected.push_back(std::min(255L, std::lround(256 * y)));
  const OneCall softmax = Softmax(Quant8({3, 6}, codes, 0.0625, 100), 0.5);
  EXPECT_EQ(softmax.GoldenCodes(), expected);
  EXPECT_EQ(softmax.inferred().front().quantization, (Quantization{1.0f / 256, 0, nullptr}));
  softmax.ExpectInside();
  softmax.ExpectHullHolds(0, 1, 40);
  std::vector<int64_t> lower = codes;
  for (int64_t& code : lower) code -= 128;
  for (int64_t& code : expected) code -= 128;
  const OneCall lowered = Softmax(Quant8Signed({3, 6}, lower, 0.0625, -28), 0.5);
  EXPECT_EQ(lowered.GoldenCodes(), expected);
  EXPECT_EQ(lowered.inferred().front().quantization, (Quantization{1.0f / 256, -128, nullptr}));
  // A probability of 1 saturates.
  EXPECT_THAT(Softmax(Quant8({1, 2}, {0, 255}, 1, 0), 1).GoldenCodes(), ElementsAre(0, 255));
}

TEST(Softmax, IsStable) {
  const OneCall large = Softmax(Float32({2, 3}, {1000, 1001, 1000, -2000, -2000, 3000}), 1);
  const double e = std::exp(1.0);
  EXPECT_THAT(large.Golden(), ElementsAre(DoubleNear(1 / (2 + e), 1e-7), DoubleNear(e / (2 + e), 1e-7),
                                          DoubleNear(1 / (2 + e), 1e-7), 0, 0, 1));
  large.ExpectInside();
  Softmax(Float16({1, 3}, {1000, -1000, 500}), 1).ExpectInside();
}

// The hull is that of the formula at the ends: x_i low and the others high, and the reverse.
TEST(Softmax, HullIsSharp) {
  const OneCall softmax = Softmax(Float32({1, 3}, {0, 1, 2}), 1);
  const std::vector<Interval> in{{-0.5, 0.5, 0}, {0.5, 1.5, 1}, {1.5, 2.5, 2}};
  const std::vector<Interval> bound = softmax.Bound(0, {.strict = true}, {in});
  for (size_t i = 0; i < 3; ++i) {
    double others_low = 0, others_high = 0;
    for (size_t j = 0; j < 3; ++j)
      if (j != i) others_low += std::exp(in[j].lo), others_high += std::exp(in[j].hi);
    EXPECT_NEAR(bound[i].lo, std::exp(in[i].lo) / (std::exp(in[i].lo) + others_high), 1e-5);
    EXPECT_NEAR(bound[i].hi, std::exp(in[i].hi) / (std::exp(in[i].hi) + others_low), 1e-5);
  }
  softmax.ExpectHullHolds(0.5, 0, 50);
  softmax.ExpectHullHolds(40, 0, 50);  // so wide that a difference of sums would cancel
  softmax.ExpectHullHolds(1000, 0, 50);
}

// A device that rounds every step to float16, badly: in any direction, with the exponential's argument in base 2, the
// logits multiplied by beta before or after the maximum is subtracted, the sum from either end, subnormals flushed.
class HalfDevice {
 public:
  explicit HalfDevice(uint64_t seed) : directions_(Noise(100000, seed, 0, 1)) {}
  std::vector<double> Softmax(const std::vector<double>& x, double beta) {
    const bool fold = Coin(), backward = Coin(), reciprocal = Coin();
    const double most = *std::max_element(x.begin(), x.end());
    std::vector<double> out;
    for (double v : x) {
      const double argument = fold ? Round(Round(beta * v) - Round(beta * most)) : Round(Round(v - most) * beta);
      out.push_back(Round(std::exp2(Round(argument * std::log2(std::exp(1.0))))));
    }
    double sum = 0;
    for (size_t i = 0; i < out.size(); ++i) sum = Round(sum + out[backward ? out.size() - 1 - i : i]);
    for (double& v : out) v = reciprocal ? Round(v * Round(1 / sum)) : Round(v / sum);
    return out;
  }

 private:
  bool Coin() { return directions_[at_++ % directions_.size()] < 0.5; }
  double Round(double v) {
    if (v == 0) return 0;
    const int exponent = std::ilogb(v);
    if (exponent < -14) return 0;
    const double ulp = std::ldexp(1, exponent - 10), scaled = v / ulp;
    return ulp * (Coin() ? std::floor(scaled) : std::ceil(scaled));
  }
  std::vector<double> directions_;
  size_t at_ = 0;
};

TEST(Softmax, HoldsForADeviceThatRoundsEveryStep) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const size_t size = 1 + seed % 40;
    const double beta = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 1 : 0.5;
    const OneCall softmax = Softmax(Float16({1, static_cast<uint32_t>(size)}, Noise(size, seed, -6, 6)), beta);
    std::vector<double> x(size);
    Load(TENSOR_FLOAT16, {}, {static_cast<uint32_t>(size)}, softmax.inputs()[0].bytes.data(), x.data());
    const std::vector<Interval> bound = softmax.Bound(0, {.strict = true});
    HalfDevice device(seed);
    for (int run = 0; run < 5; ++run) {
      const std::vector<double> answer = device.Softmax(x, beta);
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(Inside(bound[i], answer[i]), Verdict::kInside)
            << answer[i] << " is outside of [" << bound[i].Lo() << ", " << bound[i].Hi() << "], size " << size;
    }
  }
}

TEST(Softmax, BoundIsNarrowOnPointsAndUnknownAbsorbs) {
  const std::vector<double> x = Noise(4 * 16, 5, -3, 3);
  EXPECT_LT(Softmax(Float32({4, 16}, x), 1).Widest(), 5e-5);
  EXPECT_LT(Softmax(Float32({4, 16}, x), 1).Widest(0, {.strict = true}), 5e-5);
  EXPECT_LT(Softmax(Float16({4, 16}, x), 1).Widest(0, {.float16_sums_in_float32 = true}), 0.02);
  EXPECT_LT(Softmax(Float16({4, 16}, x), 1).Widest(), 0.08);
  std::vector<Interval> in(4, Interval(0));
  in[1] = Interval::Unknown();
  const std::vector<Interval> bound = Softmax(Float32({2, 2}, {0}), 1).Bound(0, {}, {in});
  EXPECT_TRUE(bound[0].IsUnknown() && bound[1].IsUnknown());
  EXPECT_TRUE(bound[2].IsFinite() && bound[3].IsFinite());
}

TEST(Softmax, LevelsAndRules) {
  EXPECT_EQ(Softmax(Float32({2, 2}, {1}), 1).level(), 1);
  EXPECT_EQ(Softmax(Float32({1, 1, 2, 2}, {1}), 1).level(), 1);
  EXPECT_EQ(Softmax(Float32({2}, {1}), 1).level(), 3);
  EXPECT_EQ(Softmax(Float32({1, 2, 2}, {1}), 1).level(), 3);
  EXPECT_EQ(Softmax(Float32({2, 2}, {1}).UnknownRank(), 1).level(), 1);
  EXPECT_EQ(Softmax(Float32({2, 2}, {1}), 1, -1).level(), 3);
  EXPECT_EQ(Softmax(Quant8Signed({2, 2}, {1}, 1, 0), 1).level(), 4);
  EXPECT_EQ(Softmax(Float32({0, 3}, {}), 1).dims(), Dims({0, 3}));
  EXPECT_THAT(Softmax(Float32({0, 3}, {}), 1).Golden(), ElementsAre());
  RuleBook rules(OperationCode::SOFTMAX);
  rules.Valid(Softmax(Float32({2, 2}, {1}), 1, 0));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Real(1)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("axis", {Float32({1, 1}, {1}), Real(1), Int(2)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("axis", {Float32({1, 1}, {1}), Real(1), Int(-3)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("beta.range", {Float32({1, 1}, {1}), Real(0)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("beta.type", {Float16({1, 1}, {1}), Real(1)}, {Output(TENSOR_FLOAT16)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
