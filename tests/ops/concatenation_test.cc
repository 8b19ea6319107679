// CONCATENATION against its formula.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Concatenate(std::vector<Given> inputs, int32_t axis, Quantization quantization = {}) {
  const OperandType type = inputs.front().argument.type;
  inputs.push_back(Int(axis));
  return {OperationCode::CONCATENATION, std::move(inputs), {Output(type, std::move(quantization))}};
}

TEST(Concatenation, EveryAxis) {
  // Three tensors that differ along the axis: 1, 3 and 2 long.
  for (size_t axis = 0; axis < 4; ++axis) {
    const size_t lengths[] = {1, 3, 2};
    Dims out{2, 3, 2, 4};
    out[axis] = 6;
    std::vector<Given> inputs;
    std::vector<std::vector<double>> values;
    for (size_t n = 0; n < 3; ++n) {
      Dims dims = out;
      dims[axis] = static_cast<uint32_t>(lengths[n]);
      values.push_back({});
      for (double v : Noise(Count(dims), n)) values.back().push_back(static_cast<float>(v));
      inputs.push_back(Float32(dims, values.back()));
    }
    std::vector<double> expected;
    for (size_t a = 0; a < out[0]; ++a)
      for (size_t b = 0; b < out[1]; ++b)
        for (size_t c = 0; c < out[2]; ++c)
          for (size_t d = 0; d < out[3]; ++d) {
            size_t at[] = {a, b, c, d}, n = 0;
            while (at[axis] >= lengths[n]) at[axis] -= lengths[n++];
            Dims dims = out;
            dims[axis] = static_cast<uint32_t>(lengths[n]);
            expected.push_back(values[n][((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * dims[3] + at[3]]);
          }
    const OneCall call = Concatenate(inputs, static_cast<int32_t>(axis));
    EXPECT_EQ(call.dims(), out);
    EXPECT_EQ(call.Golden(), expected);
    EXPECT_EQ(call.Fast(), expected);
    EXPECT_EQ(call.Widest(), 0);
    EXPECT_GT(call.Widest(0, {.relaxed = true}), 0);  // a device may keep its tensors in float16
    call.ExpectInside();
  }
}

TEST(Concatenation, EqualQuantizationIsACopy) {
  const OneCall call = Concatenate({Quant8({2}, {0, 255}, 0.5, 3), Quant8({1}, {9}, 0.5, 3)}, 0, {0.5, 3, nullptr});
  EXPECT_THAT(call.GoldenCodes(), ElementsAre(0, 255, 9));
  EXPECT_EQ(call.Widest(), 0);
  EXPECT_EQ(call.level(), 1);
  EXPECT_THAT(Concatenate({Quant8Signed({2}, {-128, 127}, 0.5, 3)}, 0, {0.5, 3, nullptr}).GoldenCodes(),
              ElementsAre(-128, 127));
  EXPECT_THAT(Concatenate({Float16({2}, {1, -2.5})}, 0).Golden(), ElementsAre(1, -2.5));
}

// round((code - z) * s / s_out + z_out): 0.5 * (code - 3) / 0.25 + 10 and 1.5 * code / 0.25 + 10.
TEST(Concatenation, OtherQuantizationsAreRequantized) {
  const OneCall call =
      Concatenate({Quant8({3}, {0, 3, 255}, 0.5, 3), Quant8({2}, {1, 9}, 1.5, 0)}, 0, {0.25, 10, nullptr});
  EXPECT_THAT(call.GoldenCodes(), ElementsAre(4, 10, 255, 16, 64));
  EXPECT_THAT(call.FastCodes(), ElementsAre(4, 10, 255, 16, 64));
  EXPECT_EQ(call.level(), 3);
  EXPECT_NEAR(call.Widest(), 3 * 0.25, 1e-9);
  call.ExpectInside();
  call.ExpectHullHolds(0, 2, 30);
  const OneCall lower = Concatenate({Quant8Signed({3}, {-128, 3, 127}, 0.5, 3)}, 0, {1, 0, nullptr});
  EXPECT_THAT(lower.GoldenCodes(), ElementsAre(-66, 0, 62));  // -65.5 and 62
}

TEST(Concatenation, EmptyAndUnknown) {
  const OneCall call = Concatenate({Float32({2, 0}, {}), Float32({2, 1}, {1, 2}), Float32({2, 0}, {})}, 1);
  EXPECT_EQ(call.dims(), Dims({2, 1}));
  EXPECT_THAT(call.Golden(), ElementsAre(1, 2));
  EXPECT_EQ(Concatenate({Float32({2, 3}, {1}).UnknownDim(0), Float32({2, 1}, {1})}, 1).inferred().front().shape,
            Shape::Of({2, 4}));
  EXPECT_EQ(Concatenate({Float32({2, 3}, {1}).UnknownDim(1), Float32({2, 1}, {1})}, 1).inferred().front().shape,
            Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(Concatenate({Float32({2, 3}, {1}).UnknownRank(), Float32({2, 1}, {1})}, 1).inferred().front().shape,
            Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(Concatenate({Float32({2, 3}, {1}).UnknownRank()}, 1).inferred().front().shape, Shape::Unranked());
}

TEST(Concatenation, LevelsAndRules) {
  EXPECT_EQ(Concatenate({Float32({1}, {1})}, 0).level(), 1);
  EXPECT_EQ(Concatenate({Float16({1}, {1})}, 0).level(), 3);
  EXPECT_EQ(Concatenate({Quant8Signed({1}, {1}, 1, 0)}, 0, {1, 0, nullptr}).level(), 4);
  EXPECT_EQ(Concatenate({Quant8({1}, {1}, 1, 0)}, 0, {1, 1, nullptr}).level(), 3);
  RuleBook rules(OperationCode::CONCATENATION);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  const Given one = Float32({1, 1}, {1});
  rules.Valid(Concatenate({one, one}, 0));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int(0)}, out);
  rules.Breaks("ranks", {one, Float32({1}, {1}), Int(0)}, out);
  rules.Breaks("axis", {one, one, Int(2)}, out);
  rules.Breaks("axis.range", {one, one, Int(-1)}, out);
  rules.Breaks("dims", {one, Float32({1, 2}, {1}), Int(0)}, out);
  rules.Breaks("dims", {one.UnknownDim(1), Float32({1, 2}, {1}), Float32({1, 3}, {1}), Int(0)}, out);
  const Given huge = one.WithShape(Shape::Of({0x80000000, 1}));
  rules.Breaks("output_size", {huge, huge, Int(0)}, out);
  rules.Breaks("types", {one, Float16({1, 1}, {1}), Int(0)}, out);
  rules.Breaks("operand_count", {Int(0)}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
