#include "driver/jitter_table.h"

#include "ops/registry.h"

namespace assay {

double Hash(const OperationPlace& place, size_t output, size_t element, uint64_t salt) {
  uint64_t x = (uint64_t{place.subgraph} << 40) ^ (uint64_t{place.operation} << 20) ^ (output << 60) ^ element;
  x ^= salt * 0xD6E8FEB86659FD93u;
  x = (x + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 31)) * 0x94D049BB133111EBu;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

bool Computes(OperationCode code) {
  const OperationInfo* info = FindOperationInfo(code);
  const bool may_move = code == OperationCode::CONCATENATION || code == OperationCode::CAST;
  return info != nullptr && info->evaluation == Evaluation::kReal && !may_move;
}

}  // namespace assay
