#include "numeric/settle.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "numeric/half.h"
#include "numeric/storage.h"

namespace assay {
namespace {

// How elements of a type are judged.
enum class Kind { kFloat32, kFloat16, kQuantized, kInteger, kMoved };

Kind KindOf(OperandType type, const Quantization& quantization) {
  if (type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) return Kind::kMoved;
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      return Kind::kFloat32;
    case Storage::kFloat16:
      return Kind::kFloat16;
    default:
      return IsQuantized(type) && quantization.scale > 0 ? Kind::kQuantized : Kind::kInteger;
  }
}

// The settled form of [lo, hi]: bounds moved into the limits.
template <class F>
Bounded<F> Within(double lo, double hi, double value, RealRange limits) {
  return {Clamp(lo, limits.least, limits.most), Clamp(hi, limits.least, limits.most),
          Clamp(value, limits.least, limits.most)};
}

// The ends of what an activation leaves of a quantized tensor. A device that stores codes clamps them; one that keeps
// the tensor to itself, unrounded, may clamp the number, and where no code stands for the activation's limit that is
// another end. Both saturate as the type does.
struct CodeLimits {
  RealRange inner, outer;
};
CodeLimits LimitsOf(OperandType type, const Quantization& quantization, Activation activation) {
  const auto real = [&](int64_t code) { return ValueOf(type, quantization, 0, code); };
  const CodeRange all = CodesOf(InfoOf(type).storage), codes = ActivationCodes(activation, quantization, type);
  const RealRange range = RangeOf(activation);
  const RealRange numbers{std::max(range.least, real(all.least)), std::min(range.most, real(all.most))};
  const RealRange stored{real(codes.least), real(codes.most)};
  return {{std::max(numbers.least, stored.least), std::min(numbers.most, stored.most)},
          {std::min(numbers.least, stored.least), std::max(numbers.most, stored.most)}};
}

template <class F>
Bounded<F> SettledCode(const Bounded<F>& x, const Quantization& quantization, double steps, double extra,
                       CodeRange codes, const CodeLimits& limits) {
  const double scale = static_cast<double>(quantization.scale);
  const double code = std::round(x.value / scale) + quantization.zero_point;
  const double clamped = std::clamp(code, static_cast<double>(codes.least), static_cast<double>(codes.most));
  const double value = scale * (clamped - quantization.zero_point);
  // A code exactly on the widened bound conforms: our own rounding must not push it out.
  const double widening = steps * scale + extra;
  const double room = widening == 0 ? 0 : 0x1p-51 * (std::max(std::fabs(x.lo), std::fabs(x.hi)) + widening);
  const double lo = Clamp(x.lo - widening - room, limits.outer.least, limits.inner.most);
  const double hi = Clamp(x.hi + widening + room, limits.inner.least, limits.outer.most);
  return {lo, hi, Clamp(value, lo, hi)};
}

// Rounds a nominal value to the float type of the tensor.
double Nearest(double value, bool is_half) {
  return static_cast<double>(is_half ? FloatFromHalf(HalfFromDouble(value)) : static_cast<float>(value));
}

template <class F>
Bounded<F> SettledFloat(const Bounded<F>& x, bool is_half, const Allowance& allowance, Activation activation,
                        bool strict) {
  // A half stored by a device that computes in float32 has the criterion and the last rounding of float16.
  const bool narrowed = is_half && std::is_same_v<F, Fp32>;
  const double absolute = is_half ? Fp16::kAbsolute : F::kAbsolute;
  const double relative = is_half ? Fp16::kRelative : F::kRelative;
  const double greatest = is_half ? Fp16::kMax : F::kMax;
  const auto allowed = [&](double bound, double error) {
    const double size = std::fabs(bound);
    const double rounding = error + (narrowed ? Fp16::kUlp * (size + error) + Fp16::kTiny : 0);
    return (strict ? rounding : std::max(rounding, absolute + relative * size)) + allowance.extra_absolute;
  };
  // Lo and Hi know that rounding keeps the sign, so they may be nearer than below and above say.
  const double lo = x.lo - allowed(x.lo, x.lo - x.Lo());
  const double hi = x.hi + allowed(x.hi, x.Hi() - x.hi);
  const auto settled = Within<F>(lo, hi, Nearest(x.value, is_half), RangeOf(activation));
  if (!(settled.lo >= -greatest && settled.hi <= greatest)) return Bounded<F>::Unknown(settled.value);
  return settled;
}

template <class F>
Bounded<F> SettledInteger(const Bounded<F>& x, CodeRange range, Activation activation) {
  const auto settled = Within<F>(x.lo, x.hi, std::round(x.value), RangeOf(activation));
  const bool fits = settled.lo >= static_cast<double>(range.least) && settled.hi <= static_cast<double>(range.most);
  return fits ? settled : Bounded<F>::Unknown(settled.value);
}

}  // namespace

template <class F>
void Settle(OperandType type, const Quantization& quantization, const Allowance& allowance, Activation activation,
            bool strict, Bounded<F>* values, size_t count) {
  const Kind kind = KindOf(type, quantization);
  const bool exact = allowance.exact || kind == Kind::kMoved;
  const CodeRange codes =
      kind == Kind::kQuantized ? ActivationCodes(activation, quantization, type) : CodesOf(InfoOf(type).storage);
  const CodeLimits limits = kind == Kind::kQuantized ? LimitsOf(type, quantization, activation) : CodeLimits{};
  for (Bounded<F>& x : std::span(values, count)) {
    if (!x.IsFinite()) {
      // Integers and codes cannot hold an infinity or a NaN: what a device makes of one is its own.
      const bool special = !x.IsUnknown() && (kind == Kind::kFloat32 || kind == Kind::kFloat16);
      x = special ? Activate(activation, x) : Bounded<F>::Unknown(x.value);
    } else if (kind == Kind::kQuantized) {
      x = SettledCode(x, quantization, exact ? 0 : allowance.steps + 0.5, exact ? 0 : allowance.extra_absolute, codes,
                      limits);
    } else if (exact) {
      x = Within<F>(x.Lo(), x.Hi(), x.value, RangeOf(activation));
    } else if (kind == Kind::kInteger) {
      x = SettledInteger(x, codes, activation);
    } else {
      x = SettledFloat(x, kind == Kind::kFloat16, allowance, activation, strict);
    }
  }
}

template <class F>
void Relax(Bounded<F>* values, size_t count) {
  for (Bounded<F>& x : std::span(values, count)) {
    if (!x.IsFinite() || (x.IsPoint() && Nearest(x.value, true) == x.value)) continue;
    const auto widening = [](double bound) { return Fp16::kUlp * std::fabs(bound) + Fp16::kTiny; };
    x.lo -= widening(x.lo);
    x.hi += widening(x.hi);
    if (x.lo < -Fp16::kMax || x.hi > Fp16::kMax) x = Bounded<F>::Unknown(x.value);
  }
}

template <class F>
Verdict Inside(const Bounded<F>& settled, double observed) {
  if (settled.IsExactNan()) return std::isnan(observed) ? Verdict::kInside : Verdict::kOutside;
  if (settled.IsUnknown()) return Verdict::kUnknown;
  return settled.Lo() <= observed && observed <= settled.Hi() ? Verdict::kInside : Verdict::kOutside;
}

template <class F>
Verdict Inside(OperandType type, const Quantization& quantization, const Bounded<F>& settled, const uint8_t* bytes,
               size_t index) {
  return Inside(settled, ElementAt(type, quantization, {}, bytes, index));
}

template <class F>
std::optional<Bounded<F>> Anchor(OperandType type, const Quantization& quantization, bool relaxed, double observed,
                                 const Bounded<F>& settled) {
  if (!std::isfinite(observed)) {
    if (!settled.IsUnknown()) {
      if (Inside(settled, observed) == Verdict::kInside) return settled;
      return std::nullopt;
    }
    return std::isnan(observed) ? Bounded<F>(observed) : settled;
  }
  double lo = observed, hi = observed;
  switch (KindOf(type, quantization)) {
    case Kind::kQuantized: {
      const CodeRange codes = CodesOf(InfoOf(type).storage);
      const double scale = static_cast<double>(quantization.scale);
      lo = std::max(observed - scale, ValueOf(type, quantization, 0, codes.least));
      hi = std::min(observed + scale, ValueOf(type, quantization, 0, codes.most));
      break;
    }
    case Kind::kFloat32:
    case Kind::kFloat16: {
      const bool is_half = KindOf(type, quantization) == Kind::kFloat16;
      const double size = std::fabs(observed);
      // One ulp of the type is at most kUlp of the number; a visible zero may be a flushed subnormal.
      double ulp = is_half ? std::max(Fp16::kUlp * size, size < Fp16::kTiny ? Fp16::kTiny : 0)
                           : std::max(Fp32::kUlp * size, size < Fp32::kTiny ? Fp32::kTiny : 0);
      if (relaxed && !is_half) ulp = Fp16::kUlp * size + Fp16::kTiny;
      lo = observed - ulp;
      hi = observed + ulp;
      break;
    }
    case Kind::kInteger:
    case Kind::kMoved:
      break;
  }
  if (settled.IsFinite()) {
    lo = std::max(lo, settled.Lo());
    hi = std::min(hi, settled.Hi());
  } else if (!settled.IsUnknown()) {
    return std::nullopt;  // an exact infinity or NaN did not come back
  }
  if (!(lo <= hi)) return std::nullopt;
  return Bounded<F>{lo, hi, std::clamp(observed, lo, hi)};
}

template void Settle(OperandType, const Quantization&, const Allowance&, Activation, bool, Bounded<Fp32>*, size_t);
template void Settle(OperandType, const Quantization&, const Allowance&, Activation, bool, Bounded<Fp16>*, size_t);
template void Relax(Bounded<Fp32>*, size_t);
template void Relax(Bounded<Fp16>*, size_t);
template Verdict Inside(const Bounded<Fp32>&, double);
template Verdict Inside(const Bounded<Fp16>&, double);
template Verdict Inside(OperandType, const Quantization&, const Bounded<Fp32>&, const uint8_t*, size_t);
template Verdict Inside(OperandType, const Quantization&, const Bounded<Fp16>&, const uint8_t*, size_t);
template std::optional<Bounded<Fp32>> Anchor(OperandType, const Quantization&, bool, double, const Bounded<Fp32>&);
template std::optional<Bounded<Fp16>> Anchor(OperandType, const Quantization&, bool, double, const Bounded<Fp16>&);

}  // namespace assay
