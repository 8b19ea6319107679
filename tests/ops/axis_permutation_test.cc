// CHANNEL_SHUFFLE and REVERSE against their formulas.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Shuffle(Given input, int32_t groups, int32_t axis) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::CHANNEL_SHUFFLE, {std::move(input), Int(groups), Int(axis)}, {out}};
}
OneCall Reverse(Given input, int32_t axis) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::REVERSE, {std::move(input), Int32({1}, {axis})}, {out}};
}
const Dims kDims{6, 3, 12, 2};

TEST(ChannelShuffle, UnevenGroupsOfEveryAxis) {
  EXPECT_THAT(Shuffle(Float32({6}, {0, 1, 2, 3, 4, 5}), 2, 0).Golden(), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(Shuffle(Float16({6}, {0, 1, 2, 3, 4, 5}), 3, -1).Fast(), ElementsAre(0, 2, 4, 1, 3, 5));
  const std::vector<int64_t> x = NoiseCodes(Count(kDims), 3, 0, 255);
  const std::pair<int32_t, int32_t> cases[] = {{3, 0}, {2, -4}, {4, 2}, {3, -2}, {2, 3}, {3, 1}, {1, 2}};
  for (const auto& [groups, axis] : cases) {
    const auto a = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    const int64_t g = groups, in_group = kDims[a] / g;
    const auto expected = Taken(x, kDims, kDims, [&](const Index& at) {
      Index from = at;
      from[a] = at[a] % g * in_group + at[a] / g;
      return from;
    });
    const OneCall call = Shuffle(Quant8(kDims, x, 0.5, 9), groups, axis);
    EXPECT_EQ(call.dims(), kDims);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
  }
}

TEST(ChannelShuffle, LevelsAndRules) {
  EXPECT_EQ(Shuffle(Float32({2}, {1}), 1, 0).level(), 3);
  EXPECT_EQ(Shuffle(Quant8Signed({2}, {1}, 1, 0), 1, 0).level(), 4);
  EXPECT_EQ(Shuffle(Float32({2, 4}, {1}).UnknownDim(1), 3, 1).inferred().front().shape, Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(Shuffle(Float32({2, 4}, {1}).UnknownRank(), 3, 7).inferred().front().shape, Shape::Unranked());
  RuleBook rules(OperationCode::CHANNEL_SHUFFLE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Shuffle(Float32({2, 4}, {1}), 2, 1));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1}, {1}), Int(1), Int(0)}, out);
  rules.Breaks("axis", {Float32({2, 4}, {1}), Int(1), Int(2)}, out);
  rules.Breaks("groups", {Float32({2, 4}, {1}), Int(3), Int(1)}, out);
  rules.Breaks("num_groups.range", {Float32({2, 4}, {1}), Int(0), Int(1)}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int(1), Int(0)}, out);
  rules.ExpectComplete();
}

TEST(Reverse, EveryAxis) {
  EXPECT_THAT(Reverse(Int32({3}, {1, 2, INT32_MAX}), 0).FastCodes(), ElementsAre(INT32_MAX, 2, 1));
  EXPECT_THAT(Reverse(Float16({2, 2}, {1, 2, 3, 4}), 1).Golden(), ElementsAre(2, 1, 4, 3));
  const std::vector<int64_t> x = NoiseCodes(Count(kDims), 3, -128, 127);
  for (size_t a = 0; a < 4; ++a) {
    const auto expected = Taken(x, kDims, kDims, [&](const Index& at) {
      Index from = at;
      from[a] = kDims[a] - 1 - at[a];
      return from;
    });
    const OneCall call = Reverse(Quant8Signed(kDims, x, 0.5, 9), static_cast<int32_t>(a));
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

TEST(Reverse, LevelsAndRules) {
  EXPECT_EQ(Reverse(Float32({2}, {1}), 0).level(), 7);
  EXPECT_EQ(Reverse(Float32({2}, {1}).UnknownRank(), 5).inferred().front().shape, Shape::Unranked());
  RuleBook rules(OperationCode::REVERSE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Reverse(Float32({2, 4}, {1}), 1));
  rules.Breaks("one_axis", {Float32({2}, {1}), Int32({2}, {0})}, out);
  rules.Breaks("one_axis", {Float32({2}, {1}), Int32({1, 1}, {0})}, out);
  rules.Breaks("ranks", {Float32({2}, {1}), Int32({1}, {0})}, {Output(TENSOR_FLOAT32).WithShape(Shape::Of({2, 1}))});
  rules.Breaks("quantization", {Quant8({2}, {1}, 1, 0), Int32({1}, {0})},
               {Output(TENSOR_QUANT8_ASYMM, {2, 0, nullptr})});
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 1, 1, 1, 1, 1}, {1}), Int32({1}, {0})}, out);
  rules.Breaks("has_axis", {Float32({2}, {1}), Omitted(TENSOR_INT32)}, out);
  rules.Breaks("axis", {Float32({2}, {1}), Int32({1}, {1})}, out);
  rules.Breaks("axis", {Float32({2}, {1}), Int32({1}, {-1})}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int32({1}, {0})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
