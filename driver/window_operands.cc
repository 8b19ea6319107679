#include "driver/window_operands.h"

#include <algorithm>

namespace assay {

WindowOperands WindowOperandsOf(OperationCode code, size_t count, const std::function<OperandType(size_t)>& type_of) {
  const bool pool = code == OperationCode::AVERAGE_POOL_2D || code == OperationCode::MAX_POOL_2D;
  const bool depthwise = code == OperationCode::DEPTHWISE_CONV_2D;
  // Explicit padding has one INT32 more where the other signature has its layout, or ends.
  const size_t tell = depthwise ? 8 : 7;
  const bool is_explicit = count > tell + 1 && type_of(tell) == OperandType::INT32;
  WindowOperands w;
  size_t at = pool ? 1 : 3;
  (is_explicit ? w.pads : w.scheme) = at;
  at += is_explicit ? 4 : 1;
  w.strides = at, at += 2;
  if (pool) w.filter = at, at += 2;
  if (depthwise) w.multiplier = at++;
  w.activation = at++;
  if (at < count) w.layout = at++;
  if (at + 1 < count) w.dilations = at;
  return w;
}

SamePads SamePadsOf(int64_t in, int64_t filter, int64_t stride, int64_t dilation) {
  const int64_t out = (in + stride - 1) / stride, span = (filter - 1) * dilation + 1;
  const int64_t total = std::max<int64_t>(0, (out - 1) * stride + span - in);
  return {static_cast<int32_t>(total / 2), static_cast<int32_t>(total - total / 2)};
}

}  // namespace assay
