// Movement between images of one layout: a source map whose dimensions are known by their meaning. Knows no operation;
// the layout is only the order of the four dimensions.
#pragma once
#include "ops/source_map.h"
#include "ops/window.h"

namespace assay {

// Elements from one pixel, row, ... of an image to the next.
ImageSize ImageStrides(const Dims& dims, bool nchw);
Dims DimsOf(const ImageSize& size, bool nchw);

// `divisor` divides `dividend`, as far as both are known.
void CheckDivides(Checker& check, const Rule& rule, absl::string_view name, Extent dividend, Extent divisor);
// Every extent that is known fits a dimension.
void CheckImage(Checker& check, const Rule& rule, const ImageExtents& image);

// move(k) elements for each of `count` indices.
template <class Move>
SourceMap::Moves MovesOf(size_t count, Move move) {
  return SourceMap::MovesBy(count, 1, move);
}

struct ImageMap {
  SourceMap::Moves batches, height, width, depth;

  // Every index of an image of this size means itself in an image with these strides.
  ImageMap(const ImageSize& size, const ImageSize& strides);
  SourceMap InLayout(bool nchw) &&;
};

}  // namespace assay
