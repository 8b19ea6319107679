// The functions of the bounded domains.
#include "numeric/functions.h"

#include <numbers>

#include "numeric/enclosing.h"

namespace assay {
namespace {

// A function that is exact on a device.
template <class F, class Function>
Bounded<F> Moved(const Bounded<F>& x, double value, Function f) {
  if (!x.IsFinite()) return Bounded<F>::Unknown(value);
  const Bounds hull = f(HullOf(x)), outer = f(OuterOf(x));
  return Bounded<F>::Enclose(hull.lo, hull.hi, value, outer.lo, outer.hi, 0);
}

double SqrtError(double x, double root) { return std::fma(-root, root, x); }

Bounds SqrtOf(Bounds x) {
  const double lo = std::sqrt(x.lo), hi = std::sqrt(x.hi);
  return {LowerBound(lo, SqrtError(x.lo, lo)), UpperBound(hi, SqrtError(x.hi, hi))};
}

// Whether phase + 2 pi k is in x for an integer k; a yes too many beside the ends costs nothing.
bool HitsPhase(Bounds x, double phase) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const double room = (x.Magnitude() + 4) * 0x1p-48;
  const double k = std::ceil((x.lo - room - phase) / kTurn);
  return phase + k * kTurn <= x.hi + room;
}

Bounds SinOf(Bounds x) {
  const double a = std::sin(x.lo), b = std::sin(x.hi);
  Bounds out = Guarded(std::min(a, b), std::max(a, b));
  if (x.lo != x.hi) {
    if (HitsPhase(x, std::numbers::pi / 2)) out.hi = 1;
    if (HitsPhase(x, -std::numbers::pi / 2)) out.lo = -1;
  }
  return {std::max(out.lo, -1.0), std::min(out.hi, 1.0)};
}

Bounds PowOf(Bounds x, Bounds y) {
  const double corners[] = {std::pow(x.lo, y.lo), std::pow(x.lo, y.hi), std::pow(x.hi, y.lo), std::pow(x.hi, y.hi)};
  const auto [lo, hi] = std::minmax_element(std::begin(corners), std::end(corners));
  return Guarded(*lo, *hi);
}

}  // namespace

template <class F>
Bounded<F> Exp(const Bounded<F>& x) {
  const auto exp = [](Bounds i) {
    const Bounds out = Guarded(std::exp(i.lo), std::exp(i.hi));
    return Bounds{out.lo, std::max(out.hi, std::numeric_limits<double>::denorm_min())};
  };
  return Apply(x, std::exp(x.value), exp, kExpError, x.Magnitude());
}

template <class F>
Bounded<F> Log(const Bounded<F>& x) {
  const double value = std::log(x.value);
  if (!(x.Lo() >= F::kTiny)) return Bounded<F>::Unknown(value);
  return Apply(
      x, value, [](Bounds i) { return Guarded(std::log(i.lo), std::log(i.hi)); }, kLogError);
}

template <class F>
Bounded<F> Sqrt(const Bounded<F>& x) {
  const double value = std::sqrt(x.value);
  if (!x.IsFinite() || !(x.Lo() >= 0)) return Bounded<F>::Unknown(value);
  const Bounds hull = SqrtOf(HullOf(x));
  Bounds outer = SqrtOf(OuterOf(x));
  if (x.Lo() < F::kTiny) outer.lo = 0;  // a subnormal argument may be flushed, and the root is steep there
  return Enclosed<F>(hull, value, outer, kSqrtError);
}

template <class F>
Bounded<F> Rsqrt(const Bounded<F>& x) {
  const double value = 1 / std::sqrt(x.value);
  if (!(x.Lo() >= F::kTiny)) return Bounded<F>::Unknown(value);
  return Apply(
      x, value, [](Bounds i) { return Guarded(1 / std::sqrt(i.hi), 1 / std::sqrt(i.lo)); }, kRsqrtError);
}

template <class F>
Bounded<F> Sin(const Bounded<F>& x) {
  return Apply(x, std::sin(x.value), SinOf, kSinError, x.Magnitude());
}

template <class F>
Bounded<F> Tanh(const Bounded<F>& x) {
  return Apply(
      x, std::tanh(x.value), [](Bounds i) { return Guarded(std::tanh(i.lo), std::tanh(i.hi)); }, kTanhError);
}

template <class F>
Bounded<F> Logistic(const Bounded<F>& x) {
  return Apply(
      x, Logistic(x.value), [](Bounds i) { return Guarded(Logistic(i.lo), Logistic(i.hi)); }, kLogisticError);
}

template <class F>
Bounded<F> Pow(const Bounded<F>& x, const std::type_identity_t<Bounded<F>>& y) {
  const double value = std::pow(x.value, y.value);
  if (!x.IsFinite() || !y.IsFinite() || !(x.Lo() >= F::kTiny)) return Bounded<F>::Unknown(value);
  const double argument = y.Magnitude() * std::max(std::fabs(std::log(x.Lo())), std::fabs(std::log(x.Hi())));
  return Enclosed<F>(PowOf(HullOf(x), HullOf(y)), value, PowOf(OuterOf(x), OuterOf(y)), kPowError, argument);
}

template <class F>
Bounded<F> Square(const Bounded<F>& x) {
  return Apply(x, x.value * x.value, SquareOf, kAddError);
}

template <class F>
Bounded<F> Reciprocal(const Bounded<F>& x) {
  return Bounded<F>(1) / x;
}

template <class F>
Bounded<F> Abs(const Bounded<F>& x) {
  return Moved(x, std::fabs(x.value), AbsOf);
}

template <class F>
Bounded<F> Floor(const Bounded<F>& x) {
  return Moved(x, std::floor(x.value), [](Bounds i) { return Bounds{std::floor(i.lo), std::floor(i.hi)}; });
}

template <class F>
Bounded<F> Max(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  const double value = Max(a.value, b.value);
  if (!a.IsFinite() || !b.IsFinite()) return Bounded<F>::Unknown(value);
  return Bounded<F>::Enclose(std::max(a.lo, b.lo), std::max(a.hi, b.hi), value, std::max(a.Lo(), b.Lo()),
                             std::max(a.Hi(), b.Hi()), 0);
}

template <class F>
Bounded<F> Min(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  return -Max<F>(-a, -b);
}

template <class F>
Bounded<F> Clamp(const Bounded<F>& x, double lo, double hi) {
  return Moved(x, Clamp(x.value, lo, hi), [lo, hi](Bounds i) {
    return Bounds{Clamp(i.lo, lo, hi), Clamp(i.hi, lo, hi)};
  });
}

template <class F>
Bounded<F> Inexact(const Bounded<F>& x, double ulps) {
  FunctionError error = kAddError;
  error.relative = ulps;
  return Apply(
      x, x.value, [](Bounds i) { return i; }, error);
}

template Bounded<Fp32> Exp(const Bounded<Fp32>&);
template Bounded<Fp32> Log(const Bounded<Fp32>&);
template Bounded<Fp32> Sqrt(const Bounded<Fp32>&);
template Bounded<Fp32> Rsqrt(const Bounded<Fp32>&);
template Bounded<Fp32> Sin(const Bounded<Fp32>&);
template Bounded<Fp32> Tanh(const Bounded<Fp32>&);
template Bounded<Fp32> Logistic(const Bounded<Fp32>&);
template Bounded<Fp32> Pow(const Bounded<Fp32>&, const Bounded<Fp32>&);
template Bounded<Fp32> Square(const Bounded<Fp32>&);
template Bounded<Fp32> Reciprocal(const Bounded<Fp32>&);
template Bounded<Fp32> Abs(const Bounded<Fp32>&);
template Bounded<Fp32> Floor(const Bounded<Fp32>&);
template Bounded<Fp32> Max(const Bounded<Fp32>&, const Bounded<Fp32>&);
template Bounded<Fp32> Min(const Bounded<Fp32>&, const Bounded<Fp32>&);
template Bounded<Fp32> Clamp(const Bounded<Fp32>&, double, double);
template Bounded<Fp32> Inexact(const Bounded<Fp32>&, double);

template Bounded<Fp16> Exp(const Bounded<Fp16>&);
template Bounded<Fp16> Log(const Bounded<Fp16>&);
template Bounded<Fp16> Sqrt(const Bounded<Fp16>&);
template Bounded<Fp16> Rsqrt(const Bounded<Fp16>&);
template Bounded<Fp16> Sin(const Bounded<Fp16>&);
template Bounded<Fp16> Tanh(const Bounded<Fp16>&);
template Bounded<Fp16> Logistic(const Bounded<Fp16>&);
template Bounded<Fp16> Pow(const Bounded<Fp16>&, const Bounded<Fp16>&);
template Bounded<Fp16> Square(const Bounded<Fp16>&);
template Bounded<Fp16> Reciprocal(const Bounded<Fp16>&);
template Bounded<Fp16> Abs(const Bounded<Fp16>&);
template Bounded<Fp16> Floor(const Bounded<Fp16>&);
template Bounded<Fp16> Max(const Bounded<Fp16>&, const Bounded<Fp16>&);
template Bounded<Fp16> Min(const Bounded<Fp16>&, const Bounded<Fp16>&);
template Bounded<Fp16> Clamp(const Bounded<Fp16>&, double, double);
template Bounded<Fp16> Inexact(const Bounded<Fp16>&, double);

}  // namespace assay
