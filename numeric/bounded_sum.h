// One running sum of a bounded domain, and how it ends. Internal to numeric/: sums.h says what it means.
#pragma once
#include "numeric/bounds.h"
#include "numeric/sums.h"

namespace assay {

// Of n terms: their sums of bounds and of nominal values, and what is needed to bound a device's sum in any order.
// Plain doubles, so that a running sum can be kept for many channels at once.
struct Totals {
  double lo = 0, hi = 0, value = 0;
  double size = 0;                          // sum of the greatest magnitudes that the device's terms may have
  double below = 0, above = 0;              // sums of how far the device's terms may be outside of [lo, hi]
  double lost = 0;                          // how far our own roundings may have moved lo and hi
  bool positive = false, negative = false;  // whether a term may be so on the device
  bool unknown = false;

  // A term with the exact hull `hull` and the device's hull `outer`.
  void Add(Bounds hull, Bounds outer, double nominal) {
    const double l = lo + hull.lo, h = hi + hull.hi;
    lost += std::fabs(SumError(lo, hull.lo, l)) + std::fabs(SumError(hi, hull.hi, h));
    lo = l;
    hi = h;
    value += nominal;
    size += outer.Magnitude();
    below += std::max(hull.lo - outer.lo, 0.0);
    above += std::max(outer.hi - hull.hi, 0.0);
    positive |= outer.hi > 0;
    negative |= outer.lo < 0;
  }
  template <class F>
  void Add(const Bounded<F>& term) {
    if (!term.IsFinite())
      unknown = true;
    else
      Add(HullOf(term), OuterOf(term), term.value);
  }
  template <class F>
  void AddSquare(const Bounded<F>& a) {
    if (!a.IsFinite()) {
      unknown = true;
      return;
    }
    const Bounds hull = SquareOf(HullOf(a));
    Add(hull, a.IsSettled() ? hull : SquareOf(OuterOf(a)), a.value * a.value);
  }
};

// A running sum of products. Cheaper than Totals: our own roundings are bounded afterwards, by the sum of magnitudes,
// and a factor that is not finite is noticed by what it makes of that sum (an infinity, or times zero a NaN).
template <class F>
struct ProductSum {
  double lo = 0, hi = 0, value = 0, size = 0, below = 0, above = 0;

  void Add(const Bounded<F>& a, const Bounded<F>& b) {
    size += a.Magnitude() * b.Magnitude();
    if (!a.IsSettled() || !b.IsSettled()) Carry(a, b);
    const double p = a.lo * b.lo;
    if (a.lo == a.hi && b.lo == b.hi) {
      lo += p;
      hi += p;
      value += p;
      return;
    }
    const double q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
    const double least1 = p < q ? p : q, most1 = p < q ? q : p;
    const double least2 = r < s ? r : s, most2 = r < s ? s : r;
    lo += least1 < least2 ? least1 : least2;
    hi += most1 > most2 ? most1 : most2;
    value += a.value * b.value;
  }
  // A zero times b.
  void AddZero(const Bounded<F>& b) { size += 0 * b.Magnitude(); }

  // Of `count` products, for Finish.
  Totals ToTotals(size_t count) const {
    Totals t;
    t.lo = lo;
    t.hi = hi;
    t.value = value;
    t.size = size;
    t.below = below;
    t.above = above;
    t.lost = size * (static_cast<double>(count) + 4) * 0x1p-52;
    t.positive = t.negative = size > 0;  // not known
    t.unknown = !(size < Bounded<F>::kInfinity);
    return t;
  }

 private:
  void Carry(const Bounded<F>& a, const Bounded<F>& b) {
    if (!a.IsFinite() || !b.IsFinite()) return;
    const Bounds hull = Times(HullOf(a), HullOf(b)), outer = Times(OuterOf(a), OuterOf(b));
    below += std::max(hull.lo - outer.lo, 0.0);
    above += std::max(outer.hi - hull.hi, 0.0);
  }
};

// The sum of `count` terms, divided by `divisor` > 0.
template <class F>
Bounded<F> Finish(const Totals& t, size_t count, double divisor = 1) {
  const double value = t.value / divisor;
  if (t.unknown) return Bounded<F>::Unknown(value);
  if (t.size == 0) return Bounded<F>(0);
  const auto n = static_cast<double>(count);
  const double rounding = Gamma<F>(n + 3) * t.size + n * F::kTiny;
  if (!(t.size + rounding <= F::kMax)) return Bounded<F>::Unknown(value);
  // `lost` is itself a sum of rounded numbers.
  const double lost = t.lost * (1 + n * 0x1p-50);
  Bounds hull{t.lo - lost, t.hi + lost};
  if (lost > 0) hull = {Below(hull.lo), Above(hull.hi)};
  // Terms of one sign: so are the sum and every rounding of it.
  if (!t.negative) hull.lo = std::max(hull.lo, 0.0);
  if (!t.positive) hull.hi = std::min(hull.hi, 0.0);
  // Roundings of a sum of both signs may change its sign, so they go into the outer hull.
  const bool mixed = t.negative && t.positive;
  const double room = 1 + n * 0x1p-50, rounded = mixed ? rounding : 0;
  Bounds outer{hull.lo - (t.below * room + rounded), hull.hi + (t.above * room + rounded)};
  if (!t.negative) outer.lo = std::max(outer.lo, 0.0);
  if (!t.positive) outer.hi = std::min(outer.hi, 0.0);
  if (divisor != 1) hull = Over(hull, {divisor, divisor}), outer = Over(outer, {divisor, divisor});
  const double last = divisor != 1 ? F::kTiny : 0;
  return Bounded<F>::Enclose(hull.lo, hull.hi, value, outer.lo, outer.hi,
                             last + rounding / divisor * (mixed ? kRoom : 1));
}

}  // namespace assay
