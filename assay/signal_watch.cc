#include "assay/signal_watch.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace assay {
namespace {

std::atomic<int64_t> asked_at = 0;  // milliseconds of the monotonic clock; 0: not asked
static_assert(std::atomic<int64_t>::is_always_lock_free);

extern "C" void OnSignal(int) {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t now = int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000 + 1;
  int64_t first = 0;
  if (!asked_at.compare_exchange_strong(first, now) && now - first >= 1000) std::_Exit(130);
}

}  // namespace

// A handler may do little more than set a flag, so a thread looks at it.
SignalWatch::SignalWatch(bool asked) {
  asked_at = 0;
  if (asked) OnSignal(SIGINT);
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  thread_ = std::jthread([this](std::stop_token end) {
    while (!end.stop_requested() && asked_at == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (asked_at != 0) source_.request_stop();
  });
}

}  // namespace assay
