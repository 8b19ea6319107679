// PAD and PAD_V2 against their formula.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Pad(Given input, std::vector<int64_t> paddings) {
  const OperandType type = input.argument.type;
  const Quantization quantization = input.argument.quantization;
  const auto rank = static_cast<uint32_t>(paddings.size() / 2);
  return {OperationCode::PAD, {std::move(input), Int32({rank, 2}, paddings)}, {Output(type, quantization)}};
}

TEST(Pad, FourDimensionsUnequalSides) {
  const std::vector<int64_t> codes = NoiseCodes(2 * 3 * 2 * 4, 1, 0, 255);
  const OneCall call = Pad(Quant8({2, 3, 2, 4}, codes, 0.5, 7), {1, 0, 0, 2, 3, 1, 2, 0});
  ASSERT_EQ(call.dims(), Dims({3, 5, 6, 6}));
  std::vector<int64_t> expected;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 5; ++b)
      for (int c = 0; c < 6; ++c)
        for (int d = 0; d < 6; ++d) {
          const int i = a - 1, j = b, k = c - 3, l = d - 2;
          const bool inside = i >= 0 && i < 2 && j < 3 && k >= 0 && k < 2 && l >= 0 && l < 4;
          expected.push_back(inside ? codes[static_cast<size_t>(((i * 3 + j) * 2 + k) * 4 + l)] : 7);
        }
  EXPECT_EQ(call.GoldenCodes(), expected);
  EXPECT_EQ(call.FastCodes(), expected);
  EXPECT_EQ(call.inferred().front().quantization, (Quantization{0.5, 7, nullptr}));
  EXPECT_EQ(call.Widest(), 0);
  call.ExpectInside();
}

TEST(Pad, EveryTypeAndRank) {
  EXPECT_THAT(Pad(Float32({2}, {1, 2}), {1, 2}).Golden(), ElementsAre(0, 1, 2, 0, 0));
  EXPECT_THAT(Pad(Float16({1, 2}, {1, 2}), {0, 1, 1, 0}).Fast(), ElementsAre(0, 1, 2, 0, 0, 0));
  EXPECT_THAT(Pad(Quant8Signed({2}, {-128, 5}, 1, -3), {1, 1}).GoldenCodes(), ElementsAre(-3, -128, 5, -3));
  EXPECT_THAT(Pad(Float32({1, 1, 1}, {3}), {0, 0, 0, 1, 0, 0}).Golden(), ElementsAre(3, 0));
  EXPECT_EQ(Pad(Float32({2}, {1, 2}), {1, 2}).Bound()[0].value, 0);
  EXPECT_THAT(Pad(Float32({2}, {1, 2}), {0, 0}).Golden(), ElementsAre(1, 2));
}

TEST(Pad, WhatIsNotKnown) {
  EXPECT_EQ(Pad(Float32({2, 3}, {1}).UnknownDim(0), {1, 0, 0, 2}).inferred().front().shape,
            Shape::Of({kUnknownDim, 5}));
  EXPECT_EQ(Pad(Float32({2, 3}, {1}).UnknownRank(), {1, 0, 0, 2}).inferred().front().shape,
            Shape::Of({kUnknownDim, kUnknownDim}));
}

TEST(Pad, LevelsAndRules) {
  EXPECT_EQ(Pad(Float32({1}, {1}), {0, 1}).level(), 2);
  EXPECT_EQ(Pad(Quant8({1}, {1}, 1, 0), {0, 1}).level(), 2);
  EXPECT_EQ(Pad(Quant8({1}, {1}, 1, 1), {0, 1}).level(), 3);
  EXPECT_EQ(Pad(Float16({1}, {1}), {0, 1}).level(), 3);
  EXPECT_EQ(Pad(Quant8Signed({1}, {1}, 1, 0), {0, 1}).level(), 4);
  RuleBook rules(OperationCode::PAD);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Pad(Float32({2, 2}, {1}), {0, 1, 1, 0}));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int32({5, 2}, {0})}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Int32({2}, {0})}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Int32({2, 2}, {0})}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Int32({1, 3}, {0})}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Omitted(TENSOR_INT32)}, out);
  rules.Breaks("padding", {Float32({2}, {1}), Int32({1, 2}, {0, -1})}, out);
  rules.Breaks("output_size", {Float32({2}, {1}), Int32({1, 2}, {INT32_MAX})}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int32({1, 2}, {0})}, out);
  rules.Breaks("types", {Int32({1}, {1}), Int32({1, 2}, {0})}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

OneCall PadV2(Given input, std::vector<int64_t> paddings, Given value) {
  const OperandType type = input.argument.type;
  const Quantization quantization = input.argument.quantization;
  const auto rank = static_cast<uint32_t>(paddings.size() / 2);
  return {OperationCode::PAD_V2,
          {std::move(input), Int32({rank, 2}, paddings), std::move(value)},
          {Output(type, quantization)}};
}

TEST(PadV2, EveryTypeHasItsOwnValue) {
  EXPECT_THAT(PadV2(Float32({2}, {1, 2}), {1, 2}, Real(9.5)).Golden(), ElementsAre(9.5, 1, 2, 9.5, 9.5));
  EXPECT_THAT(PadV2(Float16({1, 2}, {1, 2}), {0, 1, 1, 0}, RealHalf(-3)).Fast(), ElementsAre(-3, 1, 2, -3, -3, -3));
  // The very code, whatever the zero point.
  const OneCall coded = PadV2(Quant8({2}, {7, 255}, 0.5, 7), {1, 1}, Int(9));
  EXPECT_THAT(coded.GoldenCodes(), ElementsAre(9, 7, 255, 9));
  EXPECT_EQ(coded.Bound()[0].value, 1);
  EXPECT_EQ(coded.Widest(), 0);
  coded.ExpectInside();
  EXPECT_THAT(PadV2(Quant8Signed({2}, {-128, 5}, 1, -3), {1, 1}, Int(-128)).GoldenCodes(),
              ElementsAre(-128, -128, 5, -128));
  PadV2(Float32({2}, {1, 2}), {1, 2}, Real(0.25)).ExpectInside();
}

// The value is only stored.
TEST(PadV2, TakesInfinitiesAndNan) {
  EXPECT_THAT(PadV2(Float32({1}, {1}), {1, 0}, Real(-INFINITY)).Golden(), ElementsAre(-INFINITY, 1));
  const OneCall nan = PadV2(Float16({1}, {1}), {1, 0}, RealHalf(NAN));
  EXPECT_TRUE(std::isnan(nan.Golden()[0]));
  EXPECT_TRUE(nan.Bound()[0].IsExactNan());
}

TEST(PadV2, LevelsAndRules) {
  EXPECT_EQ(PadV2(Float32({1}, {1}), {0, 1}, Real(0)).level(), 3);
  EXPECT_EQ(PadV2(Quant8({1}, {1}, 1, 1), {0, 1}, Int(0)).level(), 3);
  EXPECT_EQ(PadV2(Quant8Signed({1}, {1}, 1, 0), {0, 1}, Int(0)).level(), 4);
  RuleBook rules(OperationCode::PAD_V2);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)}, codes{Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})};
  rules.Valid(PadV2(Float32({2, 2}, {1}), {0, 1, 1, 0}, Real(1)));
  rules.Valid(PadV2(Quant8({2, 2}, {1}, 1, 0), {0, 1, 1, 0}, Int(1)));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int32({5, 2}, {0}), Real(1)}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Int32({2}, {0}), Real(1)}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Int32({1, 3}, {0}), Real(1)}, out);
  rules.Breaks("padding", {Float32({2}, {1}), Int32({1, 2}, {0, -1}), Real(1)}, out);
  rules.Breaks("output_size", {Float32({2}, {1}), Int32({1, 2}, {INT32_MAX}), Real(1)}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int32({1, 2}, {0}), Real(1)}, out);
  rules.Breaks("pad_code", {Quant8({2}, {1}, 1, 0), Int32({1, 2}, {0}), Int(-1)}, codes);
  rules.Breaks("pad_code", {Quant8({2}, {1}, 1, 0), Int32({1, 2}, {0}), Int(256)}, codes);
  rules.Breaks("pad_value.type", {Quant8({2}, {1}, 1, 0), Int32({1, 2}, {0}), Real(1)}, codes);
  rules.Breaks("pad_value.type", {Float32({2}, {1}), Int32({1, 2}, {0}), Int(1)}, out);
  rules.Breaks("types", {Int32({1}, {1}), Int32({1, 2}, {0}), Real(1)}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
