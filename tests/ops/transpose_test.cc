// TRANSPOSE against its formula.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Transpose(Given input, std::vector<int64_t> perm) {
  const OperandType type = input.argument.type;
  const Quantization quantization = input.argument.quantization;
  const auto size = static_cast<uint32_t>(perm.size());
  return {OperationCode::TRANSPOSE, {std::move(input), Int32({size}, perm)}, {Output(type, quantization)}};
}
OneCall Reversed(Given input) {
  const OperandType type = input.argument.type;
  return {OperationCode::TRANSPOSE, {std::move(input), Omitted(TENSOR_INT32)}, {Output(type)}};
}

TEST(Transpose, EveryPermutationOfFourDimensions) {
  const Dims dims{2, 3, 4, 5};
  const std::vector<int64_t> codes = NoiseCodes(120, 1, 0, 255);
  std::vector<int64_t> perm{0, 1, 2, 3};
  do {
    const OneCall call = Transpose(Quant8(dims, codes, 0.5, 7), perm);
    Dims out;
    for (int64_t p : perm) out.push_back(dims[static_cast<size_t>(p)]);
    ASSERT_EQ(call.dims(), out);
    std::vector<int64_t> expected;
    size_t to[4], from[4];
    for (to[0] = 0; to[0] < out[0]; ++to[0])
      for (to[1] = 0; to[1] < out[1]; ++to[1])
        for (to[2] = 0; to[2] < out[2]; ++to[2])
          for (to[3] = 0; to[3] < out[3]; ++to[3]) {
            for (size_t i = 0; i < 4; ++i) from[static_cast<size_t>(perm[i])] = to[i];
            expected.push_back(codes[((from[0] * 3 + from[1]) * 4 + from[2]) * 5 + from[3]]);
          }
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  } while (std::next_permutation(perm.begin(), perm.end()));
}

TEST(Transpose, OtherTypesAndRanks) {
  EXPECT_THAT(Transpose(Float32({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0}).Golden(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Transpose(Float16({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0}).Fast(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Transpose(Quant8Signed({2, 1}, {-128, 5}, 1, 3), {1, 0}).GoldenCodes(), ElementsAre(-128, 5));
  EXPECT_THAT(Transpose(Float32({3}, {1, 2, 3}), {0}).Golden(), ElementsAre(1, 2, 3));
  const OneCall empty = Transpose(Float32({0, 3}, {}), {1, 0});
  EXPECT_EQ(empty.dims(), Dims({3, 0}));
  EXPECT_THAT(empty.Golden(), ElementsAre());
}

TEST(Transpose, OmittedPermReverses) {
  EXPECT_EQ(Reversed(Float32({2, 3}, {1, 2, 3, 4, 5, 6})).dims(), Dims({3, 2}));
  EXPECT_THAT(Reversed(Float32({2, 3}, {1, 2, 3, 4, 5, 6})).Golden(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(Reversed(Float32({2, 3, 4}, {1})).dims(), Dims({4, 3, 2}));
  EXPECT_EQ(Reversed(Float32({2, 3}, {1}).UnknownRank()).inferred().front().shape, Shape::Unranked());
}

TEST(Transpose, WhatIsNotKnown) {
  EXPECT_EQ(Transpose(Float32({2, 3}, {1}).UnknownDim(0), {1, 0}).inferred().front().shape,
            Shape::Of({3, kUnknownDim}));
  EXPECT_EQ(Transpose(Float32({2, 3}, {1}).UnknownRank(), {1, 0}).inferred().front().shape,
            Shape::Of({kUnknownDim, kUnknownDim}));
}

TEST(Transpose, LevelsAndRules) {
  EXPECT_EQ(Transpose(Float32({1}, {1}), {0}).level(), 2);
  EXPECT_EQ(Transpose(Quant8({1}, {1}, 1, 0), {0}).level(), 2);
  EXPECT_EQ(Transpose(Float16({1}, {1}), {0}).level(), 3);
  EXPECT_EQ(Transpose(Quant8Signed({1}, {1}, 1, 0), {0}).level(), 4);
  RuleBook rules(OperationCode::TRANSPOSE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Transpose(Float32({2, 2}, {1}), {0, 1}));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int32({5}, {0, 1, 2, 3, 4})}, out);
  rules.Breaks("perm", {Float32({1, 1}, {1}), Int32({1}, {0})}, out);
  rules.Breaks("perm", {Float32({1, 1}, {1}), Int32({1, 2}, {0, 1})}, out);
  rules.Breaks("perm_entries", {Float32({1, 1}, {1}), Int32({2}, {0, 0})}, out);
  rules.Breaks("perm_entries", {Float32({1, 1}, {1}), Int32({2}, {0, 2})}, out);
  rules.Breaks("perm_entries", {Float32({1, 1}, {1}), Int32({2}, {0, -1})}, out);
  rules.Breaks("types", {Int32({1}, {1}), Int32({1}, {0})}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
