// SLICE against its formula.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Slice(Given input, std::vector<int64_t> begin, std::vector<int64_t> size) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  const auto rank = static_cast<uint32_t>(begin.size());
  return {OperationCode::SLICE, {std::move(input), Int32({rank}, begin), Int32({rank}, size)}, {out}};
}

TEST(Slice, BoxesOfThreeDimensions) {
  const Dims dims{3, 4, 5};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, -1000, 1000);
  const std::vector<int64_t> begin{1, 0, 2};
  const OneCall call = Slice(Int32(dims, x), begin, {2, -1, 2});
  const Dims out{2, 4, 2};
  ASSERT_EQ(call.dims(), out);
  const auto expected = Taken(x, dims, out, [&](const Index& at) { return Index{at[0] + 1, at[1], at[2] + 2}; });
  EXPECT_EQ(call.GoldenCodes(), expected);
  EXPECT_EQ(call.FastCodes(), expected);
  EXPECT_EQ(call.Widest(), 0);
  call.ExpectInside();
}

TEST(Slice, EveryTypeAndEmptyOnes) {
  EXPECT_THAT(Slice(Float16({4}, {1, 2, 3, 4}), {1}, {2}).Golden(), ElementsAre(2, 3));
  EXPECT_THAT(Slice(Float32({4}, {1, 2, 3, 4}), {3}, {-1}).Fast(), ElementsAre(4));
  EXPECT_THAT(Slice(Quant8({3}, {7, 8, 255}, 0.5, 7), {2}, {1}).GoldenCodes(), ElementsAre(255));
  EXPECT_THAT(Slice(Quant8Signed({3}, {-7, 8, -128}, 0.5, 7), {2}, {1}).GoldenCodes(), ElementsAre(-128));
  EXPECT_EQ(Slice(Float32({4}, {1, 2, 3, 4}), {4}, {-1}).dims(), Dims({0}));
  EXPECT_EQ(Slice(Float32({4, 2}, {1}), {0, 1}, {0, 1}).dims(), Dims({0, 1}));
  EXPECT_THAT(Slice(Float32({4}, {1, 2, 3, 4}), {4}, {0}).Golden(), ElementsAre());
  EXPECT_THAT(Slice(Float32({0}, {}), {0}, {-1}).Golden(), ElementsAre());
}

TEST(Slice, WhatIsNotKnown) {
  EXPECT_EQ(Slice(Float32({2, 3}, {1}).UnknownDim(1), {0, 1}, {2, -1}).inferred().front().shape,
            Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(Slice(Float32({2, 3}, {1}).UnknownRank(), {0, 1}, {2, 1}).inferred().front().shape, Shape::Of({2, 1}));
}

TEST(Slice, LevelsAndRules) {
  EXPECT_EQ(Slice(Float32({2}, {1}), {0}, {1}).level(), 3);
  EXPECT_EQ(Slice(Quant8Signed({2}, {1}, 1, 0), {0}, {1}).level(), 4);
  RuleBook rules(OperationCode::SLICE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Slice(Float32({2, 2}, {1}), {0, 1}, {1, 1}));
  rules.BreaksAmongOthers("vectors", {Float32({2}, {1}), Int32({1, 1}, {0}), Int32({1}, {1})}, out);
  rules.BreaksAmongOthers("vectors", {Float32({2}, {1}), Int32({2}, {0}), Int32({1}, {1})}, out);
  rules.BreaksAmongOthers("vectors", {Float32({2}, {1}), Int32({1}, {0}), Omitted(TENSOR_INT32)}, out);
  rules.Breaks("begin", {Float32({2}, {1}), Int32({1}, {3}), Int32({1}, {0})}, out);
  rules.Breaks("begin", {Float32({2}, {1}), Int32({1}, {-1}), Int32({1}, {1})}, out);
  rules.Breaks("size", {Float32({2}, {1}), Int32({1}, {1}), Int32({1}, {2})}, out);
  rules.Breaks("size", {Float32({2}, {1}), Int32({1}, {1}), Int32({1}, {-2})}, out);
  rules.Breaks("size", {Float32({2}, {1}), Int32({1}, {1}), Int32({1}, {INT32_MAX})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
