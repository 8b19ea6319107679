#include "randomgraph/fit.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kLeast = 0x1p-24, kMost = 0x1p24;

// The least number of the grid that is at least `x` > 0, or, if `above`, greater than it.
double Up(double x, bool above) {
  int exponent = 0;
  const double quarters = 8 * std::frexp(x, &exponent);  // in [4, 8)
  const double up = above ? std::floor(quarters) + 1 : std::ceil(quarters);
  return std::ldexp(up, exponent - 3);
}

}  // namespace

float SnapUp(double x) { return static_cast<float>(Up(std::clamp(x, kLeast, kMost), false)); }

Quantization Fit(OperandType type, const Range& range, double above_scale) {
  const TypeInfo& info = InfoOf(type);
  if (!info.has_scale) return {};
  const CodeRange codes = CodesOf(info.storage);
  const double least = std::min(range.least, 0.0), most = std::max(range.most, 0.0);
  const bool symmetric = info.least_zero_point == info.most_zero_point;
  // A range of nothing would ask for a scale of 0.
  const double width = std::max(symmetric ? 2 * std::max(-least, most) : most - least, 0x1p-10);
  float scale = SnapUp(width / static_cast<double>(codes.most - codes.least + 1));
  if (double{scale} <= above_scale) scale = static_cast<float>(Up(above_scale, true));
  if (symmetric) return {scale, info.least_zero_point, nullptr};
  const double zero = std::floor(-least / scale + 0.5) + static_cast<double>(codes.least);
  return {scale, static_cast<int32_t>(std::clamp<double>(zero, info.least_zero_point, info.most_zero_point)), nullptr};
}

}  // namespace assay
