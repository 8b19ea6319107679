// ARGMAX and ARGMIN: where along an axis the greatest or the least element is.
//
//   output[o, k] = the least i for which input[o, i, k] is the greatest (least) of input[o, :, k]
//
// The axis disappears; of rank 1 remains [1]. Quantized elements compare by their codes, which is the same. A NaN
// compares false, so one in front wins and another is never chosen.
//
// Bounded: the hull of all indices that may win. An answer is judged by the relation itself: the chosen element may be
// as great (small) as every other, and none in front of it surely is.
#include "ops/axis.h"
#include "ops/define.h"

namespace assay {
namespace {

struct Greatest {
  static constexpr absl::string_view kProse =
      "Index of the greatest element along an axis; of several equal ones, the first.";
  template <class N>
  static Truth Beats(const N& a, const N& b) {
    return Greater(a, b);
  }
  template <class N>
  static Truth BeatsOrTies(const N& a, const N& b) {
    return GreaterOrEqual(a, b);
  }
  // The better of both.
  template <class N>
  static N Best(const N& a, const N& b) {
    return Max(a, b);
  }
};

struct Least {
  static constexpr absl::string_view kProse =
      "Index of the least element along an axis; of several equal ones, the first.";
  template <class N>
  static Truth Beats(const N& a, const N& b) {
    return Less(a, b);
  }
  template <class N>
  static Truth BeatsOrTies(const N& a, const N& b) {
    return GreaterOrEqual(b, a);
  }
  template <class N>
  static N Best(const N& a, const N& b) {
    return Min(a, b);
  }
};

template <class Order>
struct ArgBest {
  static constexpr absl::string_view kProse = Order::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT32}, {TENSOR_INT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_INT32}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_INT32}},
  };
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-rank, rank)"};
  static constexpr Rule kRules[] = {kAxis};

  In input;
  Out output;
  int32_t axis = 0;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Int(axis, "axis", kAnyInt);
    w.Output(output, "output", "the input's shape without the axis; [1] if nothing is left");
  }

  // Half of the time all elements are different, so that intervals leave little doubt.
  void Draw(Drawing& d) {
    Want want{.most_rank = 5};
    if (d.choices().Maybe()) {
      want.within = Range{-100, 100};
      want.kind = Fill::Kind::kDistinct;
      want.fresh = true;
    }
    d.Tensor(input, want);
    axis = DrawAxis(d.choices(), input.dims());
    d.Output(output, {0, static_cast<double>(AxisLines().size) - 1});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const { CheckAxis(check, kAxis, axis, input); }
  std::vector<Result> Infer() const {
    if (!input.ranked()) return {{Shape::Unranked(), Quantization{}}};
    Dims dims = input.dims();
    dims.erase(dims.begin() + static_cast<ptrdiff_t>(AxisIndex(axis, dims.size())));
    if (dims.empty()) dims = {1};
    return {{Shape::Of(std::move(dims)), Quantization{}}};  // an index has no scale
  }

  Allowance Allowed(size_t) const { return {.exact = true}; }
  Lines AxisLines() const { return LinesAlong(input.dims(), AxisIndex(axis, input.rank())); }

  template <class N>
  void Eval(Frame<N>& f) const {
    const Lines lines = AxisLines();
    const N* in = f(input).data;
    N* out = f(output).data;
    lines.ForEach([&](size_t line, size_t first) {
      const N* x = in + first;
      size_t nominal = 0;
      for (size_t i = 1; i < lines.size; ++i)
        if (Order::Beats(Nominal(x[i * lines.inner]), Nominal(x[nominal * lines.inner])) == Truth::kYes) nominal = i;
      out[line] = N(static_cast<double>(nominal));
      if constexpr (!Plain<N>) out[line] = Hull(out[line], Candidates(x, lines));
    });
  }

  template <class F>
  void Accept(Frame<Bounded<F>>& f, size_t, std::span<const double> answer, std::span<Verdict> verdicts) const {
    const Lines lines = AxisLines();
    const Bounded<F>* in = f(input).data;
    lines.ForEach([&](size_t line, size_t first) { verdicts[line] = Judge(in + first, lines, answer[line]); });
  }

 private:
  template <class N>
  static N BestOf(const N* x, const Lines& lines, size_t count) {
    N best = *x;
    for (size_t i = 1; i < count; ++i) best = Order::Best(best, x[i * lines.inner]);
    return best;
  }

  // The hull of all indices that may win: not surely beaten by one, nor surely tied by one in front.
  template <class F>
  static Bounded<F> Candidates(const Bounded<F>* x, const Lines& lines) {
    const Bounded<F> best = BestOf(x, lines, lines.size);
    Bounded<F> in_front = *x;
    bool found = false;
    Bounded<F> hull;
    for (size_t i = 0; i < lines.size; ++i) {
      const Bounded<F>& e = x[i * lines.inner];
      const bool loses =
          Order::Beats(best, e) == Truth::kYes || (i > 0 && Order::BeatsOrTies(in_front, e) == Truth::kYes);
      in_front = Order::Best(in_front, e);
      if (loses) continue;
      const Bounded<F> index(static_cast<double>(i));
      hull = found ? Hull(hull, index) : index;
      found = true;
    }
    return hull;
  }

  template <class F>
  static Verdict Judge(const Bounded<F>* x, const Lines& lines, double answer) {
    if (!(answer >= 0 && answer < static_cast<double>(lines.size)) || answer != std::floor(answer))
      return Verdict::kOutside;
    for (size_t i = 0; i < lines.size; ++i)
      if (!x[i * lines.inner].IsFinite()) return Verdict::kUnknown;
    const auto chosen = static_cast<size_t>(answer);
    const Bounded<F>& e = x[chosen * lines.inner];
    if (Order::Beats(BestOf(x, lines, lines.size), e) == Truth::kYes) return Verdict::kOutside;
    if (chosen > 0 && Order::BeatsOrTies(BestOf(x, lines, chosen), e) == Truth::kYes) return Verdict::kOutside;
    return Verdict::kInside;
  }
};

}  // namespace

extern const OperationInfo kArgmax, kArgmin;
constinit const OperationInfo kArgmax = Define<ArgBest<Greatest>, kArgmax>(OperationCode::ARGMAX, "ARGMAX");
constinit const OperationInfo kArgmin = Define<ArgBest<Least>, kArgmin>(OperationCode::ARGMIN, "ARGMIN");

}  // namespace assay
