#include "tests/ops/image_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

// Index in a tensor of element i of an image.
std::vector<size_t> Order(const Image& image, bool nchw) {
  std::vector<size_t> order;
  for (int b = 0; b < image.batches; ++b)
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        for (int c = 0; c < image.channels; ++c)
          order.push_back(static_cast<size_t>(nchw ? ((b * image.channels + c) * image.height + y) * image.width + x
                                                   : ((b * image.height + y) * image.width + x) * image.channels + c));
  return order;
}

void ResolveSame(int in, int stride, int filter, int dilation, int& head, int& tail) {
  const int out = (in + stride - 1) / stride, effective = (filter - 1) * dilation + 1;
  const int total = std::max(0, (out - 1) * stride + effective - in);
  head = total / 2;
  tail = total - head;
}

int OutSize(int in, int stride, int filter, int dilation, int head, int tail) {
  const int effective = (filter - 1) * dilation + 1;
  return (in - effective + stride + head + tail) / stride;
}

}  // namespace

std::vector<Given> WindowCase::PaddingAndStrides() const {
  std::vector<Given> out;
  if (scheme == 0)
    out = {Int(left), Int(right), Int(top), Int(bottom)};
  else
    out = {Int(scheme)};
  out.push_back(Int(stride_width));
  out.push_back(Int(stride_height));
  return out;
}

std::vector<Given> WindowCase::LayoutAndDilations() const {
  std::vector<Given> out;
  if (layout) out.push_back(Flag(nchw));
  if (dilations) out.push_back(Int(dilation_width)), out.push_back(Int(dilation_height));
  return out;
}

WindowCase WindowCase::Resolved(const Image& image) const {
  WindowCase r = *this;
  if (scheme == 1) {
    ResolveSame(image.height, stride_height, filter_height, dilation_height, r.top, r.bottom);
    ResolveSame(image.width, stride_width, filter_width, dilation_width, r.left, r.right);
  }
  return r;
}

int WindowCase::OutHeight(const Image& image) const {
  return OutSize(image.height, stride_height, filter_height, dilation_height, top, bottom);
}
int WindowCase::OutWidth(const Image& image) const {
  return OutSize(image.width, stride_width, filter_width, dilation_width, left, right);
}

Dims WindowCase::ImageDims(const Image& i) const {
  const auto dim = [](int n) { return static_cast<uint32_t>(n); };
  if (nchw) return {dim(i.batches), dim(i.channels), dim(i.height), dim(i.width)};
  return {dim(i.batches), dim(i.height), dim(i.width), dim(i.channels)};
}

std::vector<WindowCase> WindowCases(bool dilated) {
  std::vector<WindowCase> cases;
  for (int scheme : {0, 1, 2})
    for (bool nchw : {false, true}) {
      WindowCase c{.scheme = scheme,
                   .stride_width = 2,
                   .stride_height = 1,
                   .filter_height = 2,
                   .filter_width = 3,
                   .layout = nchw,
                   .nchw = nchw};
      if (scheme == 0) c.left = 2, c.right = 1, c.top = 0, c.bottom = 1;
      cases.push_back(c);
      c.stride_width = 1, c.stride_height = 3, c.filter_height = 3, c.filter_width = 1;
      if (scheme == 0) c.left = 0, c.right = 0, c.top = 2, c.bottom = 1;
      cases.push_back(c);
      c.filter_height = c.filter_width = c.stride_width = c.stride_height = 1;
      c.left = c.right = c.top = c.bottom = 0;
      cases.push_back(c);
      if (!dilated) continue;
      c.layout = c.dilations = true;
      c.filter_height = 2, c.filter_width = 2, c.dilation_height = 3, c.dilation_width = 2, c.stride_height = 2;
      if (scheme == 0) c.left = 1, c.right = 2, c.top = 3, c.bottom = 0;
      cases.push_back(c);
      c.filter_height = 3, c.dilation_height = 1, c.dilation_width = 4;
      if (scheme == 0) c.left = 4, c.right = 0, c.top = 1, c.bottom = 2;
      cases.push_back(c);
    }
  return cases;
}

Given ToTensor(OperandType type, const Image& image, bool nchw, const Quantization& quantization) {
  const WindowCase layout{.nchw = nchw};
  const std::vector<size_t> order = Order(image, nchw);
  std::vector<double> reals(order.size());
  for (size_t i = 0; i < order.size(); ++i) reals[order[i]] = image.reals[i];
  return Reals(type, layout.ImageDims(image), reals, quantization);
}

Image FromTensor(const std::vector<double>& reals, const Image& like, bool nchw) {
  Image image = like;
  const std::vector<size_t> order = Order(like, nchw);
  EXPECT_EQ(order.size(), reals.size());
  for (size_t i = 0; i < std::min(order.size(), reals.size()); ++i) image.reals[i] = reals[order[i]];
  return image;
}

void FillExactly(std::vector<double>& reals, OperandType type, const Quantization& quantization, uint64_t seed) {
  if (!IsQuantized(type)) {
    const std::vector<int64_t> steps = NoiseCodes(reals.size(), seed, -64, 64);
    for (size_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<double>(steps[i]) / 32;
    return;
  }
  const CodeRange codes = CodesOf(InfoOf(type).storage);
  const std::vector<int64_t> drawn = NoiseCodes(reals.size(), seed, codes.least, codes.most);
  for (size_t i = 0; i < reals.size(); ++i)
    reals[i] = double{quantization.scale} * static_cast<double>(drawn[i] - quantization.zero_point);
}

void ExpectRounded(OperandType type, const Quantization& quantization, const std::vector<double>& stored,
                   const std::vector<double>& real) {
  ASSERT_EQ(stored.size(), real.size());
  const CodeRange codes = CodesOf(InfoOf(type).storage);
  for (size_t i = 0; i < real.size(); ++i) {
    double expected = real[i], most = 0;
    if (IsQuantized(type)) {
      const double scale = double{quantization.scale};
      expected = std::clamp(expected, scale * static_cast<double>(codes.least - quantization.zero_point),
                            scale * static_cast<double>(codes.most - quantization.zero_point));
      most = scale * (0.5 + 1e-9);
    } else {
      most = std::fabs(expected) * (type == OperandType::TENSOR_FLOAT16 ? 0x1p-11 : 0x1p-24) + 1e-12;
      most = most * (1 + 1e-6) + (type == OperandType::TENSOR_FLOAT16 ? 0x1p-25 : 0);  // half of a subnormal step
    }
    ASSERT_NEAR(stored[i], expected, most) << "element " << i;
  }
}

}  // namespace assay
