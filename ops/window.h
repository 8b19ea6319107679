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

  static constexpr Rule kPad{"padding", Stage::kExecution, "padding is smaller than the window's span"};
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
  // Draws the filter's height and width, at most `most_taps` elements, so that a window fits, and pads smaller than it.
  struct FilterSize {
    uint32_t height, width;
  };
  FilterSize DrawFilter(Choices& choices, const ImageSize& image, size_t most_taps = 25);
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

// The taps of a window of `filter` elements that lie inside of an image of `size` elements: [first, end).
struct TapRange {
  size_t first, end;
};
TapRange TapsInside(const WindowAxis& axis, size_t out, size_t filter, size_t size);

// The elements of one channel under a window: pointers into the image, in the order of the filter. What lies in the
// padding is a null pointer, or (without `padding`) left out.
template <class N>
class Taps {
 public:
  Taps(const ImageView<const N>& image, const Windows& resolved, size_t filter_height, size_t filter_width,
       bool padding)
      : image_(image),
        windows_(resolved),
        filter_height_(filter_height),
        filter_width_(filter_width),
        padding_(padding) {}
  // Moves to channel 0 of the window of an output position.
  void Place(size_t batch, size_t y, size_t x) {
    taps_.clear();
    const TapRange rows = Range(windows_.y, y, filter_height_, image_.size.height);
    const TapRange columns = Range(windows_.x, x, filter_width_, image_.size.width);
    for (size_t i = rows.first; i < rows.end; ++i)
      for (size_t j = columns.first; j < columns.end; ++j) {
        const int64_t iy = TapIndex(windows_.y, y, i), ix = TapIndex(windows_.x, x, j);
        const bool inside = InsideImage(iy, image_.size.height) && InsideImage(ix, image_.size.width);
        taps_.push_back(inside ? image_.At(batch, static_cast<size_t>(iy), static_cast<size_t>(ix)) : nullptr);
      }
  }
  void NextChannel() {
    for (const N*& tap : taps_)
      if (tap != nullptr) tap += image_.depth_stride;
  }
  std::span<const N* const> all() const { return taps_; }

 private:
  TapRange Range(const WindowAxis& axis, size_t out, size_t filter, size_t size) const {
    return padding_ ? TapRange{0, filter} : TapsInside(axis, out, filter, size);
  }
  const ImageView<const N>& image_;
  const Windows& windows_;
  size_t filter_height_, filter_width_;
  bool padding_;
  std::vector<const N*> taps_;
};

// Calls visit(batch, y, x) for every position of an image.
template <class Visit>
void ForEachPosition(const ImageSize& image, Visit visit) {
  for (size_t batch = 0; batch < image.batches; ++batch)
    for (size_t y = 0; y < image.height; ++y)
      for (size_t x = 0; x < image.width; ++x) visit(batch, y, x);
}

}  // namespace assay
