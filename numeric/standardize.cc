#include "numeric/standardize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numeric/bounds.h"
#include "numeric/functions.h"
#include "numeric/sums.h"
#include "numeric/variance_bounds.h"

namespace assay {
namespace {

template <Plain N>
void StandardizePlain(N* first, size_t count, ptrdiff_t stride, Epsilon epsilon) {
  const N mean = Mean(first, count, stride);
  const auto at = [&](size_t i) -> N& { return first[static_cast<ptrdiff_t>(i) * stride]; };
  for (size_t i = 0; i < count; ++i) at(i) = at(i) - mean;
  const N variance = SumOfSquares(first, count, stride) / static_cast<N>(count);
  const N scale = Rsqrt(variance + static_cast<N>(epsilon.most));
  for (size_t i = 0; i < count; ++i) at(i) = at(i) * scale;
}

// The hull of the exact results over a box of inputs. With D the distance of an element from the mean of the n - 1
// others, and s their sum of squares about their mean,
//   variance = s/n + (n-1)/n^2 D^2,   result = (n-1)/n D / sqrt(variance + epsilon),
// which grows with D, and whose size shrinks with s. D and s are bounded each by itself.
class Box {
 public:
  Box(std::vector<Bounds> elements, Epsilon epsilon)
      : epsilon_(epsilon), elements_(std::move(elements)), room_(Center()), variance_(elements_) {
    for (const Bounds& x : elements_) sum_ = {sum_.lo + x.lo, sum_.hi + x.hi};
  }

  // Of variance + epsilon.
  Bounds Radicand() const {
    const Bounds s = variance_.SumOfSquares();
    return {s.lo / n() + epsilon_.least, s.hi / n() + epsilon_.most};
  }

  Bounds Result(size_t i) const {
    if (elements_.size() == 1) return {0, 0};
    const Bounds x = elements_[i], s = variance_.SumOfSquares(i);
    const double m = n() - 1;
    const Bounds a{s.lo / n() + epsilon_.least, s.hi / n() + epsilon_.most};
    const Bounds distance{x.lo - (sum_.hi - x.hi) / m - room_, x.hi - (sum_.lo - x.lo) / m + room_};
    // Far out the variance is large at most; near the mean, small at most.
    const double lo = At(distance.lo, distance.lo < 0 ? a.lo : a.hi),
                 hi = At(distance.hi, distance.hi > 0 ? a.lo : a.hi);
    const double slack = 0x1p-46;
    return {lo - std::fabs(lo) * slack, hi + std::fabs(hi) * slack};
  }

 private:
  double n() const { return static_cast<double>(elements_.size()); }
  // Moves all elements so that their mean is near 0. Returns more than all that our doubles may lose in sums of them.
  double Center() {
    double size = 0, middle = 0;
    for (const Bounds& x : elements_) {
      size = std::max(size, x.Magnitude());
      middle += (x.lo / 2 + x.hi / 2) / n();
    }
    const double room = n() * size * 0x1p-50;
    for (Bounds& x : elements_) x = {x.lo - middle - room, x.hi - middle + room};
    return room;
  }
  double At(double distance, double a) const {
    if (distance == 0) return 0;
    const double m = n() - 1, part = m / n() * distance;
    // Divided through by the distance, so that nothing overflows or vanishes: a may be 0.
    const double ratio = a / part / part;
    return std::copysign(1 / std::sqrt(ratio + 1 / m), distance);
  }

  Epsilon epsilon_;
  std::vector<Bounds> elements_;
  double room_;
  VarianceBounds variance_;
  Bounds sum_{0, 0};
};

// How far a device's results may be from the exact ones of its own inputs.
struct Deviation {
  bool known = false;
  double relative = 0, absolute = 0;  // |error| <= relative * |result| + absolute
};

// e: the error of the mean. A difference is x - mean - e, rounded: u of itself, or flushed. The constant e moves the
// mean of squares by e^2 alone, since exact differences sum up to 0.
template <class F>
Deviation DeviationOf(double n, double sum_of_sizes, Bounds radicand) {
  constexpr double u = F::kUlp, tiny = F::kTiny;
  const double gamma = Gamma<F>(n + 3);
  const double e = gamma * sum_of_sizes / n + 2 * tiny;
  const double relative = (1 + u) * (1 + u) * (1 + u) * (1 + gamma) - 1;
  const double largest_sum = std::max(sum_of_sizes, n * (radicand.hi + e * e));
  // Written so that a NaN fails.
  if (!(largest_sum * (1 + relative) + 1 <= F::kMax && radicand.lo >= tiny)) return {};
  const double flushed = 2 * (1 + u) * tiny * std::sqrt(radicand.lo + e * e) + tiny * tiny + 3 * tiny;
  const double rho = relative + (e * e + flushed) * (1 + relative) / radicand.lo;
  if (!(rho < 1)) return {};
  // The reciprocal root and its factors: at most 11 roundings (four ulps of the root, three of a division, and so on).
  const double k = std::pow(1 + u, 11) / std::sqrt(1 - rho);
  const double absolute = (e + tiny) / std::sqrt(radicand.lo) * k + 2 * tiny;
  return {true, k - 1, absolute};
}

template <class F>
void StandardizeBounded(Bounded<F>* first, size_t count, ptrdiff_t stride, Epsilon epsilon) {
  const auto at = [&](size_t i) -> Bounded<F>& { return first[static_cast<ptrdiff_t>(i) * stride]; };
  std::vector<double> values(count);
  std::vector<Bounds> hulls(count), outers(count);
  bool known = true;
  double sum_of_sizes = 0;
  for (size_t i = 0; i < count; ++i) {
    values[i] = at(i).value;
    known &= at(i).IsFinite();
    hulls[i] = HullOf(at(i)), outers[i] = OuterOf(at(i));
    sum_of_sizes += outers[i].Magnitude();
  }
  StandardizePlain(values.data(), count, 1, epsilon);
  Deviation deviation;
  if (known) {
    const Box hull(std::move(hulls), epsilon), outer(std::move(outers), epsilon);
    deviation = DeviationOf<F>(static_cast<double>(count), sum_of_sizes, outer.Radicand());
    for (size_t i = 0; deviation.known && i < count; ++i) {
      const Bounds exact = hull.Result(i), device = outer.Result(i);
      const double error = (deviation.relative * device.Magnitude() + deviation.absolute) * (1 + 0x1p-20);
      at(i) = Bounded<F>::Enclose(exact.lo, exact.hi, std::clamp(values[i], exact.lo, exact.hi), device.lo - error,
                                  device.hi + error, 0);
    }
  }
  for (size_t i = 0; !deviation.known && i < count; ++i) at(i) = Bounded<F>::Unknown(values[i]);
}

}  // namespace

template <class N>
void Standardize(N* first, size_t count, ptrdiff_t stride, Epsilon epsilon) {
  if (count == 0) return;
  if constexpr (Plain<N>)
    StandardizePlain(first, count, stride, epsilon);
  else
    StandardizeBounded(first, count, stride, epsilon);
}

template void Standardize(double*, size_t, ptrdiff_t, Epsilon);
template void Standardize(float*, size_t, ptrdiff_t, Epsilon);
template void Standardize(Bounded<Fp32>*, size_t, ptrdiff_t, Epsilon);
template void Standardize(Bounded<Fp16>*, size_t, ptrdiff_t, Epsilon);

}  // namespace assay
