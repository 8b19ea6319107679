// QUANTIZE and DEQUANTIZE: between real numbers and codes.
//
//   QUANTIZE:   output code = clamp(zero point + round(input / scale)), halves away from zero
//   DEQUANTIZE: output = (input code - zero point) * scale, or input code * scales[index along channelDim]
//
// Both leave the real numbers as they are: all that happens is in the storage. What a NaN quantizes to is unspecified.
#include <algorithm>

#include "ops/define.h"
#include "ops/draw_dims.h"

namespace assay {
namespace {

using enum OperandType;

struct Quantize {
  static constexpr absl::string_view kProse =
      "Turns real numbers into codes of the output's quantization: code = zero point + round(input / scale).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT32}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_FLOAT16}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {4, {TENSOR_FLOAT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr std::array<Rule, 0> kRules{};
  static constexpr bool kAllowsEmpty = true;

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 5});
    d.Output(output, d.RangeOf(input));
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    std::copy(f(input).begin(), f(input).end(), f(output).begin());
  }
};

struct Dequantize {
  static constexpr absl::string_view kProse =
      "Turns codes into the real numbers they stand for: output = (input - zero point) * scale.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_SYMM}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_SYMM}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_SYMM_PER_CHANNEL}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_SYMM_PER_CHANNEL}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_FLOAT32}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_FLOAT16}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kChannels{"channels", Stage::kExecution,
                                  "a per-channel input has as many scales as elements along its channel dimension"};
  static constexpr Rule kRules[] = {kRank, kChannels};
  static constexpr bool kAllowsEmpty = true;

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    if (input.type() == TENSOR_QUANT8_SYMM_PER_CHANNEL) {
      const Dims dims = DrawDims(d, 1, 4);
      d.Weights(input, dims, 1, static_cast<uint32_t>(d.choices().Below(dims.size())));
    } else {
      d.Tensor(input, {});
    }
    d.Output(output, d.RangeOf(input));
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    const PerChannel* channels = input.quantization().per_channel.get();
    if (input.type() != TENSOR_QUANT8_SYMM_PER_CHANNEL || !input.ranked()) return;
    check.That(channels != nullptr && channels->channel_dim < input.rank(), kChannels, "channel_dim is ",
               channels == nullptr ? 0 : channels->channel_dim, ", the input has rank ", input.rank());
    if (channels != nullptr && channels->channel_dim < input.rank())
      check.Same(kChannels, "number of scales", static_cast<int64_t>(channels->scales.size()), "dimension",
                 input.dim(channels->channel_dim));
  }
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  // One rounding, of the product.
  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = Inexact(in[i]);
  }
};

}  // namespace

extern const OperationInfo kDequantize, kQuantize;
constinit const OperationInfo kDequantize = Define<Dequantize, kDequantize>(OperationCode::DEQUANTIZE, "DEQUANTIZE");
constinit const OperationInfo kQuantize = Define<Quantize, kQuantize>(OperationCode::QUANTIZE, "QUANTIZE");

}  // namespace assay
