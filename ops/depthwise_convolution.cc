// DEPTHWISE_CONV_2D.
//
//   output[b, y, x, k*m + q] = act(bias[k*m + q] + sum_{i, j} input[b, y*sy + i*dy - top, x*sx + j*dx - left, k] *
//                                                             filter[0, i, j, k*m + q])         m = depth_multiplier
//
// Sums are over real numbers; a quantized call is dequantized, summed and requantized. Outside of the image the input
// is zero. The documentation numbers the filter's only slice 1, it is 0. It gives the rule on a per-channel filter's
// channel dimension for explicit padding alone, Android's validator for both signatures, and so it is here. It says
// nothing of 0 batches; Android's executor computes them, and so does this one. The scale rule before feature level 3
// is that of CONV_2D: documented, the output's scale; in Android's validator, by a slip, the input's.
#include "numeric/sums.h"
#include "ops/convolution_parts.h"
#include "ops/define.h"

namespace assay {
namespace {

struct DepthwiseConv2d : ConvolutionParts {
  static constexpr absl::string_view kProse =
      "Sums the products of a filter and each window of an image, every channel by itself: output[b,y,x,k*m+q] = "
      "act(bias[k*m+q] + sum input[..k] * filter[..k*m+q]), m = depth_multiplier.";
  static constexpr Rule kRank{"rank", Stage::kExecution, "input and filter have rank 4"};
  static constexpr Rule kChannelDim{"channel_dim", Stage::kModel,
                                    "a per-channel filter's channels are its dimension 3"};
  static constexpr Rule kSlices{"filter_slices", Stage::kExecution, "the filter's first dimension is 1"};
  static constexpr Rule kDepthOut{"depth_out", Stage::kExecution,
                                  "the filter's last dimension is the input's depth * depth_multiplier"};
  static constexpr Rule kRules[] = {kRank,      kChannelDim, kSlices,       kDepthOut,     kBias,
                                    kBiasScale, kEmpty,      Windows::kPad, Windows::kSize};

  int32_t depth_multiplier = 1;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth_in], or [batches, depth_in, height, width] if nchw");
    w.Tensor(filter, "filter", "[1, filter_height, filter_width, depth_out]");
    w.Tensor(bias, "bias", "[depth_out]");
    // With 11 inputs both signatures are possible: input 8 is a stride of the one and the layout of the other.
    windows.PaddingAndStrides(w,
                              [](auto inputs) { return inputs.size() >= 11 && inputs[8].type == OperandType::INT32; });
    w.Int(depth_multiplier, "depth_multiplier", kPositive);
    w.Int(activation, "activation", kActivationCode);
    LayoutAndDilations(w);
    w.Output(output, "output", "[batches, out_height, out_width, depth_out], or NCHW");
  }

  void Draw(Drawing& d) {
    const auto size = DrawWindow(d, false);
    const auto depth_in = static_cast<uint32_t>(SizeOf(input.dims(), nchw).depth);
    const uint32_t most = MostDepthOut(d, size, depth_in * static_cast<uint32_t>(depth_multiplier));
    depth_multiplier = static_cast<int32_t>(std::max(1u, most / depth_in));
    const uint32_t depth_out = depth_in * static_cast<uint32_t>(depth_multiplier);
    d.Weights(filter, {1, size.height, size.width, depth_out}, size_t{size.height} * size.width, 3);
    DrawBiasAndOutput(d, depth_out);
  }

  void CheckModel(Checker& check) const { CheckChannelDim(check, kChannelDim, 3); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    check.Rank(kRank, filter, "filter", 4, 4);
    check.Same(kSlices, "the filter's first dimension", filter.dim(0), "what it must be", 1);
    check.Same(kDepthOut, "depth_in * depth_multiplier", Image().depth * Extent(depth_multiplier), "filter depth",
               filter.dim(3));
    CheckParts(check, filter.dim(3));
  }
  std::vector<Result> Infer() const { return {{OutputShape(filter.dim(3)), {}}}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const Windows r = Resolved();
    const ImageView<const N> image(f(input), nchw);
    const ImageView<N> out(f(output), nchw);
    const N *weights = f(filter).data, *offsets = f(bias).data;
    const size_t depth_out = out.size.depth, multiplier = static_cast<size_t>(depth_multiplier);
    // A 1x1 NCHW image is side by side as well, but its padded output need not be.
    const bool side_by_side = multiplier == 1 && image.contiguous_depth() && out.contiguous_depth();
    Taps<N> taps(image, r, filter.dims()[1], filter.dims()[2], /*padding=*/true);
    ForEachPosition(out.size, [&](size_t batch, size_t y, size_t x) {
      N* to = out.At(batch, y, x);
      taps.Place(batch, y, x);
      if (side_by_side) return ChannelDot<N>(taps.all(), weights, depth_out, depth_out, offsets, to);
      for (size_t c = 0; c < depth_out; ++c) {
        if (c != 0 && c % multiplier == 0) taps.NextChannel();
        ChannelDot<N>(taps.all(), weights + c, depth_out, 1, offsets + c, to + c * out.depth_stride);
      }
    });
  }
};

}  // namespace

extern const OperationInfo kDepthwiseConv2d;
constinit const OperationInfo kDepthwiseConv2d =
    Define<DepthwiseConv2d, kDepthwiseConv2d>(OperationCode::DEPTHWISE_CONV_2D, "DEPTHWISE_CONV_2D");

}  // namespace assay
