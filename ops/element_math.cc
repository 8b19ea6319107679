// ABS, EXP, FLOOR, LOG, NEG, RSQRT, SIN and SQRT: one function of each element.
//
//   |x|     e^x     floor(x)     ln x     -x     1 / sqrt(x)     sin x (radians)     sqrt(x)
//
// There is no rank limit but FLOOR's 4, and no fused activation. Outside of a domain: LOG of 0 is -infinity, RSQRT of 0
// is infinity, LOG, SQRT and RSQRT of a negative number are NaN; of a quantized RSQRT both give the greatest code. The
// judge knows none of these. |INT32_MIN| and -INT32_MIN do not exist and are unspecified; integers are as stored,
// whatever scale they carry. RSQRT's output has a quantization of its own.
//
// FLOOR is discontinuous: its bound is the hull of all integers that may be right, and an answer must be one of them.
#include <cmath>
#include <optional>

#include "ops/define.h"

namespace assay {
namespace {

using enum OperandType;

// What a function has unless it says otherwise.
struct AnyArgument {
  static constexpr bool kLowRank = false;  // the rank is at most 4
  static constexpr bool kWhole = false;    // the result is a whole number, and exact
  static constexpr bool kPoleAtZero = false;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
  };
  // What drawn arguments lie in (judging.md 7); nothing if any will do.
  static std::optional<Range> Arguments() { return std::nullopt; }
};

struct Absolute : AnyArgument {
  static constexpr absl::string_view kProse = "The magnitude of each element: output = |input|.";
  static constexpr TypeRow kRows[] = {
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {4, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static Range Results(const Range& x) { return {std::max({x.least, -x.most, 0.0}), x.magnitude(), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Abs(x);
  }
};

struct Exponential : AnyArgument {
  static constexpr absl::string_view kProse = "The exponential function of each element: output = e^input.";
  static std::optional<Range> Arguments() { return Range{-8, 8}; }
  static Range Results(const Range& x) { return {std::exp(x.least), std::exp(x.most), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Exp(x);
  }
};

struct RoundedDown : AnyArgument {
  static constexpr absl::string_view kProse = "The greatest integer that is not above each element.";
  static constexpr TypeRow kRows[] = {
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
  };
  static constexpr bool kLowRank = true;
  static constexpr bool kWhole = true;
  static Range Results(const Range& x) { return {std::floor(x.least), std::floor(x.most), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Floor(x);
  }
};

struct NaturalLogarithm : AnyArgument {
  static constexpr absl::string_view kProse = "The natural logarithm of each element: output = ln(input).";
  static std::optional<Range> Arguments() { return Range{0x1p-6, 1024}; }
  static Range Results(const Range& x) { return {std::log(x.least), std::log(x.most), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Log(x);
  }
};

struct Negative : AnyArgument {
  static constexpr absl::string_view kProse = "The negative of each element: output = -input.";
  static constexpr TypeRow kRows[] = {
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static Range Results(const Range& x) { return {-x.most, -x.least, x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return -x;
  }
};

struct ReciprocalRoot : AnyArgument {
  static constexpr absl::string_view kProse = "The reciprocal square root of each element: output = 1 / sqrt(input).";
  static constexpr TypeRow kRows[] = {
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {7, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {7, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr bool kPoleAtZero = true;
  static std::optional<Range> Arguments() { return Range{0x1p-6, 1024}; }
  static Range Results(const Range& x) { return {1 / std::sqrt(x.most), 1 / std::sqrt(x.least), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Rsqrt(x);
  }
};

struct Sine : AnyArgument {
  static constexpr absl::string_view kProse = "The sine of each element, in radians: output = sin(input).";
  static Range Results(const Range&) { return {-1, 1, true}; }
  template <class N>
  static N Of(const N& x) {
    return Sin(x);
  }
};

struct Root : AnyArgument {
  static constexpr absl::string_view kProse = "The square root of each element: output = sqrt(input).";
  static std::optional<Range> Arguments() { return Range{0x1p-6, 1024}; }
  static Range Results(const Range& x) { return {std::sqrt(x.least), std::sqrt(x.most), x.sure}; }
  template <class N>
  static N Of(const N& x) {
    return Sqrt(x);
  }
};

template <class Function>
struct ElementMath {
  static constexpr absl::string_view kProse = Function::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr auto& kRows = Function::kRows;
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kAllRules[] = {kRank};
  static constexpr std::span<const Rule> kRules = std::span(kAllRules).first(Function::kLowRank ? 1 : 0);

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", Function::kLowRank ? "of rank 1 to 4" : "of any rank");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = Function::kLowRank ? size_t{4} : 5, .within = Function::Arguments()});
    d.Output(output, Function::Results(d.RangeOf(input)));
  }

  void CheckModel(Checker& check) const {
    if (Function::kLowRank) check.Rank(kRank, input, "input", 1, 4);
  }
  void CheckExecution(Checker& check) const { CheckModel(check); }
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  Allowance Allowed(size_t) const { return {.exact = Function::kWhole}; }
  std::optional<Quantization> ReadAs(size_t) const { return WriteAs(0); }
  std::optional<Quantization> WriteAs(size_t) const {
    if (output.type() != TENSOR_INT32) return std::nullopt;
    return Quantization{};
  }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = Function::Of(in[i]);
    if (!Function::kPoleAtZero || !IsQuantized(output.type())) return;
    // Past the pole too the code is the greatest.
    const N infinity(std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < out.size; ++i) out[i] = Select(Greater(in[i], N(0)), out[i], infinity);
  }

  template <class F>
  void Accept(Frame<Bounded<F>>& f, size_t, std::span<const double> answer, std::span<Verdict> verdicts) const
      requires(Function::kWhole) {
    const View<const Bounded<F>>& in = f(input);
    for (size_t i = 0; i < in.size; ++i) {
      verdicts[i] = Inside(Function::Of(in[i]), answer[i]);
      if (verdicts[i] == Verdict::kInside && answer[i] != std::floor(answer[i])) verdicts[i] = Verdict::kOutside;
    }
  }
};

}  // namespace

extern const OperationInfo kAbs, kExp, kFloor, kLog, kNeg, kRsqrt, kSin, kSqrt;
constinit const OperationInfo kAbs = Define<ElementMath<Absolute>, kAbs>(OperationCode::ABS, "ABS");
constinit const OperationInfo kExp = Define<ElementMath<Exponential>, kExp>(OperationCode::EXP, "EXP");
constinit const OperationInfo kFloor = Define<ElementMath<RoundedDown>, kFloor>(OperationCode::FLOOR, "FLOOR");
constinit const OperationInfo kLog = Define<ElementMath<NaturalLogarithm>, kLog>(OperationCode::LOG, "LOG");
constinit const OperationInfo kNeg = Define<ElementMath<Negative>, kNeg>(OperationCode::NEG, "NEG");
constinit const OperationInfo kRsqrt = Define<ElementMath<ReciprocalRoot>, kRsqrt>(OperationCode::RSQRT, "RSQRT");
constinit const OperationInfo kSin = Define<ElementMath<Sine>, kSin>(OperationCode::SIN, "SIN");
constinit const OperationInfo kSqrt = Define<ElementMath<Root>, kSqrt>(OperationCode::SQRT, "SQRT");

}  // namespace assay
