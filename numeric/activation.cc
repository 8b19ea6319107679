#include "numeric/activation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

RealRange RangeOf(Activation activation) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (activation) {
    case Activation::RELU:
      return {0, kInfinity};
    case Activation::RELU1:
      return {-1, 1};
    case Activation::RELU6:
      return {0, 6};
    default:
      return {-kInfinity, kInfinity};
  }
}

CodeRange ActivationCodes(Activation activation, const Quantization& quantization, OperandType type) {
  const CodeRange all = CodesOf(InfoOf(type).storage);
  if (activation == Activation::NONE || !(quantization.scale > 0)) return all;
  const RealRange reals = RangeOf(activation);
  // Infinite limits and tiny scales may be far out of the integers: clamp before converting.
  const auto code = [&](double real) {
    const double q = std::round(real / quantization.scale) + quantization.zero_point;
    return static_cast<int64_t>(std::clamp(q, static_cast<double>(all.least), static_cast<double>(all.most)));
  };
  return {code(reals.least), code(reals.most)};
}

}  // namespace assay
