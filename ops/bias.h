// The bias of a convolution: what its stored INT32 codes count.
#pragma once
#include <optional>

#include "ops/argument.h"

namespace assay {

// Where `weights` has a scale for every channel, NNAPI leaves the scale of `bias` 0 and means input scale * weights
// scale c for element c. The quantization to read input `index` of the call with; nothing for all but such a bias.
std::optional<Quantization> PerChannelBias(size_t index, const In& bias, const In& input, const In& weights);

}  // namespace assay
