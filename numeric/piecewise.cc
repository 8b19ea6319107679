#include "numeric/piecewise.h"

#include "numeric/enclosing.h"

namespace assay {
namespace {

// The hull of a function that turns at `turn`, where it has the value `extreme`, and nowhere else.
template <class Function>
Bounds TurningOnce(Bounds x, Function f, double turn, double extreme) {
  const double a = f(x.lo), b = f(x.hi);
  Bounds out = Guarded(std::min(a, b), std::max(a, b));
  if (x.lo < turn && turn < x.hi) out = {std::min(out.lo, extreme), std::max(out.hi, extreme)};
  return out;
}

Bounds HardSwishOf(Bounds x) {
  const Bounds out = TurningOnce(
      x, [](double v) { return HardSwish(v); }, -1.5, -0.375);
  return {std::max(out.lo, -0.375), out.hi};
}

// With a negative alpha: 0, then x + alpha * (e^x - 1), which turns at x = -log(-alpha) if that is positive.
Bounds EluOf(Bounds x, double alpha) {
  const auto elu = [alpha](double v) { return Elu(v, alpha); };
  const double turn = alpha < 0 ? std::max(0.0, -std::log(-alpha)) : 0;
  const Bounds out = TurningOnce(x, elu, turn, elu(turn));
  // x and alpha * (e^x - 1) cancel: our own rounding is relative to them, not to their sum.
  const double room = alpha < 0 && x.hi > 0 ? 0x1p-50 * (x.hi - alpha * std::exp(x.hi)) : 0;
  return {out.lo - room, out.hi + room};
}

}  // namespace

template <class F>
Bounded<F> HardSwish(const Bounded<F>& x) {
  return Apply(x, HardSwish(x.value), HardSwishOf, kHardSwishError);
}

template <class F>
Bounded<F> Elu(const Bounded<F>& x, double alpha) {
  const double value = Elu(x.value, alpha);
  if (!x.IsFinite()) return Bounded<F>::Unknown(value);
  const double greatest = std::max(x.Hi(), 0.0);
  if (alpha <= 0 && !(std::exp(greatest) * 1.5 <= F::kMax)) return Bounded<F>::Unknown(value);
  FunctionError error = kEluError;
  // e^x has an error of up to (4 + 1.25 x) * e^x; for a positive alpha it counts only where x is about 0 or less.
  error.absolute *= std::fabs(alpha) * (alpha < 0 ? (1 + greatest) * std::exp(greatest) : 1);
  return Enclosed<F>(EluOf(HullOf(x), alpha), value, EluOf(OuterOf(x), alpha), error);
}

template Bounded<Fp32> HardSwish(const Bounded<Fp32>&);
template Bounded<Fp16> HardSwish(const Bounded<Fp16>&);
template Bounded<Fp32> Elu(const Bounded<Fp32>&, double);
template Bounded<Fp16> Elu(const Bounded<Fp16>&, double);

}  // namespace assay
