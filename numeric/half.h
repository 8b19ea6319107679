// Conversions between IEEE binary16 ("half", TENSOR_FLOAT16), float and double, by bit operations only: the same on
// every processor and compiler. Knows nothing of tensors.
#pragma once
#include <cstdint>

namespace assay {

// The half nearest to `value`, ties to even: ONE rounding. 65520 and above give infinity, 2^-25 and below give zero,
// and a NaN stays a NaN (quiet, with the top bits of its payload). The sign is kept, also of zero and NaN.
uint16_t HalfFromFloat(float value);
uint16_t HalfFromDouble(double value);

// Exact: every half is a float. Signalling NaNs become quiet.
float FloatFromHalf(uint16_t half);

}  // namespace assay
