// CONV_2D and DEPTHWISE_CONV_2D.
#include <gmock/gmock.h>

#include "tests/ops/harness.h"
#include "tests/ops/image_cases.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

// The types of one call.
struct Types {
  OperandType image, filter;
  Quantization image_quantization, output_quantization;
  float filter_scale = 0;
  int32_t filter_zero_point = 0;
};
const Types kTypes[] = {
    {TENSOR_FLOAT32, TENSOR_FLOAT32, {}, {}, 0, 0},
    {TENSOR_FLOAT16, TENSOR_FLOAT16, {}, {}, 0, 0},
    {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM, {0.5f, 100, nullptr}, {25, 90, nullptr}, 0.25f, 131},
    {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL, {0.5f, 100, nullptr}, {25, 90, nullptr}, 0.25f, 0},
    {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED, {0.5f, -7, nullptr}, {25, 5, nullptr}, 0.25f, 11},
    {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM_PER_CHANNEL, {0.5f, -7, nullptr}, {25, 5, nullptr}, 0.25f, 0},
};

// A filter [a, b, c, d] and a bias with the channels along `channel_dim`: operands, and the reals they stand for.
struct FilterAndBias {
  Given filter, bias;
  std::vector<double> filter_reals, bias_reals;

  FilterAndBias(const Types& types, const Dims& dims, uint32_t channel_dim, uint64_t seed) {
    const uint32_t channels = dims[channel_dim];
    filter_reals.resize(Count(dims));
    bias_reals.resize(channels);
    if (!IsQuantized(types.image)) {
      FillExactly(filter_reals, types.image, {}, seed);
      FillExactly(bias_reals, types.image, {}, seed + 1);
      filter = Reals(types.filter, dims, filter_reals);
      bias = Reals(types.filter, {channels}, bias_reals);
      return;
    }
    const CodeRange range = CodesOf(InfoOf(types.filter).storage);
    const auto codes = NoiseCodes(filter_reals.size(), seed, range.least, range.most);
    const auto offsets = NoiseCodes(channels, seed + 1, -500, 500);
    const bool per_channel = types.filter == TENSOR_QUANT8_SYMM_PER_CHANNEL;
    size_t inner = 1;
    for (size_t i = channel_dim + 1; i < dims.size(); ++i) inner *= dims[i];
    std::vector<float> scales;
    for (uint32_t c = 0; c < channels; ++c)
      scales.push_back(types.filter_scale * (per_channel ? 1 + static_cast<float>(c % 3) : 1));
    for (size_t i = 0; i < codes.size(); ++i)
      filter_reals[i] = double{scales[i / inner % channels]} * static_cast<double>(codes[i] - types.filter_zero_point);
    const double image_scale = double{types.image_quantization.scale};
    for (uint32_t c = 0; c < channels; ++c)
      bias_reals[c] = image_scale * double{scales[c]} * static_cast<double>(offsets[c]);
    filter = per_channel ? PerChannelCodes(dims, codes, channel_dim, scales)
                         : Codes(types.filter, dims, codes, {types.filter_scale, types.filter_zero_point, nullptr});
    bias = Int32({channels}, offsets, per_channel ? 0 : types.image_quantization.scale * types.filter_scale);
  }
};

std::vector<Given> Operands(Given input, const FilterAndBias& weights, const WindowCase& window,
                            std::vector<Given> scalars) {
  std::vector<Given> out = {std::move(input), weights.filter, weights.bias};
  for (Given& g : window.PaddingAndStrides()) out.push_back(std::move(g));
  for (Given& g : scalars) out.push_back(std::move(g));
  for (Given& g : window.LayoutAndDilations()) out.push_back(std::move(g));
  return out;
}

// What the formulas of both operations have in common: the sum over taps (i, j) inside the image.
template <class Products>
Image SumOverTaps(Image& image, const WindowCase& resolved, int depth_out, Products products) {
  Image out(image.batches, resolved.OutHeight(image), resolved.OutWidth(image), depth_out);
  for (int b = 0; b < out.batches; ++b)
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x)
        for (int o = 0; o < depth_out; ++o)
          for (int i = 0; i < resolved.filter_height; ++i)
            for (int j = 0; j < resolved.filter_width; ++j) {
              const int iy = resolved.TapY(y, i), ix = resolved.TapX(x, j);
              if (image.Contains(iy, ix)) out.at(b, y, x, o) += products(b, iy, ix, i, j, o);
            }
  return out;
}

void ExpectAsDefined(const OneCall& call, const Types& types, const WindowCase& window, Image expected,
                     const std::vector<double>& bias) {
  for (size_t i = 0; i < expected.reals.size(); ++i) expected.reals[i] += bias[i % bias.size()];
  ASSERT_TRUE(call.valid()) << ToStatus(call.violations());
  ASSERT_EQ(call.dims(), window.ImageDims(expected));
  ExpectRounded(types.image, types.output_quantization, FromTensor(call.Golden(), expected, window.nchw).reals,
                expected.reals);
  call.ExpectInside();
}

// Every type, padding, layout, stride and dilation against the formula.
TEST(ConvolutionTest, Conv2dAsDefined) {
  uint64_t seed = 1;
  for (const Types& types : kTypes)
    for (const WindowCase& window : WindowCases(true)) {
      Image image(2, 5, 6, 3);
      FillExactly(image.reals, types.image, types.image_quantization, seed++);
      const int fh = window.filter_height, fw = window.filter_width;
      const Dims dims = {4, static_cast<uint32_t>(fh), static_cast<uint32_t>(fw), 3};
      const FilterAndBias weights(types, dims, 0, seed++);
      const OneCall call(
          OperationCode::CONV_2D,
          Operands(ToTensor(types.image, image, window.nchw, types.image_quantization), weights, window, {Int(0)}),
          {Output(types.image, types.output_quantization)});
      Image sums = SumOverTaps(image, window.Resolved(image), 4, [&](int b, int y, int x, int i, int j, int o) {
        double sum = 0;
        for (int c = 0; c < 3; ++c)
          sum += image.at(b, y, x, c) * weights.filter_reals[static_cast<size_t>(((o * fh + i) * fw + j) * 3 + c)];
        return sum;
      });
      ExpectAsDefined(call, types, window, sums, weights.bias_reals);
    }
}

TEST(ConvolutionTest, DepthwiseConv2dAsDefined) {
  uint64_t seed = 1;
  for (const Types& types : kTypes)
    for (int multiplier : {1, 2})
      for (const WindowCase& window : WindowCases(true)) {
        Image image(2, 5, 6, 3);
        FillExactly(image.reals, types.image, types.image_quantization, seed++);
        const int fh = window.filter_height, fw = window.filter_width, depth_out = 3 * multiplier;
        const Dims dims = {1, static_cast<uint32_t>(fh), static_cast<uint32_t>(fw), static_cast<uint32_t>(depth_out)};
        const FilterAndBias weights(types, dims, 3, seed++);
        const OneCall call(OperationCode::DEPTHWISE_CONV_2D,
                           Operands(ToTensor(types.image, image, window.nchw, types.image_quantization), weights,
                                    window, {Int(multiplier), Int(0)}),
                           {Output(types.image, types.output_quantization)});
        Image sums =
            SumOverTaps(image, window.Resolved(image), depth_out, [&](int b, int y, int x, int i, int j, int o) {
              return image.at(b, y, x, o / multiplier) *
                     weights.filter_reals[static_cast<size_t>((i * fw + j) * depth_out + o)];
            });
        ExpectAsDefined(call, types, window, sums, weights.bias_reals);
      }
}

// More windows than are gathered at once.
TEST(ConvolutionTest, Conv2dInChunks) {
  Image image(3, 40, 41, 2);
  FillExactly(image.reals, TENSOR_FLOAT32, {}, 3);
  const WindowCase window{.scheme = 1, .filter_height = 3, .filter_width = 20};
  const FilterAndBias weights(kTypes[0], {2, 3, 20, 2}, 0, 5);
  const OneCall call(OperationCode::CONV_2D,
                     Operands(ToTensor(TENSOR_FLOAT32, image, false), weights, window, {Int(0)}),
                     {Output(TENSOR_FLOAT32)});
  Image sums = SumOverTaps(image, window.Resolved(image), 2, [&](int b, int y, int x, int i, int j, int o) {
    double sum = 0;
    for (int c = 0; c < 2; ++c)
      sum += image.at(b, y, x, c) * weights.filter_reals[static_cast<size_t>(((o * 3 + i) * 20 + j) * 2 + c)];
    return sum;
  });
  ExpectAsDefined(call, kTypes[0], window, sums, weights.bias_reals);
}

// By hand: image 1 2 / 3 4, filter 10 20 / 30 40, bias 1.
OneCall ByHand(OperationCode code, WindowCase window, int32_t activation = 0) {
  std::vector<Given> in = {Float32({1, 2, 2, 1}, {1, 2, 3, 4}), Float32({1, 2, 2, 1}, {10, 20, 30, 40}),
                           Float32({1}, {1})};
  for (Given& g : window.PaddingAndStrides()) in.push_back(g);
  if (code == OperationCode::DEPTHWISE_CONV_2D) in.push_back(Int(1));
  in.push_back(Int(activation));
  for (Given& g : window.LayoutAndDilations()) in.push_back(g);
  return {code, in, {Output(TENSOR_FLOAT32)}};
}

TEST(ConvolutionTest, ByHand) {
  for (OperationCode code : {OperationCode::CONV_2D, OperationCode::DEPTHWISE_CONV_2D}) {
    EXPECT_THAT(ByHand(code, {.scheme = 2}).Golden(), ElementsAre(301));
    // SAME pads one row and one column, at the end.
    EXPECT_THAT(ByHand(code, {.scheme = 1}).Golden(), ElementsAre(301, 10 * 2 + 30 * 4 + 1, 10 * 3 + 20 * 4 + 1, 41));
    // One column to the left: the first window sees 0 1 / 0 3.
    EXPECT_THAT(ByHand(code, {.scheme = 0, .left = 1}).Golden(), ElementsAre(20 + 40 * 3 + 1, 301));
    EXPECT_THAT(ByHand(code, {.scheme = 0, .bottom = 1}).Golden(), ElementsAre(301, 10 * 3 + 20 * 4 + 1));
    EXPECT_THAT(ByHand(code, {.scheme = 2}, 3).Golden(), ElementsAre(6));
  }
}

// A 1x1 NCHW image lies like an NHWC one, and its padded output does not.
TEST(ConvolutionTest, SinglePixelOfSeveralChannels) {
  const WindowCase padded{.scheme = 0, .left = 1, .right = 1, .filter_width = 2, .layout = true, .nchw = true};
  std::vector<Given> in = {Float32({1, 2, 1, 1}, {1, 2}), Float32({1, 1, 2, 2}, {10, 20, 30, 40}),
                           Float32({2}, {0, 0})};
  for (Given& g : padded.PaddingAndStrides()) in.push_back(std::move(g));
  in.push_back(Int(1)), in.push_back(Int(0));
  for (Given& g : padded.LayoutAndDilations()) in.push_back(std::move(g));
  const OneCall call(OperationCode::DEPTHWISE_CONV_2D, std::move(in), {Output(TENSOR_FLOAT32)});
  EXPECT_THAT(call.Golden(), ElementsAre(30, 10, 80, 40));
}

TEST(ConvolutionTest, Bounds) {
  const auto image = Noise(2 * 5 * 5 * 4, 1), filter = Noise(6 * 9 * 4, 2), bias = Noise(6, 3);
  for (OperandType type : {TENSOR_FLOAT32, TENSOR_FLOAT16}) {
    const OneCall conv(OperationCode::CONV_2D,
                       {Reals(type, {2, 5, 5, 4}, image), Reals(type, {6, 3, 3, 4}, filter), Reals(type, {6}, bias),
                        Int(1), Int(1), Int(2), Int(1)},
                       {Output(type)});
    conv.ExpectInside();
    conv.ExpectHullHolds(0.1, 0, 10);
    const OneCall depthwise(OperationCode::DEPTHWISE_CONV_2D,
                            {Reals(type, {2, 5, 5, 4}, image), Reals(type, {1, 3, 3, 4}, Noise(36, 4)),
                             Reals(type, {4}, Noise(4, 5)), Int(2), Int(1), Int(1), Int(1), Int(0)},
                            {Output(type)});
    depthwise.ExpectInside();
    depthwise.ExpectHullHolds(0.1, 0, 10);
    if (type == TENSOR_FLOAT16) continue;
    // 37 and 10 terms below 1: gamma(n + 3) * n, to either side.
    EXPECT_LT(conv.Widest(0, {.strict = true}), 2 * 40 * 37 * 0x1.01p-23);
    EXPECT_LT(depthwise.Widest(0, {.strict = true}), 2 * 13 * 10 * 0x1.01p-23);
    EXPECT_GT(conv.Widest(0, {.strict = true}), 1e-6);
  }
  const Types& q = kTypes[2];
  Image pixels(1, 4, 4, 2);
  FillExactly(pixels.reals, q.image, q.image_quantization, 9);
  const FilterAndBias weights(q, {3, 2, 2, 2}, 0, 10);
  const OneCall conv(OperationCode::CONV_2D,
                     Operands(ToTensor(q.image, pixels, false, q.image_quantization), weights, {.scheme = 1}, {Int(1)}),
                     {Output(q.image, q.output_quantization)});
  conv.ExpectInside();
  conv.ExpectHullHolds(0, 1, 20);
  EXPECT_LE(conv.Widest(), 3.001 * 25);
}

// One operand of a legal call replaced.
std::vector<Given> With(std::vector<Given> operands, size_t index, Given other) {
  operands[index] = std::move(other);
  return operands;
}

TEST(ConvolutionTest, LevelsAndSignatures) {
  const auto level = [](OperationCode code, WindowCase window) {
    const OneCall call = ByHand(code, window);
    EXPECT_TRUE(call.valid()) << ToStatus(call.violations());
    return call.level();
  };
  for (OperationCode code : {OperationCode::CONV_2D, OperationCode::DEPTHWISE_CONV_2D}) {
    EXPECT_EQ(level(code, {.scheme = 0}), 1);
    EXPECT_EQ(level(code, {.scheme = 2}), 1);
    EXPECT_EQ(level(code, {.scheme = 0, .layout = true}), 3);
    // As many operands as explicit padding without a layout.
    EXPECT_EQ(level(code, {.scheme = 1, .layout = true, .dilations = true}), 3);
    EXPECT_EQ(level(code, {.scheme = 0, .layout = true, .dilations = true}), 3);
    // One dilation alone.
    for (int scheme : {0, 1}) {
      std::vector<Given> in = ByHand(code, {.scheme = scheme, .layout = true, .dilations = true}).inputs();
      in.pop_back();
      EXPECT_EQ(OneCall(code, in, {Output(TENSOR_FLOAT32)}).broken().count("operand_count"), 1u);
    }
  }
  // The documented scale rule: above input scale * filter scale = 0.125 before level 3.
  const FilterAndBias weights(kTypes[2], {1, 1, 1, 1}, 0, 1);
  for (const auto& [scale, expected] : {std::pair{0.126f, 1}, {0.125f, 3}}) {
    const OneCall call(OperationCode::CONV_2D,
                       Operands(Quant8({1, 1, 1, 1}, {5}, 0.5, 0), weights, {.scheme = 2}, {Int(0)}),
                       {Output(TENSOR_QUANT8_ASYMM, {scale, 0, nullptr})});
    EXPECT_EQ(call.level(), expected);
  }
}

TEST(ConvolutionTest, UnknownAndEmptyShapes) {
  const std::vector<Given> in = ByHand(OperationCode::CONV_2D, {.scheme = 1}).inputs();
  const auto shape = [&](size_t index, Given other) {
    return OneCall(OperationCode::CONV_2D, With(in, index, std::move(other)), {Output(TENSOR_FLOAT32)})
        .inferred()
        .at(0)
        .shape;
  };
  EXPECT_EQ(shape(0, in[0].UnknownDim(1)), Shape::Of({1, kUnknownDim, 2, 1}));
  EXPECT_EQ(shape(0, in[0].UnknownDim(3)), Shape::Of({1, 2, 2, 1}));
  EXPECT_EQ(shape(0, in[0].UnknownRank()), Shape::Of({kUnknownDim, kUnknownDim, kUnknownDim, 1}));
  EXPECT_EQ(shape(1, in[1].UnknownDim(0)), Shape::Of({1, 2, 2, kUnknownDim}));
  const OneCall empty(OperationCode::CONV_2D, With(in, 0, Float32({0, 2, 2, 1}, {})), {Output(TENSOR_FLOAT32)});
  EXPECT_EQ(empty.dims(), Dims({0, 2, 2, 1}));
  EXPECT_TRUE(empty.Golden().empty());
  empty.ExpectInside();
}

TEST(ConvolutionTest, Rules) {
  for (OperationCode code : {OperationCode::CONV_2D, OperationCode::DEPTHWISE_CONV_2D}) {
    const bool depthwise = code == OperationCode::DEPTHWISE_CONV_2D;
    RuleBook rules(code);
    const std::vector<Given> out = {Output(TENSOR_FLOAT32)};
    const std::vector<Given> in = ByHand(code, {.scheme = 0, .layout = true, .dilations = true}).inputs();
    rules.Valid(ByHand(code, {.scheme = 0, .layout = true, .dilations = true}));
    rules.Valid(ByHand(code, {.scheme = 1, .layout = true, .dilations = true}));
    rules.Breaks("rank", With(in, 0, Float32({1, 2, 2}, {1})), out);
    rules.BreaksAmongOthers("rank", With(in, 1, Float32({1, 2, 2}, {1})), out);
    rules.Breaks("bias", With(in, 2, Float32({2}, {1})), out);
    rules.Breaks("bias", With(in, 2, Float32({1, 1}, {1})), out);
    rules.BreaksAmongOthers("empty", With(in, 0, Float32({1, 0, 2, 1}, {})), out);
    rules.Breaks("padding", With(in, 3, Int(2)), out);
    rules.Breaks("padding", With(in, 6, Int(2)), out);
    const size_t dilation = in.size() - 2;
    EXPECT_TRUE(OneCall(code, With(With(in, 3, Int(2)), dilation, Int(2)), out).valid());
    rules.Breaks("output_size", With(in, dilation, Int(2)), out);
    rules.Breaks("output_size", With(in, dilation + 1, Int(2)), out);
    if (depthwise) {
      rules.Breaks("depth_out", With(in, 9, Int(2)), out);
      rules.Breaks("filter_slices", With(in, 1, Float32({2, 2, 2, 1}, {1})), out);
    } else {
      rules.Breaks("depth_in", With(in, 1, Float32({1, 2, 2, 2}, {1})), out);
    }
    const std::vector<Given> quantized_out = {Output(TENSOR_QUANT8_ASYMM, {25, 0, nullptr})};
    std::vector<Given> quantized = With(in, 0, Quant8({1, 2, 2, 1}, {1}, 0.5, 0));
    quantized[1] = Quant8({1, 2, 2, 1}, {1}, 0.25, 0);
    quantized[2] = Int32({1}, {1}, 0.125);
    EXPECT_TRUE(OneCall(code, quantized, quantized_out).valid());
    EXPECT_TRUE(OneCall(code, With(quantized, 2, Int32({1}, {1}, 0.125f * (1 + 8e-7f))), quantized_out).valid());
    rules.Breaks("bias_scale", With(quantized, 2, Int32({1}, {1}, 0.125f * (1 + 2e-6f))), quantized_out);
    quantized[2] = Int32({1}, {1});
    const uint32_t channel_dim = depthwise ? 3 : 0;
    EXPECT_TRUE(
        OneCall(code, With(quantized, 1, PerChannelCodes({1, 2, 2, 1}, {1}, channel_dim, {1})), quantized_out).valid());
    const std::vector<Given> per_channel = With(quantized, 1, PerChannelCodes({1, 2, 2, 1}, {1}, channel_dim, {1}));
    rules.Breaks("bias_scale", With(per_channel, 2, Int32({1}, {1}, 100)), quantized_out);
    rules.Breaks("channel_dim", With(quantized, 1, PerChannelCodes({1, 2, 2, 1}, {1}, 3 - channel_dim, {1})),
                 quantized_out);
    // A bias of another length is not read by the channels' scales.
    const std::vector<Given> longer =
        With(With(quantized, 1, PerChannelCodes({1, 2, 2, 1}, {1}, channel_dim, {1})), 2, Int32({2}, {1}));
    rules.Breaks("bias", longer, quantized_out);
    EXPECT_EQ(OneCall(code, longer, quantized_out).call()->read_as(2), nullptr);
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
