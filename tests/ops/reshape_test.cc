// RESHAPE: elements stay, dimensions change.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Reshape(Given input, std::vector<int64_t> shape) {
  const OperandType type = input.argument.type;
  const Quantization quantization = input.argument.quantization;
  const auto size = static_cast<uint32_t>(shape.size());
  return {OperationCode::RESHAPE, {std::move(input), Int32({size}, shape)}, {Output(type, quantization)}};
}

TEST(Reshape, KeepsTheElementsOfEveryType) {
  const auto check = [](const Given& in, const std::vector<int64_t>& codes) {
    const OneCall call = Reshape(in, {3, 2});
    EXPECT_EQ(call.dims(), Dims({3, 2}));
    EXPECT_EQ(call.GoldenCodes(), codes);
    EXPECT_EQ(call.FastCodes(), codes);
    EXPECT_EQ(call.inferred().front().quantization, in.argument.quantization);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  };
  check(Int32({6}, {1, 2, 3, -4, 5, INT32_MAX}), {1, 2, 3, -4, 5, INT32_MAX});
  check(Quant8({2, 3}, {0, 1, 2, 3, 4, 255}, 0.5, 3), {0, 1, 2, 3, 4, 255});
  check(Quant8Signed({1, 6}, {-128, 1, 2, 3, 4, 127}, 0.5, 3), {-128, 1, 2, 3, 4, 127});
  EXPECT_THAT(Reshape(Float32({2, 2}, {1, 2, NAN, INFINITY}), {4}).Golden()[3], INFINITY);
  EXPECT_TRUE(Reshape(Float32({2, 2}, {1, 2, NAN, INFINITY}), {4}).Bound()[2].IsExactNan());
  EXPECT_THAT(Reshape(Float16({2, 1}, {1, 2.5}), {1, 1, 2}).Golden(), ElementsAre(1, 2.5));
}

TEST(Reshape, OneEntryMayBeInferred) {
  EXPECT_EQ(Reshape(Float32({2, 3, 4}, {1}), {-1, 6}).dims(), Dims({4, 6}));
  EXPECT_EQ(Reshape(Float32({2, 3, 4}, {1}), {4, 1, -1}).dims(), Dims({4, 1, 6}));
  EXPECT_EQ(Reshape(Float32({2, 3, 4}, {1}), {-1}).dims(), Dims({24}));
  EXPECT_EQ(Reshape(Float32({2, 3, 4}, {1}), {24, -1}).dims(), Dims({24, 1}));
}

TEST(Reshape, WhatIsNotKnown) {
  const Shape open = Reshape(Float32({2, 3}, {1}).UnknownDim(0), {-1, 3}).inferred().front().shape;
  EXPECT_EQ(open, Shape::Of({kUnknownDim, 3}));
  EXPECT_EQ(Reshape(Float32({2, 3}, {1}).UnknownRank(), {2, 3}).inferred().front().shape, Shape::Of({2, 3}));
  const OneCall later(OperationCode::RESHAPE, {Float32({2, 3}, {1}), Int32({2}, {3, 2}).Hidden()},
                      {Output(TENSOR_FLOAT32)});
  EXPECT_TRUE(later.valid());
  EXPECT_FALSE(later.call()->values_known());
}

TEST(Reshape, LevelsAndRules) {
  EXPECT_EQ(Reshape(Float32({1}, {1}), {1}).level(), 1);
  EXPECT_EQ(Reshape(Quant8({1}, {1}, 1, 0), {1}).level(), 1);
  EXPECT_EQ(Reshape(Float16({1}, {1}), {1}).level(), 3);
  EXPECT_EQ(Reshape(Quant8Signed({1}, {1}, 1, 0), {1}).level(), 4);
  EXPECT_EQ(Reshape(Int32({1}, {1}), {1}).level(), 6);
  RuleBook rules(OperationCode::RESHAPE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Reshape(Float32({2, 2}, {1}), {4}));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int32({1}, {1})}, out);
  rules.Breaks("shape", {Float32({4}, {1}), Int32({1, 2}, {2, 2})}, out);
  rules.BreaksAmongOthers("shape", {Float32({1}, {1}), Int32({0}, {})}, out);
  rules.Breaks("shape", {Float32({1}, {1}), Omitted(TENSOR_INT32)}, out);
  rules.Breaks("shape_entries", {Float32({4}, {1}), Int32({3}, {-1, -1, 4})}, out);
  rules.Breaks("shape_entries", {Float32({4}, {1}), Int32({2}, {0, 4})}, out);
  rules.Breaks("shape_entries", {Float32({4}, {1}), Int32({2}, {-2, -2})}, out);
  rules.Breaks("count", {Float32({4}, {1}), Int32({1}, {5})}, out);
  rules.Breaks("count", {Float32({4}, {1}), Int32({2}, {-1, 3})}, out);
  rules.Breaks("count", {Float32({4}, {1}), Int32({3}, {INT32_MAX, INT32_MAX, INT32_MAX})}, out);
  rules.Breaks("empty_input", {Float32({0, 2}, {}), Int32({1}, {-1})}, out);
  rules.Breaks("types", {Bool8({1}, {1}), Int32({1}, {1})}, {Output(TENSOR_BOOL8)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
