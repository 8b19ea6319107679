// ELU against its formula.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall EluCall(Given input, Given alpha) {
  const OperandType type = input.argument.type;
  return {OperationCode::ELU, {std::move(input), std::move(alpha)}, {Output(type)}};
}

TEST(EluTest, IsTheFormulaTakenLiterally) {
  const std::vector<double> x = Noise(60, 1, -5, 4);
  for (const double alpha : {1.0, 0.5, 3.0, 0.0, -0.5, -1.0, -2.0}) {
    const OneCall call = EluCall(Float32({4, 15}, x), Real(alpha));
    EXPECT_EQ(call.dims(), Dims({4, 15}));
    const std::vector<double> golden = call.Golden(), fast = call.Fast();
    for (size_t i = 0; i < x.size(); ++i) {
      const double v = double{static_cast<float>(x[i])};
      const double exact = std::max(0.0, v) + std::min(0.0, alpha * (std::exp(v) - 1));
      EXPECT_NEAR(golden[i], exact, 1e-7 * (1 + std::fabs(exact)));
      EXPECT_NEAR(fast[i], exact, 1e-6 * (1 + std::fabs(exact)));
    }
    call.ExpectInside();
    call.ExpectHullHolds(0.5, 0, 40);
    const OneCall half = EluCall(Float16({60}, x), RealHalf(alpha));
    half.ExpectInside();
    half.ExpectHullHolds(0.5, 0, 40);
  }
  EXPECT_LT(EluCall(Float32({60}, x), Real(1)).Widest(), 1e-4);
}

TEST(EluTest, HullTurnsWithANegativeAlpha) {
  // x - 0.5 * (e^x - 1) is greatest at log 2, and 0 for all x <= 0.
  const OneCall call = EluCall(Float32({2}, {0.5, 0}), Real(-0.5));
  const std::vector<Interval> bound = call.Bound(0, {.strict = true}, {{{-1, 2, 0.5}, {-2, -1, -1.5}}});
  EXPECT_NEAR(bound[0].hi, std::log(2.0) - 0.5, 1e-5);
  EXPECT_NEAR(bound[0].lo, 2 - 0.5 * (std::exp(2.0) - 1), 1e-5);
  EXPECT_NEAR(bound[1].lo, 0, 1e-5);
  EXPECT_NEAR(bound[1].hi, 0, 1e-5);
}

TEST(EluTest, TakesEmptyTensorsAndUnknownShapes) {
  const OneCall empty = EluCall(Float32({2, 0}, {}), Real(1));
  EXPECT_EQ(empty.dims(), Dims({2, 0}));
  EXPECT_THAT(empty.Golden(), ElementsAre());
  EXPECT_EQ(EluCall(Float32({2, 3}, {1}).UnknownDim(1), Real(1)).inferred().front().shape, Shape::Of({2, kUnknownDim}));
  EXPECT_TRUE(EluCall(Float32({1, 1, 1, 1, 2}, {1}), Real(1)).valid());
}

TEST(EluTest, LevelsAndRules) {
  EXPECT_EQ(EluCall(Float32({1}, {1}), Real(1)).level(), 4);
  EXPECT_EQ(EluCall(Float16({1}, {1}), RealHalf(1)).level(), 4);
  RuleBook rules(OperationCode::ELU);
  rules.Valid(EluCall(Float32({2}, {1}), Real(1)));
  rules.Breaks("alpha.type", {Float16({2}, {1}), Real(1)}, {Output(TENSOR_FLOAT16)});
  rules.Breaks("alpha.type", {Float32({2}, {1}), RealHalf(1)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("alpha.range", {Float32({2}, {1}), Real(HUGE_VAL)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("types", {Quant8({1}, {1}, 1, 0), Real(1)}, {Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
