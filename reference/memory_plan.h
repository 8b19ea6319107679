// Where the tensors of one subgraph lie in one block of memory. Knows lifetimes and sizes; refuses to know tensors,
// operations and who asks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

inline constexpr size_t kMemoryAlignment = 64;
// Rounded up to a multiple of kMemoryAlignment; `bytes` must not be within 63 of the end of the 64-bit range.
constexpr size_t Aligned(size_t bytes) { return (bytes + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment; }

// A tensor (or the scratch memory of an operation) that needs memory while the operations [first, last] run.
struct TensorLifetime {
  static constexpr uint32_t kScratch = UINT32_MAX;

  uint32_t operand = kScratch;  // index into Subgraph::operands, or kScratch
  size_t bytes = 0;
  uint32_t first = 0, last = 0;  // indices of operations; first <= last
};

struct MemoryPlan {
  std::vector<size_t> offsets;  // one for each lifetime, in their order; multiples of kMemoryAlignment
  size_t peak = 0;              // bytes: the end of the block that all of them lie in
};

// Two lifetimes that share an operation never overlap in memory. First fit: each tensor in turn goes to the lowest gap
// that is free while it lives. The better of two orders, by first operation (then by decreasing size) and, unless there
// are thousands of tensors, by decreasing size.
MemoryPlan PlanMemory(std::span<const TensorLifetime> lifetimes);

}  // namespace assay
