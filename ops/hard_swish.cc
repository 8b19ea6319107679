// HARD_SWISH.
//
//   output = x * clamp(x + 3, 0, 6) / 6
//
// A quantized output has a quantization of its own. (Android's executor works with fixed-point numbers there, and fails
// where the input's scale is 128 times the output's or more; that is a limit of its own, and only not drawn.)
//
// The bound is direct (numeric/piecewise.h): the function turns at -1.5, and x occurs twice.
#include "numeric/piecewise.h"
#include "ops/define.h"

namespace assay {
namespace {

struct HardSwishUnit {
  static constexpr absl::string_view kProse =
      "The hard swish function of each element: output = x * clamp(x + 3, 0, 6) / 6.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {4, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {4, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr std::array<Rule, 0> kRules{};
  static constexpr bool kAllowsEmpty = true;

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Output(output, "output", "of the input's shape");
  }

  // Half of the time the input spans all three pieces.
  void Draw(Drawing& d) {
    Want want{.most_rank = 5};
    if (d.choices().Maybe()) want = {.most_rank = 5, .within = Range{-5, 5}, .kind = Fill::Kind::kUniform};
    d.Tensor(input, want);
    const Range x = d.RangeOf(input);
    const double a = HardSwish(x.least), b = HardSwish(x.most);
    const bool turns = x.least < -1.5 && x.most > -1.5;
    const Range range{turns ? -0.375 : std::min(a, b), std::max(a, b), x.sure};
    d.Output(output, range, double{input.quantization().scale} / 128);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = HardSwish(in[i]);
  }
};

}  // namespace

extern const OperationInfo kHardSwish;
constinit const OperationInfo kHardSwish = Define<HardSwishUnit, kHardSwish>(OperationCode::HARD_SWISH, "HARD_SWISH");

}  // namespace assay
