// Cases for operations on windows of images, and what the specification says of them, in plain loops over real numbers.
// Written from the specification alone: shares nothing with ops/.
#pragma once
#include <vector>

#include "tests/ops/operands.h"

namespace assay {

// Real numbers in the order batch, height, width, channel, whatever the layout of the tensor.
struct Image {
  int batches, height, width, channels;
  std::vector<double> reals;

  Image(int b, int h, int w, int c)
      : batches(b), height(h), width(w), channels(c), reals(static_cast<size_t>(b) * h * w * c) {}
  double& at(int b, int y, int x, int c) {
    return reals[static_cast<size_t>(((b * height + y) * width + x) * channels + c)];
  }
  bool Contains(int y, int x) const { return y >= 0 && y < height && x >= 0 && x < width; }
};

struct WindowCase {
  int scheme = 0;  // 0: explicit padding, 1: SAME, 2: VALID
  int left = 0, right = 0, top = 0, bottom = 0;
  int stride_width = 1, stride_height = 1;
  int filter_height = 1, filter_width = 1;
  int dilation_width = 1, dilation_height = 1;
  bool layout = false, nchw = false, dilations = false;  // which optional inputs are given

  // Padding and strides, as operands.
  std::vector<Given> PaddingAndStrides() const;
  // The optional inputs that are given, as operands.
  std::vector<Given> LayoutAndDilations() const;
  // With `scheme` turned into explicit padding for an image.
  WindowCase Resolved(const Image& image) const;
  // Of a resolved case: the number of outputs, and where tap (i, j) of output (y, x) lies.
  int OutHeight(const Image& image) const;
  int OutWidth(const Image& image) const;
  int TapY(int y, int i) const { return y * stride_height - top + i * dilation_height; }
  int TapX(int x, int j) const { return x * stride_width - left + j * dilation_width; }
  Dims ImageDims(const Image& image) const;
};
// Unequal in every way: pads, strides, filter sides, dilations (if `dilated`), both schemes, both layouts.
std::vector<WindowCase> WindowCases(bool dilated);

// The image as a tensor: reals must be exact in `type`.
Given ToTensor(OperandType type, const Image& image, bool nchw, const Quantization& quantization = {});
// The reals of a tensor with the dimensions of `like`.
Image FromTensor(const std::vector<double>& reals, const Image& like, bool nchw);
// Fills with numbers that are exact in `type`: multiples of 1/32 in [-2, 2], or some codes.
void FillExactly(std::vector<double>& reals, OperandType type, const Quantization& quantization, uint64_t seed);

// Expects stored results: equal up to one rounding to the type (of `real` numbers computed in double).
void ExpectRounded(OperandType type, const Quantization& quantization, const std::vector<double>& stored,
                   const std::vector<double>& real);

}  // namespace assay
