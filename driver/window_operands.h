// Where the operands of convolutions and pools stand in their two signatures, and what the SAME scheme pads: for faults
// and jittered devices, which must not ask ops/. Refuses to know values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

#include "model/operation_code.h"
#include "model/types.h"

namespace assay {

// Indices of inputs; 0 = not given (input 0 is always the image). Of pairs the first: strides, filter sizes and
// dilations give width before height, and pads are left, right, top, bottom.
struct WindowOperands {
  size_t pads = 0, scheme = 0, strides = 0, filter = 0, multiplier = 0, activation = 0, layout = 0, dilations = 0;
};
// Of a valid call of CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D or MAX_POOL_2D with `count` inputs.
WindowOperands WindowOperandsOf(OperationCode code, size_t count, const std::function<OperandType(size_t)>& type_of);

// One axis of the SAME scheme: the odd element is behind.
struct SamePads {
  int32_t head, tail;
};
SamePads SamePadsOf(int64_t in, int64_t filter, int64_t stride, int64_t dilation);

}  // namespace assay
