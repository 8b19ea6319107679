// MIRROR_PAD: a border in which a tensor is mirrored.
//
//   output[i, j, ...] = input[s(i - paddings[0, 0]), s(j - paddings[1, 0]), ...],   where, of a dimension of n
//   elements, REFLECT     s(q) = -q  if q < 0,      2n - 2 - q  if q >= n,   q otherwise: the element at the end stands
//   once SYMMETRIC   s(q) = -q - 1  if q < 0,  2n - 1 - q  if q >= n,   q otherwise: it stands twice
//
// Elements are moved: every type is exact, and that the output has the input's quantization is a rule of the model.
#include "ops/define.h"
#include "ops/paddings.h"

namespace assay {
namespace {

struct MirrorPad {
  static constexpr absl::string_view kProse =
      "Puts a border around a tensor in which it is mirrored: with (SYMMETRIC) or without (REFLECT) its last element.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {7, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {7, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {7, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {7, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {7, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kPairs{"pairs", Stage::kModel, "as far as known, paddings has the dimensions [rank, 2]"};
  static constexpr Rule kRanks{"ranks", Stage::kModel, "input and output have the same rank"};
  static constexpr Rule kQuantization{"quantization", Stage::kModel, "input and output have the same quantization"};
  static constexpr Rule kBorder{
      "border", Stage::kExecution,
      "no padding is longer than the dimension, or in REFLECT than all of it but one element"};
  static constexpr Rule kRules[] = {kPairs,          kRanks, kQuantization, Paddings::kShape, Paddings::kEntries,
                                    Paddings::kSize, kBorder};
  static constexpr Kind kMode{0, 1, 0, 1, "0 REFLECT or 1 SYMMETRIC"};

  In input;
  Paddings paddings;
  int32_t mode = 0;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Values(paddings, "paddings", "[rank, 2]: how many before and after, for each dimension");
    w.Int(mode, "mode", kMode);
    w.Output(output, "output", "each dimension longer by its two paddings");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 5});
    paddings.Draw(d, input, [&](uint32_t dim) { return static_cast<uint32_t>(MostOf(dim)); });
    d.OutputLike(output, input);
  }

  // The longest border of a dimension.
  int64_t MostOf(int64_t dim) const { return mode == 0 ? dim - 1 : dim; }

  void CheckModel(Checker& check) const {
    if (paddings.present()) {
      check.Rank(kPairs, paddings.tensor, "paddings", 2, 2);
      check.Same(kPairs, "length of a pair", paddings.tensor.dim(1), "expected", 2);
      if (input.ranked())
        check.Same(kPairs, "number of pairs", paddings.tensor.dim(0), "rank", static_cast<int64_t>(input.rank()));
    }
    if (input.ranked() && output.ranked())
      check.Same(kRanks, "rank of the input", static_cast<int64_t>(input.rank()), "of the output",
                 static_cast<int64_t>(output.rank()));
    check.SameQuantization(kQuantization, "input", input, "output", output);
  }
  void CheckExecution(Checker& check) const {
    paddings.Check(check, input);
    if (!check.clean()) return;
    for (size_t i = 0; i < paddings.values.size() / 2; ++i) {
      if (!input.dim(i).known) continue;
      for (int32_t padding : {paddings.Before(i), paddings.After(i)})
        check.InRange(kBorder, absl::StrCat("a padding of dimension ", i), padding, 0, MostOf(input.dim(i).value));
    }
  }
  std::vector<Result> Infer() const { return {{paddings.PaddedShape(input), input.quantization()}}; }

  template <class T>
  void Eval(Frame<T>& f) const {
    const int64_t apart = mode == 0 ? 0 : 1;
    const SourceMap map = paddings.Map(input, *f(output).dims, [&](size_t i, int64_t at) {
      const int64_t size = input.dims()[i];
      return static_cast<size_t>(at < 0 ? -at - apart : at >= size ? 2 * size - 2 + apart - at : at);
    });
    map.Move(f(input).data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kMirrorPad;
constinit const OperationInfo kMirrorPad = Define<MirrorPad, kMirrorPad>(OperationCode::MIRROR_PAD, "MIRROR_PAD");

}  // namespace assay
