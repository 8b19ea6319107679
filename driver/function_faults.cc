// Planted faults of functions of single elements.
#include <algorithm>
#include <bit>
#include <cmath>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;

Fault FunctionFault(std::string name, std::string sentence, OperationCode code, std::function<double(double)> f) {
  return SpoilingFault(std::move(name), std::move(sentence), {code}, Recomputing(std::move(f)));
}

// The same, but only for integers.
Fault IntegerFault(std::string name, std::string sentence, OperationCode code, std::function<double(double)> f) {
  return SpoilingFault(
      std::move(name), std::move(sentence), {code},
      [f = std::move(f)](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
        if (out[0].type == OperandType::TENSOR_INT32) Recomputing(f)(place, in, out);
      });
}

// First guesses that a Newton step was to refine: half of the exponent, by arithmetic on the bits.
double GuessRoot(double x) {
  return double{std::bit_cast<float>((std::bit_cast<uint32_t>(static_cast<float>(x)) >> 1) + 0x1FC00000u)};
}
double GuessReciprocalRoot(double x) {
  return double{std::bit_cast<float>(0x5F3759DFu - (std::bit_cast<uint32_t>(static_cast<float>(x)) >> 1))};
}

}  // namespace

FaultList FunctionFaults() {
  return {
      IntegerFault("abs-passes-integers", "negative integers stay negative", ABS, [](double x) { return x; }),
      FunctionFault("exp-of-base-two", "2^x instead of e^x", EXP, [](double x) { return std::exp2(x); }),
      FunctionFault("floor-truncates", "numbers are rounded toward 0", FLOOR, [](double x) { return std::trunc(x); }),
      FunctionFault("log-of-base-two", "the logarithm to base 2", LOG, [](double x) { return std::log2(x); }),
      IntegerFault("neg-flips-bits", "the bits of an integer are flipped: -x - 1", NEG,
                   [](double x) { return -x - 1; }),
      FunctionFault("sin-as-series", "three terms of the series around 0: good below 1 only", SIN,
                    [](double x) { return x - x * x * x / 6 + x * x * x * x * x / 120; }),
      FunctionFault("sqrt-without-newton-step", "only a first guess of the root", SQRT, GuessRoot),
      SpoilingFault("rsqrt-without-newton-step", "only a first guess of the reciprocal root", {RSQRT},
                    [](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      if (IsFloat(out[0].type)) Recomputing(GuessReciprocalRoot)(place, in, out);
                    }),
      RewritingFault("rsqrt-zero-point-ignored", "the zero point of the input is taken for 0", {RSQRT},
                     [](OperationCode, CallRewrite& call) {
                       const bool changed = call.inputs[0].quantization.zero_point != 0;
                       call.inputs[0].quantization.zero_point = 0;
                       return changed;
                     }),
      RewritingFault("elu-alpha-ignored", "alpha is taken for 1", {ELU},
                     [](OperationCode, CallRewrite& call) {
                       const bool differs = RealOf(call.inputs[1]) != 1;
                       SetReal(call, 1, 1);
                       return differs;
                     }),
      FunctionFault("hard-swish-smooth", "x / (1 + e^-x): the function that HARD_SWISH stands for", HARD_SWISH,
                    [](double x) { return x / (1 + std::exp(-x)); }),
      FunctionFault("hard-swish-without-upper-limit", "x + 3 is clamped at 0 only", HARD_SWISH,
                    [](double x) { return x * std::max(0.0, x + 3) / 6; }),
      FunctionFault("relu1-from-zero", "RELU1 clamps to [0, 1]", RELU1,
                    [](double x) { return std::clamp(x, 0.0, 1.0); }),
      FunctionFault("relu6-unlimited", "RELU6 has no upper limit", RELU6, [](double x) { return std::max(x, 0.0); }),
  };
}

}  // namespace assay
