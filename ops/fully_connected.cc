// FULLY_CONNECTED.
//
//   output[b, u] = act(bias[u] + sum_i input[b, i] * weights[u, i])
//
// where the input, of whatever rank, is read as [elements / input_size, input_size]. Sums are over real numbers; a
// quantized call is dequantized, summed and requantized. The documentation wants rank 2 to 4, and so do Android's
// validator, if it knows the ranks of input, weights and bias, and its executor. Unlike most operations, dimensions are
// checked in the model already.
#include "numeric/activation.h"
#include "numeric/sums.h"
#include "ops/define.h"

namespace assay {
namespace {

struct FullyConnected {
  static constexpr absl::string_view kProse =
      "Multiplies every row by a matrix: output[b,u] = act(bias[u] + sum_i input[b,i] * weights[u,i]).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr bool kAllowsEmpty = true;  // of batches
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input, weights, bias}, {output}
      {1, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "input has rank 2 to 4, weights rank 2, bias rank 1"};
  static constexpr Rule kInputSize{"input_size", Stage::kModel,
                                   "the input's elements are a multiple of the weights' last dimension"};
  static constexpr Rule kBias{"bias", Stage::kModel, "bias has num_units elements"};
  static constexpr Rule kBiasScale{"bias_scale", Stage::kExecution, "bias scale is input scale * weights scale"};
  static constexpr Rule kEmpty{"empty", Stage::kExecution, "num_units and input_size are at least 1"};
  static constexpr Rule kRules[] = {kRank, kInputSize, kBias, kBiasScale, kEmpty};

  In input, weights, bias;
  Out output;
  int32_t activation = 0;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 2 to 4, read as [batch_size, input_size]");
    w.Tensor(weights, "weights", "[num_units, input_size]");
    w.Tensor(bias, "bias", "[num_units]");
    w.Int(activation, "activation", kActivationCode);
    w.Output(output, "output", "[batch_size, num_units]");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.least_rank = 2, .most_rank = 4});
    // The rows are made of the last dimension, or of the last two, three, ... as far as a sum stays short.
    const size_t elements = Count(input.dims()), most_products = d.IsHalf(input.type()) ? 64 : 1024;
    const auto last = static_cast<size_t>(d.choices().Below(input.rank() - 1));
    size_t input_size = 1;
    for (size_t i = 0; i <= last; ++i)
      if (const size_t more = input_size * input.dims()[input.rank() - 1 - i]; i == 0 || more <= most_products)
        input_size = more;
      else
        break;
    while (input_size > most_products) input_size = LargestProperDivisor(input_size);
    const size_t most = d.most_elements() / std::max(input_size, elements / input_size);
    const auto num_units = static_cast<uint32_t>(d.choices().Between(
        1, std::clamp<int64_t>(static_cast<int64_t>(most), 1, std::min<uint32_t>(16, d.most_dim()))));
    d.Weights(weights, {num_units, static_cast<uint32_t>(input_size)}, input_size);
    d.Bias(bias, num_units, input, weights);
    d.Output(output, Activated(LikelyWeightedSum(d.RangeOf(input)), activation), d.level() < 3 ? ProductOfScales() : 0);
  }
  static size_t LargestProperDivisor(size_t n) {
    for (size_t d = 2; d * d <= n; ++d)
      if (n % d == 0) return n / d;
    return 1;
  }

  float ProductOfScales() const { return input.quantization().scale * weights.quantization().scale; }
  FeatureLevel Level(FeatureLevel of_row) const {
    const bool later = input.type() == TENSOR_QUANT8_ASYMM && output.quantization().scale <= ProductOfScales();
    return later ? std::max(of_row, 3) : of_row;
  }

  void CheckModel(Checker& check) const {
    if (input.ranked() && weights.ranked() && bias.ranked()) CheckShapes(check);
  }
  void CheckShapes(Checker& check) const {
    check.Rank(kRank, input, "input", 2, 4);
    check.Rank(kRank, weights, "weights", 2, 2);
    check.Rank(kRank, bias, "bias", 1, 1);
    check.Same(kBias, "bias length", bias.dim(0), "num_units", weights.dim(0));
    const Extent elements = ProductOf(input.extents()), input_size = weights.dim(1);
    if (input.ranked() && elements.known && input_size.known && input_size.value > 0)
      check.That(elements.value % input_size.value == 0, kInputSize, "the input has ", elements.value,
                 " elements, input_size is ", input_size.value);
  }
  void CheckExecution(Checker& check) const {
    CheckShapes(check);
    check.AtLeast(kEmpty, "num_units", weights.dim(0), 1);
    check.AtLeast(kEmpty, "input_size", weights.dim(1), 1);
    check.BiasScale(kBiasScale, bias, input, weights);
  }
  std::vector<Result> Infer() const {
    const Extent elements = input.ranked() ? ProductOf(input.extents()) : Extent();
    return {{ToShape(Extents{elements / weights.dim(1), weights.dim(0)}), {}}};
  }

  Activation Fused() const { return static_cast<Activation>(activation); }

  template <class N>
  void Eval(Frame<N>& f) const {
    const size_t num_units = weights.dims()[0], input_size = weights.dims()[1], rows = f(output).dim(0);
    Dot<N>({f(input).data, rows, input_size, input_size}, {f(weights).data, num_units, input_size, input_size},
           f(bias).data, Matrix<N>{f(output).data, rows, num_units, num_units});
  }
};

}  // namespace

extern const OperationInfo kFullyConnected;
constinit const OperationInfo kFullyConnected =
    Define<FullyConnected, kFullyConnected>(OperationCode::FULLY_CONNECTED, "FULLY_CONNECTED");

}  // namespace assay
