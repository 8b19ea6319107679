// MIRROR_PAD against its formula.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall MirrorPad(Given input, std::vector<int64_t> paddings, int32_t mode) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  const auto rank = static_cast<uint32_t>(paddings.size() / 2);
  return {OperationCode::MIRROR_PAD, {std::move(input), Int32({rank, 2}, paddings), Int(mode)}, {out}};
}

TEST(MirrorPad, BothModesByHand) {
  EXPECT_THAT(MirrorPad(Float32({3}, {1, 2, 3}), {2, 1}, 0).Golden(), ElementsAre(3, 2, 1, 2, 3, 2));
  EXPECT_THAT(MirrorPad(Float32({3}, {1, 2, 3}), {2, 1}, 1).Fast(), ElementsAre(2, 1, 1, 2, 3, 3));
  EXPECT_THAT(MirrorPad(Int32({3}, {1, 2, 3}), {3, 3}, 1).GoldenCodes(), ElementsAre(3, 2, 1, 1, 2, 3, 3, 2, 1));
  EXPECT_THAT(MirrorPad(Float16({1}, {5}), {0, 0}, 0).Golden(), ElementsAre(5));
  EXPECT_THAT(MirrorPad(Quant8Signed({2}, {-128, 5}, 1, -3), {1, 1}, 0).GoldenCodes(), ElementsAre(5, -128, 5, -128));
}

// A walk that turns around at the ends: REFLECT on an element, SYMMETRIC between two.
int64_t Walked(int64_t start, int64_t size, bool symmetric) {
  int64_t at = 0, step = start < 0 ? -1 : 1;
  for (int64_t left = start < 0 ? -start : start; left > 0; --left) {
    const bool end = at + step < 0 || at + step >= size;
    if (end) step = -step;
    if (!(end && symmetric)) at += step;
  }
  return at;
}

TEST(MirrorPad, UnequalSidesOfFourDimensions) {
  const Dims dims{2, 3, 4, 5};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255), paddings{1, 0, 2, 1, 0, 3, 4, 2};
  for (bool symmetric : {false, true}) {
    const OneCall call = MirrorPad(Quant8(dims, x, 0.5, 9), paddings, symmetric ? 1 : 0);
    const Dims out{3, 6, 7, 11};
    ASSERT_EQ(call.dims(), out);
    const std::vector<int64_t> expected = Taken(x, dims, out, [&](const Index& at) {
      Index from(4);
      for (size_t d = 0; d < 4; ++d) from[d] = Walked(at[d] - paddings[2 * d], dims[d], symmetric);
      return from;
    });
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

TEST(MirrorPad, LevelsAndRules) {
  EXPECT_EQ(MirrorPad(Float32({2}, {1}), {0, 1}, 0).level(), 7);
  EXPECT_EQ(MirrorPad(Float32({2, 3}, {1}).UnknownDim(0), {1, 0, 0, 2}, 0).inferred().front().shape,
            Shape::Of({kUnknownDim, 5}));
  RuleBook rules(OperationCode::MIRROR_PAD);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(MirrorPad(Float32({2, 2}, {1}), {0, 1, 1, 0}, 1));
  rules.BreaksAmongOthers("pairs", {Float32({2}, {1}), Int32({2}, {0}), Int(0)}, out);
  rules.Breaks("pairs", {Float32({2}, {1}), Int32({2, 2}, {0}), Int(0)}, out);
  rules.Breaks("pairs", {Float32({2}, {1}), Int32({1, 3}, {0}), Int(0)}, out);
  rules.Breaks("paddings", {Float32({2}, {1}), Omitted(TENSOR_INT32), Int(0)}, out);
  rules.Breaks("ranks", {Float32({2}, {1}), Int32({1, 2}, {0}), Int(0)},
               {Output(TENSOR_FLOAT32).WithShape(Shape::Of({2, 2}))});
  rules.Breaks("quantization", {Quant8({2}, {1}, 1, 0), Int32({1, 2}, {0}), Int(0)},
               {Output(TENSOR_QUANT8_ASYMM, {1, 1, nullptr})});
  rules.Breaks("padding", {Float32({2}, {1}), Int32({1, 2}, {0, -1}), Int(0)}, out);
  rules.BreaksAmongOthers("output_size", {Float32({2}, {1}), Int32({1, 2}, {INT32_MAX}), Int(1)}, out);
  rules.Breaks("border", {Float32({2}, {1}), Int32({1, 2}, {0, 2}), Int(0)}, out);
  rules.Breaks("border", {Float32({2}, {1}), Int32({1, 2}, {3, 0}), Int(1)}, out);
  rules.Breaks("mode.range", {Float32({2}, {1}), Int32({1, 2}, {0}), Int(2)}, out);
  rules.Breaks("empty_input", {Float32({0}, {}), Int32({1, 2}, {0}), Int(1)}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
