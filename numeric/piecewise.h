// Activation functions made of several pieces, for every numeric domain. They are functions of their own, rather than
// compositions in a family's file, because their true hulls depend on where they turn; ulps.h has their errors. Knows
// no operation.
#pragma once
#include "numeric/functions.h"

namespace assay {

// x * clamp(x + 3, 0, 6) / 6. Falls from 0 at -3 to -0.375 at -1.5, and rises from there.
template <Plain T>
T HardSwish(T x) {
  return x * Clamp(x + T(3), 0, 6) / T(6);
}
template <class F>
Bounded<F> HardSwish(const Bounded<F>& x);

// max(0, x) + min(0, alpha * (e^x - 1)), taken literally: with a negative alpha the second term is that of the positive
// x. `alpha` is exact, but a device may hold it rounded to its format.
template <Plain T>
T Elu(T x, double alpha) {
  const T exponent = alpha < 0 ? x : Min(x, 0);  // where the second term is not 0
  return Max(x, 0) + Min(T(0), T(alpha) * std::expm1(exponent));
}
// Unknown where a device's exponential may overflow and alpha is not positive: it then multiplies an infinity.
template <class F>
Bounded<F> Elu(const Bounded<F>& x, double alpha);

}  // namespace assay
