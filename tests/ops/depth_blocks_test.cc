// DEPTH_TO_SPACE and SPACE_TO_DEPTH against their formulas, in both layouts.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Blocks(OperationCode code, Given input, int32_t block, bool nchw) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {code, {std::move(input), Int(block), Flag(nchw)}, {out}};
}
// Dimensions, or an index, as [batch, height, width, depth] in the order of a layout.
template <class T>
std::vector<T> InLayout(const std::vector<T>& x, bool nchw) {
  return nchw ? std::vector<T>{x[0], x[3], x[1], x[2]} : x;
}
Index FromLayout(const Index& x, bool nchw) { return nchw ? Index{x[0], x[2], x[3], x[1]} : x; }

TEST(DepthToSpace, UnequalSidesInBothLayouts) {
  const int64_t block = 3, depth_out = 2;
  for (bool nchw : {false, true}) {
    const Dims dims = InLayout<uint32_t>({2, 3, 4, 18}, nchw), out = InLayout<uint32_t>({2, 9, 12, 2}, nchw);
    const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255);
    const auto expected = Taken(x, dims, out, [&](const Index& at) {
      const Index o = FromLayout(at, nchw);
      const int64_t i = o[1] % block, j = o[2] % block;
      return InLayout<int64_t>({o[0], o[1] / block, o[2] / block, (i * block + j) * depth_out + o[3]}, nchw);
    });
    const OneCall call = Blocks(OperationCode::DEPTH_TO_SPACE, Quant8(dims, x, 0.5, 9), 3, nchw);
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
    // And back.
    const OneCall back = Blocks(OperationCode::SPACE_TO_DEPTH, Quant8(out, expected, 0.5, 9), 3, nchw);
    ASSERT_EQ(back.dims(), dims);
    EXPECT_EQ(back.GoldenCodes(), x);
    EXPECT_EQ(back.FastCodes(), x);
    back.ExpectInside();
  }
}

TEST(SpaceToDepth, UnequalSidesInBothLayouts) {
  const int64_t block = 2, depth_in = 3;
  for (bool nchw : {false, true}) {
    const Dims dims = InLayout<uint32_t>({2, 6, 4, 3}, nchw), out = InLayout<uint32_t>({2, 3, 2, 12}, nchw);
    const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, -128, 127);
    const auto expected = Taken(x, dims, out, [&](const Index& at) {
      const Index o = FromLayout(at, nchw);
      const int64_t pixel = o[3] / depth_in;
      return InLayout<int64_t>({o[0], o[1] * block + pixel / block, o[2] * block + pixel % block, o[3] % depth_in},
                               nchw);
    });
    const OneCall call = Blocks(OperationCode::SPACE_TO_DEPTH, Quant8Signed(dims, x, 0.5, 9), 2, nchw);
    ASSERT_EQ(call.dims(), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
  }
}

TEST(DepthBlocks, EveryTypeUnknownShapesLevelsAndRules) {
  for (OperationCode code : {OperationCode::DEPTH_TO_SPACE, OperationCode::SPACE_TO_DEPTH}) {
    const bool to_space = code == OperationCode::DEPTH_TO_SPACE;
    const Dims dims = to_space ? Dims{1, 1, 1, 4} : Dims{1, 2, 2, 1};
    EXPECT_THAT(Blocks(code, Float32(dims, {1, 2, 3, 4}), 2, false).Golden(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(Blocks(code, Float16(dims, {1, 2, 3, 4}), 2, false).Fast(), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(Blocks(code, Float32(dims, {1}).UnknownRank(), 2, false).inferred().front().shape.rank(), 4u);
    EXPECT_EQ(Blocks(code, Float32(dims, {1}).UnknownDim(0), 2, false).inferred().front().shape,
              Shape::Of(to_space ? Dims{kUnknownDim, 2, 2, 1} : Dims{kUnknownDim, 1, 1, 4}));
    const OneCall plain(code, {Float32(dims, {1}), Int(2)}, {Output(TENSOR_FLOAT32)});
    EXPECT_EQ(plain.level(), 1);
    EXPECT_EQ(Blocks(code, Float32(dims, {1}), 2, false).level(), 3);
    EXPECT_EQ(Blocks(code, Quant8Signed(dims, {1}, 1, 0), 2, false).level(), 4);
    RuleBook rules(code);
    const std::vector<Given> out{Output(TENSOR_FLOAT32)};
    rules.Valid(Blocks(code, Float32(dims, {1}), 2, false));
    rules.Breaks("rank", {Float32({1, 2, 4}, {1}), Int(1), Flag(false)}, out);
    rules.Breaks("block", {Float32({1, 4, 3, 6}, {1}), Int(2), Flag(false)}, out);
    rules.Breaks("block", {Float32({1, 6, 4, 3}, {1}), Int(4), Flag(true)}, out);
    rules.Breaks("block_size.range", {Float32(dims, {1}), Int(0)}, out);
    rules.Breaks("empty_input", {Float32({1, 0, 2, 4}, {}), Int(2)}, out);
    const Dims large = to_space ? Dims{1, UINT32_MAX - 1, kUnknownDim, 4} : Dims{1, 2, kUnknownDim, UINT32_MAX - 1};
    rules.Breaks("output_size", {Float32(dims, {1}).Hidden().WithShape(Shape::Of(large)), Int(2)}, out);
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
