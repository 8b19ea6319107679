// What CONV_2D and DEPTHWISE_CONV_2D have in common: operand types, bias, signature of the window, levels. Refuses to
// know how the products are summed and what a filter's dimensions mean.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "numeric/activation.h"
#include "ops/bias.h"
#include "ops/checker.h"
#include "ops/window.h"

namespace assay {

struct ConvolutionParts {
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr bool kAllowsEmpty = true;  // of batches
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input, filter, bias}, {output}
      {1, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kBias{"bias", Stage::kExecution, "bias has rank 1 and depth_out elements"};
  static constexpr Rule kBiasScale{"bias_scale", Stage::kExecution, "bias scale is input scale * filter scale"};
  static constexpr Rule kEmpty{"empty", Stage::kExecution, "only the number of batches may be 0"};

  In input, filter, bias;
  Out output;
  Windows windows;
  int32_t activation = 0;
  bool has_layout = false, has_dilation = false, nchw = false;

  // The end of both signatures.
  template <class Walk>
  void LayoutAndDilations(Walk& w) {
    if (!w.More(has_layout)) return;
    w.Flag(nchw, "nchw");
    if (w.More(has_dilation)) windows.Dilations(w);
  }

  FeatureLevel Level(FeatureLevel of_row) const;
  Activation Fused() const { return static_cast<Activation>(activation); }
  // NNAPI leaves the scale of a per-channel bias 0: its channel c counts input scale * filter scale c.
  std::optional<Quantization> ReadAs(size_t index) const { return PerChannelBias(index, bias, input, filter); }

  void CheckChannelDim(Checker& check, const Rule& rule, uint32_t channel_dim) const;
  // Bias, empty dimensions and the window; `depth_out` as the filter says it.
  void CheckParts(Checker& check, Extent depth_out) const;
  ImageExtents Image() const { return ExtentsOf(input, nchw); }
  // With SAME replaced by explicit padding.
  Windows Resolved() const;
  Shape OutputShape(Extent depth_out) const;

  // Draws the input and the window. `summed_depth` of the input's channels go into one sum: float16 sums stay short.
  Windows::FilterSize DrawWindow(Drawing& d, bool sums_depth);
  // Greatest depth_out, at most `likely`, for which output and filter stay as small as the drawing wants.
  uint32_t MostDepthOut(Drawing& d, const Windows::FilterSize& size, uint32_t likely) const;
  void DrawBiasAndOutput(Drawing& d, uint32_t depth_out);
};

}  // namespace assay
