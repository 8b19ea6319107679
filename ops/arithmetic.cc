// ADD and MUL: element by element, with broadcasting and a fused activation.
//
//   output = act(input0 + input1), output = act(input0 * input1)
//
// INT32 is exact in 64 bits; a result past 32 bits is unspecified. The documentation of MUL demands, for the unsigned
// and the signed quantized type at every level, output scale > input0 scale * input1 scale.
#include "ops/broadcast.h"
#include "ops/define.h"

namespace assay {
namespace {

enum class Binary { kAdd, kMul };

template <Binary kBinary>
struct Arithmetic {
  static constexpr absl::string_view kProse =
      kBinary == Binary::kAdd ? "Adds two tensors: output = act(input0 + input1), broadcasting."
                              : "Multiplies two tensors: output = act(input0 * input1), broadcasting.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input0, input1}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}}, {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}}, {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {4, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "both inputs have rank at most 4"};
  static constexpr Rule kBroadcast{"broadcast", Stage::kExecution, "dimensions from the last are equal or 1"};
  static constexpr Rule kInt32Activation{"int32_activation", Stage::kExecution, "TENSOR_INT32 has activation NONE"};
  static constexpr Rule kScale{"output_scale", Stage::kModel, "output scale > input0 scale * input1 scale (MUL)"};
  static constexpr Rule kAllRules[] = {kRank, kBroadcast, kInt32Activation, kScale};
  static constexpr std::span<const Rule> kRules = std::span(kAllRules).first(kBinary == Binary::kMul ? 4 : 3);
  static constexpr bool kAllowsEmpty = true;

  In input0, input1;
  Out output;
  int32_t activation = 0;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input0, "input0", "of rank 1 to 4");
    w.Tensor(input1, "input1", "of rank 1 to 4, its dimensions equal to input0's or 1");
    w.Int(activation, "activation", kActivationCode);
    w.Output(output, "output", "of the broadcast shape");
  }

  void Draw(Drawing& d) {
    const bool is_int32 = input0.type() == TENSOR_INT32;
    if (is_int32) activation = 0;
    const double m = is_int32 ? 16 : 1;
    DrawBroadcast(d, input0, input1, {}, {.kind = Fill::Kind::kNormal, .range = {-m, m}, .loose = true});
    const Range a = d.RangeOf(input0), b = d.RangeOf(input1);
    const Range range = kBinary == Binary::kMul ? HullOfProduct(a, b) : is_int32 ? HullOfSum(a, b) : LikelySum(a, b);
    const double product = input0.quantization().scale * input1.quantization().scale;
    d.Output(output, Activated(range, activation), kBinary == Binary::kMul ? product : 0);
  }

  void CheckModel(Checker& check) const {
    CheckScale(check);
    if (!input0.ranked() || !input1.ranked()) return;  // Android's validator looks only if it knows both
    check.Rank(kRank, input0, "input0", 1, 4);
    check.Rank(kRank, input1, "input1", 1, 4);
  }
  void CheckScale(Checker& check) const {
    if (kBinary != Binary::kMul || !IsQuantized(output.type())) return;
    const float product = input0.quantization().scale * input1.quantization().scale;
    check.That(output.quantization().scale > product, kScale, "output scale is ", output.quantization().scale,
               ", must be above the product of the input scales, ", product);
  }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input0, "input0", 1, 4);
    check.Rank(kRank, input1, "input1", 1, 4);
    CheckBroadcast(check, kBroadcast, input0, input1);
    check.That(input0.type() != TENSOR_INT32 || activation == 0, kInt32Activation, "activation is ", activation,
               ", must be 0");
  }
  std::vector<Result> Infer() const { return {{BroadcastShape(input0, input1), {}}}; }

  Activation Fused() const { return static_cast<Activation>(activation); }
  // Integers are added and multiplied as they are stored, whatever scale they carry.
  std::optional<Quantization> ReadAs(size_t index) const { return PlainInteger(index < 2); }
  std::optional<Quantization> WriteAs(size_t) const { return PlainInteger(true); }
  std::optional<Quantization> PlainInteger(bool is_tensor) const {
    if (!is_tensor || output.type() != TENSOR_INT32) return std::nullopt;
    return Quantization{};
  }

  template <class N>
  void Eval(Frame<N>& f) const {
    ZipBroadcast(f(input0), f(input1), f(output), [](const N& a, const N& b) {
      if constexpr (kBinary == Binary::kAdd) return a + b;
      return a * b;
    });
  }
};

}  // namespace

extern const OperationInfo kAdd, kMul;
constinit const OperationInfo kAdd = Define<Arithmetic<Binary::kAdd>, kAdd>(OperationCode::ADD, "ADD");
constinit const OperationInfo kMul = Define<Arithmetic<Binary::kMul>, kMul>(OperationCode::MUL, "MUL");

}  // namespace assay
