// Bulk pattern data from one drawn sub-seed: bit-identical on every compiler and processor.
// Refuses to know what the numbers are for, and the tape: a value drawn here is not a recorded choice.
#pragma once
#include <cstdint>

namespace assay {

// SplitMix64: a counter that advances by an odd constant (2^64 over the golden ratio), scrambled by Mix. Every seed is
// as good as any other, 0 included; the period is 2^64. Never change a constant or an order of draws here: every
// recorded seed would come to mean something else.
class Stream {
 public:
  explicit Stream(uint64_t sub_seed) : counter_(sub_seed) {}

  // A bijection of the 64-bit numbers in which every input bit changes about half of the output bits.
  static constexpr uint64_t Mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  // 64 uniform bits.
  uint64_t Next() { return Mix(counter_ += 0x9E3779B97F4A7C15); }

  // Uniform in [0, most], without bias: numbers below 2^64 mod (most + 1) are drawn again.
  uint64_t UpTo(uint64_t most) {
    const uint64_t n = most + 1;
    if (n == 0) return Next();
    const uint64_t unfair = (0 - n) % n;
    uint64_t drawn = Next();
    while (drawn < unfair) drawn = Next();
    return drawn % n;
  }

  // A multiple of 2^-53, uniform in [0, 1). Exact, hence the same everywhere; so are the two below.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // A multiple of 2^-52, uniform in [-1, 1).
  double Symmetric() { return static_cast<double>(static_cast<int64_t>(Next()) >> 11) * 0x1p-52; }

  // Near the normal distribution with mean 0 and standard deviation 1: the sum of twelve uniform numbers, symmetric
  // about 0, within (-6, 6), a multiple of 2^-32. Costs six draws.
  double Normal() {
    constexpr uint64_t kLow32 = 0xFFFFFFFF;
    uint64_t sum = 0;
    for (int i = 0; i < 6; ++i) {
      const uint64_t two = Next();
      sum += (two >> 32) + (two & kLow32);
    }
    return static_cast<double>(static_cast<int64_t>(sum) - static_cast<int64_t>(6 * kLow32)) * 0x1p-32;
  }

 private:
  uint64_t counter_;
};

// The stream of a sub-seed that Choices::Seed() drew.
inline Stream Bulk(uint64_t sub_seed) { return Stream(sub_seed); }

}  // namespace assay
