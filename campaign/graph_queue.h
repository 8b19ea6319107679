// Graphs of a campaign on their way through its threads: handed out in order, tried in any order, collected in order
// again. Refuses to know what trying is.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace assay {

// `Tried` is what one graph gave.
template <typename Tried>
class GraphQueue {
 public:
  GraphQueue(uint64_t first, uint64_t end) : next_(first), end_(end), collected_(first) {}

  // The next graph to try, or nothing when all are handed out or it is closed. Waits when the collector is far behind.
  std::optional<uint64_t> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || next_ < collected_ + kAhead; });
    if (closed_ || next_ >= end_) return std::nullopt;
    return next_++;
  }
  void Put(uint64_t graph, Tried tried) {
    const std::lock_guard lock(mutex_);
    done_.emplace(graph, std::move(tried));
    changed_.notify_all();
  }
  // No more graphs are handed out.
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // What the next graph in order gave; nothing if it is not there within half a second.
  std::optional<Tried> Collect() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(500),
                      [&] { return done_.count(collected_) > 0 || AllCollected(); });
    const auto at = done_.find(collected_);
    if (at == done_.end()) return std::nullopt;
    Tried tried = std::move(at->second);
    done_.erase(at);
    ++collected_;
    changed_.notify_all();
    return tried;
  }
  bool Finished() const {
    const std::lock_guard lock(mutex_);
    return AllCollected();
  }
  uint64_t collected() const {
    const std::lock_guard lock(mutex_);
    return collected_;
  }

 private:
  static constexpr uint64_t kAhead = 4096;
  bool AllCollected() const { return collected_ >= next_ && (closed_ || next_ >= end_); }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_, end_, collected_;
  bool closed_ = false;
  std::map<uint64_t, Tried> done_;
};

}  // namespace assay
