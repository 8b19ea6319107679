// A real number together with how far a conforming device may be from it: the numeric domain of the judge.
// Knows the arithmetic of intervals and of roundings; refuses to know tensors, types and criteria (see settle.h).
//
// A Bounded<F> holds
//   [lo, hi]  the true hull of the EXACT result over all values that the inputs may have,
//   value     the nominal result, inside of it,
//   below, above >= 0
//             how much further down and up a device that rounds each step to the format F may be, from roundings made
//             inside the operation that is being evaluated. Any faithful rounding is allowed (one ulp, kUlp), and
//             subnormal results may be flushed to zero (kTiny). Stored tensors have 0 and 0.
// So the device's number lies in [Lo(), Hi()], which is [lo - below, hi + above], and where [lo, hi] does not cross
// zero, neither does the device's number: faithful rounding keeps the sign. (An operation for which that does not hold
// moves lo just below zero, or hi just above.)
// Both [lo, hi] and [Lo(), Hi()] only grow where those of an argument grow: what is inside of the bounds for exactly
// known inputs is inside of the bounds for any wider inputs.
//
// There are three kinds, and no other combination of infinities and NaNs:
//   finite    lo <= value <= hi, all finite;
//   unknown   lo = -inf, hi = inf: the device may answer anything, NaN included. Unknown absorbs: unknown * 0 is
//   unknown. special   an exact infinity (lo == hi == value == +-inf) or an exact NaN (all NaN). Only movement
//   keeps it;
//             arithmetic on it gives unknown.
// Overflow past F::kMax gives unknown. A comparison with a NaN bound is false, and written so that it cannot report.
#pragma once
#include <cmath>
#include <limits>

namespace assay {

// A device that computes in float32.
struct Fp32 {
  static constexpr double kUlp = 0x1p-23;         // most relative error of a faithful rounding
  static constexpr double kTiny = 0x1p-126;       // least normal number: most error of a flush to zero
  static constexpr double kMax = 0x1.fffffep127;  // greatest finite number
  static constexpr double kAbsolute = 1e-5;       // the CTS criterion: |error| <= kAbsolute + kRelative * |expected|
  static constexpr double kRelative = 5 * 0x1p-23;
};
// A device that computes in float16 (or TF32 with the range of float16: relaxed float32).
struct Fp16 {
  static constexpr double kUlp = 0x1p-10;
  static constexpr double kTiny = 0x1p-14;
  static constexpr double kMax = 65504;
  static constexpr double kAbsolute = 5 * 0x1p-10;
  static constexpr double kRelative = 5 * 0x1p-10;
};

template <class F>
struct Bounded {
  using Format = F;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double lo = 0, hi = 0, value = 0, below = 0, above = 0;

  constexpr Bounded() = default;
  // Exactly `v`, which may be an infinity or a NaN. See Inexact (functions.h) for constants a device holds rounded.
  constexpr Bounded(double v) : lo(v), hi(v), value(v) {}  // NOLINT: implicit on purpose
  constexpr Bounded(double lo_, double hi_, double value_, double below_, double above_)
      : lo(lo_), hi(hi_), value(value_), below(below_), above(above_) {}
  constexpr Bounded(double lo_, double hi_, double value_) : Bounded(lo_, hi_, value_, 0, 0) {}

  static constexpr Bounded Unknown(double nominal = 0) { return {-kInfinity, kInfinity, nominal}; }

  // The result of an operation: the exact hull [lo, hi], the nominal value, the exact hull [outer_lo, outer_hi] over
  // the inputs' Lo() and Hi(), and the most that the device's own roundings in this operation add (absolute, >= 0).
  // Gives unknown where a bound is NaN, infinite, or past F::kMax. Where only the outer hull crosses zero, so may the
  // device's number.
  static Bounded Enclose(double lo, double hi, double value, double outer_lo, double outer_hi, double rounding);

  // Least and greatest number the device may have.
  constexpr double Lo() const { return lo >= 0 && lo < below ? 0 : lo - below; }
  constexpr double Hi() const { return hi <= 0 && -hi < above ? 0 : hi + above; }
  // Greatest magnitude the device's number may have.
  constexpr double Magnitude() const { return below - lo > hi + above ? below - lo : hi + above; }

  constexpr bool IsFinite() const { return lo > -kInfinity && hi < kInfinity; }
  constexpr bool IsUnknown() const { return lo == -kInfinity && hi == kInfinity; }
  constexpr bool IsExactNan() const { return lo != lo || hi != hi; }
  constexpr bool IsExactInfinity() const { return lo == hi && (lo == kInfinity || lo == -kInfinity); }
  // One finite number, known exactly.
  constexpr bool IsPoint() const { return lo == hi && IsSettled() && IsFinite(); }
  // As a stored number is: only its hull counts.
  constexpr bool IsSettled() const { return below == 0 && above == 0; }
  // Whether the device's number may be `x`.
  constexpr bool Contains(double x) const { return IsUnknown() || (Lo() <= x && x <= Hi()); }

  friend Bounded operator+(const Bounded& a, const Bounded& b) { return Add(a, b); }
  friend Bounded operator-(const Bounded& a, const Bounded& b) { return Subtract(a, b); }
  friend Bounded operator*(const Bounded& a, const Bounded& b) { return Multiply(a, b); }
  // Three ulps, since a device may multiply by the reciprocal. Unknown where the divisor may be zero or subnormal.
  friend Bounded operator/(const Bounded& a, const Bounded& b) { return Divide(a, b); }
  // Exact.
  friend Bounded operator-(const Bounded& a) {
    return a.IsFinite() ? Bounded{-a.hi, -a.lo, -a.value, a.above, a.below} : Unknown(-a.value);
  }

  static Bounded Add(const Bounded& a, const Bounded& b);
  static Bounded Subtract(const Bounded& a, const Bounded& b);
  static Bounded Multiply(const Bounded& a, const Bounded& b);
  static Bounded Divide(const Bounded& a, const Bounded& b);
};

// What contains both; `value` is a's. Equal specials stay, anything else that is not finite gives unknown.
template <class F>
Bounded<F> Hull(const Bounded<F>& a, const Bounded<F>& b);

extern template struct Bounded<Fp32>;
extern template struct Bounded<Fp16>;
extern template Bounded<Fp32> Hull(const Bounded<Fp32>&, const Bounded<Fp32>&);
extern template Bounded<Fp16> Hull(const Bounded<Fp16>&, const Bounded<Fp16>&);

}  // namespace assay
