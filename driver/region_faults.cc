// Planted faults of operations that sample images: resizing, and regions of interest.
#include <algorithm>
#include <cmath>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;

bool FlagOf(const TensorRef& scalar) { return scalar.bytes[0] != 0; }

// Sets flag `index` of a call to false, if it is given.
Change Unset(size_t index) {
  return [index](OperationCode, CallRewrite& call) {
    if (index >= call.inputs.size() || call.inputs[index].value.empty() || call.inputs[index].value[0] == 0)
      return false;
    call.SetValue(index, Bytes{0});
    return true;
  };
}

// Where the elements of an image are.
struct Layout {
  size_t batches, height, width, depth;
  bool nchw;

  Layout(const Dims& d, bool channels_first)
      : batches(d[0]),
        height(d[channels_first ? 2 : 1]),
        width(d[channels_first ? 3 : 2]),
        depth(d[channels_first ? 1 : 3]),
        nchw(channels_first) {}
  size_t At(size_t b, size_t y, size_t x, size_t c) const {
    return nchw ? ((b * depth + c) * height + y) * width + x : ((b * height + y) * width + x) * depth + c;
  }
};

// out[b, y, x, c] = value(image, b, y, x, c)
template <class Value>
void Rewrite(const TensorRef& in, const TensorRef& out, bool nchw, Value value) {
  const Layout from(*in.dims, nchw), to(*out.dims, nchw);
  const std::vector<double> image = Values(in);
  std::vector<double> answer(Count(*out.dims));
  for (size_t b = 0; b < to.batches; ++b)
    for (size_t y = 0; y < to.height; ++y)
      for (size_t x = 0; x < to.width; ++x)
        for (size_t c = 0; c < to.depth; ++c) {
          const auto [row, column] = value(from, to, y, x);
          answer[to.At(b, y, x, c)] =
              image[from.At(b, std::min(row, from.height - 1), std::min(column, from.width - 1), c)];
        }
  SetValues(out, answer);
}

std::pair<size_t, size_t> Floor(double y, double x) { return {static_cast<size_t>(y), static_cast<size_t>(x)}; }
double Ratio(size_t a, size_t b) { return static_cast<double>(a) / static_cast<double>(b); }

bool IsPlain(std::span<const TensorRef> in) {
  for (size_t i = 4; i < in.size(); ++i)
    if (FlagOf(in[i])) return false;
  return true;
}
bool IsNchw(std::span<const TensorRef> in) { return in.size() > 3 && FlagOf(in[3]); }

void HeightScaleForBoth(const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
  if (!IsPlain(in)) return;
  Rewrite(in[0], out[0], IsNchw(in), [](const Layout& from, const Layout& to, size_t y, size_t x) {
    const double scale = Ratio(from.height, to.height);
    return Floor(static_cast<double>(y) * scale, static_cast<double>(x) * scale);
  });
}

void BilinearIsNearest(const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
  if (!IsPlain(in)) return;
  Rewrite(in[0], out[0], IsNchw(in), [](const Layout& from, const Layout& to, size_t y, size_t x) {
    return Floor(static_cast<double>(y) * Ratio(from.height, to.height),
                 static_cast<double>(x) * Ratio(from.width, to.width));
  });
}

}  // namespace

FaultList RegionFaults() {
  const std::vector<OperationCode> resizes = {RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR};
  return {
      RewritingFault("resize-ignores-half-pixel-centers", "half_pixel_centers is taken for false", resizes, Unset(5)),
      RewritingFault("resize-ignores-align-corners", "align_corners is taken for false", resizes, Unset(4)),
      SpoilingFault("resize-nearest-one-scale", "columns are found by the height's scale", {RESIZE_NEAREST_NEIGHBOR},
                    HeightScaleForBoth),
      SpoilingFault("resize-bilinear-picks", "an element is picked instead of blending four", {RESIZE_BILINEAR},
                    BilinearIsNearest),
  };
}

}  // namespace assay
