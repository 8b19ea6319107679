#include "reference/memory_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace assay {
namespace {

bool LiveTogether(const TensorLifetime& a, const TensorLifetime& b) {
  return std::max(a.first, a.last) >= b.first && std::max(b.first, b.last) >= a.first;
}

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

// In the order of time, with the free gaps at hand: cheap for any number of tensors.
MemoryPlan FitByTime(std::span<const TensorLifetime> lifetimes) {
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

// The largest first, each at the lowest place where none of those that live with it lies. Looks at all pairs.
MemoryPlan FitBySize(std::span<const TensorLifetime> lifetimes) {
  std::vector<size_t> by_size(lifetimes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](size_t a, size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  MemoryPlan plan;
  plan.offsets.resize(lifetimes.size());
  std::vector<size_t> placed;  // by offset
  for (const size_t i : by_size) {
    const size_t bytes = Aligned(lifetimes[i].bytes);
    if (bytes == 0) continue;
    size_t offset = 0;
    for (const size_t p : placed) {
      if (!LiveTogether(lifetimes[p], lifetimes[i])) continue;
      if (plan.offsets[p] >= offset + bytes) break;
      offset = std::max(offset, plan.offsets[p] + Aligned(lifetimes[p].bytes));
    }
    plan.offsets[i] = offset;
    plan.peak = std::max(plan.peak, offset + bytes);
    const auto behind = std::find_if(placed.begin(), placed.end(), [&](size_t p) { return plan.offsets[p] > offset; });
    placed.insert(behind, i);
  }
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(std::span<const TensorLifetime> lifetimes) {
  constexpr size_t kMostPairwise = 4096;
  MemoryPlan by_time = FitByTime(lifetimes);
  if (lifetimes.size() > kMostPairwise) return by_time;
  MemoryPlan by_size = FitBySize(lifetimes);
  return by_size.peak < by_time.peak ? by_size : by_time;
}

}  // namespace assay
