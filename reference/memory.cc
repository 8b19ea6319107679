#include "reference/memory.h"

#include <algorithm>
#include <new>

#include "absl/strings/str_cat.h"
#include "reference/status.h"

namespace assay {

Block::Block(size_t bytes) {
  if (bytes == 0) return;
  data_ = static_cast<uint8_t*>(::operator new (bytes, std::align_val_t{kMemoryAlignment}, std::nothrow));
  if (data_ != nullptr) size_ = bytes;
}

Block::~Block() { ::operator delete (data_, std::align_val_t{kMemoryAlignment}); }

Block BlockPool::Take(size_t bytes) {
  {
    std::lock_guard lock(mutex_);
    size_t best = blocks_.size();
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const size_t size = blocks_[i].size();
      if (size >= bytes && size / 2 <= bytes && (best == blocks_.size() || size < blocks_[best].size())) best = i;
    }
    if (best != blocks_.size()) {
      Block block = std::move(blocks_[best]);
      std::swap(blocks_[best], blocks_.back());
      blocks_.pop_back();
      bytes_ -= block.size();
      return block;
    }
  }
  return Block(bytes);
}

void BlockPool::Give(Block block) {
  if (block.size() == 0) return;
  std::lock_guard lock(mutex_);
  if (blocks_.size() >= kMostBlocks || bytes_ + block.size() > kMostBytes) return;
  bytes_ += block.size();
  blocks_.push_back(std::move(block));
}

Buffer::~Buffer() {
  if (memory_ == nullptr) return;
  memory_->used_ -= counted_;
  memory_->pool_.Give(std::move(block_));
}

absl::StatusOr<Buffer> Memory::Allocate(uint64_t bytes) {
  if (bytes > most_ - used_) {
    return MakeStatus(
        ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
        absl::StrCat(bytes, " bytes are needed beside ", used_, " in use, but at most ", most_, " may be used"));
  }
  Buffer buffer;
  if (bytes == 0) return buffer;
  buffer.block_ = pool_.Take(static_cast<size_t>(bytes));
  if (buffer.block_.data() == nullptr) {
    return MakeStatus(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT, absl::StrCat("no memory for ", bytes, " bytes"));
  }
  buffer.memory_ = this;
  buffer.counted_ = static_cast<size_t>(bytes);
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return buffer;
}

}  // namespace assay
