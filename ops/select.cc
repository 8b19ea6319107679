// SELECT: of two tensors, element by element, the one that a third tensor says.
//
//   output[i] = condition[i] ? input1[i] : input2[i]
//
// There is no broadcasting; every byte above 0 is true. Quantized tensors may have three different quantizations: the
// chosen element is requantized, also of the signed type, for which the documentation does not say so. Otherwise
// elements are moved: they are exact, special values and all. TENSOR_INT32 is moved as it is stored, whatever scale it
// carries.
//
// Bounded: the hull of both elements where the condition is not known.
#include "ops/define.h"

namespace assay {
namespace {

struct SelectElements {
  static constexpr absl::string_view kProse =
      "Takes each element from one of two tensors: output = condition ? input1 : input2.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {condition, input1, input2}, {output}
      {3, {TENSOR_BOOL8, TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_BOOL8, TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_BOOL8, TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_BOOL8, TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_BOOL8, TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kDims{"dims", Stage::kExecution, "all three inputs have the same dimensions"};
  static constexpr Rule kRules[] = {kDims};

  In condition, input1, input2;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(condition, "condition", "of any rank");
    w.Tensor(input1, "input1", "where the condition is true; of its dimensions");
    w.Tensor(input2, "input2", "where the condition is false; of its dimensions");
    w.Output(output, "output", "of the same dimensions");
  }

  void Draw(Drawing& d) {
    const double m = output.type() == TENSOR_INT32 ? 16 : 1;
    const Fill fill{.kind = Fill::Kind::kUniform, .range = {-m, m}, .loose = true};
    d.Tensor(input1, {.most_rank = 5});
    d.Exactly(condition, input1.dims(), {.kind = Fill::Kind::kIntegers, .range = {0, 1}, .loose = true});
    if (d.choices().Maybe()) {
      d.Like(input2, input1, fill);
    } else {
      d.Exactly(input2, input1.dims(), fill);
    }
    const Range a = d.RangeOf(input1), b = d.RangeOf(input2);
    const Range hull{std::min(a.least, b.least), std::max(a.most, b.most), a.sure && b.sure};
    if (IsQuantized(output.type()) && input1.quantization() == input2.quantization() && d.choices().Maybe()) {
      d.OutputAs(output, input1.quantization(), hull);
    } else {
      d.Output(output, hull);
    }
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    CheckSame(check, "condition", condition, "input1", input1);
    CheckSame(check, "condition", condition, "input2", input2);
    if (check.clean()) CheckSame(check, "input1", input1, "input2", input2);
  }

  // What is unknown of one input another may tell.
  std::vector<Result> Infer() const {
    Shape known = Shape::Unranked();
    for (const In* in : {&condition, &input1, &input2}) known = Merge(known, in->shape()).value_or(known);
    return {{known, {}}};
  }

  // Nothing is computed, unless codes are written by other parameters than they are read.
  Allowance Allowed(size_t) const { return {.exact = !IsQuantized(output.type()) || KeepsCodes()}; }
  bool KeepsCodes() const {
    return input1.quantization() == output.quantization() && input2.quantization() == output.quantization();
  }
  std::optional<Quantization> ReadAs(size_t) const { return WriteAs(0); }
  std::optional<Quantization> WriteAs(size_t) const {
    if (output.type() != TENSOR_INT32) return std::nullopt;
    return Quantization{};
  }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>&which = f(condition), &a = f(input1), &b = f(input2);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = Select(IsTrue(which[i]), a[i], b[i]);
  }

 private:
  void CheckSame(Checker& check, absl::string_view a_name, const In& a, absl::string_view b_name, const In& b) const {
    if (!a.ranked() || !b.ranked()) return;
    const auto rank = static_cast<int64_t>(a.rank());
    check.Same(kDims, absl::StrCat("rank of ", a_name), rank, b_name, static_cast<int64_t>(b.rank()));
    if (a.rank() != b.rank()) return;
    for (size_t i = 0; i < a.rank(); ++i)
      check.Same(kDims, absl::StrCat("dimension ", i, " of ", a_name), a.dim(i), b_name, b.dim(i));
  }
};

}  // namespace

extern const OperationInfo kSelect;
constinit const OperationInfo kSelect = Define<SelectElements, kSelect>(OperationCode::SELECT, "SELECT");

}  // namespace assay
