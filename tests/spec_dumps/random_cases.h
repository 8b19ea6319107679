// Random test cases for round trips: from models that mean nothing but that the language can say, to plain nonsense.
#pragma once
#include <cstdint>

#include "model/test_case.h"

namespace assay {

// SplitMix64: small, and the same numbers everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}
  uint64_t Bits();
  // 0..bound-1; bound > 0.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>((Bits() >> 32) * bound >> 32); }
  // True once in `n` times.
  bool OneIn(uint32_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

// A test case that plain spec language can say: one example, lists that agree with the operands, values that fit.
TestCase DrawPlainCase(Dice& dice);

// The same with any number of its fields overwritten by nonsense: bad indices, circles, unknown codes, wrong sizes.
TestCase DrawWildCase(Dice& dice);

}  // namespace assay
