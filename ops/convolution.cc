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
#include "ops/convolution_parts.h"
#include "ops/define.h"

namespace assay {
namespace {

struct Conv2d : ConvolutionParts {
  static constexpr absl::string_view kProse =
      "Sums the products of a filter and each window of an image: output[b,y,x,o] = act(bias[o] + sum input * "
      "filter[o]).";
  static constexpr Rule kRank{"rank", Stage::kModel, "input and filter have rank 4"};
  static constexpr Rule kChannelDim{"channel_dim", Stage::kModel,
                                    "a per-channel filter's channels are its dimension 0"};
  static constexpr Rule kDepthIn{"depth_in", Stage::kExecution, "the filter's last dimension is the input's depth"};
  static constexpr Rule kRules[] = {kRank,      kChannelDim, kDepthIn,      kBias,
                                    kBiasScale, kEmpty,      Windows::kPad, Windows::kSize};

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth_in], or [batches, depth_in, height, width] if nchw");
    w.Tensor(filter, "filter", "[depth_out, filter_height, filter_width, depth_in]");
    w.Tensor(bias, "bias", "[depth_out]");
    // With 10 inputs both signatures are possible: input 7 is a stride of the one and the layout of the other.
    windows.PaddingAndStrides(w,
                              [](auto inputs) { return inputs.size() >= 10 && inputs[7].type == OperandType::INT32; });
    w.Int(activation, "activation", kActivationCode);
    LayoutAndDilations(w);
    w.Output(output, "output", "[batches, out_height, out_width, depth_out], or NCHW");
  }

  void Draw(Drawing& d) {
    const auto size = DrawWindow(d, true);
    const auto depth_in = static_cast<uint32_t>(SizeOf(input.dims(), nchw).depth);
    const auto depth_out = static_cast<uint32_t>(d.choices().Between(1, MostDepthOut(d, size, 8)));
    d.Weights(filter, {depth_out, size.height, size.width, depth_in}, size_t{size.height} * size.width * depth_in);
    DrawBiasAndOutput(d, depth_out);
  }

  void CheckModel(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    check.Rank(kRank, filter, "filter", 4, 4);
    CheckChannelDim(check, kChannelDim, 0);
  }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    check.Rank(kRank, filter, "filter", 4, 4);
    check.Same(kDepthIn, "input depth", Image().depth, "filter depth", filter.dim(3));
    CheckParts(check, filter.dim(0));
  }
  std::vector<Result> Infer() const { return {{OutputShape(filter.dim(0)), {}}}; }

  // Windows are gathered into a matrix, a chunk of rows at a time, so that memory stays bounded.
  size_t WindowSize() const { return Count({filter.dims()[1], filter.dims()[2], filter.dims()[3]}); }
  size_t ChunkRows(size_t pixels) const { return std::min(pixels, std::max<size_t>(64, 65536 / WindowSize())); }
  bool IsMatrixProduct(const Windows& r) const {
    const auto plain = [](const WindowAxis& a) { return a.stride == 1 && a.head == 0 && a.tail == 0; };
    return !nchw && filter.dims()[1] == 1 && filter.dims()[2] == 1 && plain(r.y) && plain(r.x);
  }
  size_t ScratchElements() const {
    if (IsMatrixProduct(Resolved())) return 0;
    const size_t depth_out = filter.dims()[0], pixels = Count(output.dims()) / depth_out;
    return ChunkRows(pixels) * (WindowSize() + (nchw ? depth_out : 0));
  }

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
    const size_t chunk = ChunkRows(pixels);
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
