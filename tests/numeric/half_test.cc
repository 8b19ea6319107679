#include "numeric/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/numeric/adversary.h"

namespace assay {
namespace {

// The slow way, from the definition of binary16.
double Definition(uint16_t half) {
  const int exponent = (half >> 10) & 31, fraction = half & 1023;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

// By search among all halves: the nearest, on a tie the one with an even last bit.
uint16_t Search(double x) {
  const auto sign = static_cast<uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const double size = std::fabs(x);
  // Infinity counts as 65536, one step after the greatest finite number.
  const auto at = [](int code) { return code == 0x7C00 ? 65536.0 : Definition(static_cast<uint16_t>(code)); };
  if (size >= 65536) return static_cast<uint16_t>(sign | 0x7C00);
  int low = 0, high = 0x7C00;
  while (high - low > 1) (at((low + high) / 2) <= size ? low : high) = (low + high) / 2;
  const double below = size - at(low), above = at(high) - size;  // exact: both are within a factor of two, or tiny
  const bool up = above < below || (above == below && (low & 1) != 0);
  return static_cast<uint16_t>(sign | (up ? high : low));
}

TEST(Half, EveryHalfIsTheFloatOfItsDefinition) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<uint16_t>(code);
    const double expected = Definition(half);
    const float actual = FloatFromHalf(half);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << code;
    } else {
      ASSERT_EQ(static_cast<double>(actual), expected) << code;
    }
    ASSERT_EQ(std::signbit(actual), code >= 0x8000) << code;
  }
}

TEST(Half, EveryHalfComesBack) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const auto half = static_cast<uint16_t>(code);
    const float f = FloatFromHalf(half);
    const bool nan = (code & 0x7C00) == 0x7C00 && (code & 0x3FF) != 0;
    const auto expected = static_cast<uint16_t>(nan ? code | 0x200 : code);  // a NaN becomes quiet
    ASSERT_EQ(HalfFromFloat(f), expected) << code;
    ASSERT_EQ(HalfFromDouble(static_cast<double>(f)), expected) << code;
  }
}

TEST(Half, TiesGoToEvenAndTheirNeighboursDoNot) {
  for (uint32_t code = 0; code < 0x7C00; ++code) {
    const auto half = static_cast<uint16_t>(code);
    const double a = Definition(half);
    const double b = code == 0x7BFF ? 65536 : Definition(static_cast<uint16_t>(code + 1));
    const double tie = (a + b) / 2;
    const auto even = static_cast<uint16_t>(code % 2 == 0 ? code : code + 1);
    const auto next = static_cast<uint16_t>(code + 1);
    ASSERT_EQ(HalfFromDouble(tie), even) << code;
    ASSERT_EQ(HalfFromDouble(-tie), even | 0x8000) << code;
    ASSERT_EQ(HalfFromDouble(std::nextafter(tie, 0.0)), half) << code;
    ASSERT_EQ(HalfFromDouble(std::nextafter(tie, 1e9)), next) << code;
    const auto f = static_cast<float>(tie);
    ASSERT_EQ(HalfFromFloat(f), even) << code;
    ASSERT_EQ(HalfFromFloat(std::nextafter(f, 0.0f)), half) << code;
    ASSERT_EQ(HalfFromFloat(std::nextafter(f, 1e9f)), next) << code;
  }
}

TEST(Half, OneRoundingAndNotTwo) {
  // Just above the tie of 1 and 1 + 2^-10: as a float it is that tie, and would go down to even.
  const double x = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(HalfFromFloat(static_cast<float>(x)), 0x3C00);
  EXPECT_EQ(HalfFromDouble(x), 0x3C01);
}

TEST(Half, Edges) {
  EXPECT_EQ(HalfFromFloat(65504), 0x7BFF);
  EXPECT_EQ(HalfFromFloat(std::nextafter(65520.0f, 0.0f)), 0x7BFF);
  EXPECT_EQ(HalfFromFloat(65520), 0x7C00);
  EXPECT_EQ(HalfFromDouble(1e300), 0x7C00);
  EXPECT_EQ(HalfFromDouble(-std::numeric_limits<double>::infinity()), 0xFC00);
  EXPECT_EQ(HalfFromDouble(0x1p-24), 1);
  EXPECT_EQ(HalfFromDouble(0x1p-25), 0);
  EXPECT_EQ(HalfFromDouble(std::nextafter(0x1p-25, 1.0)), 1);
  EXPECT_EQ(HalfFromDouble(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(HalfFromFloat(-0.0f), 0x8000);
  EXPECT_EQ(HalfFromDouble(-1e-300), 0x8000);
  const uint16_t nan = HalfFromFloat(std::bit_cast<float>(0xFF800001));  // signalling, negative, low payload
  EXPECT_EQ(nan, 0xFE00);
}

TEST(Half, AgreesWithASearchAmongAllHalves) {
  test::Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = random.Spread(-28, 18);
    ASSERT_EQ(HalfFromDouble(x), Search(x)) << x;
    const auto f = static_cast<float>(x);
    ASSERT_EQ(HalfFromFloat(f), Search(static_cast<double>(f))) << x;
  }
  for (int i = 0; i < 200000; ++i) {  // any float
    const auto f = std::bit_cast<float>(static_cast<uint32_t>(random.Bits()));
    if (std::isnan(f)) continue;
    ASSERT_EQ(HalfFromFloat(f), Search(static_cast<double>(f))) << f;
    ASSERT_EQ(HalfFromDouble(static_cast<double>(f)), Search(static_cast<double>(f))) << f;
  }
}

}  // namespace
}  // namespace assay
