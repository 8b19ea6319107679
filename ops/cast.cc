// CAST: the stored numbers of a tensor as another type.
//
// No quantization plays a role: codes are plain integers, and TENSOR_FLOAT32 5.7 gives the TENSOR_QUANT8_ASYMM code 5
// whatever the scale. To a float type the value is rounded to nearest (float16 past its range: infinity); to
// TENSOR_INT32 it is truncated toward zero, and unspecified past 32 bits; to TENSOR_QUANT8_ASYMM it is clamped to
// [0, 255] and truncated. NaN to an integer is unspecified. The same type on both sides is a copy of the bytes.
//
// Android's validator also refuses a fully known output beside a partly unknown input, because it compares the lists of
// dimensions as they stand. Documented are equal shapes, and so it is here: dimensions are compared where both are
// known.
#include <cmath>

#include "numeric/storage.h"
#include "ops/define.h"
#include "ops/draw_dims.h"

namespace assay {
namespace {

using enum OperandType;

// The next whole number toward zero; of an interval, all between those of its ends.
template <Plain N>
N Truncated(N x) {
  return std::trunc(x);
}
template <class F>
Bounded<F> Truncated(const Bounded<F>& x) {
  if (!x.IsFinite()) return Bounded<F>::Unknown();
  return {std::trunc(x.Lo()), std::trunc(x.Hi()), std::trunc(x.value)};
}

struct Cast {
  static constexpr absl::string_view kProse =
      "Converts each stored number to another type; codes of quantized types count as plain integers.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT32}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT32}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_INT32}, {TENSOR_FLOAT16}},
      {3, {TENSOR_INT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_INT32}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_FLOAT16}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_BOOL8}, {TENSOR_BOOL8}},
      {4, {TENSOR_QUANT16_ASYMM}, {TENSOR_QUANT16_ASYMM}},
      {4, {TENSOR_QUANT16_SYMM}, {TENSOR_QUANT16_SYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {4, {TENSOR_QUANT8_SYMM}, {TENSOR_QUANT8_SYMM}},
  };
  static constexpr Rule kDims{"dims", Stage::kModel, "a fully known output has the input's shape"};
  static constexpr Rule kRules[] = {kDims};

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Output(output, "output", "of the input's shape");
  }

  // Numbers that the output type can hold; half of the time many of them are not whole.
  void Draw(Drawing& d) {
    const std::optional<Range> held = Held(d.IsHalf(output.type()));
    const bool to_integers = !Moves() && !IsFloat(output.type());
    if (to_integers && !IsQuantized(input.type()) && d.choices().Maybe()) {
      const Range range{output.type() == TENSOR_QUANT8_ASYMM ? 0.0 : -100.0, 200};
      const auto kind = IsFloat(input.type()) ? Fill::Kind::kUniform : Fill::Kind::kIntegers;
      d.Exactly(input, DrawDims(d, 1, 5), {.kind = kind, .range = range});
    } else {
      d.Tensor(input, {.most_rank = 5, .within = held});
    }
    if (IsQuantized(output.type())) {
      const Quantization q = DrawQuantization(d.choices(), output.type());
      const CodeRange codes = CodesOf(InfoOf(output.type()).storage);
      d.OutputAs(output, q, {ValueOf(output.type(), q, 0, codes.least), ValueOf(output.type(), q, 0, codes.most)});
    } else if (Moves()) {
      d.OutputLike(output, input);
    } else if (IsQuantized(input.type())) {
      d.Output(output, {0, 255, true});  // the only such input is QUANT8_ASYMM
    } else if (output.type() == TENSOR_INT32) {
      // Must be sure. A float may be a little outside of its own range before it is truncated.
      const Range range = d.RangeOf(input);
      const double room = (1 + range.magnitude()) / 64;
      const Range whole{std::trunc(range.least - room), std::trunc(range.most + room), true};
      d.Output(output, range.sure ? whole : held.value_or(range));
    } else {
      d.Output(output, d.RangeOf(input));
    }
  }

  void CheckModel(Checker& check) const {
    if (!input.ranked() || !output.shape().IsKnown()) return;
    check.Same(kDims, "rank of the input", static_cast<int64_t>(input.rank()), "rank of the output",
               static_cast<int64_t>(output.rank()));
    if (input.rank() != output.rank()) return;
    for (size_t i = 0; i < input.rank(); ++i)
      check.Same(kDims, absl::StrCat("dimension ", i, " of the input"), input.dim(i), "of the output", output.dim(i));
  }
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }

  bool Moves() const { return input.type() == output.type(); }
  std::optional<Quantization> ReadAs(size_t) const { return AsIntegers(input.type()); }
  std::optional<Quantization> WriteAs(size_t) const { return AsIntegers(output.type()); }
  // Only what rounds to a float has an allowance. (Integers have none by themselves, and are unknown past 32 bits.)
  Allowance Allowed(size_t) const { return {.exact = !Rounds() && output.type() != TENSOR_INT32}; }
  bool Rounds() const {
    return IsFloat(output.type()) && !Moves() && (input.type() == TENSOR_FLOAT32 || input.type() == TENSOR_INT32);
  }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    if (Moves()) {
      std::copy(in.begin(), in.end(), out.begin());
      return;
    }
    if constexpr (!std::is_integral_v<N>) Convert(in, out);
  }

  template <class N>
  void Convert(const View<const N>& in, const View<N>& out) const {
    const bool clamps = output.type() == TENSOR_QUANT8_ASYMM;
    const bool truncates = clamps || output.type() == TENSOR_INT32;
    const bool rounds = Rounds();
    for (size_t i = 0; i < out.size; ++i) {
      const N number = truncates ? Truncated(in[i]) : rounds ? Inexact(in[i]) : in[i];
      out[i] = clamps ? Clamp(number, 0, 255) : number;
    }
  }

 private:
  // The codes themselves.
  static std::optional<Quantization> AsIntegers(OperandType type) {
    if (IsQuantized(type)) return Quantization{1, 0, nullptr};
    if (type == TENSOR_INT32) return Quantization{};
    return std::nullopt;
  }
  // What the input must lie in so that every number is held; nothing where each is.
  std::optional<Range> Held(bool to_half) const {
    if (Moves() || IsQuantized(input.type()) || (to_half && input.type() == TENSOR_FLOAT16)) return std::nullopt;
    if (output.type() == TENSOR_QUANT8_ASYMM) return Range{0, 255};
    if (output.type() == TENSOR_INT32) return Range{-1e9, 1e9};
    if (to_half) return Range{-8192, 8192};
    return std::nullopt;
  }
  static Quantization DrawQuantization(Choices& c, OperandType type) {
    const TypeInfo& info = InfoOf(type);
    const float scale = c.Pick({1.0f, 0.5f, 1.0f / 64}) / (info.element_size == 2 ? 256 : 1);
    const int32_t middle = info.least_zero_point + (info.most_zero_point - info.least_zero_point + 1) / 2;
    return {scale, c.Pick({middle, info.least_zero_point}), nullptr};
  }
};

}  // namespace

extern const OperationInfo kCast;
constinit const OperationInfo kCast = Define<Cast, kCast>(OperationCode::CAST, "CAST");

}  // namespace assay
