// Constants in the numeric domain of the operations that read them, converted once and shared by all executions.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "model/model.h"
#include "ops/operation.h"
#include "reference/memory.h"

namespace assay {

// For many threads at once. The model outlives the pool.
class ConstantPool {
 public:
  explicit ConstantPool(uint64_t most_bytes) : most_(most_bytes) {}

  // The elements of a constant as `call` reads them (its input `input`, in `mode`); valid as long as the pool. Null
  // where they are read in place (float32 in the domain float, codes), or where the limit is reached: the call
  // converts them itself then. `subgraph`, `operation` and `operand` say which constant it is, and for whom.
  const void* Converted(uint32_t subgraph, uint32_t operation, uint32_t operand, const Operand& constant,
                        const Call& call, size_t input, Mode mode);

 private:
  // The operation is part of the key only where it reads the constant by a quantization of its own.
  using Key = std::tuple<uint32_t, uint32_t, Domain, uint32_t>;
  struct Entry {
    Quantization quantization;
    Block block;
  };

  const uint64_t most_;
  std::mutex mutex_;
  uint64_t used_ = 0;
  std::map<Key, Entry> entries_;
};

}  // namespace assay
