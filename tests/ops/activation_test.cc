// RELU, RELU1, RELU6, LOGISTIC and TANH against their formulas.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Apply(OperationCode code, Given input, Quantization declared = {}) {
  const OperandType type = input.argument.type;
  return {code, {std::move(input)}, {Output(type, std::move(declared))}};
}

double LogisticOf(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Relu, ClampsFloats) {
  for (const Given& in : {Float32({2, 2}, {-1.5, 0, 0.25, 3}), Float16({2, 2}, {-1.5, 0, 0.25, 3})}) {
    const OneCall relu = Apply(OperationCode::RELU, in);
    EXPECT_EQ(relu.dims(), Dims({2, 2}));
    EXPECT_THAT(relu.Golden(), ElementsAre(0, 0, 0.25, 3));
    EXPECT_THAT(relu.Fast(), ElementsAre(0, 0, 0.25, 3));
    relu.ExpectInside();
    relu.ExpectHullHolds(0.5, 0, 20);
    for (const Interval& e : relu.Bound()) EXPECT_GE(e.Lo(), 0);
  }
}

TEST(Relu, ClampsCodesToTheZeroPoint) {
  const OneCall relu = Apply(OperationCode::RELU, Quant8({4}, {0, 99, 100, 255}, 0.5, 100), {0.5, 100, nullptr});
  EXPECT_THAT(relu.GoldenCodes(), ElementsAre(100, 100, 100, 255));
  EXPECT_THAT(relu.FastCodes(), ElementsAre(100, 100, 100, 255));
  EXPECT_EQ(relu.inferred().front().quantization, (Quantization{0.5, 100, nullptr}));
  EXPECT_LE(relu.Widest(), 2 * 1.5 * 0.5 + 1e-9);
  EXPECT_EQ(relu.Bound()[2].Lo(), 0);
  relu.ExpectInside();
  relu.ExpectHullHolds(0, 2, 20);
  const OneCall lower = Apply(OperationCode::RELU, Quant8Signed({3}, {-128, -20, 5}, 2, -20), {2, -20, nullptr});
  EXPECT_THAT(lower.GoldenCodes(), ElementsAre(-20, -20, 5));
}

TEST(Relu, OneAndSixClampOnBothSides) {
  const std::vector<double> x{-7, -1, -0.5, 0, 0.75, 1, 5, 6, 9};
  for (const auto& make : {Float32, Float16}) {
    const OneCall one = Apply(OperationCode::RELU1, make({3, 3}, x)),
                  six = Apply(OperationCode::RELU6, make({3, 3}, x));
    EXPECT_THAT(one.Golden(), ElementsAre(-1, -1, -0.5, 0, 0.75, 1, 1, 1, 1));
    EXPECT_THAT(six.Fast(), ElementsAre(0, 0, 0, 0, 0.75, 1, 5, 6, 6));
    for (const OneCall* call : {&one, &six}) {
      call->ExpectInside();
      call->ExpectHullHolds(0.5, 0, 20);
    }
    EXPECT_EQ(one.Bound()[0].Lo(), -1);
    EXPECT_EQ(six.Bound()[8].Hi(), 6);
  }
}

// The limits are codes: the zero point and what is nearest to -1, 1 and 6, within the type.
TEST(Relu, OneAndSixClampCodes) {
  const Quantization q{0.375f, 100, nullptr};
  const Given codes = Quant8({6}, {0, 97, 98, 103, 116, 255}, 0.375f, 100);
  // -1 / 0.375 = -2.67 rounds to -3, 6 / 0.375 is 16.
  EXPECT_THAT(Apply(OperationCode::RELU1, codes, q).GoldenCodes(), ElementsAre(97, 97, 98, 103, 103, 103));
  EXPECT_THAT(Apply(OperationCode::RELU6, codes, q).FastCodes(), ElementsAre(100, 100, 100, 103, 116, 116));
  const Quantization fine{1.0f / 256, -128, nullptr};
  const Given small = Quant8Signed({3}, {-128, 0, 127}, 1.0f / 256, -128);
  for (const OperationCode code : {OperationCode::RELU1, OperationCode::RELU6}) {
    EXPECT_THAT(Apply(code, small, fine).GoldenCodes(), ElementsAre(-128, 0, 127));  // limits past the type's codes
    EXPECT_EQ(Apply(code, codes, q).inferred().front().quantization, q);
    Apply(code, codes, q).ExpectInside();
    Apply(code, codes, q).ExpectHullHolds(0, 2, 20);
  }
}

TEST(Logistic, IsTheFormulaOnFloats) {
  const std::vector<double> x = Noise(64, 1, -12, 12);
  const OneCall logistic = Apply(OperationCode::LOGISTIC, Float32({4, 16}, x));
  const std::vector<double> golden = logistic.Golden(), fast = logistic.Fast();
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(golden[i], LogisticOf(static_cast<float>(x[i])), 6e-8);
    EXPECT_NEAR(fast[i], golden[i], 3e-7);
  }
  logistic.ExpectInside();
  logistic.ExpectHullHolds(0.25, 0, 20);
  EXPECT_LT(logistic.Widest(), 4e-5);
  EXPECT_LT(logistic.Widest(0, {.strict = true}), 1e-5);
  EXPECT_LT(Apply(OperationCode::LOGISTIC, Float16({4, 16}, x)).Widest(), 0.03);
}

// 1 / 256 from 0 in both types; 1 itself is not representable.
TEST(Logistic, HasOneOutputQuantization) {
  const OneCall q = Apply(OperationCode::LOGISTIC, Quant8({5}, {0, 90, 100, 116, 255}, 0.125, 100));
  const OneCall s = Apply(OperationCode::LOGISTIC, Quant8Signed({5}, {-128, -38, -28, -12, 127}, 0.125, -28));
  EXPECT_EQ(q.inferred().front().quantization, (Quantization{1.0f / 256, 0, nullptr}));
  EXPECT_EQ(s.inferred().front().quantization, (Quantization{1.0f / 256, -128, nullptr}));
  std::vector<int64_t> expected;
  for (int code : {0, 90, 100, 116, 255})
    expected.push_back(std::min(255L, std::lround(256 * LogisticOf(0.125 * (code - 100)))));
  EXPECT_EQ(q.GoldenCodes(), expected);
  EXPECT_EQ(expected[2], 128);
  EXPECT_EQ(expected[4], 255);
  for (int64_t& code : expected) code -= 128;
  EXPECT_EQ(s.GoldenCodes(), expected);
  q.ExpectInside();
  s.ExpectHullHolds(0, 1, 20);
}

TEST(Tanh, IsTheFormula) {
  const std::vector<double> x = Noise(64, 2, -4, 4);
  const OneCall floats = Apply(OperationCode::TANH, Float32({64}, x));
  const std::vector<double> golden = floats.Golden();
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(golden[i], std::tanh(static_cast<float>(x[i])), 6e-8);
  floats.ExpectInside();
  floats.ExpectHullHolds(0.25, 0, 20);
  EXPECT_LT(floats.Widest(), 4e-5);
  Apply(OperationCode::TANH, Float16({64}, x)).ExpectInside();

  const OneCall q = Apply(OperationCode::TANH, Quant8({4}, {0, 128, 144, 255}, 0.0625, 128));
  const OneCall s = Apply(OperationCode::TANH, Quant8Signed({4}, {-128, 0, 16, 127}, 0.0625, 0));
  EXPECT_EQ(q.inferred().front().quantization, (Quantization{1.0f / 128, 128, nullptr}));
  EXPECT_EQ(s.inferred().front().quantization, (Quantization{1.0f / 128, 0, nullptr}));
  EXPECT_THAT(q.GoldenCodes(), ElementsAre(0, 128, 128 + std::lround(128 * std::tanh(1.0)), 255));
  EXPECT_THAT(s.GoldenCodes(), ElementsAre(-128, 0, std::lround(128 * std::tanh(1.0)), 127));
  q.ExpectHullHolds(0, 1, 20);
}

TEST(ElementFunctions, TakeEmptyTensorsAndUnknownShapes) {
  for (OperationCode code : {OperationCode::RELU, OperationCode::RELU1, OperationCode::RELU6, OperationCode::LOGISTIC,
                             OperationCode::TANH}) {
    const OneCall empty = Apply(code, Float32({2, 0}, {}));
    EXPECT_EQ(empty.dims(), Dims({2, 0}));
    EXPECT_THAT(empty.Golden(), ElementsAre());
    const OneCall unknown = Apply(code, Float32({2, 3}, {1}).UnknownDim(1));
    EXPECT_EQ(unknown.inferred().front().shape, Shape::Of({2, kUnknownDim}));
  }
}

TEST(ElementFunctions, LevelsAndRules) {
  for (OperationCode code : {OperationCode::RELU, OperationCode::RELU1, OperationCode::RELU6, OperationCode::LOGISTIC,
                             OperationCode::TANH}) {
    EXPECT_EQ(Apply(code, Float32({1}, {1})).level(), 1);
    EXPECT_EQ(Apply(code, Quant8({1}, {1}, 1, 0), {1, 0, nullptr}).level(), code == OperationCode::TANH ? 3 : 1);
    EXPECT_EQ(Apply(code, Float16({1}, {1})).level(), 3);
    EXPECT_EQ(Apply(code, Quant8Signed({1}, {1}, 1, 0), {1, 0, nullptr}).level(), 4);
    RuleBook rules(code);
    rules.Valid(Apply(code, Float32({2}, {1})));
    rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1})}, {Output(TENSOR_FLOAT32)});
    rules.Breaks("types", {Int32({1}, {1})}, {Output(TENSOR_INT32)});
    rules.Breaks("types", {Float32({1}, {1})}, {Output(TENSOR_FLOAT16)});
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
