// How a function of the bounded domains is made of its true hull and its error. Internal to numeric/. Knows no
// function.
#pragma once
#include "numeric/bounded.h"
#include "numeric/bounds.h"

namespace assay {

// The C library's functions are within two ulps of double; what is built of a few of them is within a few more.
inline Bounds Guarded(double lo, double hi) { return {lo - std::fabs(lo) * 0x1p-50, hi + std::fabs(hi) * 0x1p-50}; }

// The result with the exact hull and the hull over the device's arguments, and an error that `error` gives for it.
// An error that is not relative to the result may change its sign, so it goes into the outer hull.
template <class F>
Bounded<F> Enclosed(Bounds hull, double value, Bounds outer, const FunctionError& error, double argument = 0) {
  const double rounding = RoundingOf<F>(error, outer, argument);
  const bool keeps_sign = error.absolute == 0 && (error.by_argument == 0 || error.scaled);
  if (keeps_sign) return Bounded<F>::Enclose(hull.lo, hull.hi, value, outer.lo, outer.hi, rounding);
  return Bounded<F>::Enclose(hull.lo, hull.hi, value, outer.lo - rounding, outer.hi + rounding, rounding * kRoom);
}

// f maps an interval to the hull of the function on it.
template <class F, class Function>
Bounded<F> Apply(const Bounded<F>& x, double value, Function f, const FunctionError& error, double argument = 0) {
  if (!x.IsFinite()) return Bounded<F>::Unknown(value);
  const Bounds hull = f(HullOf(x));
  return Enclosed<F>(hull, value, x.IsSettled() ? hull : f(OuterOf(x)), error, argument);
}

}  // namespace assay
