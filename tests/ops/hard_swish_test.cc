// HARD_SWISH against its formula.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Swish(Given input, Quantization declared = {}) {
  const OperandType type = input.argument.type;
  return {OperationCode::HARD_SWISH, {std::move(input)}, {Output(type, std::move(declared))}};
}
double Exact(double x) { return x * std::max(0.0, std::min(6.0, x + 3)) / 6; }

TEST(HardSwishTest, IsTheFormulaOnFloats) {
  const std::vector<double> x = Noise(60, 1, -5, 5);
  const OneCall call = Swish(Float32({1, 2, 1, 6, 5}, x));
  EXPECT_EQ(call.dims(), Dims({1, 2, 1, 6, 5}));
  const std::vector<double> golden = call.Golden(), fast = call.Fast();
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = Exact(double{static_cast<float>(x[i])});
    EXPECT_EQ(golden[i], double{static_cast<float>(exact)});
    EXPECT_NEAR(fast[i], exact, 1e-6);
  }
  call.ExpectInside();
  call.ExpectHullHolds(0.5, 0, 40);
  EXPECT_LT(call.Widest(), 4e-5);
  EXPECT_LT(call.Widest(0, {.strict = true}), 1e-5);
  Swish(Float16({60}, x)).ExpectHullHolds(0.5, 0, 40);
  EXPECT_THAT(Swish(Float32({4}, {-3, -1.5, 3, 8})).Golden(), ElementsAre(0, -0.375, 3, 8));
  // Below -3 nothing is left, not even a rounding.
  const Interval zero = Swish(Float32({1}, {-4})).Bound(0, {.strict = true}).front();
  EXPECT_LT(zero.hi - zero.lo, 1e-37);
}

TEST(HardSwishTest, QuantizedByTheFormula) {
  const struct {
    OperandType type;
    int32_t least, most;
  } types[] = {{TENSOR_QUANT8_ASYMM, 0, 255}, {TENSOR_QUANT8_ASYMM_SIGNED, -128, 127}};
  for (const auto& t : types) {
    const Quantization in{0.0625f, t.least + 100, nullptr}, out{0.03125f, t.least + 20, nullptr};
    std::vector<int64_t> codes, expected;
    for (int64_t code = t.least; code <= t.most; ++code) {
      codes.push_back(code);
      const double real = Exact(0.0625 * static_cast<double>(code - in.zero_point));
      expected.push_back(std::min<int64_t>(t.most, std::lround(real / 0.03125) + out.zero_point));
    }
    const OneCall call = Swish(Codes(t.type, {256}, codes, in), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    const std::vector<int64_t> fast = call.FastCodes();
    for (size_t i = 0; i < 256; ++i) EXPECT_NEAR(static_cast<double>(fast[i]), static_cast<double>(expected[i]), 1);
    call.ExpectInside();
    call.ExpectHullHolds(0, 3, 10);
    EXPECT_LE(call.Widest(), 3.001 * 0.03125);
  }
}

TEST(HardSwishTest, TakesEmptyTensorsAndUnknownShapes) {
  EXPECT_EQ(Swish(Float32({2, 0}, {})).dims(), Dims({2, 0}));
  EXPECT_THAT(Swish(Float32({2, 0}, {})).Golden(), ElementsAre());
  EXPECT_EQ(Swish(Float32({2, 3}, {1}).UnknownRank()).inferred().front().shape, Shape::Unranked());
}

TEST(HardSwishTest, LevelsAndRules) {
  EXPECT_EQ(Swish(Float32({1}, {1})).level(), 4);
  EXPECT_EQ(Swish(Quant8({1}, {1}, 1, 0), {1, 0, nullptr}).level(), 4);
  RuleBook rules(OperationCode::HARD_SWISH);
  rules.Valid(Swish(Float32({2}, {1})));
  rules.Breaks("types", {Int32({1}, {1})}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
