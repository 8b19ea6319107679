#include "ops/bias.h"

namespace assay {

std::optional<Quantization> PerChannelBias(size_t index, const In& bias, const In& input, const In& weights) {
  const auto& channels = weights.quantization().per_channel;
  if (index != bias.index() || !channels || bias.type() != OperandType::TENSOR_INT32) return std::nullopt;
  auto scales = std::make_shared<PerChannel>();
  for (float scale : channels->scales) scales->scales.push_back(input.quantization().scale * scale);
  return Quantization{0, 0, std::move(scales)};
}

}  // namespace assay
