// Intervals of doubles whose bounds are rounded outward, and only where a result is not exact: a point stays a point.
// Internal to numeric/. Knows nothing of devices. Bounds that underflow double (far beneath every format) are not
// minded.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/bounded.h"
#include "numeric/ulps.h"

namespace assay {

struct Bounds {
  double lo, hi;
  double Magnitude() const { return std::max(std::fabs(lo), std::fabs(hi)); }
};

template <class F>
Bounds HullOf(const Bounded<F>& x) {
  return {x.lo, x.hi};
}
template <class F>
Bounds OuterOf(const Bounded<F>& x) {
  return {x.Lo(), x.Hi()};
}

// Share of a rounding that is left for the roundings of our own doubles.
inline constexpr double kRoom = 0x1p-20;

// At least one double below, or above.
inline double Below(double x) { return x - std::fabs(x) * 0x1p-52; }
inline double Above(double x) { return x + std::fabs(x) * 0x1p-52; }
// [x, x] where x is a rounded number and `missing` has the sign of what the rounding lost.
inline double LowerBound(double x, double missing) { return missing < 0 ? Below(x) : x; }
inline double UpperBound(double x, double missing) { return missing > 0 ? Above(x) : x; }

// What a + b lost; exact.
inline double SumError(double a, double b, double sum) {
  const double b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}

inline Bounds Plus(Bounds a, Bounds b) {
  const double lo = a.lo + b.lo, hi = a.hi + b.hi;
  return {LowerBound(lo, SumError(a.lo, b.lo, lo)), UpperBound(hi, SumError(a.hi, b.hi, hi))};
}
inline Bounds Minus(Bounds a, Bounds b) { return Plus(a, {-b.hi, -b.lo}); }

inline Bounds Times(Bounds a, Bounds b) {
  double lo = a.lo * b.lo, hi = lo;
  double lo_a = a.lo, lo_b = b.lo, hi_a = a.lo, hi_b = b.lo;
  const auto consider = [&](double x, double y) {
    const double p = x * y;
    if (p < lo) lo = p, lo_a = x, lo_b = y;
    if (p > hi) hi = p, hi_a = x, hi_b = y;
  };
  if (a.lo != a.hi || b.lo != b.hi) {
    consider(a.lo, b.hi);
    consider(a.hi, b.lo);
    consider(a.hi, b.hi);
  }
  return {LowerBound(lo, std::fma(lo_a, lo_b, -lo)), UpperBound(hi, std::fma(hi_a, hi_b, -hi))};
}

// b must not contain 0.
inline Bounds Over(Bounds a, Bounds b) {
  Bounds out{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double x : {a.lo, a.hi})
    for (const double y : {b.lo, b.hi}) {
      const double q = x / y;
      const double rest = std::fma(-q, y, x);
      const double missing = y > 0 ? rest : -rest;
      out.lo = std::min(out.lo, LowerBound(q, missing));
      out.hi = std::max(out.hi, UpperBound(q, missing));
    }
  return out;
}

inline Bounds SquareOf(Bounds a) {
  const double near = a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0;
  const double far = a.Magnitude();
  return {LowerBound(near * near, std::fma(near, near, -(near * near))),
          UpperBound(far * far, std::fma(far, far, -(far * far)))};
}

inline Bounds AbsOf(Bounds a) { return {a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, a.Magnitude()}; }

// The most that a device's own rounding of a function with this error adds to a result in `outer`.
template <class F>
double RoundingOf(const FunctionError& error, Bounds outer, double argument = 0) {
  const double size = outer.Magnitude();
  const double units =
      error.relative * size + error.absolute + error.by_argument * argument * (error.scaled ? size : 1);
  return units == 0 ? 0 : units * F::kUlp + F::kTiny;
}

}  // namespace assay
