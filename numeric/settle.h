// From raw bounded results to what a conforming device may hold in a stored tensor, and back from what it was seen to
// hold: the allowance, the fused activation, the verdict on one element, the anchor. Knows types and criteria; refuses
// to know operations (their allowances are data in their files) and whole tensors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/types.h"
#include "numeric/activation.h"
#include "numeric/bounded.h"

namespace assay {

// What an operation may be off by, besides its roundings. Written in the family's file, with the reason.
struct Allowance {
  double steps = 1;           // of a quantized output: stored codes may be so many off the nearest one
  double extra_absolute = 0;  // added to every bound: declared freedoms such as Winograd convolution
  bool exact = false;         // data movement, integers, bools: no widening at all, special values must come back
};

// Turns an operation's raw results into what a conforming device may hold in a tensor of `type`; below and above are 0
// afterwards, and `value` is rounded to the type.
//   quantized  the hull widened by (steps + 0.5) * scale, then clamped to the activation and the type, exactly: by
//              their codes, or as a device may that carries the tensor unrounded, by their real limits. below and above
//              are ignored (a step is far more). So exactly the codes round(lo / s) - steps ... round(hi / s) + steps
//              conform, up to ties, within ActivationCodes.
//   float      each bound widened by the greater of below (above) and the CTS criterion at that bound (`strict`:
//              without it), then clamped to the activation's range; past the greatest finite number of the format:
//              unknown. A float16 tensor has float16's criterion, one more rounding and float16's range even if F is
//              Fp32.
//   integers   the hull alone; a bound outside of the type gives unknown. bool: the hull alone.
// With `exact` only the activation is applied. The per-channel type can only be moved: it is always exact.
template <class F>
void Settle(OperandType type, const Quantization& quantization, const Allowance& allowance, Activation activation,
            bool strict, Bounded<F>* values, size_t count);

// Widens stored float32 operands of a relaxed model, which a device may round to float16 first, by one float16 ulp of
// each bound plus 2^-14; but what is known to be a float16 stays. Past 65504: unknown.
template <class F>
void Relax(Bounded<F>* values, size_t count);

enum class Verdict { kInside, kOutside, kUnknown };

// Whether a device may store the number `observed` where `settled` is what it may hold: settled.Lo() <= observed <=
// settled.Hi(). -0 equals +0. Finite bounds and a NaN or infinity: outside. An exact NaN or infinity must come back.
template <class F>
Verdict Inside(const Bounded<F>& settled, double observed);
// The same for element `index` of a stored tensor; not for per-channel types (see ElementAt).
template <class F>
Verdict Inside(OperandType type, const Quantization& quantization, const Bounded<F>& settled, const uint8_t* bytes,
               size_t index);

// What the consumers of an observed element may use: the observed number +- one step (quantized, within the type's
// codes), +- one ulp of its type (float; a relaxed float32: one float16 ulp + 2^-14), or exactly it (integers, bools),
// INTERSECTED with the settled bounds; its value is the observed one, moved inside. Nothing if they do not meet: a
// fault. An observed infinity anchors nothing unless it is exact (the device may hold a finite number beyond the
// format); an observed NaN is a NaN.
template <class F>
std::optional<Bounded<F>> Anchor(OperandType type, const Quantization& quantization, bool relaxed, double observed,
                                 const Bounded<F>& settled);

}  // namespace assay
