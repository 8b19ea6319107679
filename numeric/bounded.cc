#include "numeric/bounded.h"

#include <algorithm>

#include "numeric/bounds.h"

namespace assay {
namespace {

template <class F>
Bounded<F> Rounded(Bounds hull, double value, Bounds outer, const FunctionError& error, double more = 0) {
  return Bounded<F>::Enclose(hull.lo, hull.hi, value, outer.lo, outer.hi, RoundingOf<F>(error, outer) + more);
}

}  // namespace

template <class F>
Bounded<F> Bounded<F>::Enclose(double lo, double hi, double value, double outer_lo, double outer_hi, double rounding) {
  if (!(lo <= hi && outer_lo <= outer_hi)) return Unknown(value);  // a NaN fails
  if (lo >= 0 && outer_lo < 0) lo = -std::numeric_limits<double>::denorm_min();
  if (hi <= 0 && outer_hi > 0) hi = std::numeric_limits<double>::denorm_min();
  rounding *= 1 + kRoom;
  const double below = std::max(lo - outer_lo, 0.0) + rounding, above = std::max(outer_hi - hi, 0.0) + rounding;
  if (!(lo - below >= -F::kMax && hi + above <= F::kMax)) return Unknown(value);
  return {lo, hi, value, below, above};
}

template <class F>
Bounded<F> Bounded<F>::Add(const Bounded& a, const Bounded& b) {
  const double value = a.value + b.value;
  if (!a.IsFinite() || !b.IsFinite()) return Unknown(value);
  const Bounds hull = Plus(HullOf(a), HullOf(b));
  const Bounds outer = a.IsSettled() && b.IsSettled() ? hull : Plus(OuterOf(a), OuterOf(b));
  return Rounded<F>(hull, value, outer, kAddError);
}

template <class F>
Bounded<F> Bounded<F>::Subtract(const Bounded& a, const Bounded& b) {
  const double value = a.value - b.value;
  if (!a.IsFinite() || !b.IsFinite()) return Unknown(value);
  const Bounds hull = Minus(HullOf(a), HullOf(b));
  const Bounds outer = a.IsSettled() && b.IsSettled() ? hull : Minus(OuterOf(a), OuterOf(b));
  return Rounded<F>(hull, value, outer, kAddError);
}

template <class F>
Bounded<F> Bounded<F>::Multiply(const Bounded& a, const Bounded& b) {
  const double value = a.value * b.value;
  if (!a.IsFinite() || !b.IsFinite()) return Unknown(value);
  const Bounds hull = Times(HullOf(a), HullOf(b));
  const Bounds outer = a.IsSettled() && b.IsSettled() ? hull : Times(OuterOf(a), OuterOf(b));
  return Rounded<F>(hull, value, outer, kAddError);
}

template <class F>
Bounded<F> Bounded<F>::Divide(const Bounded& a, const Bounded& b) {
  const double value = a.value / b.value;
  if (!a.IsFinite() || !b.IsFinite()) return Unknown(value);
  // A subnormal divisor may be flushed to zero.
  if (b.Lo() < F::kTiny && b.Hi() > -F::kTiny) return Unknown(value);
  const Bounds hull = Over(HullOf(a), HullOf(b));
  const Bounds outer = a.IsSettled() && b.IsSettled() ? hull : Over(OuterOf(a), OuterOf(b));
  // The reciprocal of a huge divisor is subnormal and may be flushed.
  const double lost = b.Magnitude() * F::kTiny > 1 ? a.Magnitude() * F::kTiny : 0;
  return Rounded<F>(hull, value, outer, kDivideError, lost);
}

template <class F>
Bounded<F> Hull(const Bounded<F>& a, const Bounded<F>& b) {
  if (a.IsExactNan() && b.IsExactNan()) return a;
  if (a.IsExactInfinity() && b.IsExactInfinity() && a.lo == b.lo) return a;
  if (!a.IsFinite() || !b.IsFinite()) return Bounded<F>::Unknown(a.value);
  return Bounded<F>::Enclose(std::min(a.lo, b.lo), std::max(a.hi, b.hi), a.value, std::min(a.Lo(), b.Lo()),
                             std::max(a.Hi(), b.Hi()), 0);
}

template struct Bounded<Fp32>;
template struct Bounded<Fp16>;
template Bounded<Fp32> Hull(const Bounded<Fp32>&, const Bounded<Fp32>&);
template Bounded<Fp16> Hull(const Bounded<Fp16>&, const Bounded<Fp16>&);

}  // namespace assay
