#include "ops/convolution_parts.h"

namespace assay {

FeatureLevel ConvolutionParts::Level(FeatureLevel of_row) const {
  FeatureLevel level = has_layout ? std::max(of_row, 3) : of_row;
  if (input.type() == TENSOR_QUANT8_ASYMM &&
      output.quantization().scale <= input.quantization().scale * filter.quantization().scale)
    level = std::max(level, 3);
  return level;
}

void ConvolutionParts::CheckChannelDim(Checker& check, const Rule& rule, uint32_t channel_dim) const {
  if (const auto& channels = filter.quantization().per_channel)
    check.That(channels->channel_dim == channel_dim, rule, "channel_dim is ", channels->channel_dim, ", must be ",
               channel_dim);
}

void ConvolutionParts::CheckParts(Checker& check, Extent depth_out) const {
  check.Rank(kBias, bias, "bias", 1, 1);
  check.Same(kBias, "bias length", bias.dim(0), "depth_out", depth_out);
  check.BiasScale(kBiasScale, bias, input, filter);
  const ImageExtents image = Image();
  for (const auto& [name, extent] : {std::pair("height", image.height),
                                     {"width", image.width},
                                     {"depth_in", image.depth},
                                     {"filter height", filter.dim(1)},
                                     {"filter width", filter.dim(2)},
                                     {"depth_out", depth_out}})
    check.AtLeast(kEmpty, name, extent, 1);
  windows.Check(check, image, filter.dim(1), filter.dim(2));
}

Windows ConvolutionParts::Resolved() const {
  const ImageExtents image = Image();
  return windows.Resolved(image.height, image.width, filter.dim(1), filter.dim(2));
}

Shape ConvolutionParts::OutputShape(Extent depth_out) const {
  const ImageExtents image = Image();
  const Windows r = Resolved();
  return ToShape(
      {image.batches, r.y.OutSize(image.height, filter.dim(1)), r.x.OutSize(image.width, filter.dim(2)), depth_out},
      nchw);
}

Windows::FilterSize ConvolutionParts::DrawWindow(Drawing& d, bool sums_depth) {
  if (d.level() < 3) has_layout = false;
  if (!has_layout) nchw = has_dilation = false;
  if (!has_dilation) windows.x.dilation = windows.y.dilation = 1;
  d.Tensor(input, {.least_rank = 4, .most_rank = 4});
  const ImageSize image = SizeOf(input.dims(), nchw);
  // judging.md 4: K <= 64 products in float16.
  const size_t most_products = d.IsHalf(input.type()) ? 64 : 1024;
  return windows.DrawFilter(d.choices(), image, most_products / std::max<size_t>(1, sums_depth ? image.depth : 1));
}

uint32_t ConvolutionParts::MostDepthOut(Drawing& d, const Windows::FilterSize& size, uint32_t likely) const {
  const ImageSize image = SizeOf(input.dims(), nchw);
  const Windows r = windows.Resolved(image.height, image.width, size.height, size.width);
  const Extent pixels =
      Extent(image.batches) * r.y.OutSize(image.height, size.height) * r.x.OutSize(image.width, size.width);
  const size_t filter_size = size.height * size.width * image.depth;
  const size_t most = d.most_elements() / std::max({size_t{1}, static_cast<size_t>(pixels.value), filter_size});
  return static_cast<uint32_t>(std::clamp<size_t>(most, 1, std::min(likely, d.most_dim())));
}

void ConvolutionParts::DrawBiasAndOutput(Drawing& d, uint32_t depth_out) {
  d.Bias(bias, depth_out, input, filter);
  const double product = double{input.quantization().scale} * double{filter.quantization().scale};
  d.Output(output, Activated(LikelyWeightedSum(d.RangeOf(input)), activation), d.level() < 3 ? product : 0);
}

}  // namespace assay
