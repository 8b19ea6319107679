// CONCATENATION: tensors one after another along an axis. A negative axis is not taken.
//
// Where all inputs have the output's quantization elements are only moved, and exact. Otherwise they are requantized,
// which QUANT8_ASYMM may be since feature level 3.
#include <algorithm>

#include "ops/axis.h"
#include "ops/define.h"

namespace assay {
namespace {

struct Concatenation {
  static constexpr absl::string_view kProse = "Puts tensors one after another along an axis.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {inputs...}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the inputs have rank at most 4"};
  static constexpr Rule kRanks{"ranks", Stage::kExecution, "all inputs have the same rank"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis is below the rank"};
  static constexpr Rule kDims{"dims", Stage::kExecution, "dimensions other than the axis are equal"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "the sum of the axis' dimensions fits 32 bits"};
  static constexpr Rule kRules[] = {kRank, kRanks, kAxis, kDims, kSize};
  static constexpr bool kAllowsEmpty = true;

  InList inputs;
  Out output;
  int32_t axis = 0;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensors(inputs, "inputs", 1, 1, "of rank 1 to 4, their dimensions equal but for the axis");
    w.Int(axis, "axis", kNonNegative);
    w.Output(output, "output", "along the axis as long as all inputs together");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    d.Tensor(inputs.front(), {});
    const Dims first = inputs.front().dims();
    axis = static_cast<int32_t>(c.Below(first.size()));
    const bool quantized = IsQuantized(inputs.front().type()), same = quantized && (d.level() < 3 || c.Maybe());
    const size_t slice = std::max<size_t>(1, Count(first) / std::max<size_t>(1, first[AxisOf()]));
    const size_t most = std::clamp<size_t>(d.most_elements() / slice / inputs.size(), 1, 8);
    Range range = d.RangeOf(inputs.front());
    for (In& in : std::span(inputs).subspan(1)) {
      Dims dims = first;
      dims[AxisOf()] = static_cast<uint32_t>(c.Between(1, static_cast<int64_t>(most)));
      d.Exactly(in, std::move(dims), {.range = range, .loose = true},
                same ? std::optional(inputs.front().quantization()) : std::nullopt);
      const Range r = d.RangeOf(in);
      range = {std::min(range.least, r.least), std::max(range.most, r.most), range.sure && r.sure};
    }
    if (same) {
      d.OutputAs(output, inputs.front().quantization(), range);
    } else {
      d.Output(output, range);
    }
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    return output.type() == TENSOR_QUANT8_ASYMM && !Moves() ? std::max(of_row, 3) : of_row;
  }

  void CheckModel(Checker& check) const {
    for (const In& in : inputs) check.Rank(kRank, in, "an input", 1, 4);
    check.Rank(kRank, output, "the output", 1, 4);
  }
  void CheckExecution(Checker& check) const {
    for (const In& in : inputs) check.Rank(kRank, in, "an input", 1, 4);
    const In* const first = FirstRanked();
    if (first == nullptr) return;
    const auto rank = static_cast<int64_t>(first->rank());
    if (axis >= 0) check.InRange(kAxis, "axis", axis, 0, rank - 1);
    for (const In& in : inputs)
      if (in.ranked()) check.Same(kRanks, "rank", rank, "of another input", static_cast<int64_t>(in.rank()));
    if (!check.clean()) return;
    for (size_t i = 0; i < first->rank(); ++i) {
      if (i == AxisOf()) continue;
      const Extent common = CommonDim(i);
      const std::string name = absl::StrCat("dimension ", i);
      for (const In& in : inputs) check.Same(kDims, name, common, "that of another input", in.dim(i));
    }
    check.InRange(kSize, "the sum of the axis' dimensions", AxisSize(), 0, int64_t{kUnknownDim} - 1);
  }

  size_t AxisOf() const { return static_cast<size_t>(axis); }
  const In* FirstRanked() const {
    const auto it = std::find_if(inputs.begin(), inputs.end(), [](const In& in) { return in.ranked(); });
    return it == inputs.end() ? nullptr : &*it;
  }
  // Dimension i of the first input that knows it.
  Extent CommonDim(size_t i) const {
    for (const In& in : inputs)
      if (in.dim(i).known) return in.dim(i);
    return {};
  }
  Extent AxisSize() const {
    Extent sum = 0;
    for (const In& in : inputs) sum = sum + in.dim(AxisOf());
    return sum;
  }
  std::vector<Result> Infer() const {
    const In* const first = FirstRanked();
    if (first == nullptr) return {{Shape::Unranked(), {}}};
    Extents out;
    for (size_t i = 0; i < first->rank(); ++i) out.push_back(i == AxisOf() ? AxisSize() : CommonDim(i));
    return {{ToShape(out), {}}};
  }

  bool Moves() const {
    return !IsQuantized(output.type()) || std::all_of(inputs.begin(), inputs.end(), [&](const In& in) {
      return in.quantization() == output.quantization();
    });
  }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<N>& out = f(output);
    const Lines lines = LinesAlong(*out.dims, AxisOf());
    N* to = out.data;
    for (const In& input : inputs) {
      const View<const N>& in = f(input);
      const size_t chunk = in.dim(AxisOf()) * lines.inner;
      for (size_t o = 0; o < lines.outer; ++o)
        std::copy_n(in.data + o * chunk, chunk, to + o * lines.size * lines.inner);
      to += chunk;
    }
  }
};

}  // namespace

extern const OperationInfo kConcatenation;
constinit const OperationInfo kConcatenation =
    Define<Concatenation, kConcatenation>(OperationCode::CONCATENATION, "CONCATENATION");

}  // namespace assay
