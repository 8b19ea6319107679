// SPLIT and PACK: one tensor cut into equal parts along an axis, and equal tensors put one beside the other along a new
// one.
//
//   SPLIT  outputs[t][.., k, ..] = input[.., t * (size / num_splits) + k, ..]
//   PACK   output[.., t, ..] = inputs[t][.., ..]
//
// Undocumented, but taken by Android's executor and demanded by an example, is a negative axis of SPLIT. Elements are
// moved: every type is exact. Outputs have the input's quantization; of PACK by a rule of the model.
#include <algorithm>

#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

using enum OperandType;

struct Split {
  static constexpr absl::string_view kProse = "Cuts a tensor into equal parts along an axis.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {outputs...}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-rank, rank)"};
  static constexpr Rule kCount{"count", Stage::kExecution, "there are num_splits outputs"};
  static constexpr Rule kEven{"even", Stage::kExecution, "num_splits divides the size of the axis"};
  static constexpr Rule kRules[] = {kAxis, kCount, kEven};

  In input;
  int32_t axis = 0, num_splits = 1;
  OutList outputs;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Int(axis, "axis", kAnyInt);
    w.Int(num_splits, "num_splits", kPositive);
    w.Outputs(outputs, "outputs", 1, "along the axis a num_splits-th of the input");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (c.Maybe()) {
      d.Tensor(input, {});
      axis = DrawAxis(c, input.dims());
    } else {
      Dims dims{1, 1, 1, 1};
      dims.resize(static_cast<size_t>(c.Between(1, 4)));
      const auto at = static_cast<size_t>(c.Below(dims.size()));
      for (size_t i = 0; i < dims.size(); ++i)
        dims[i] = static_cast<uint32_t>(i == at ? c.Pick<int64_t>({2, 4, 6, 3, 9}) : c.Between(1, 4));
      axis = static_cast<int32_t>(at) - (c.Maybe() ? static_cast<int32_t>(dims.size()) : 0);
      d.Exactly(input, std::move(dims), {.range = {-4, 4}, .loose = true});
    }
    const uint32_t size = input.dims()[AxisIndex(axis, input.rank())];
    std::vector<int32_t> divisors;
    for (uint32_t i = 2; i <= std::min<uint32_t>(size, 8); ++i)
      if (size % i == 0) divisors.push_back(static_cast<int32_t>(i));
    divisors.push_back(1);
    num_splits = c.Pick(divisors);
    outputs.resize(static_cast<size_t>(num_splits));
    for (Out& out : outputs) d.OutputLike(out, input);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    CheckAxis(check, kAxis, axis, input);
    check.Same(kCount, "num_splits", num_splits, "number of outputs", static_cast<int64_t>(outputs.size()));
    if (!check.clean() || !input.ranked() || num_splits < 1) return;
    const Extent size = input.dim(AxisIndex(axis, input.rank()));
    check.That(!size.known || size.value % num_splits == 0, kEven, "num_splits is ", num_splits, ", the axis has ",
               size.value, " elements");
  }
  std::vector<Result> Infer() const {
    Shape shape = input.shape();
    if (shape.ranked) {
      Extents out = input.extents();
      Extent& part = out[AxisIndex(axis, out.size())];
      part = part / Extent(num_splits);
      shape = ToShape(out);
    }
    return std::vector<Result>(outputs.size(), {shape, input.quantization()});
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const Lines lines = LinesAlong(input.dims(), AxisIndex(axis, input.rank()));
    const size_t part = lines.size / outputs.size();
    for (size_t t = 0; t < outputs.size(); ++t)
      MapAlong(lines, part, [&](size_t k) { return t * part + k; }).Move(f(input).data, f(outputs[t]).data);
  }
};

struct Pack {
  static constexpr absl::string_view kProse = "Puts equal tensors one beside the other along a new axis.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {inputs...}, {output}
      {6, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {6, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {6, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {6, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {6, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kRanks{"ranks", Stage::kModel, "all inputs have the same rank, the output one more"};
  static constexpr Rule kQuantization{"quantization", Stage::kModel, "inputs and output have the same quantization"};
  static constexpr Rule kDims{"dims", Stage::kExecution, "all inputs have the same dimensions"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis is at most the rank of the inputs"};
  static constexpr Rule kRules[] = {kRanks, kQuantization, kDims, kAxis};

  int32_t axis = 0;
  InList inputs;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Int(axis, "axis", kNonNegative);
    w.Tensors(inputs, "inputs", 1, 0, "of any rank, and of the same dimensions");
    w.Output(output, "output", "of the inputs' dimensions, with their number inserted in front of dimension axis");
  }

  void Draw(Drawing& d) {
    d.Tensor(inputs.front(), {});
    const Dims dims = inputs.front().dims();
    axis = static_cast<int32_t>(d.choices().Below(dims.size() + 1));
    const size_t most = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(dims)));
    inputs.resize(std::min(inputs.size(), most));
    Range range = d.RangeOf(inputs.front());
    for (In& in : std::span(inputs).subspan(1)) {
      d.Like(in, inputs.front(), {.range = range, .loose = true});
      const Range r = d.RangeOf(in);
      range = {std::min(range.least, r.least), std::max(range.most, r.most), range.sure && r.sure};
    }
    d.OutputAs(output, inputs.front().quantization(), range);
  }

  void CheckModel(Checker& check) const {
    const In* const first = FirstRanked();
    for (const In& in : inputs) {
      if (in.ranked())
        check.Same(kRanks, "rank", static_cast<int64_t>(first->rank()), "of another input",
                   static_cast<int64_t>(in.rank()));
      check.SameQuantization(kQuantization, "an input", in, "the output", output);
    }
    if (first != nullptr && output.ranked())
      check.Same(kRanks, "rank of the output", static_cast<int64_t>(output.rank()), "of the inputs, plus 1",
                 static_cast<int64_t>(first->rank()) + 1);
  }
  void CheckExecution(Checker& check) const {
    const In* const first = FirstRanked();
    if (first == nullptr) return;
    for (const In& in : inputs) {
      if (!in.ranked()) continue;
      check.Same(kDims, "rank", static_cast<int64_t>(first->rank()), "of another input",
                 static_cast<int64_t>(in.rank()));
      for (size_t i = 0; check.clean() && i < in.rank(); ++i)
        check.Same(kDims, absl::StrCat("dimension ", i), CommonDim(i), "that of another input", in.dim(i));
    }
    check.That(axis <= static_cast<int64_t>(first->rank()), kAxis, "axis is ", axis, ", the rank is ", first->rank());
  }

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
  std::vector<Result> Infer() const {
    const Quantization& quantization = inputs.front().quantization();
    const In* const first = FirstRanked();
    if (first == nullptr) return {{Shape::Unranked(), quantization}};
    Extents out;
    for (size_t i = 0; i < first->rank(); ++i) out.push_back(CommonDim(i));
    out.insert(out.begin() + axis, Extent(static_cast<int64_t>(inputs.size())));
    return {{ToShape(out), quantization}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const Lines lines = LinesAlong(*f(output).dims, static_cast<size_t>(axis));
    for (size_t t = 0; t < inputs.size(); ++t)
      for (size_t o = 0; o < lines.outer; ++o)
        std::copy_n(f(inputs[t]).data + o * lines.inner, lines.inner,
                    f(output).data + (o * lines.size + t) * lines.inner);
  }
};

}  // namespace

extern const OperationInfo kPack, kSplit;
constinit const OperationInfo kPack = Define<Pack, kPack>(OperationCode::PACK, "PACK");
constinit const OperationInfo kSplit = Define<Split, kSplit>(OperationCode::SPLIT, "SPLIT");

}  // namespace assay
