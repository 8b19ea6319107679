// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND against their formulas, in both layouts and with several batches.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall ToBatch(Given input, std::vector<int64_t> block, std::vector<int64_t> paddings, bool nchw) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::SPACE_TO_BATCH_ND,
          {std::move(input), Int32({2}, block), Int32({2, 2}, paddings), Flag(nchw)},
          {out}};
}
OneCall ToSpace(Given input, std::vector<int64_t> block, bool nchw) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::BATCH_TO_SPACE_ND, {std::move(input), Int32({2}, block), Flag(nchw)}, {out}};
}
template <class T>
std::vector<T> InLayout(const std::vector<T>& x, bool nchw) {
  return nchw ? std::vector<T>{x[0], x[3], x[1], x[2]} : x;
}
Index FromLayout(const Index& x, bool nchw) { return nchw ? Index{x[0], x[2], x[3], x[1]} : x; }

TEST(SpaceToBatchNd, UnequalBlocksAndPaddingsInBothLayouts) {
  const int64_t bh = 3, bw = 2, batches = 2, top = 1, left = 2;
  for (bool nchw : {false, true}) {
    // Height 1 + 3 + 2 = 6, width 2 + 5 + 1 = 8.
    const Dims dims = InLayout<uint32_t>({2, 3, 5, 2}, nchw), out = InLayout<uint32_t>({12, 2, 4, 2}, nchw);
    const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255);
    const auto expected = ForEveryIndex(out, [&](const Index& at) {
      const Index o = FromLayout(at, nchw);
      const int64_t pixel = o[0] / batches, y = o[1] * bh + pixel / bw - top, z = o[2] * bw + pixel % bw - left;
      if (y < 0 || y >= 3 || z < 0 || z >= 5) return int64_t{9};
      return x[ElementAtIndex(InLayout<int64_t>({o[0] % batches, y, z, o[3]}, nchw), dims)];
    });
    const OneCall call = ToBatch(Quant8(dims, x, 0.5, 9), {bh, bw}, {1, 2, 2, 1}, nchw);
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

TEST(BatchToSpaceNd, UnequalBlocksInBothLayouts) {
  const int64_t bh = 3, bw = 2, batches = 2;
  for (bool nchw : {false, true}) {
    const Dims dims = InLayout<uint32_t>({12, 2, 4, 3}, nchw), out = InLayout<uint32_t>({2, 6, 8, 3}, nchw);
    const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, -128, 127);
    const auto expected = Taken(x, dims, out, [&](const Index& at) {
      const Index o = FromLayout(at, nchw);
      const int64_t pixel = o[1] % bh * bw + o[2] % bw;
      return InLayout<int64_t>({pixel * batches + o[0], o[1] / bh, o[2] / bw, o[3]}, nchw);
    });
    const OneCall call = ToSpace(Quant8Signed(dims, x, 0.5, 9), {bh, bw}, nchw);
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
    // Without paddings the one undoes the other.
    const OneCall back = ToBatch(Quant8Signed(out, expected, 0.5, 9), {bh, bw}, {0, 0, 0, 0}, nchw);
    EXPECT_EQ(back.dims(), dims);
    EXPECT_EQ(back.GoldenCodes(), x);
  }
}

TEST(SpaceToBatchNd, EveryTypeUnknownShapesLevelsAndRules) {
  const Given x = Float32({1, 2, 2, 1}, {1, 2, 3, 4});
  EXPECT_THAT(ToBatch(x, {2, 1}, {0, 0, 0, 1}, false).Golden(), ElementsAre(1, 2, 0, 3, 4, 0));
  EXPECT_THAT(ToBatch(Float16({1, 1, 1, 1}, {5}), {1, 2}, {0, 0, 1, 0}, false).Fast(), ElementsAre(0, 5));
  EXPECT_EQ(ToBatch(x.UnknownDim(1), {2, 2}, {0, 0, 0, 0}, false).inferred().front().shape,
            Shape::Of({4, kUnknownDim, 1, 1}));
  EXPECT_EQ(ToBatch(x.UnknownRank(), {2, 2}, {0, 0, 0, 0}, true).inferred().front().shape.rank(), 4u);
  const auto plain = [](Given in) {
    const Given out = Output(in.argument.type, in.argument.quantization);
    return OneCall(OperationCode::SPACE_TO_BATCH_ND, {std::move(in), Int32({2}, {1}), Int32({2, 2}, {0})}, {out});
  };
  EXPECT_EQ(plain(x).level(), 2);
  EXPECT_EQ(plain(Quant8({1, 1, 1, 1}, {1}, 1, 0)).level(), 2);
  EXPECT_EQ(plain(Quant8({1, 1, 1, 1}, {1}, 1, 1)).level(), 3);
  EXPECT_EQ(plain(Quant8Signed({1, 1, 1, 1}, {1}, 1, 1)).level(), 4);
  EXPECT_EQ(ToBatch(x, {1, 1}, {0, 0, 0, 0}, false).level(), 3);
  RuleBook rules(OperationCode::SPACE_TO_BATCH_ND);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  const Given block = Int32({2}, {2, 2}), none = Int32({2, 2}, {0});
  rules.Valid(ToBatch(x, {2, 2}, {0, 0, 0, 0}, false));
  rules.Breaks("rank", {Float32({2, 2, 1}, {1}), block, none}, out);
  rules.Breaks("block_shape", {x, Int32({1, 2}, {1}), none}, out);
  rules.Breaks("block_shape", {x, Int32({3}, {1}), none}, out);
  rules.Breaks("block", {x, Int32({2}, {1, 0}), none}, out);
  rules.Breaks("paddings", {x, block, Int32({4}, {0})}, out);
  rules.Breaks("paddings", {x, block, Int32({1, 2}, {0})}, out);
  rules.Breaks("paddings", {x, block, Omitted(TENSOR_INT32)}, out);
  rules.Breaks("padding", {x, block, Int32({2, 2}, {0, -2, 0, 0})}, out);
  rules.Breaks("divides", {x, block, Int32({2, 2}, {0, 0, 0, 1})}, out);
  rules.Breaks("divides", {x, block, Int32({2, 2}, {1, 0, 0, 0})}, out);
  rules.Breaks("output_size", {x, Int32({2}, {INT32_MAX, 4}), Int32({2, 2}, {INT32_MAX - 2, 0, 2, 0})}, out);
  rules.Breaks("empty_input", {Float32({1, 0, 2, 1}, {}), block, none}, out);
  rules.ExpectComplete();
}

TEST(BatchToSpaceNd, EveryTypeUnknownShapesLevelsAndRules) {
  const Given x = Float32({4, 1, 1, 1}, {1, 2, 3, 4});
  EXPECT_THAT(ToSpace(x, {2, 1}, false).Golden(), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(ToSpace(Float16({4, 1, 1, 1}, {1, 2, 3, 4}), {2, 2}, true).Fast(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(ToSpace(Quant8({2, 1, 1, 1}, {1, 200}, 1, 3), {1, 2}, true).GoldenCodes(), ElementsAre(1, 200));
  EXPECT_EQ(ToSpace(x.UnknownDim(1), {2, 2}, false).inferred().front().shape, Shape::Of({1, kUnknownDim, 2, 1}));
  EXPECT_EQ(ToSpace(x, {1, 1}, false).level(), 3);
  const OneCall plain(OperationCode::BATCH_TO_SPACE_ND, {x, Int32({2}, {1})}, {Output(TENSOR_FLOAT32)});
  EXPECT_EQ(plain.level(), 2);
  RuleBook rules(OperationCode::BATCH_TO_SPACE_ND);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(ToSpace(x, {2, 2}, false));
  rules.Breaks("rank", {Float32({2, 2, 1}, {1}), Int32({2}, {1})}, out);
  rules.Breaks("block_shape", {x, Int32({1, 2}, {1})}, out);
  rules.Breaks("block_shape", {x, Omitted(TENSOR_INT32)}, out);
  rules.Breaks("block", {x, Int32({2}, {0, 1})}, out);
  rules.Breaks("divides", {x, Int32({2}, {3, 1})}, out);
  rules.Breaks(
      "output_size",
      {Float32({1, 1, 1, 1}, {1}).Hidden().WithShape(Shape::Of({kUnknownDim, 4, 1, 1})), Int32({2}, {INT32_MAX, 1})},
      out);
  rules.Breaks("empty_input", {Float32({4, 0, 2, 1}, {}), Int32({2}, {2})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
