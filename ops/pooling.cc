// AVERAGE_POOL_2D, MAX_POOL_2D.
//
//   output[b, y, x, c] = act(mean or max of input[b, y*sy + i - top, x*sx + j - left, c])
//
// over all i < filter_height, j < filter_width that lie in the image: padding is no value, and a mean divides by the
// elements that it has. The output repeats the input's quantization (Android's validator does not look, its executor
// fails). Means of quantized tensors round to nearest: Android's executor rounds halves up for QUANT8_ASYMM and away
// from zero for QUANT8_ASYMM_SIGNED, this one away from zero for both. Padding schemes other than 1 and 2 are refused;
// Android's executor takes them for VALID.
#include "numeric/activation.h"
#include "numeric/sums.h"
#include "ops/define.h"
#include "ops/window.h"

namespace assay {
namespace {

enum class Pool { kAverage, kMax };

template <Pool kPool>
struct Pool2d {
  static constexpr absl::string_view kProse =
      kPool == Pool::kAverage
          ? "The mean of each window of an image: output[b,y,x,c] = act(mean of input[b,window,c] inside the image)."
          : "The greatest element of each window of an image: output[b,y,x,c] = act(max of input[b,window,c]).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr bool kAllowsEmpty = true;  // of batches
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank 4"};
  static constexpr Rule kEmpty{"empty", Stage::kExecution, "only the number of batches may be 0"};
  static constexpr Rule kRules[] = {kRank, kEmpty, Windows::kPad, Windows::kSize};

  In input;
  Out output;
  Windows windows;
  int32_t filter_width = 1, filter_height = 1, activation = 0;
  bool has_layout = false, nchw = false;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, channels], or [batches, channels, height, width] if nchw");
    windows.PaddingAndStrides(w, [](auto inputs) { return inputs.size() >= 10; });
    w.Int(filter_width, "filter_width", kPositive);
    w.Int(filter_height, "filter_height", kPositive);
    w.Int(activation, "activation", kActivationCode);
    if (w.More(has_layout)) w.Flag(nchw, "nchw");
    w.Output(output, "output", "[batches, out_height, out_width, channels], or NCHW");
  }

  void Draw(Drawing& d) {
    if (d.level() < 3) has_layout = nchw = false;
    d.Tensor(input, {.least_rank = 4, .most_rank = 4});
    const auto [height, width] = windows.DrawFilter(d.choices(), SizeOf(input.dims(), nchw));
    filter_height = static_cast<int32_t>(height), filter_width = static_cast<int32_t>(width);
    if (IsQuantized(input.type())) return d.OutputLike(output, input);
    d.Output(output, Activated(d.RangeOf(input), activation));
  }

  FeatureLevel Level(FeatureLevel of_row) const { return has_layout ? std::max(of_row, 3) : of_row; }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    const ImageExtents image = ExtentsOf(input, nchw);
    check.Rank(kRank, input, "input", 4, 4);
    check.AtLeast(kEmpty, "height", image.height, 1);
    check.AtLeast(kEmpty, "width", image.width, 1);
    check.AtLeast(kEmpty, "channels", image.depth, 1);
    if (filter_height > 0 && filter_width > 0) windows.Check(check, image, filter_height, filter_width);
  }

  Windows Resolved() const {
    const ImageExtents image = ExtentsOf(input, nchw);
    return windows.Resolved(image.height, image.width, filter_height, filter_width);
  }
  std::vector<Result> Infer() const {
    const ImageExtents image = ExtentsOf(input, nchw);
    const Windows r = Resolved();
    const ImageExtents out{image.batches, r.y.OutSize(image.height, filter_height),
                           r.x.OutSize(image.width, filter_width), image.depth};
    return {{ToShape(out, nchw), input.quantization()}};
  }

  Activation Fused() const { return static_cast<Activation>(activation); }

  template <class N>
  void Eval(Frame<N>& f) const {
    const ImageView<const N> image(f(input), nchw);
    const ImageView<N> out(f(output), nchw);
    const Windows r = Resolved();
    // A 1x1 NCHW image is side by side as well, but its padded output need not be.
    const bool side_by_side = image.contiguous_depth() && out.contiguous_depth();
    Taps<N> taps(image, r, static_cast<size_t>(filter_height), static_cast<size_t>(filter_width), /*padding=*/false);
    ForEachPosition(out.size, [&](size_t batch, size_t y, size_t x) {
      N* to = out.At(batch, y, x);
      taps.Place(batch, y, x);
      if (side_by_side) return Reduce<N>(taps.all(), out.size.depth, to);
      for (size_t c = 0; c < out.size.depth; ++c) {
        if (c != 0) taps.NextChannel();
        Reduce<N>(taps.all(), 1, to + c * out.depth_stride);
      }
    });
  }
  // Of the window's elements inside the image, at least one.
  template <class N>
  static void Reduce(std::span<const N* const> taps, size_t channels, N* out) {
    if constexpr (kPool == Pool::kAverage) {
      ChannelMean<N>(taps, taps.size(), channels, out);
    } else {
      std::copy_n(taps.front(), channels, out);
      for (const N* tap : taps.subspan(1))
        for (size_t c = 0; c < channels; ++c) out[c] = Max(out[c], tap[c]);
    }
  }
};

}  // namespace

extern const OperationInfo kAveragePool2d, kMaxPool2d;
constinit const OperationInfo kAveragePool2d =
    Define<Pool2d<Pool::kAverage>, kAveragePool2d>(OperationCode::AVERAGE_POOL_2D, "AVERAGE_POOL_2D");
constinit const OperationInfo kMaxPool2d =
    Define<Pool2d<Pool::kMax>, kMaxPool2d>(OperationCode::MAX_POOL_2D, "MAX_POOL_2D");

}  // namespace assay
