#include "ops/resize_parts.h"

#include <cmath>

namespace assay {
namespace {

// Resized by a scale: computed in float32, as devices do.
Extent Scaled(Extent size, double scale) {
  if (!size.known) return {};
  const float scaled = std::floor(static_cast<float>(size.value) * static_cast<float>(scale));
  return static_cast<int64_t>(std::min(static_cast<double>(scaled), 0x1p40));
}

// A scale that leads to `to` elements, and not to another number because of a rounding.
double ScaleTo(Choices& choices, uint64_t from, int32_t to) {
  const double room = 0.25 * (1 + static_cast<double>(choices.Below(3)));
  return (to + room) / static_cast<double>(from);
}

}  // namespace

Extent ResizeParts::OutHeight() const {
  return by_scale ? Scaled(ExtentsOf(input, nchw).height, height_scale) : Extent(out_height);
}
Extent ResizeParts::OutWidth() const {
  return by_scale ? Scaled(ExtentsOf(input, nchw).width, width_scale) : Extent(out_width);
}

void ResizeParts::CheckExecution(Checker& check) const {
  check.Rank(kRank, input, "input", 4, 4);
  const ImageExtents image = ExtentsOf(input, nchw);
  check.AtLeast(kEmpty, "height", image.height, 1);
  check.AtLeast(kEmpty, "width", image.width, 1);
  check.AtLeast(kEmpty, "depth", image.depth, 1);
  check.That(!(spread.align_corners && spread.half_pixel_centers), kSpread, "both are true");
  if (!by_scale || !check.clean()) return;
  check.InRange(kSize, "height of the output", OutHeight(), 1, int64_t{kUnknownDim} - 1);
  check.InRange(kSize, "width of the output", OutWidth(), 1, int64_t{kUnknownDim} - 1);
}

std::vector<Result> ResizeParts::Infer() const {
  const ImageExtents image = ExtentsOf(input, nchw);
  return {{ToShape({image.batches, OutHeight(), OutWidth(), image.depth}, nchw), input.quantization()}};
}

void ResizeParts::Draw(Drawing& d) {
  if (d.level() < 3) by_scale = has_layout = false;
  if (!has_layout) nchw = has_spread = false;
  if (d.level() < 4) has_spread = false;
  if (!has_spread) spread = {}, has_centers = false;
  if (!has_centers || spread.align_corners) spread.half_pixel_centers = false;
  d.Tensor(input, {.least_rank = 4, .most_rank = 4});
  const ImageSize image = SizeOf(input.dims(), nchw);
  const size_t most = std::max<size_t>(1, d.most_elements() / (image.batches * image.depth));
  const auto size_within = [&](size_t limit) {
    return static_cast<int32_t>(d.choices().Between(1, static_cast<int64_t>(std::min<size_t>(limit, d.most_dim()))));
  };
  out_height = size_within(most);
  out_width = size_within(std::max<size_t>(1, most / static_cast<size_t>(out_height)));
  if (by_scale) {
    height_scale = ScaleTo(d.choices(), image.height, out_height);
    width_scale = ScaleTo(d.choices(), image.width, out_width);
  }
  d.OutputLike(output, input);
}

}  // namespace assay
