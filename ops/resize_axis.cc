#include "ops/resize_axis.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

// Roundings that a device may make between the sizes and a position: the scale, its product, the shift by half a pixel.
constexpr double kRoundings = 4 * 0x1p-23;

}  // namespace

ResizedAxis::ResizedAxis(size_t in_size, size_t out_size, const Spread& spread) : in_size_(in_size), spread_(spread) {
  const bool corners = spread.align_corners && out_size > 1;
  const size_t from = corners ? in_size - 1 : in_size, to = corners ? out_size - 1 : out_size;
  scale_ = static_cast<double>(from) / static_cast<double>(to);
  float_scale_ = static_cast<float>(from) / static_cast<float>(to);
}

ResizedAxis::Position ResizedAxis::Blended(size_t o) const {
  const double shift = spread_.half_pixel_centers ? 0.5 : 0;
  const double position = (static_cast<double>(o) + shift) * scale_ - shift;
  const double slack = kRoundings * (static_cast<double>(o) + 1) * scale_;
  const auto inside = [&](double x) { return std::clamp(x, 0.0, static_cast<double>(in_size_ - 1)); };
  return {inside(position), inside(position - slack), inside(position + slack)};
}

Blend ResizedAxis::BlendAt(const Position& p, size_t cell) const {
  const auto part = [&](double x) { return std::clamp(x - static_cast<double>(cell), 0.0, 1.0); };
  return {cell, std::min(cell + 1, in_size_ - 1), part(p.nominal), part(p.least), part(p.most)};
}

Nearest ResizedAxis::NearestTo(size_t o) const {
  const float at = spread_.half_pixel_centers ? static_cast<float>(o) + 0.5f : static_cast<float>(o);
  const auto position = static_cast<double>(at * float_scale_);
  const double slack = static_cast<double>(float_scale_) == scale_ ? 0 : kRoundings * position;
  const auto element = [&](double x) {
    const double whole = spread_.align_corners ? std::round(x) : std::floor(x);
    return static_cast<size_t>(std::clamp(whole, 0.0, static_cast<double>(in_size_ - 1)));
  };
  return {element(position), element(position - slack), element(position + slack)};
}

}  // namespace assay
