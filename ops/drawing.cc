// Plans for the values of results.
#include "ops/drawing.h"

namespace assay {

Range HullOfSum(const Range& a, const Range& b) { return {a.least + b.least, a.most + b.most, a.sure && b.sure}; }

Range HullOfProduct(const Range& a, const Range& b) {
  const auto [least, most] = std::minmax({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
  return {least, most, a.sure && b.sure};
}

Range LikelySum(const Range& a, const Range& b) {
  const double middle = a.middle() + b.middle(), p = a.half_width(), q = b.half_width();
  const double half = std::sqrt(p * p + q * q);
  return {middle - half, middle + half};
}

Range LikelyWeightedSum(const Range& input) {
  // Weights keep the magnitude, a bias adds at most a quarter of it.
  const double most = 1.25 * input.magnitude();
  return {-most, most};
}

Range Activated(const Range& range, int32_t activation) {
  const auto clamp = [&](double least, double most) {
    return Range{std::clamp(range.least, least, most), std::clamp(range.most, least, most), range.sure};
  };
  switch (activation) {
    case 1:
      return {std::max(range.least, 0.0), std::max(range.most, 0.0), range.sure};
    case 2:
      return clamp(-1, 1);
    case 3:
      return clamp(0, 6);
    default:
      return range;
  }
}

}  // namespace assay
