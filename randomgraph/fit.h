// Quantization parameters for planned values: coarse ones, so that a seed means the same model everywhere and people
// can read them. Refuses to know where the plan came from.
#pragma once
#include "model/types.h"
#include "ops/drawing.h"

namespace assay {

// The least of {1, 1.25, 1.5, 1.75} * 2^e that is at least `x` and lies in [2^-24, 2^24].
float SnapUp(double x);

// Parameters with which the codes of `type` reach over `range` and 0 (up to one code at the top), with a scale above
// `above_scale`. The zero point follows the range: 0 for numbers that are not negative, the middle for symmetric
// ranges, others for others. For types without a scale: none. Not for the per-channel type.
Quantization Fit(OperandType type, const Range& range, double above_scale = 0);

}  // namespace assay
