// ELU.
//
//   output = max(0, x) + min(0, alpha * (e^x - 1))
//
// taken literally: with a negative alpha the second term is that of the positive elements. The documentation allows an
// empty input, which Android's executor refuses; here it gives an empty output.
//
// The bound is direct (numeric/piecewise.h): with a negative alpha the function turns.
#include <cmath>

#include "numeric/piecewise.h"
#include "ops/define.h"

namespace assay {
namespace {

struct ExponentialLinear {
  static constexpr absl::string_view kProse =
      "The exponential linear unit of each element: output = max(0, x) + min(0, alpha * (e^x - 1)).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {4, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
  };
  static constexpr std::array<Rule, 0> kRules{};
  static constexpr bool kAllowsEmpty = true;

  In input;
  double alpha = 1;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Real(alpha, "alpha", kAnyReal);
    w.Output(output, "output", "of the input's shape");
  }

  // Where a device's exponential may overflow, only a positive alpha makes it harmless.
  void Draw(Drawing& d) {
    alpha = d.choices().Pick({1.0, 0.25, 2.0, 0.75, -0.25, -1.0, 0.0});
    Want want{.most_rank = 5};
    if (alpha <= 0) want.within = Range{-4, 4};
    if (alpha > 0 && d.IsHalf(input.type())) want.within = Range{-8, 8};
    d.Tensor(input, want);
    const Range x = d.RangeOf(input);
    const double turn = alpha < 0 ? std::clamp(-std::log(-alpha), x.least, x.most) : x.least;
    const double ends[] = {Elu(x.least, alpha), Elu(x.most, alpha), Elu(turn, alpha)};
    d.Output(output, {*std::min_element(ends, ends + 3), *std::max_element(ends, ends + 3), x.sure});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = Elu(in[i], alpha);
  }
};

}  // namespace

extern const OperationInfo kElu;
constinit const OperationInfo kElu = Define<ExponentialLinear, kElu>(OperationCode::ELU, "ELU");

}  // namespace assay
