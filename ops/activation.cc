// RELU, RELU1, RELU6, LOGISTIC and TANH: one function of each element.
//
//   RELU: max(0, x)     RELU1: clamp(x, -1, 1)     RELU6: clamp(x, 0, 6)     LOGISTIC: 1 / (1 + e^-x)     TANH: tanh(x)
//
// RELU, RELU1 and RELU6 keep the input's quantization and clamp codes, as a fused activation does: RELU's code is
// max(code, zero point). The other two have ONE legal output quantization, that of their range: 1/256 from 0, and 1/128
// around 0; so LOGISTIC's 1 saturates at 255/256. Android's validator does not look at it: its executor forces it on
// temporaries, and fails for a model output that declares another. What a NaN gives is unspecified.
#include <optional>

#include "ops/define.h"
#include "ops/draw_dims.h"

namespace assay {
namespace {

using enum OperandType;

// What the functions differ in. kQuant8Since: TENSOR_QUANT8_ASYMM is taken since this level. kFused: the clamp that the
// function is, and then all of it.
struct Clamped {
  static constexpr FeatureLevel kQuant8Since = 1;
  template <class N>
  static N Of(const N& x) {
    return x;
  }
};
struct Relu : Clamped {
  static constexpr absl::string_view kProse = "Replaces negative elements by 0: output = max(0, input).";
  static constexpr Activation kFused = Activation::RELU;
};
struct Relu1 : Clamped {
  static constexpr absl::string_view kProse = "Moves each element into [-1, 1]: output = min(1, max(-1, input)).";
  static constexpr Activation kFused = Activation::RELU1;
};
struct Relu6 : Clamped {
  static constexpr absl::string_view kProse = "Moves each element into [0, 6]: output = min(6, max(0, input)).";
  static constexpr Activation kFused = Activation::RELU6;
};
struct LogisticFunction {
  static constexpr absl::string_view kProse = "The logistic function of each element: output = 1 / (1 + e^-input).";
  static constexpr FeatureLevel kQuant8Since = 1;
  static constexpr Activation kFused = Activation::NONE;
  static constexpr float kScale = 1.0f / 256;
  static constexpr int32_t kZeroPoint = 0;  // of QUANT8_ASYMM; 128 less when signed
  static constexpr Range kRange{0, 1, true};
  template <class N>
  static N Of(const N& x) {
    return Logistic(x);
  }
};
struct TanhFunction {
  static constexpr absl::string_view kProse = "The hyperbolic tangent of each element: output = tanh(input).";
  static constexpr FeatureLevel kQuant8Since = 3;
  static constexpr Activation kFused = Activation::NONE;
  static constexpr float kScale = 1.0f / 128;
  static constexpr int32_t kZeroPoint = 128;
  static constexpr Range kRange{-1, 1, true};
  template <class N>
  static N Of(const N& x) {
    return Tanh(x);
  }
};

template <class Function>
struct ElementFunction {
  static constexpr absl::string_view kProse = Function::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {Function::kQuant8Since, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kRules[] = {kRank};
  static constexpr bool kAllowsEmpty = true;
  static constexpr bool kIsClamp = Function::kFused != Activation::NONE;

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    if (Function::kFused == Activation::RELU6 && d.choices().Maybe()) {
      // What is drawn by taste is hardly ever above 6.
      d.Exactly(input, DrawDims(d, 1, 4), {.kind = Fill::Kind::kUniform, .range = {-4, 12}, .loose = true});
    } else {
      d.Tensor(input, {});
    }
    if constexpr (!kIsClamp) {
      d.OutputAs(output, FixedQuantization().value_or(Quantization{}), Function::kRange);
    } else {
      d.OutputAs(output, input.quantization(), Activated(d.RangeOf(input), static_cast<int32_t>(Function::kFused)));
    }
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }

  // The output quantization that the function's range dictates; nothing for floats.
  std::optional<Quantization> FixedQuantization() const {
    if constexpr (kIsClamp) {
      return std::nullopt;
    } else {
      if (!IsQuantized(output.type())) return std::nullopt;
      const int32_t shift = output.type() == TENSOR_QUANT8_ASYMM_SIGNED ? 128 : 0;
      return Quantization{Function::kScale, Function::kZeroPoint - shift, nullptr};
    }
  }
  std::vector<Result> Infer() const {
    if (kIsClamp) return {{input.shape(), input.quantization()}};
    return {{input.shape(), FixedQuantization()}};
  }

  Activation Fused() const { return Function::kFused; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = Function::Of(in[i]);
  }
};

}  // namespace

extern const OperationInfo kLogistic, kRelu, kRelu1, kRelu6, kTanh;
constinit const OperationInfo kLogistic =
    Define<ElementFunction<LogisticFunction>, kLogistic>(OperationCode::LOGISTIC, "LOGISTIC");
constinit const OperationInfo kRelu = Define<ElementFunction<Relu>, kRelu>(OperationCode::RELU, "RELU");
constinit const OperationInfo kRelu1 = Define<ElementFunction<Relu1>, kRelu1>(OperationCode::RELU1, "RELU1");
constinit const OperationInfo kRelu6 = Define<ElementFunction<Relu6>, kRelu6>(OperationCode::RELU6, "RELU6");
constinit const OperationInfo kTanh = Define<ElementFunction<TanhFunction>, kTanh>(OperationCode::TANH, "TANH");

}  // namespace assay
