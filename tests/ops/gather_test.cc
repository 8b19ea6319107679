// GATHER and EMBEDDING_LOOKUP against their formulas.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Gather(Given input, int32_t axis, Given indices) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::GATHER, {std::move(input), Int(axis), std::move(indices)}, {out}};
}
OneCall Lookup(std::vector<int64_t> lookups, Given values) {
  const Given out = Output(values.argument.type, values.argument.quantization);
  const auto count = static_cast<uint32_t>(lookups.size());
  return {OperationCode::EMBEDDING_LOOKUP, {Int32({count}, lookups), std::move(values)}, {out}};
}

TEST(Gather, EveryAxisWithIndicesOfRankTwo) {
  const Dims dims{4, 5, 6};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255), indices{3, 0, 0, 2, 1, 3};
  for (int32_t axis = -3; axis < 3; ++axis) {
    const auto a = static_cast<size_t>(axis < 0 ? axis + 3 : axis);
    Dims out = dims;
    out[a] = 2;
    out.insert(out.begin() + static_cast<ptrdiff_t>(a) + 1, 3);
    const auto expected = Taken(x, dims, out, [&](Index at) {
      const auto flat = static_cast<size_t>(at[a] * 3 + at[a + 1]);
      at.erase(at.begin() + static_cast<ptrdiff_t>(a));
      at[a] = indices[flat];
      return at;
    });
    const OneCall call = Gather(Quant8(dims, x, 0.5, 9), axis, Int32({2, 3}, indices));
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

TEST(Gather, EveryType) {
  const Given indices = Int32({3}, {2, 0, 2});
  EXPECT_THAT(Gather(Float32({3}, {1, 2, 3}), 0, indices).Golden(), ElementsAre(3, 1, 3));
  EXPECT_THAT(Gather(Float16({3}, {1, 2, 3}), -1, indices).Fast(), ElementsAre(3, 1, 3));
  EXPECT_THAT(Gather(Int32({3}, {INT32_MIN, 2, INT32_MAX}), 0, indices).FastCodes(),
              ElementsAre(INT32_MAX, INT32_MIN, INT32_MAX));
  EXPECT_THAT(Gather(Quant8Signed({3}, {-1, 2, 3}, 1, 0), 0, indices).GoldenCodes(), ElementsAre(3, -1, 3));
}

TEST(Gather, UnknownShapesLevelsAndRules) {
  const Given x = Float32({4, 3}, {1}), indices = Int32({2}, {0, 2});
  EXPECT_EQ(Gather(x.UnknownDim(0), 1, indices).inferred().front().shape, Shape::Of({kUnknownDim, 2}));
  EXPECT_EQ(Gather(x.UnknownRank(), 1, indices).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(Gather(x, 1, indices).level(), 3);
  EXPECT_EQ(Gather(Quant8Signed({3}, {1}, 1, 0), 0, indices).level(), 4);
  RuleBook rules(OperationCode::GATHER);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Gather(x, 1, indices));
  rules.Breaks("axis", {x, Int(2), indices}, out);
  rules.Breaks("index", {x, Int(1), Int32({2}, {0, 3})}, out);
  rules.Breaks("index", {x, Int(1), Int32({2}, {0, -1})}, out);
  rules.Breaks("indices", {x, Int(1), Omitted(TENSOR_INT32)}, out);
  rules.Breaks("empty_input", {Float32({0, 1}, {}), Int(1), Int32({1}, {0})}, out);
  rules.ExpectComplete();
}

TEST(EmbeddingLookup, RowsOfThreeDimensions) {
  const Dims dims{4, 2, 3}, out{3, 2, 3};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, -128, 127), rows{3, 0, 3};
  const auto expected = Taken(x, dims, out, [&](Index at) {
    at[0] = rows[static_cast<size_t>(at[0])];
    return at;
  });
  const OneCall call = Lookup(rows, Quant8Signed(dims, x, 0.5, 9));
  ASSERT_EQ(call.dims(), out);
  EXPECT_EQ(call.GoldenCodes(), expected);
  EXPECT_EQ(call.FastCodes(), expected);
  call.ExpectInside();
  EXPECT_THAT(Lookup({1}, Float32({2, 2}, {1, 2, 3, 4})).Golden(), ElementsAre(3, 4));
  EXPECT_THAT(Lookup({1}, Float16({2, 2}, {1, 2, 3, 4})).Fast(), ElementsAre(3, 4));
  EXPECT_THAT(Lookup({1}, Int32({2, 1}, {1, INT32_MAX})).FastCodes(), ElementsAre(INT32_MAX));
  EXPECT_THAT(Lookup({1}, Quant8({2, 1}, {1, 255}, 1, 0)).GoldenCodes(), ElementsAre(255));
}

TEST(EmbeddingLookup, UnknownShapesLevelsAndRules) {
  const Given x = Float32({4, 3}, {1});
  EXPECT_EQ(Lookup({1}, x.UnknownDim(1)).inferred().front().shape, Shape::Of({1, kUnknownDim}));
  EXPECT_EQ(Lookup({9}, x.UnknownRank()).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(Lookup({1}, x).level(), 1);
  EXPECT_EQ(Lookup({1}, Int32({2, 1}, {1})).level(), 3);
  EXPECT_EQ(Lookup({1}, Quant8({2, 1}, {1}, 1, 0)).level(), 3);
  EXPECT_EQ(Lookup({1}, Float16({2, 1}, {1})).level(), 4);
  EXPECT_EQ(Lookup({1}, Quant8Signed({2, 1}, {1}, 1, 0)).level(), 4);
  RuleBook rules(OperationCode::EMBEDDING_LOOKUP);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Lookup({1, 3}, x));
  rules.Breaks("lookups", {Int32({1, 1}, {0}), x}, out);
  rules.Breaks("lookups", {Omitted(TENSOR_INT32), x}, out);
  rules.Breaks("rank", {Int32({1}, {0}), Float32({4}, {1})}, out);
  rules.Breaks("index", {Int32({1}, {4}), x}, out);
  rules.Breaks("index", {Int32({1}, {-1}), x}, out);
  rules.Breaks("empty_input", {Int32({1}, {0}), Float32({1, 0}, {})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
