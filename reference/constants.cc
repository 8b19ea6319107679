#include "reference/constants.h"

#include "numeric/storage.h"

namespace assay {

const void* ConstantPool::Converted(uint32_t subgraph, uint32_t operation, uint32_t operand, const Operand& constant,
                                    const Call& call, size_t input, Mode mode) {
  const Domain domain = call.domain(mode);
  if (domain == Domain::kCodes) return nullptr;
  if (domain == Domain::kFloat && constant.type == OperandType::TENSOR_FLOAT32) return nullptr;
  const Quantization* own = call.read_as(input);
  const Quantization& quantization = own != nullptr ? *own : constant.quantization;
  const Key key{subgraph, operand, domain, own != nullptr ? operation : UINT32_MAX};

  std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) return found->second.quantization == quantization ? found->second.block.data() : nullptr;
  const size_t bytes = Count(constant.dims) * (domain == Domain::kFloat ? sizeof(float) : sizeof(double));
  if (bytes == 0 || bytes > most_ - used_) return nullptr;
  Block block(bytes);
  if (block.data() == nullptr) return nullptr;
  if (domain == Domain::kFloat) {
    Load(constant.type, quantization, constant.dims, constant.value->data(), reinterpret_cast<float*>(block.data()));
  } else {
    Load(constant.type, quantization, constant.dims, constant.value->data(), reinterpret_cast<double*>(block.data()));
  }
  used_ += bytes;
  return entries_.emplace(key, Entry{quantization, std::move(block)}).first->second.block.data();
}

}  // namespace assay
