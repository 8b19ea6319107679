// The fused activations of NNAPI: on numbers, and as limits of the codes that a quantized output may hold.
#pragma once
#include <cstddef>

#include "model/types.h"
#include "numeric/functions.h"

namespace assay {

enum class Activation { NONE = 0, RELU = 1, RELU1 = 2, RELU6 = 3 };

// Least and greatest real output: (-inf, inf), [0, inf), [-1, 1], [0, 6].
struct RealRange {
  double least, most;
};
RealRange RangeOf(Activation activation);

// One number; exact, so nothing is rounded. NaN stays NaN, unknown stays unknown.
template <class N>
N Activate(Activation activation, const N& x) {
  if (activation == Activation::NONE) return x;
  const RealRange range = RangeOf(activation);
  return Clamp(x, range.least, range.most);
}
template <class N>
void Activate(Activation activation, N* values, size_t count) {
  if (activation == Activation::NONE) return;
  for (size_t i = 0; i < count; ++i) values[i] = Activate(activation, values[i]);
}

// The codes that a quantized output of `type` may hold after the activation: its real limits as codes, z + round(x / s)
// with halves away from zero, within the codes of the type. The type's whole range for NONE and for other types.
CodeRange ActivationCodes(Activation activation, const Quantization& quantization, OperandType type);

}  // namespace assay
