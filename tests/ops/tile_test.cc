// TILE against its formula.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Tile(Given input, std::vector<int64_t> multiples) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  const auto rank = static_cast<uint32_t>(multiples.size());
  return {OperationCode::TILE, {std::move(input), Int32({rank}, multiples)}, {out}};
}

TEST(Tile, UnequalMultiplesOfThreeDimensions) {
  const Dims dims{2, 3, 4}, out{4, 3, 12};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255);
  const OneCall call = Tile(Quant8(dims, x, 0.5, 9), {2, 1, 3});
  ASSERT_EQ(call.dims(), out);
  const auto expected = Taken(x, dims, out, [](const Index& at) { return Index{at[0] % 2, at[1], at[2] % 4}; });
  EXPECT_EQ(call.GoldenCodes(), expected);
  EXPECT_EQ(call.FastCodes(), expected);
  EXPECT_EQ(call.Widest(), 0);
  call.ExpectInside();
}

TEST(Tile, EveryType) {
  EXPECT_THAT(Tile(Float32({2}, {1, 2}), {2}).Golden(), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(Tile(Float16({1, 2}, {1, 2}), {2, 1}).Fast(), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(Tile(Int32({1}, {INT32_MIN}), {3}).GoldenCodes(), ElementsAre(INT32_MIN, INT32_MIN, INT32_MIN));
  EXPECT_THAT(Tile(Quant8Signed({2}, {-1, 2}, 1, 0), {2}).GoldenCodes(), ElementsAre(-1, 2, -1, 2));
}

TEST(Tile, UnknownShapesLevelsAndRules) {
  const Given x = Float32({2, 3}, {1});
  EXPECT_EQ(Tile(x.UnknownDim(1), {2, 2}).inferred().front().shape, Shape::Of({4, kUnknownDim}));
  EXPECT_EQ(Tile(x.UnknownRank(), {2, 2}).inferred().front().shape, Shape::Of({kUnknownDim, kUnknownDim}));
  EXPECT_EQ(Tile(x, {1, 1}).level(), 3);
  EXPECT_EQ(Tile(Quant8Signed({1}, {1}, 1, 0), {1}).level(), 4);
  RuleBook rules(OperationCode::TILE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Tile(x, {1, 2}));
  rules.Breaks("multiples", {x, Int32({1}, {1})}, out);
  rules.Breaks("multiples", {Float32({2}, {1}), Int32({1, 1}, {1})}, out);
  rules.Breaks("multiples", {x, Omitted(TENSOR_INT32)}, out);
  rules.Breaks("multiple", {x, Int32({2}, {1, 0})}, out);
  rules.Breaks("output_size", {x, Int32({2}, {INT32_MAX})}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int32({1}, {1})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
