// CONV_2D.
//
//   output[b, y, x, o] = act(bias[o] + sum_{i, j, c} input[b, y*sy + i*dy - top, x*sx + j*dx - left, c] * filter[o, i,
//   j, c])
//
// Sums are over real numbers; a quantized call is dequantized, summed and requantized. Outside of the image the input
// is zero. The documentation and the validator disagree about QUANT8_ASYMM before feature level 3: documented is
// output scale > input scale * filter scale, and so it is here; Android's validator compares the input's scale.
#include <algorithm>

#include "numeric/sums.h"
#include "ops/bias.h"
#include "ops/define.h"
#include "ops/window.h"

namespace assay {
namespace {

struct Conv2d {
  static constexpr absl::string_view kProse =
      "Sums the products of a filter and each window of an image: output[b,y,x,o] = act(bias[o] + sum input * "
      "filter[o]).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input, filter, bias}, {output}
      {1, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "input and filter have rank 4"};
  static constexpr Rule kChannelDim{"channel_dim", Stage::kModel,
                                    "a per-channel filter's channels are its dimension 0"};
  static constexpr Rule kDepthIn{"depth_in", Stage::kExecution, "the filter's last dimension is the input's depth"};
  static constexpr Rule kBias{"bias", Stage::kExecution, "bias has rank 1 and depth_out elements"};
  static constexpr Rule kBiasScale{"bias_scale", Stage::kExecution, "bias scale is input scale * filter scale"};
  static constexpr Rule kEmpty{"empty", Stage::kExecution, "only the number of batches may be 0"};
  static constexpr Rule kRules[] = {kRank,      kChannelDim, kDepthIn,      kBias,
                                    kBiasScale, kEmpty,      Windows::kPad, Windows::kSize};
  static constexpr bool kAllowsEmpty = true;

  In input, filter, bias;
  Out output;
  Windows windows;
  int32_t activation = 0;
  bool has_layout = false, has_dilation = false, nchw = false;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth_in], or [batches, depth_in, height, width] if nchw");
    w.Tensor(filter, "filter", "[depth_out, filter_height, filter_width, depth_in]");
    w.Tensor(bias, "bias", "[depth_out]");
    // With 10 inputs both signatures are possible: input 7 is a stride of the one and the layout of the other.
    windows.PaddingAndStrides(w,
                              [](auto inputs) { return inputs.size() >= 10 && inputs[7].type == OperandType::INT32; });
    w.Int(activation, "activation", kActivationCode);
    if (w.More(has_layout)) {
      w.Flag(nchw, "nchw");
      if (w.More(has_dilation)) windows.Dilations(w);
    }
    w.Output(output, "output", "[batches, out_height, out_width, depth_out], or NCHW");
  }

  void Draw(Drawing& d) {
    if (d.level() < 3) has_layout = false;
    if (!has_layout) nchw = false;
    if (!has_layout || !has_dilation) windows.x.dilation = windows.y.dilation = 1;
    d.Tensor(input, {.least_rank = 4, .most_rank = 4});
    const ImageSize image = SizeOf(input.dims(), nchw);
    const auto [height, width] = windows.DrawFilter(d.choices(), image);
    const auto depth_in = static_cast<uint32_t>(image.depth);
    const auto depth_out = static_cast<uint32_t>(d.choices().Between(1, std::min<uint32_t>(8, d.most_dim())));
    d.Weights(filter, {depth_out, height, width, depth_in}, size_t{height} * width * depth_in);
    d.Bias(bias, depth_out, input, filter);
    const double product = double{input.quantization().scale} * double{filter.quantization().scale};
    d.Output(output, Activated(d.RangeOf(input), activation), d.level() < 3 ? product : 0);
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    FeatureLevel level = has_layout ? std::max(of_row, 3) : of_row;
    if (input.type() == TENSOR_QUANT8_ASYMM &&
        output.quantization().scale <= input.quantization().scale * filter.quantization().scale)
      level = std::max(level, 3);
    return level;
  }

  void CheckModel(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    check.Rank(kRank, filter, "filter", 4, 4);
    if (const auto& channels = filter.quantization().per_channel)
      check.That(channels->channel_dim == 0, kChannelDim, "channel_dim is ", channels->channel_dim, ", must be 0");
  }
  void CheckExecution(Checker& check) const {
    const ImageExtents image = ExtentsOf(input, nchw);
    check.Rank(kBias, bias, "bias", 1, 1);
    check.Same(kDepthIn, "input depth", image.depth, "filter depth", filter.dim(3));
    check.Same(kBias, "bias length", bias.dim(0), "depth_out", filter.dim(0));
    check.BiasScale(kBiasScale, bias, input, filter);
    for (Extent e : {image.height, image.width, image.depth, filter.dim(0), filter.dim(1), filter.dim(2)})
      check.AtLeast(kEmpty, "a dimension of input or filter", e, 1);
    windows.Check(check, image, filter.dim(1), filter.dim(2));
  }

  Windows Resolved() const {
    const ImageExtents image = ExtentsOf(input, nchw);
    return windows.Resolved(image.height, image.width, filter.dim(1), filter.dim(2));
  }
  std::vector<Result> Infer() const {
    const ImageExtents image = ExtentsOf(input, nchw);
    const Windows r = Resolved();
    const ImageExtents out{image.batches, r.y.OutSize(image.height, filter.dim(1)),
                           r.x.OutSize(image.width, filter.dim(2)), filter.dim(0)};
    return {{ToShape(out, nchw), {}}};
  }

  Activation Fused() const { return static_cast<Activation>(activation); }
  // NNAPI leaves the scale of a per-channel bias 0: its channel c counts input scale * filter scale c.
  std::optional<Quantization> ReadAs(size_t index) const { return PerChannelBias(index, bias, input, filter); }

  // Windows are gathered into a matrix, a chunk of rows at a time, so that memory stays bounded.
  size_t WindowSize() const { return Count({filter.dims()[1], filter.dims()[2], filter.dims()[3]}); }
  size_t ChunkRows() const { return std::max<size_t>(64, 65536 / std::max<size_t>(1, WindowSize())); }
  bool IsMatrixProduct(const Windows& r) const {
    const auto plain = [](const WindowAxis& a) { return a.stride == 1 && a.head == 0 && a.tail == 0; };
    return !nchw && filter.dims()[1] == 1 && filter.dims()[2] == 1 && plain(r.y) && plain(r.x);
  }
  size_t ScratchElements() const { return ChunkRows() * (WindowSize() + (nchw ? filter.dims()[0] : 0)); }

  template <class N>
  void Eval(Frame<N>& f) const {
    const Windows r = Resolved();
    const ImageView<const N> image(f(input), nchw);
    const ImageView<N> out(f(output), nchw);
    const size_t k = WindowSize(), depth_out = out.size.depth;
    const Matrix<const N> weights{f(filter).data, depth_out, k, k};
    const N* offsets = f(bias).data;
    const size_t pixels = out.size.batches * out.size.height * out.size.width;
    if (IsMatrixProduct(r))
      return Dot<N>(Matrix<const N>{image.data, pixels, k, k}, weights, offsets,
                    Matrix<N>{out.data, pixels, depth_out, depth_out});
    const size_t chunk = ChunkRows();
    N* patches = f.Scratch(chunk * k).data();
    N* sums = nchw ? f.Scratch(chunk * depth_out).data() : nullptr;
    for (size_t first = 0; first < pixels; first += chunk) {
      const size_t rows = std::min(chunk, pixels - first);
      for (size_t i = 0; i < rows; ++i) Gather(image, out.size, r, first + i, patches + i * k);
      N* to = nchw ? sums : out.data + first * depth_out;
      Dot<N>(Matrix<const N>{patches, rows, k, k}, weights, offsets, Matrix<N>{to, rows, depth_out, depth_out});
      if (nchw) Scatter(sums, rows, first, out);
    }
  }

  // The window of output pixel `pixel` (batch, y, x in row-major order) as [filter_height, filter_width, depth_in].
  template <class N>
  void Gather(const ImageView<const N>& image, const ImageSize& out, const Windows& r, size_t pixel, N* to) const {
    const size_t x = pixel % out.width, y = pixel / out.width % out.height, batch = pixel / out.width / out.height;
    const size_t depth = image.size.depth;
    for (size_t i = 0; i < filter.dims()[1]; ++i)
      for (size_t j = 0; j < filter.dims()[2]; ++j, to += depth) {
        const int64_t iy = TapIndex(r.y, y, i), ix = TapIndex(r.x, x, j);
        if (!InsideImage(iy, image.size.height) || !InsideImage(ix, image.size.width)) {
          std::fill(to, to + depth, N(0));
          continue;
        }
        const N* from = image.At(batch, static_cast<size_t>(iy), static_cast<size_t>(ix));
        for (size_t c = 0; c < depth; ++c) to[c] = from[c * image.depth_stride];
      }
  }
  template <class N>
  static void Scatter(const N* sums, size_t rows, size_t first, const ImageView<N>& out) {
    for (size_t i = 0; i < rows; ++i) {
      const size_t pixel = first + i, x = pixel % out.size.width, y = pixel / out.size.width % out.size.height;
      N* to = out.At(pixel / out.size.width / out.size.height, y, x);
      for (size_t c = 0; c < out.size.depth; ++c) to[c * out.depth_stride] = sums[i * out.size.depth + c];
    }
  }
};

}  // namespace

extern const OperationInfo kConv2d;
constinit const OperationInfo kConv2d = Define<Conv2d, kConv2d>(OperationCode::CONV_2D, "CONV_2D");

}  // namespace assay
