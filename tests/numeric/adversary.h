// What the tests of numeric/ set against it: a generator that means the same everywhere, exact arithmetic, and a device
// that rounds every step to its format as badly as a faithful rounding may.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "numeric/bounded.h"
#include "numeric/half.h"

namespace assay::test {

using Exact = __float128;  // 113 bits: sums and products of a few floats are exact

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Bits() {  // SplitMix64
    uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  size_t Below(size_t n) { return static_cast<size_t>(Bits() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  double Unit() { return static_cast<double>(Bits() >> 11) * 0x1p-53; }
  double Between(double lo, double hi) { return std::clamp(lo + (hi - lo) * Unit(), lo, hi); }
  // A random sign and a magnitude of 2^low .. 2^high.
  double Spread(int low, int high) {
    const double m = std::ldexp(1 + Unit(), low + static_cast<int>(Below(static_cast<size_t>(high - low))));
    return OneIn(2) ? m : -m;
  }
  // In [lo, hi], an end every other time: the ends are where bounds fail.
  double Pick(double lo, double hi) {
    const size_t which = Below(4);
    return which == 0 ? lo : which == 1 ? hi : Between(lo, hi);
  }

 private:
  uint64_t state_;
};

// The nearest number of the format, some way or other.
template <class F>
double Near(double x) {
  if constexpr (std::is_same_v<F, Fp32>)
    return static_cast<double>(static_cast<float>(x));
  else
    return static_cast<double>(FloatFromHalf(HalfFromDouble(x)));
}
// The next number of the format in a direction.
template <class F>
double Next(double x, bool up) {
  if constexpr (std::is_same_v<F, Fp32>) {
    const float inf = std::numeric_limits<float>::infinity();
    return static_cast<double>(std::nextafter(static_cast<float>(x), up ? inf : -inf));
  } else {
    const uint16_t h = HalfFromDouble(x);
    if ((h & 0x7FFF) == 0) return up ? 0x1p-24 : -0x1p-24;
    const bool grows = up == ((h & 0x8000) == 0);
    return static_cast<double>(FloatFromHalf(static_cast<uint16_t>(grows ? h + 1 : h - 1)));
  }
}

template <class F>
class Device {
 public:
  enum Mode { kNearest, kDown, kUp, kAny, kModes };
  Device(Random& random, Mode mode, bool flush) : random_(random), mode_(mode), flush_(flush) {}
  // A device of any mode.
  explicit Device(Random& random) : Device(random, static_cast<Mode>(random.Below(kModes)), random.OneIn(2)) {}

  // A faithful rounding: one of the two neighbours in the format, or the number itself if it is in the format.
  double Round(Exact x) {
    double down = Near<F>(static_cast<double>(x)), up = down;
    if (static_cast<Exact>(down) > x) down = Next<F>(down, false);
    if (static_cast<Exact>(up) < x) up = Next<F>(up, true);
    double out = down;
    switch (mode_) {
      case kNearest:
        out = x - static_cast<Exact>(down) <= static_cast<Exact>(up) - x ? down : up;
        break;
      case kDown:
        out = down;
        break;
      case kUp:
        out = up;
        break;
      default:
        out = random_.OneIn(2) ? down : up;
    }
    return flush_ && std::fabs(out) < F::kTiny ? std::copysign(0.0, out) : out;
  }
  double Round(double x) { return Round(static_cast<Exact>(x)); }

  double Add(double a, double b) { return Round(Exact(a) + Exact(b)); }
  double Subtract(double a, double b) { return Round(Exact(a) - Exact(b)); }
  double Multiply(double a, double b) { return Round(Exact(a) * Exact(b)); }
  // In one rounding, or through the reciprocal.
  double Divide(double a, double b) {
    if (random_.OneIn(2)) return Round(Exact(a) / Exact(b));
    return Multiply(a, Round(Exact(1) / Exact(b)));
  }
  double Sqrt(double x) {
    if (x == 0 || random_.OneIn(2)) return Round(Exact(std::sqrt(static_cast<long double>(x))));
    return Multiply(x, Rsqrt(x));
  }
  double Rsqrt(double x) {
    if (x == 0) return 0;  // what a careful x * rsqrt(x) does
    return Round(Exact(1) / Exact(std::sqrt(static_cast<long double>(x))));
  }
  double Exp2(double x) { return Round(Exact(std::exp2(static_cast<long double>(x)))); }
  double Exp(double x) {
    if (random_.OneIn(2)) return Round(Exact(std::exp(static_cast<long double>(x))));
    return Exp2(Multiply(x, Near<F>(1.44269504088896340736)));
  }
  double Log(double x) {
    if (random_.OneIn(2)) return Round(Exact(std::log(static_cast<long double>(x))));
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);  // in [0.5, 1): cancels just above 1
    const double log2 = Add(exponent, Round(Exact(std::log2(static_cast<long double>(mantissa)))));
    return Multiply(log2, Near<F>(0.69314718055994530942));
  }
  double Tanh(double x) {
    if (random_.OneIn(2)) return Round(Exact(std::tanh(static_cast<long double>(x))));
    return Subtract(1, Divide(2, Add(Exp(std::min(2 * x, std::is_same_v<F, Fp16> ? 11.0 : 80.0)), 1)));
  }
  double Logistic(double x) {
    if (random_.OneIn(2)) return Round(Exact(1 / (1 + std::exp(-static_cast<long double>(x)))));
    return Divide(Add(1, Tanh(x / 2)), 2);
  }
  double Sin(double x) {
    if (random_.OneIn(2)) return Round(Exact(std::sin(static_cast<long double>(x))));
    const double turns = Round(x / Near<F>(6.28318530717958647692));
    const double whole = std::nearbyint(turns);
    const double rest = Subtract(x, Multiply(whole, Near<F>(6.28318530717958647692)));
    return Round(Exact(std::sin(static_cast<long double>(rest))));
  }
  double Pow(double x, double y) {
    if (random_.OneIn(2)) return Round(Exact(std::pow(static_cast<long double>(x), static_cast<long double>(y))));
    const double log = Round(Exact(std::log(static_cast<long double>(x))));
    return Exp(Multiply(y, log));
  }

 private:
  Random& random_;
  Mode mode_;
  bool flush_;
};

// An interval around about `center`: a point every third time, sometimes with err; bounds of the format if `stored`.
template <class F>
Bounded<F> Drawn(Random& random, double center) {
  const double a = Near<F>(center);
  if (random.OneIn(3)) return Bounded<F>(a);
  const double width = std::fabs(a) * std::ldexp(1, -static_cast<int>(random.Below(20)));
  double lo = a - width * random.Unit(), hi = a + width * random.Unit();
  if (random.OneIn(2)) lo = std::min(a, Near<F>(lo)), hi = std::max(a, Near<F>(hi));
  if (random.OneIn(2)) return {lo, hi, a};
  const double room = std::fabs(a) * F::kUlp * 8;
  return {lo, hi, a, room * random.Unit(), room * random.Unit()};
}

// The room for roundings, on the side that has more of it.
template <class F>
double Room(const Bounded<F>& x) {
  return std::max(x.below, x.above);
}
// How much of that room a device with this result used.
template <class F>
double Used(const Bounded<F>& x, double got) {
  const double down = x.below > 0 ? (x.lo - got) / x.below : 0, up = x.above > 0 ? (got - x.hi) / x.above : 0;
  return std::max(down, up);
}

}  // namespace assay::test
