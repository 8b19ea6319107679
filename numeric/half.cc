#include "numeric/half.h"

#include <bit>

namespace assay {
namespace {

// To half from an IEEE format whose bits are `Bits` with `kFraction` fraction bits.
template <class Bits, int kFraction>
uint16_t Narrow(Bits bits) {
  constexpr int kWidth = int(sizeof(Bits) * 8);
  constexpr int kExponent = (1 << (kWidth - 1 - kFraction)) - 1;  // all ones: infinity and NaN
  constexpr int kBias = kExponent / 2;
  const auto sign = static_cast<uint32_t>((bits >> (kWidth - 1)) << 15);
  const int exponent = static_cast<int>(bits >> kFraction) & kExponent;
  const Bits fraction = bits & ((Bits{1} << kFraction) - 1);
  const auto half = [sign](uint32_t magnitude) { return static_cast<uint16_t>(sign | magnitude); };

  if (exponent == kExponent) {
    if (fraction == 0) return half(0x7C00);
    return half(0x7E00 | static_cast<uint32_t>(fraction >> (kFraction - 10)));
  }
  const int power = exponent - kBias;
  if (power > 15) return half(0x7C00);

  // The magnitude in units of the half's last place, still with `shift` bits too many. A carry out of the rounding
  // runs into the exponent, which is what should happen, up to infinity.
  Bits magnitude;
  int shift;
  if (power >= -14) {
    magnitude = (static_cast<Bits>(power + 15) << kFraction) | fraction;
    shift = kFraction - 10;
  } else {
    shift = kFraction - 24 - power;
    if (exponent == 0 || shift > kFraction + 1) return half(0);  // less than half of the least subnormal
    magnitude = (Bits{1} << kFraction) | fraction;
  }
  const auto truncated = static_cast<uint32_t>(magnitude >> shift);
  const Bits rest = magnitude & ((Bits{1} << shift) - 1);
  const Bits tie = Bits{1} << (shift - 1);
  const bool up = rest > tie || (rest == tie && (truncated & 1) != 0);
  return half(truncated + (up ? 1 : 0));
}

}  // namespace

uint16_t HalfFromFloat(float value) { return Narrow<uint32_t, 23>(std::bit_cast<uint32_t>(value)); }
uint16_t HalfFromDouble(double value) { return Narrow<uint64_t, 52>(std::bit_cast<uint64_t>(value)); }

float FloatFromHalf(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = (half >> 10) & 31;
  uint32_t fraction = half & 0x3FF;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000 | (fraction != 0 ? 0x400000 | fraction << 13 : 0));
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  if (fraction == 0) return std::bit_cast<float>(sign);
  // Subnormal: the leading one becomes the implicit one.
  const auto up = static_cast<uint32_t>(std::countl_zero(fraction)) - 21;
  fraction = (fraction << up) & 0x3FF;
  return std::bit_cast<float>(sign | (113 - up) << 23 | fraction << 13);
}

}  // namespace assay
