// The functions that a kernel may call, for every numeric domain: double, float, Bounded<Fp32>, Bounded<Fp16>.
// For the plain domains these are the standard library's; for the bounded ones true hulls (largest slope, turning
// points, unknown at a pole or domain edge) with the errors of ulps.h. Knows nothing of tensors or operations.
#pragma once
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "numeric/bounded.h"

namespace assay {

template <class T>
concept Plain = std::is_floating_point_v<T>;

// What a comparison says when a device's numbers are only known within bounds.
enum class Truth { kNo, kYes, kMaybe };
constexpr Truth TruthOf(bool b) { return b ? Truth::kYes : Truth::kNo; }
constexpr Truth Not(Truth a) { return a == Truth::kMaybe ? Truth::kMaybe : TruthOf(a == Truth::kNo); }
constexpr Truth And(Truth a, Truth b) {
  if (a == Truth::kNo || b == Truth::kNo) return Truth::kNo;
  return a == Truth::kYes && b == Truth::kYes ? Truth::kYes : Truth::kMaybe;
}
constexpr Truth Or(Truth a, Truth b) { return Not(And(Not(a), Not(b))); }

// ---- Plain -----------------------------------------------------------------------------------------------------

template <Plain T>
T Exp(T x) {
  return std::exp(x);
}
template <Plain T>
T Log(T x) {
  return std::log(x);
}
template <Plain T>
T Sqrt(T x) {
  return std::sqrt(x);
}
template <Plain T>
T Rsqrt(T x) {
  return T(1) / std::sqrt(x);
}
template <Plain T>
T Sin(T x) {
  return std::sin(x);
}
template <Plain T>
T Tanh(T x) {
  return std::tanh(x);
}
// 1 / (1 + e^-x). The exponential is only taken of negative numbers, so neither tail overflows or cancels.
template <Plain T>
T Logistic(T x) {
  const T e = std::exp(-std::fabs(x));
  return x >= 0 ? T(1) / (T(1) + e) : e / (T(1) + e);
}
template <Plain T>
T Pow(T x, std::type_identity_t<T> y) {
  return std::pow(x, y);
}
template <Plain T>
T Abs(T x) {
  return std::fabs(x);
}
template <Plain T>
T Floor(T x) {
  return std::floor(x);
}
template <Plain T>
T Square(T x) {
  return x * x;
}
template <Plain T>
T Reciprocal(T x) {
  return T(1) / x;
}
// A NaN on either side gives NaN.
template <Plain T>
T Max(T a, std::type_identity_t<T> b) {
  return a < b || b != b ? b : a;
}
template <Plain T>
T Min(T a, std::type_identity_t<T> b) {
  return b < a || b != b ? b : a;
}
// NaN stays NaN. The limits may be infinite.
template <Plain T>
T Clamp(T x, double lo, double hi) {
  return x < T(lo) ? T(lo) : T(hi) < x ? T(hi) : x;
}

template <Plain T>
Truth Greater(T a, std::type_identity_t<T> b) {
  return TruthOf(a > b);
}
template <Plain T>
Truth Less(T a, std::type_identity_t<T> b) {
  return TruthOf(a < b);
}
template <Plain T>
Truth Equal(T a, std::type_identity_t<T> b) {
  return TruthOf(a == b);
}
template <Plain T>
Truth GreaterOrEqual(T a, std::type_identity_t<T> b) {
  return TruthOf(a >= b);
}

template <Plain T>
double Nominal(T x) {
  return double(x);
}
template <Plain T>
double Lo(T x) {
  return double(x);
}
template <Plain T>
double Hi(T x) {
  return double(x);
}
template <Plain T>
bool IsUnknown(T) {
  return false;
}
template <Plain T>
T Inexact(T x, double = 1) {
  return x;
}

// ---- Bounded ---------------------------------------------------------------------------------------------------

template <class F>
Bounded<F> Exp(const Bounded<F>& x);
// Unknown where x may be zero, negative or subnormal; so too Rsqrt, and Pow for its base.
template <class F>
Bounded<F> Log(const Bounded<F>& x);
// Unknown where x may be negative. Zero gives zero.
template <class F>
Bounded<F> Sqrt(const Bounded<F>& x);
template <class F>
Bounded<F> Rsqrt(const Bounded<F>& x);
template <class F>
Bounded<F> Sin(const Bounded<F>& x);
template <class F>
Bounded<F> Tanh(const Bounded<F>& x);
template <class F>
Bounded<F> Logistic(const Bounded<F>& x);
template <class F>
Bounded<F> Pow(const Bounded<F>& x, const std::type_identity_t<Bounded<F>>& y);
template <class F>
Bounded<F> Square(const Bounded<F>& x);
template <class F>
Bounded<F> Reciprocal(const Bounded<F>& x);
// These are exact on a device too: they move the bounds, and round nothing.
template <class F>
Bounded<F> Abs(const Bounded<F>& x);
template <class F>
Bounded<F> Floor(const Bounded<F>& x);
template <class F>
Bounded<F> Max(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b);
template <class F>
Bounded<F> Min(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b);
template <class F>
Bounded<F> Clamp(const Bounded<F>& x, double lo, double hi);

// Three-valued, of the numbers that the device may have (roundings included). Maybe where one is unknown or NaN.
template <class F>
Truth Greater(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  if (a.IsUnknown() || b.IsUnknown()) return Truth::kMaybe;
  if (a.Lo() > b.Hi()) return Truth::kYes;
  return a.Hi() <= b.Lo() ? Truth::kNo : Truth::kMaybe;
}
template <class F>
Truth GreaterOrEqual(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  if (a.IsUnknown() || b.IsUnknown()) return Truth::kMaybe;
  if (a.Lo() >= b.Hi()) return Truth::kYes;
  return a.Hi() < b.Lo() ? Truth::kNo : Truth::kMaybe;
}
template <class F>
Truth Less(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  return Greater<F>(b, a);
}
template <class F>
Truth Equal(const Bounded<F>& a, const std::type_identity_t<Bounded<F>>& b) {
  if (a.IsUnknown() || b.IsUnknown()) return Truth::kMaybe;
  if (a.Hi() < b.Lo() || b.Hi() < a.Lo()) return Truth::kNo;
  return a.Lo() == b.Hi() && b.Lo() == a.Hi() ? Truth::kYes : Truth::kMaybe;
}

template <class F>
double Nominal(const Bounded<F>& x) {
  return x.value;
}
template <class F>
double Lo(const Bounded<F>& x) {
  return x.Lo();
}
template <class F>
double Hi(const Bounded<F>& x) {
  return x.Hi();
}
template <class F>
bool IsUnknown(const Bounded<F>& x) {
  return x.IsUnknown();
}
// x after `ulps` further roundings on the device: for a constant that it holds rounded, or a step that has no
// function of its own.
template <class F>
Bounded<F> Inexact(const Bounded<F>& x, double ulps = 1);

// ---- Both ------------------------------------------------------------------------------------------------------

// a where yes, b where no (both moved, specials kept), the hull of both where maybe; its `value` is then a's.
template <class N>
N Select(Truth which, const N& a, const std::type_identity_t<N>& b) {
  if constexpr (!Plain<N>) {
    if (which == Truth::kMaybe) return Hull(a, b);
  }
  return which == Truth::kYes ? a : b;
}

// A truth as the number that a bool tensor stores: 1, 0, or the hull of both.
template <class N>
N FromTruth(Truth truth) {
  return Select(truth, N(1), N(0));
}
// Whether a stored bool is true: nonzero.
template <class N>
Truth IsTrue(const N& x) {
  return Not(Equal(x, N(0)));
}

}  // namespace assay
