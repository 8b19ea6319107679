#include "reference/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace assay {
namespace {

// The free gaps of a block that has no end: offset -> size. The last gap is the endless rest.
class Gaps {
 public:
  // The lowest place for `bytes`.
  size_t Take(size_t bytes) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
      if (gap->second < bytes) continue;
      const auto [offset, size] = *gap;
      gaps_.erase(gap);
      if (size > bytes) gaps_.emplace(offset + bytes, size - bytes);
      return offset;
    }
    const size_t offset = end_;
    end_ += bytes;
    return offset;
  }
  void Give(size_t offset, size_t bytes) {
    if (bytes == 0) return;
    const auto after = gaps_.lower_bound(offset);
    size_t size = bytes;
    if (after != gaps_.end() && after->first == offset + bytes) {
      size += after->second;
      gaps_.erase(after);
    }
    const auto next = gaps_.lower_bound(offset);
    if (next != gaps_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        before->second += size;
        return Trim();
      }
    }
    gaps_.emplace(offset, size);
    Trim();
  }

 private:
  // What is free at the end is no gap: a larger tensor may begin there.
  void Trim() {
    const auto last = std::prev(gaps_.end());
    if (last->first + last->second != end_) return;
    end_ = last->first;
    gaps_.erase(last);
  }

  std::map<size_t, size_t> gaps_;
  size_t end_ = 0;
};

}  // namespace

MemoryPlan PlanMemory(std::span<const TensorLifetime> lifetimes) {
  std::vector<size_t> by_first(lifetimes.size());
  std::iota(by_first.begin(), by_first.end(), 0);
  std::stable_sort(by_first.begin(), by_first.end(), [&](size_t a, size_t b) {
    const TensorLifetime &p = lifetimes[a], &q = lifetimes[b];
    return p.first != q.first ? p.first < q.first : p.bytes > q.bytes;
  });

  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::multimap<uint32_t, size_t> living;  // by last operation
  Gaps gaps;
  for (const size_t i : by_first) {
    const TensorLifetime& t = lifetimes[i];
    while (!living.empty() && living.begin()->first < t.first) {
      const size_t dead = living.begin()->second;
      gaps.Give(plan.offsets[dead], Aligned(lifetimes[dead].bytes));
      living.erase(living.begin());
    }
    const size_t bytes = Aligned(t.bytes);
    plan.offsets[i] = bytes == 0 ? 0 : gaps.Take(bytes);
    plan.peak = std::max(plan.peak, plan.offsets[i] + bytes);
    if (bytes != 0) living.emplace(std::max(t.first, t.last), i);
  }
  return plan;
}

}  // namespace assay
