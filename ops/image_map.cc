#include "ops/image_map.h"

#include <array>
#include <utility>

namespace assay {

ImageSize ImageStrides(const Dims& dims, bool nchw) {
  const std::vector<size_t> s = StridesOf(dims);
  return nchw ? ImageSize{s[0], s[2], s[3], s[1]} : ImageSize{s[0], s[1], s[2], s[3]};
}

Dims DimsOf(const ImageSize& size, bool nchw) {
  Dims dims;
  for (size_t dim : nchw ? std::array{size.batches, size.depth, size.height, size.width}
                         : std::array{size.batches, size.height, size.width, size.depth})
    dims.push_back(static_cast<uint32_t>(dim));
  return dims;
}

void CheckDivides(Checker& check, const Rule& rule, absl::string_view name, Extent dividend, Extent divisor) {
  if (!dividend.known || !divisor.known || divisor.value <= 0) return;
  check.That(dividend.value % divisor.value == 0, rule, name, " is ", dividend.value, ", which ", divisor.value,
             " does not divide");
}

void CheckImage(Checker& check, const Rule& rule, const ImageExtents& image) {
  for (const auto& [name, extent] :
       {std::pair("batches", image.batches), {"height", image.height}, {"width", image.width}, {"depth", image.depth}})
    check.InRange(rule, absl::StrCat(name, " of the output"), extent, 0, int64_t{kUnknownDim} - 1);
}

ImageMap::ImageMap(const ImageSize& size, const ImageSize& strides)
    : batches(SourceMap::AsItIs(size.batches, strides.batches)),
      height(SourceMap::AsItIs(size.height, strides.height)),
      width(SourceMap::AsItIs(size.width, strides.width)),
      depth(SourceMap::AsItIs(size.depth, strides.depth)) {}

SourceMap ImageMap::InLayout(bool nchw) && {
  SourceMap map;
  map.Add(std::move(batches));
  if (nchw) map.Add(std::move(depth));
  map.Add(std::move(height));
  map.Add(std::move(width));
  if (!nchw) map.Add(std::move(depth));
  return map;
}

}  // namespace assay
