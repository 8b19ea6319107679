// Memory of executions: aligned, counted against a limit, and large blocks kept for the next execution. Refuses to know
// what lies in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "reference/memory_plan.h"

namespace assay {

// A piece of memory from the system, aligned to kMemoryAlignment. Not counted anywhere.
class Block {
 public:
  Block() = default;
  // Empty (null data) if the system has no memory left, or for 0 bytes.
  explicit Block(size_t bytes);
  Block(Block&& other) noexcept { *this = std::move(other); }
  Block& operator=(Block&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Block();
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

// Blocks that earlier executions of a prepared model left behind. For many threads at once.
class BlockPool {
 public:
  static constexpr size_t kMostBlocks = 16;
  static constexpr size_t kMostBytes = size_t{256} << 20;  // of all blocks that are kept

  // The smallest kept block of at least `bytes` if it is not more than twice as large; else a new one.
  Block Take(size_t bytes);
  void Give(Block block);

 private:
  std::mutex mutex_;
  std::vector<Block> blocks_;
  size_t bytes_ = 0;
};

class Memory;

// A block, counted by a Memory as long as it lives.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(memory_, other.memory_);
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Buffer();
  uint8_t* data() const { return block_.data(); }
  size_t size() const { return counted_; }  // as asked for

 private:
  friend class Memory;
  Block block_;
  Memory* memory_ = nullptr;
  size_t counted_ = 0;
};

// What one execution may use, and uses. For one thread; outlives its buffers.
class Memory {
 public:
  Memory(uint64_t most_bytes, BlockPool& pool) : most_(most_bytes), pool_(pool) {}
  // Uninitialized. RESOURCE_EXHAUSTED_PERSISTENT past the limit, _TRANSIENT if the system has none left.
  absl::StatusOr<Buffer> Allocate(uint64_t bytes);
  uint64_t peak() const { return peak_; }

 private:
  friend class Buffer;
  uint64_t most_, used_ = 0, peak_ = 0;
  BlockPool& pool_;
};

}  // namespace assay
