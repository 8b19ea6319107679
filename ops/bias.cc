#include "ops/bias.h"

namespace assay {

std::optional<Quantization> PerChannelBias(size_t index, const In& bias, const In& input, const In& weights) {
  const auto& channels = weights.quantization().per_channel;
  if (index != bias.index() || !channels || bias.type() != OperandType::TENSOR_INT32) return std::nullopt;
  // Of another length it breaks a rule, and must not be read by these scales.
  if (const Extent size = bias.dim(0); !size.known || bias.rank() != 1 || size.value != std::ssize(channels->scales))
    return std::nullopt;
  auto scales = std::make_shared<PerChannel>();
  for (float scale : channels->scales) scales->scales.push_back(input.quantization().scale * scale);
  return Quantization{0, 0, std::move(scales)};
}

}  // namespace assay
