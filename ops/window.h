// Windows that slide over images: strides, dilations, padding schemes and layouts, for convolutions and pools. SAME
// becomes explicit padding here and NCHW becomes strides here, so no kernel knows either.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "ops/checker.h"
#include "ops/drawing.h"
#include "ops/frame.h"
#include "ops/operation.h"

namespace assay {

// One image tensor, whatever its layout. Extents of a call; sizes of an evaluation.
struct ImageExtents {
  Extent batches, height, width, depth;
};
ImageExtents ExtentsOf(const In& image, bool nchw);
Shape ToShape(const ImageExtents& extents, bool nchw);

struct ImageSize {
  size_t batches, height, width, depth;
};
ImageSize SizeOf(const Dims& dims, bool nchw);

// One spatial axis of a window.
struct WindowAxis {
  int32_t stride = 1, dilation = 1, head = 0, tail = 0;  // head, tail: padding before and after
  // Elements that the window spans: (filter - 1) * dilation + 1.
  Extent Span(Extent filter) const { return (filter - Extent(1)) * Extent(dilation) + Extent(1); }
  // floor((in - span + head + tail) / stride) + 1
  Extent OutSize(Extent in, Extent filter) const;
};

// The part of a call's signature that convolutions and pools share. NNAPI gives width before height everywhere.
struct Windows {
  WindowAxis y, x;
  int32_t padding_scheme = 2;
  bool explicit_padding = false;

  static constexpr Rule kPad{"padding", Stage::kExecution,
                             "padding is not negative and smaller than the window's span"};
  static constexpr Rule kSize{"output_size", Stage::kExecution,
                              "the window fits the padded image: at least one output"};

  // padding_left, _right, _top, _bottom or padding_scheme; then stride_width, stride_height.
  template <class Walk, class IsExplicit>
  void PaddingAndStrides(Walk& w, IsExplicit is_explicit) {
    if (w.Either(explicit_padding, is_explicit)) {
      w.Int(x.head, "padding_left", kNonNegative);
      w.Int(x.tail, "padding_right", kNonNegative);
      w.Int(y.head, "padding_top", kNonNegative);
      w.Int(y.tail, "padding_bottom", kNonNegative);
    } else {
      w.Int(padding_scheme, "padding_scheme", kPaddingScheme);
    }
    w.Int(x.stride, "stride_width", kPositive);
    w.Int(y.stride, "stride_height", kPositive);
  }
  template <class Walk>
  void Dilations(Walk& w) {
    w.Int(x.dilation, "dilation_width", kPositive);
    w.Int(y.dilation, "dilation_height", kPositive);
  }
  // With SAME replaced by the explicit padding that it stands for; needs the image's height and width.
  Windows Resolved(Extent height, Extent width, Extent filter_height, Extent filter_width) const;
  void Check(Checker& check, const ImageExtents& image, Extent filter_height, Extent filter_width) const;
  // Draws the filter's height and width so that a window fits, and pads smaller than it.
  struct FilterSize {
    uint32_t height, width;
  };
  FilterSize DrawFilter(Choices& choices, const ImageSize& image);
};

// The positions of one image seen as batches x height x width rows of `depth` elements, a row of NHWC or a strided
// column of NCHW.
template <class T>
struct ImageView {
  T* data;
  ImageSize size;
  size_t batch_stride, row_stride, column_stride, depth_stride;

  ImageView(const View<T>& view, bool nchw) : data(view.data), size(SizeOf(*view.dims, nchw)) {
    const auto [n, h, w, c] = size;
    batch_stride = h * w * c;
    row_stride = nchw ? w : w * c;
    column_stride = nchw ? 1 : c;
    depth_stride = nchw ? h * w : 1;
  }
  T* At(size_t batch, size_t y, size_t x) const {
    return data + batch * batch_stride + y * row_stride + x * column_stride;
  }
  bool contiguous_depth() const { return depth_stride == 1; }
};

// Index in the image of tap `tap` of window `out`; negative or past the end where it lies in the padding.
inline int64_t TapIndex(const WindowAxis& axis, size_t out, size_t tap) {
  return static_cast<int64_t>(out) * axis.stride - axis.head + static_cast<int64_t>(tap) * axis.dilation;
}
inline bool InsideImage(int64_t index, size_t size) { return index >= 0 && static_cast<uint64_t>(index) < size; }

}  // namespace assay
