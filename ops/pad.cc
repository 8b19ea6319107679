// PAD: zeros around a tensor.
//
//   output[i + paddings[0, 0], j + paddings[1, 0], ...] = input[i, j, ...], 0 elsewhere
//
// Of quantized tensors that is the zero point; before feature level 3 the value was undefined, so a QUANT8_ASYMM input
// with another zero point than 0 needs it. Elements are moved: every type is exact, and the output has the input's
// quantization.
#include <algorithm>

#include "ops/define.h"

namespace assay {
namespace {

struct Pad {
  static constexpr absl::string_view kProse =
      "Puts zeros before and after a tensor along every dimension: output[i + before] = input[i], 0 elsewhere.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kPaddings{"paddings", Stage::kExecution, "paddings has the dimensions [rank, 2]"};
  static constexpr Rule kEntries{"padding", Stage::kExecution, "no padding is negative"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};
  static constexpr Rule kRules[] = {kRank, kPaddings, kEntries, kSize};

  In input;
  IntValues paddings;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(paddings, "paddings", "[rank, 2]: how many zeros before and after, for each dimension");
    w.Output(output, "output", "each dimension longer by its two paddings");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {});
    size_t left = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(input.dims())));
    std::vector<int32_t> entries;
    for (uint32_t dim : input.dims()) {
      for (int side = 0; side < 2; ++side) {
        // A dimension grows by at most what is left of the elements.
        const uint64_t most = std::min<uint64_t>(3, (left - 1) * dim / 2);
        entries.push_back(static_cast<int32_t>(d.choices().Below(most + 1)));
      }
      const auto grown = static_cast<size_t>(entries.end()[-2] + entries.end()[-1]) + dim;
      left = std::max<size_t>(1, left * dim / std::max<size_t>(1, grown));
    }
    d.Values(paddings, std::move(entries), Dims{static_cast<uint32_t>(input.rank()), 2});
    const Range range = d.RangeOf(input);
    d.OutputAs(output, input.quantization(), {std::min(range.least, 0.0), std::max(range.most, 0.0), range.sure});
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    const bool shifted = input.type() == TENSOR_QUANT8_ASYMM && input.quantization().zero_point != 0;
    return shifted ? std::max(of_row, 3) : of_row;
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    check.That(paddings.present(), kPaddings, "paddings has no value");
    if (!paddings.present()) return;
    check.Rank(kPaddings, paddings.tensor, "paddings", 2, 2);
    const Extent rank = input.ranked() ? Extent(static_cast<int64_t>(input.rank())) : Extent();
    check.Same(kPaddings, "number of pairs", paddings.tensor.dim(0), "rank", rank);
    check.Same(kPaddings, "length of a pair", paddings.tensor.dim(1), "expected", 2);
    for (int32_t padding : paddings.values) check.AtLeast(kEntries, "a padding", padding, 0);
    if (!check.clean()) return;
    for (size_t i = 0; i < paddings.values.size() / 2; ++i)
      check.InRange(kSize, absl::StrCat("dimension ", i, " of the output"), Padded(i), 0, int64_t{kUnknownDim} - 1);
  }

  int32_t Before(size_t i) const { return paddings.values[2 * i]; }
  Extent Padded(size_t i) const { return input.dim(i) + Extent(Before(i)) + Extent(paddings.values[2 * i + 1]); }
  std::vector<Result> Infer() const {
    Extents out;
    for (size_t i = 0; i < paddings.values.size() / 2; ++i) out.push_back(Padded(i));
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const View<const T>& in = f(input);
    const View<T>& out = f(output);
    std::fill(out.begin(), out.end(), f.Zero());
    const size_t rank = in.rank(), inner = in.dim(rank - 1);
    std::vector<size_t> strides(rank, 1), at(rank, 0);
    for (size_t i = rank - 1; i-- > 0;) strides[i] = strides[i + 1] * out.dim(i + 1);
    size_t to = 0;
    for (size_t i = 0; i < rank; ++i) to += static_cast<size_t>(Before(i)) * strides[i];
    for (size_t i = 0; i < in.size; i += inner) {
      std::copy_n(in.data + i, inner, out.data + to);
      for (size_t d = rank - 1; d-- > 0;) {
        to += strides[d];
        if (++at[d] < in.dim(d)) break;
        to -= strides[d] * at[d];
        at[d] = 0;
      }
    }
  }
};

}  // namespace

extern const OperationInfo kPad;
constinit const OperationInfo kPad = Define<Pad, kPad>(OperationCode::PAD, "PAD");

}  // namespace assay
