#include "ops/window.h"

#include <algorithm>

namespace assay {

ImageExtents ExtentsOf(const In& image, bool nchw) {
  return nchw ? ImageExtents{image.dim(0), image.dim(2), image.dim(3), image.dim(1)}
              : ImageExtents{image.dim(0), image.dim(1), image.dim(2), image.dim(3)};
}

Shape ToShape(const ImageExtents& e, bool nchw) {
  return nchw ? ToShape(Extents{e.batches, e.depth, e.height, e.width})
              : ToShape(Extents{e.batches, e.height, e.width, e.depth});
}

ImageSize SizeOf(const Dims& d, bool nchw) {
  return nchw ? ImageSize{d[0], d[2], d[3], d[1]} : ImageSize{d[0], d[1], d[2], d[3]};
}

Extent WindowAxis::OutSize(Extent in, Extent filter) const {
  return (in - Span(filter) + Extent(head) + Extent(tail)) / Extent(stride) + Extent(1);
}

namespace {

// SAME: as many outputs as strides begin in the image; the odd element of padding goes to the tail.
void PadSame(WindowAxis& axis, Extent in, Extent filter) {
  if (!in.known || !filter.known) return;
  const Extent out = (in + Extent(axis.stride) - Extent(1)) / Extent(axis.stride);
  const Extent total = (out - Extent(1)) * Extent(axis.stride) + axis.Span(filter) - in;
  const int64_t padding = std::clamp<int64_t>(total.value, 0, INT32_MAX);
  axis.head = static_cast<int32_t>(padding / 2);
  axis.tail = static_cast<int32_t>(padding - axis.head);
}

void CheckAxis(Checker& check, const WindowAxis& axis, absl::string_view name, Extent in, Extent filter) {
  const Extent span = axis.Span(filter);
  if (span.known) {
    // That they are not negative is the range of the scalars, which the walk checks.
    check.That(axis.head < span.value, Windows::kPad, name, " padding before is ", axis.head, ", the window spans ",
               span.value);
    check.That(axis.tail < span.value, Windows::kPad, name, " padding after is ", axis.tail, ", the window spans ",
               span.value);
  }
  check.AtLeast(Windows::kSize, absl::StrCat(name, " of the output"), axis.OutSize(in, filter), 1);
}

uint32_t DrawFilterAxis(Choices& choices, WindowAxis& axis, size_t in, bool explicit_padding, size_t most_taps) {
  const auto likely = static_cast<int64_t>(std::clamp<size_t>(most_taps, 1, 5));
  const auto size = static_cast<int64_t>(in);
  if (!explicit_padding) {
    axis.dilation = static_cast<int32_t>(std::min<int64_t>(axis.dilation, std::max<int64_t>(1, size - 1)));
    const int64_t most = std::clamp<int64_t>((size - 1) / axis.dilation + 1, 1, likely);
    return static_cast<uint32_t>(choices.Between(1, most));
  }
  // A window may be larger than the image by what is padded, and a pad is smaller than the window.
  const int64_t most = std::clamp<int64_t>((size - 1) / axis.dilation + 2, 1, likely);
  const int64_t filter = choices.Between(1, most);
  const int64_t span = (filter - 1) * axis.dilation + 1;
  axis.head = static_cast<int32_t>(std::min<int64_t>(axis.head, span - 1));
  axis.tail =
      static_cast<int32_t>(std::clamp<int64_t>(axis.tail, std::max<int64_t>(0, span - size - axis.head), span - 1));
  return static_cast<uint32_t>(filter);
}

}  // namespace

Windows Windows::Resolved(Extent height, Extent width, Extent filter_height, Extent filter_width) const {
  Windows out = *this;
  if (explicit_padding) return out;
  out.y.head = out.y.tail = out.x.head = out.x.tail = 0;
  if (padding_scheme != 1) return out;
  PadSame(out.y, height, filter_height);
  PadSame(out.x, width, filter_width);
  return out;
}

void Windows::Check(Checker& check, const ImageExtents& image, Extent filter_height, Extent filter_width) const {
  const auto positive = [](const WindowAxis& a) { return a.stride > 0 && a.dilation > 0; };
  if (!positive(y) || !positive(x)) return;  // the ranges of the scalars were reported by the walk
  const Windows r = Resolved(image.height, image.width, filter_height, filter_width);
  CheckAxis(check, r.y, "height", image.height, filter_height);
  CheckAxis(check, r.x, "width", image.width, filter_width);
}

Windows::FilterSize Windows::DrawFilter(Choices& choices, const ImageSize& image, size_t most_taps) {
  const uint32_t height = DrawFilterAxis(choices, y, image.height, explicit_padding, most_taps);
  return {height, DrawFilterAxis(choices, x, image.width, explicit_padding, most_taps / height)};
}

TapRange TapsInside(const WindowAxis& axis, size_t out, size_t filter, size_t size) {
  const int64_t start = TapIndex(axis, out, 0), end = static_cast<int64_t>(size);
  const auto first_at = [&](int64_t index) {  // the first tap at or after an index of the image
    return static_cast<size_t>(std::max<int64_t>(0, (index - start + axis.dilation - 1) / axis.dilation));
  };
  return {first_at(0), start >= end ? 0 : std::min(filter, first_at(end))};
}

}  // namespace assay
