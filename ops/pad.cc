// PAD and PAD_V2: a border of one value around a tensor.
//
//   output[i + paddings[0, 0], j + paddings[1, 0], ...] = input[i, j, ...], the value elsewhere
//
// PAD puts zeros. Of quantized tensors that is the zero point; before feature level 3 it was undefined, so a
// QUANT8_ASYMM input with another zero point than 0 needs that level. PAD_V2 is given the value: a real number for
// float tensors, and for quantized ones the very code, so that the signed and the unsigned type do not agree. Android's
// executor takes the low byte of a code out of range; here that breaks a rule. Elements are moved: every type is exact,
// and the output has the input's quantization.
#include <algorithm>
#include <cstring>
#include <limits>

#include "numeric/storage.h"
#include "ops/define.h"
#include "ops/paddings.h"

namespace assay {
namespace {

using enum OperandType;

// What is put around the tensor: no operand, or one.
struct ZeroBorder {
  static constexpr absl::string_view kProse =
      "Puts zeros before and after a tensor along every dimension: output[i + before] = input[i], 0 elsewhere.";
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRules[] = {
      {"rank", Stage::kModel, "the input has rank at most 4"}, Paddings::kShape, Paddings::kEntries, Paddings::kSize};
  template <class Walk>
  void Operands(Walk&) {}
  double Draw(Drawing&, const In&) { return 0; }
  FeatureLevel Level(const In& input, FeatureLevel of_row) const {
    const bool shifted = input.type() == TENSOR_QUANT8_ASYMM && input.quantization().zero_point != 0;
    return shifted ? std::max(of_row, 3) : of_row;
  }
  void Check(Checker&, const In&) const {}
  template <class T>
  T Value(Frame<T>& f, const In&) const {
    return f.Zero();
  }
};

struct GivenBorder {
  static constexpr absl::string_view kProse =
      "Puts a value before and after a tensor along every dimension: output[i + before] = input[i], pad_value "
      "elsewhere.";
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kCode{"pad_code", Stage::kExecution, "pad_value is a code of the input's type"};
  static constexpr Rule kRules[] = {{"rank", Stage::kModel, "the input has rank at most 4"},
                                    Paddings::kShape,
                                    Paddings::kEntries,
                                    Paddings::kSize,
                                    kCode};

  // Infinities and NaN as well: the number is only stored.
  static constexpr Kind kAnyNumber{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                                   -1, 1, "any number"};

  bool is_code = false;
  int32_t code = 0;
  double real = 0;

  template <class Walk>
  void Operands(Walk& w) {
    const auto quantized = [](std::span<const Argument> inputs) {
      return !inputs.empty() && IsQuantized(inputs.front().type);
    };
    if (w.Either(is_code, quantized)) {
      w.Int(code, "pad_value", kAnyInt);
    } else {
      w.Real(real, "pad_value", kAnyNumber);
    }
  }
  // Draws the value, and says which real number it stands for. It is the same in every float format, since the bound of
  // a relaxed model does not widen it: a scalar is no tensor that a device may keep in float16.
  double Draw(Drawing& d, const In& input) {
    is_code = IsQuantized(input.type());
    if (!is_code) return real = static_cast<double>(d.choices().Pick({0, 4, -4, 1, 6, -13})) / 4;
    const CodeRange codes = CodesOf(InfoOf(input.type()).storage);
    const int64_t zero = input.quantization().zero_point;
    code = static_cast<int32_t>(d.choices().Maybe() ? d.choices().Between(codes.least, codes.most)
                                                    : std::min(zero + 1, codes.most));
    return Real(input);
  }
  FeatureLevel Level(const In&, FeatureLevel of_row) const { return of_row; }
  void Check(Checker& check, const In& input) const {
    if (!is_code) return;
    const CodeRange codes = CodesOf(InfoOf(input.type()).storage);
    check.InRange(kCode, "pad_value", code, codes.least, codes.most);
  }
  double Real(const In& input) const { return is_code ? ValueOf(input.type(), input.quantization(), 0, code) : real; }
  // The number, or where elements are codes, the code.
  template <class T>
  T Value(Frame<T>&, const In& input) const {
    if constexpr (std::is_integral_v<T>) {
      if (is_code) return static_cast<T>(code);
      uint8_t bytes[sizeof(uint32_t)] = {};
      Store(input.type(), {}, {1}, &real, bytes);
      T bits{};
      std::memcpy(&bits, bytes, sizeof bits);
      return bits;
    } else {
      return Real(input);
    }
  }
};

template <class Border>
struct PadWith {
  static constexpr absl::string_view kProse = Border::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr std::span<const TypeRow> kRows = Border::kRows;
  static constexpr std::span<const Rule> kRules = Border::kRules;
  static constexpr Rule kRank = Border::kRules[0];

  In input;
  Paddings paddings;
  Border border;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(paddings, "paddings", "[rank, 2]: how many before and after, for each dimension");
    border.Operands(w);
    w.Output(output, "output", "each dimension longer by its two paddings");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {});
    paddings.Draw(d, input, [](uint32_t) { return 3u; });
    const double value = border.Draw(d, input);
    const Range range = d.RangeOf(input);
    d.OutputAs(output, input.quantization(), {std::min(range.least, value), std::max(range.most, value), range.sure});
  }

  FeatureLevel Level(FeatureLevel of_row) const { return border.Level(input, of_row); }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    paddings.Check(check, input);
    border.Check(check, input);
  }
  std::vector<Result> Infer() const { return {{paddings.PaddedShape(input), input.quantization()}}; }

  template <class T>
  void Eval(Frame<T>& f) const {
    const View<const T>& in = f(input);
    const SourceMap map = paddings.Map(input, *f(output).dims, [&](size_t i, int64_t at) {
      return at >= 0 && at < int64_t{(*in.dims)[i]} ? static_cast<size_t>(at) : SourceMap::kNone;
    });
    map.Move(in.data, f(output).data, border.template Value<T>(f, input));
  }
};

}  // namespace

extern const OperationInfo kPad, kPadV2;
constinit const OperationInfo kPad = Define<PadWith<ZeroBorder>, kPad>(OperationCode::PAD, "PAD");
constinit const OperationInfo kPadV2 = Define<PadWith<GivenBorder>, kPadV2>(OperationCode::PAD_V2, "PAD_V2");

}  // namespace assay
