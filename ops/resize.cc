// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
//
//   scale    = in / out, or (in - 1) / (out - 1) with align_corners where out > 1     (along each axis)
//   position = o * scale; with half_pixel_centers (o + 0.5) * scale, for bilinear then - 0.5
//   BILINEAR          output[o] = (1 - f) * input[i] + f * input[i + 1] along both axes, i = floor(position),
//                     f = position - i; positions before the first and after the last element are theirs
//   NEAREST_NEIGHBOR  output[o] = input[floor(position)], with align_corners input[round(position)], halves away from 0
//
// The output's size is an operand, or floor(in * scale operand) computed in float32; the scale of the positions comes
// from the sizes in either case. Inputs name width before height, dimensions height before width. The layout operand
// may be left off of RESIZE_BILINEAR only. Elements of the nearest neighbour are moved: every type is exact.
//
// Bounded: positions are those of a device that computes in float32 whatever the tensors' type, a few ulps around the
// exact ones. A bilinear result is continuous in them. A nearest neighbour may be the one or the other element where a
// position is as near as that to the border between them, and no exact float32 scale keeps it away; an answer is judged
// by being one of these elements.
#include "numeric/settle.h"
#include "numeric/sums.h"
#include "ops/define.h"
#include "ops/resize_parts.h"

namespace assay {
namespace {

using enum OperandType;

struct ResizeBilinear : ResizeParts {
  static constexpr absl::string_view kProse =
      "Resizes images, blending the four elements around each position: output = (1-fy)(1-fx) in[y,x] + (1-fy) fx "
      "in[y,x+1] + fy (1-fx) in[y+1,x] + fy fx in[y+1,x+1].";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };

  template <class Walk>
  void Operands(Walk& w) {
    InputAndSize(w);
    if (w.More(has_layout)) w.Flag(nchw, "nchw");
    SpreadAndOutput(w);
  }

  size_t ScratchElements() const { return SizeOf(input.dims(), nchw).depth * 5; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const ImageView<const N> image(f(input), nchw);
    const ImageView<N> out(f(output), nchw);
    const size_t depth = image.size.depth;
    const ResizedAxis rows(image.size.height, out.size.height, spread);
    const ResizedAxis columns(image.size.width, out.size.width, spread);
    N* taps = f.Scratch(depth * 4).data();
    N* blended = f.Scratch(depth).data();
    ForEachPosition(out.size, [&](size_t batch, size_t y, size_t x) {
      N* to = out.At(batch, y, x);
      const auto blend = [&](const Blend& row, const Blend& column, bool is_nominal) {
        const N fy = PartOf<N>(row), fx = PartOf<N>(column);
        const N weights[] = {(N(1) - fy) * (N(1) - fx), (N(1) - fy) * fx, fy * (N(1) - fx), fy * fx};
        Gather(image, batch, row, column, taps);
        Dot<N>(Matrix<const N>{taps, depth, 4, 4}, Matrix<const N>{weights, 1, 4, 4}, nullptr,
               Matrix<N>{blended, depth, 1, 1});
        for (size_t c = 0; c < depth; ++c) {
          N& result = to[c * out.depth_stride];
          result = is_nominal ? blended[c] : Select(Truth::kMaybe, result, blended[c]);
        }
      };
      if constexpr (Plain<N>) return blend(rows.NominalBlend(y), columns.NominalBlend(x), true);
      rows.ForEachBlend(y, [&](const Blend& row, bool is_nominal_row) {
        columns.ForEachBlend(
            x, [&](const Blend& column, bool is_nominal) { blend(row, column, is_nominal_row && is_nominal); });
      });
    });
  }

 private:
  template <class N>
  static N PartOf(const Blend& blend) {
    if constexpr (Plain<N>) {
      return static_cast<N>(blend.part);
    } else {
      return Inexact(N(blend.least, blend.most, blend.part));
    }
  }
  // [depth, 4]: the four elements that are blended, for each channel.
  template <class N>
  static void Gather(const ImageView<const N>& image, size_t batch, const Blend& row, const Blend& column, N* to) {
    const N* const corners[] = {image.At(batch, row.first, column.first), image.At(batch, row.first, column.second),
                                image.At(batch, row.second, column.first), image.At(batch, row.second, column.second)};
    for (size_t c = 0; c < image.size.depth; ++c)
      for (const N* corner : corners) *to++ = corner[c * image.depth_stride];
  }
};

struct ResizeNearestNeighbor : ResizeParts {
  static constexpr absl::string_view kProse =
      "Resizes images, taking the nearest element at each position: output[y, x] = input[floor(y * scale), ...].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };

  template <class Walk>
  void Operands(Walk& w) {
    InputAndSize(w);
    w.Flag(nchw, "nchw");
    SpreadAndOutput(w);
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const ImageView<T> out(f(output), nchw);
    ForEachResult(f, out.size, [&](size_t batch, size_t y, size_t x, size_t channel, auto& candidates) {
      T& to = out.At(batch, y, x)[channel * out.depth_stride];
      to = candidates.Nominal();
      if constexpr (!std::is_integral_v<T>) candidates.ForEach([&](const T& e) { to = Hull(to, e); });
    });
  }

  // One of the elements that may be the nearest.
  template <class F>
  void Accept(Frame<Bounded<F>>& f, size_t, std::span<const double> answer, std::span<Verdict> verdicts) const {
    const ImageView<Verdict> out(View<Verdict>{verdicts.data(), &output.dims(), verdicts.size()}, nchw);
    ForEachResult(f, out.size, [&](size_t batch, size_t y, size_t x, size_t channel, auto& candidates) {
      Verdict& verdict = out.At(batch, y, x)[channel * out.depth_stride];
      const double given = answer[static_cast<size_t>(&verdict - verdicts.data())];
      verdict = Verdict::kOutside;
      candidates.ForEach([&](const Bounded<F>& e) {
        const Verdict one = Inside(e, given);
        if (one == Verdict::kInside || verdict == Verdict::kOutside) verdict = one;
      });
    });
  }

 private:
  // The elements of one channel that one result may be.
  template <class T>
  struct Candidates {
    const ImageView<const T>& image;
    size_t batch, channel;
    Nearest row, column;

    const T& At(size_t y, size_t x) const { return image.At(batch, y, x)[channel * image.depth_stride]; }
    const T& Nominal() const { return At(row.nominal, column.nominal); }
    template <class Visit>
    void ForEach(Visit visit) const {
      for (size_t y = row.least; y <= row.most; ++y)
        for (size_t x = column.least; x <= column.most; ++x) visit(At(y, x));
    }
  };
  template <class T, class Visit>
  void ForEachResult(const Frame<T>& f, const ImageSize& out, Visit visit) const {
    const ImageView<const T> image(f(input), nchw);
    const ResizedAxis rows(image.size.height, out.height, spread);
    const ResizedAxis columns(image.size.width, out.width, spread);
    ForEachPosition(out, [&](size_t batch, size_t y, size_t x) {
      const Nearest row = rows.NearestTo(y), column = columns.NearestTo(x);
      for (size_t c = 0; c < out.depth; ++c) {
        const Candidates<T> candidates{image, batch, c, row, column};
        visit(batch, y, x, c, candidates);
      }
    });
  }
};

}  // namespace

extern const OperationInfo kResizeBilinear, kResizeNearestNeighbor;
constinit const OperationInfo kResizeBilinear =
    Define<ResizeBilinear, kResizeBilinear>(OperationCode::RESIZE_BILINEAR, "RESIZE_BILINEAR");
constinit const OperationInfo kResizeNearestNeighbor = Define<ResizeNearestNeighbor, kResizeNearestNeighbor>(
    OperationCode::RESIZE_NEAREST_NEIGHBOR, "RESIZE_NEAREST_NEIGHBOR");

}  // namespace assay
