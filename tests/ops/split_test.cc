// SPLIT and PACK against their formulas.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Split(Given input, int32_t axis, int32_t count, size_t outputs) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::SPLIT, {std::move(input), Int(axis), Int(count)}, std::vector<Given>(outputs, out)};
}
OneCall Pack(int32_t axis, std::vector<Given> inputs) {
  const Given out = Output(inputs.front().argument.type, inputs.front().argument.quantization);
  inputs.insert(inputs.begin(), Int(axis));
  return {OperationCode::PACK, std::move(inputs), {out}};
}

TEST(Split, EveryAxisOfBothSigns) {
  const Dims dims{4, 6, 2, 9};
  const int32_t counts[] = {2, 3, 1, 3};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255);
  for (int32_t axis = -4; axis < 4; ++axis) {
    const auto a = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    const auto count = static_cast<size_t>(counts[a]);
    Dims part = dims;
    part[a] /= counts[a];
    const OneCall call = Split(Quant8(dims, x, 0.5, 9), axis, counts[a], count);
    for (size_t t = 0; t < count; ++t) {
      ASSERT_EQ(call.dims(t), part);
      const auto expected = Taken(x, dims, part, [&](const Index& at) {
        Index from = at;
        from[a] += static_cast<int64_t>(t) * part[a];
        return from;
      });
      EXPECT_EQ(call.GoldenCodes(t), expected);
      EXPECT_EQ(call.FastCodes(t), expected);
      EXPECT_EQ(call.Widest(t), 0);
    }
    call.ExpectInside();
  }
}

TEST(Split, EveryType) {
  EXPECT_THAT(Split(Float32({4}, {1, 2, 3, 4}), 0, 2, 2).Golden(1), ElementsAre(3, 4));
  EXPECT_THAT(Split(Float16({2, 2}, {1, 2, 3, 4}), 1, 2, 2).Fast(0), ElementsAre(1, 3));
  EXPECT_THAT(Split(Int32({2}, {INT32_MIN, 7}), 0, 2, 2).FastCodes(0), ElementsAre(INT32_MIN));
  EXPECT_THAT(Split(Quant8Signed({2}, {-128, 7}, 1, 0), 0, 2, 2).GoldenCodes(0), ElementsAre(-128));
}

TEST(Split, UnknownShapesLevelsAndRules) {
  const Given x = Float32({4, 3}, {1});
  EXPECT_EQ(Split(x.UnknownDim(1), 0, 2, 2).inferred()[1].shape, Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(Split(x.UnknownDim(0), 0, 2, 2).inferred()[1].shape, Shape::Of({kUnknownDim, 3}));
  EXPECT_EQ(Split(x.UnknownRank(), 0, 2, 2).inferred()[0].shape, Shape::Unranked());
  EXPECT_EQ(Split(x, 0, 2, 2).level(), 3);
  EXPECT_EQ(Split(Quant8Signed({2}, {1}, 1, 0), 0, 1, 1).level(), 4);
  RuleBook rules(OperationCode::SPLIT);
  const std::vector<Given> two(2, Output(TENSOR_FLOAT32));
  rules.Valid(Split(x, 0, 2, 2));
  rules.Breaks("axis", {x, Int(2), Int(2)}, two);
  rules.Breaks("count", {x, Int(0), Int(4)}, two);
  rules.Breaks("even", {x, Int(1), Int(2)}, two);
  rules.Breaks("empty_input", {Float32({0}, {}), Int(0), Int(2)}, two);
  rules.ExpectComplete();
}

TEST(Pack, EveryAxis) {
  const Dims dims{2, 3, 4};
  std::vector<std::vector<int64_t>> values;
  std::vector<Given> inputs;
  for (uint64_t t = 0; t < 5; ++t) {
    values.push_back(NoiseCodes(Count(dims), t, 0, 255));
    inputs.push_back(Quant8(dims, values.back(), 0.5, 9));
  }
  for (size_t axis = 0; axis < 4; ++axis) {
    Dims out = dims;
    out.insert(out.begin() + static_cast<ptrdiff_t>(axis), 5);
    const auto expected = ForEveryIndex(out, [&](Index at) {
      const auto t = static_cast<size_t>(at[axis]);
      at.erase(at.begin() + static_cast<ptrdiff_t>(axis));
      return values[t][ElementAtIndex(at, dims)];
    });
    const OneCall call = Pack(static_cast<int32_t>(axis), inputs);
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

TEST(Pack, EveryType) {
  EXPECT_THAT(Pack(1, {Float32({2}, {1, 2}), Float32({2}, {3, 4})}).Golden(), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(Pack(0, {Float16({2}, {1, 2})}).Fast(), ElementsAre(1, 2));
  EXPECT_THAT(Pack(0, {Int32({1}, {INT32_MAX}), Int32({1}, {1})}).FastCodes(), ElementsAre(INT32_MAX, 1));
  EXPECT_THAT(Pack(0, {Quant8Signed({1}, {-9}, 1, 3)}).GoldenCodes(), ElementsAre(-9));
}

TEST(Pack, UnknownShapesLevelsAndRules) {
  const Given x = Float32({2, 3}, {1}), y = Float32({2, 3}, {2});
  EXPECT_EQ(Pack(1, {x.UnknownDim(0), y}).inferred().front().shape, Shape::Of({2, 2, 3}));
  EXPECT_EQ(Pack(1, {x.UnknownDim(0), y.UnknownDim(0)}).inferred().front().shape, Shape::Of({kUnknownDim, 2, 3}));
  EXPECT_EQ(Pack(1, {x.UnknownRank()}).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(Pack(1, {x}).level(), 6);
  RuleBook rules(OperationCode::PACK);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Pack(1, {x, y}));
  rules.Breaks("ranks", {Int(0), x, Float32({2}, {1})}, out);
  rules.Breaks("ranks", {Int(0), x, y}, {Output(TENSOR_FLOAT32).WithShape(Shape::Of({4, 3}))});
  rules.Breaks("quantization", {Int(0), Quant8({1}, {1}, 1, 0), Quant8({1}, {1}, 1, 1)},
               {Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})});
  rules.Breaks("dims", {Int(0), x, Float32({2, 4}, {1})}, out);
  rules.Breaks("axis", {Int(3), x, y}, out);
  rules.Breaks("axis.range", {Int(-1), x, y}, out);
  rules.Breaks("empty_input", {Int(0), Float32({0}, {})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
