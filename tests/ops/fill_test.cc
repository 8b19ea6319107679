// FILL and RANK.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Fill(std::vector<int64_t> dims, Given value, OperandType type) {
  const auto rank = static_cast<uint32_t>(dims.size());
  return {OperationCode::FILL, {Int32({rank}, dims), std::move(value)}, {Output(type)}};
}
OneCall Rank(Given input) { return {OperationCode::RANK, {std::move(input)}, {Output(INT32)}}; }

TEST(Fill, EveryType) {
  EXPECT_EQ(Fill({2, 1, 2}, Real(0.1f), TENSOR_FLOAT32).dims(), Dims({2, 1, 2}));
  const double tenth = 0.1f;
  EXPECT_THAT(Fill({2, 1, 2}, Real(tenth), TENSOR_FLOAT32).Golden(), ElementsAre(tenth, tenth, tenth, tenth));
  EXPECT_THAT(Fill({2}, RealHalf(-2.5), TENSOR_FLOAT16).Fast(), ElementsAre(-2.5, -2.5));
  EXPECT_THAT(Fill({3}, Int(INT32_MAX), TENSOR_INT32).FastCodes(), ElementsAre(INT32_MAX, INT32_MAX, INT32_MAX));
  EXPECT_EQ(Fill({2}, Real(tenth), TENSOR_FLOAT32).Widest(), 0);
  EXPECT_GT(Fill({2}, Real(tenth), TENSOR_FLOAT32).Widest(0, {.relaxed = true}), 0);  // a device may keep it in float16
  Fill({2}, Real(tenth), TENSOR_FLOAT32).ExpectInside();
  Fill({2}, Int(-7), TENSOR_INT32).ExpectInside();
}

TEST(Fill, ShapeIsKnownBeforeTheValueAndRules) {
  const OneCall late(OperationCode::FILL, {Int32({2}, {3, 4}), Int(1).Hidden()}, {Output(TENSOR_INT32)});
  EXPECT_EQ(late.inferred().front().shape, Shape::Of({3, 4}));
  EXPECT_EQ(Fill({1}, Int(1), TENSOR_INT32).level(), 4);
  RuleBook rules(OperationCode::FILL);
  rules.Valid(Fill({2}, Int(1), TENSOR_INT32));
  rules.Breaks("dims", {Int32({1, 1}, {1}), Int(1)}, {Output(TENSOR_INT32)});
  rules.Breaks("dims", {Omitted(TENSOR_INT32), Int(1)}, {Output(TENSOR_INT32)});
  rules.Breaks("dims_entries", {Int32({2}, {1, -1}), Int(1)}, {Output(TENSOR_INT32)});
  rules.Breaks("types", {Int32({1}, {1}), Real(1)}, {Output(TENSOR_INT32)});
  rules.Breaks("types", {Int32({1}, {1}), Int(1)}, {Output(TENSOR_FLOAT32)});
  rules.BreaksAmongOthers("empty_input", {Int32({0}, {}), Int(1)}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

TEST(Rank, OfEveryType) {
  EXPECT_THAT(Rank(Float32({2, 3, 4}, {1})).GoldenCodes(), ElementsAre(3));
  EXPECT_THAT(Rank(Float16({2}, {1})).FastCodes(), ElementsAre(1));
  EXPECT_THAT(Rank(Int32({2, 1, 1, 1, 1, 1}, {1})).GoldenCodes(), ElementsAre(6));
  EXPECT_THAT(Rank(Bool8({2, 2}, {1})).GoldenCodes(), ElementsAre(2));
  EXPECT_THAT(Rank(Quant8({1, 2}, {1}, 1, 0)).GoldenCodes(), ElementsAre(2));
  EXPECT_THAT(Rank(Quant8Signed({1, 2}, {1}, 1, 0)).GoldenCodes(), ElementsAre(2));
  EXPECT_THAT(Rank(PerChannelCodes({2, 2}, {1}, 1, {1, 2})).GoldenCodes(), ElementsAre(2));
  for (OperandType type : {TENSOR_QUANT16_SYMM, TENSOR_QUANT16_ASYMM, TENSOR_QUANT8_SYMM})
    EXPECT_THAT(Rank(Codes(type, {1, 2, 3}, {1}, {1, 0, nullptr})).GoldenCodes(), ElementsAre(3));
  EXPECT_EQ(Rank(Float32({2}, {1})).Widest(), 0);
  Rank(Float32({2}, {1})).ExpectInside();
}

TEST(Rank, IsAScalarAndItsRules) {
  EXPECT_EQ(Rank(Float32({2}, {1})).dims(), Dims());
  EXPECT_EQ(Rank(Float32({2}, {1}).UnknownRank()).inferred().front().shape, Shape::Of({}));
  EXPECT_EQ(Rank(Float32({2}, {1})).level(), 4);
  RuleBook rules(OperationCode::RANK);
  rules.Valid(Rank(Float32({2, 2}, {1})));
  rules.Breaks("types", {Float32({2}, {1})}, {Output(TENSOR_INT32)});
  rules.Breaks("empty_input", {Float32({0}, {})}, {Output(INT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
