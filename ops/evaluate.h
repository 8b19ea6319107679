// Runs an evaluation in a domain: converts what must be converted, applies the fused activation, rounds once. Knows no
// operation.
#pragma once
#include <optional>
#include <span>

#include "ops/frame.h"
#include "ops/operation.h"

namespace assay {

// `eval(op, frame)`; a plain function pointer so that this is compiled once, not once for every operation.
template <class T>
using EvalFunction = void (*)(const void* op, Frame<T>& frame);

// Bytes for one input or output of `count` elements of `type` in domain N: 0 if it is used in place.
template <class N>
size_t ConversionBytes(OperandType type, size_t count, bool converted);

template <class N>
void RunReal(const void* op, EvalFunction<N> eval, Activation activation, std::span<const TensorRef> inputs,
             std::span<const TensorRef> outputs, std::span<uint8_t> scratch);
void RunMovement(const void* op, EvalFunction<uint8_t> eval1, EvalFunction<uint16_t> eval2,
                 EvalFunction<uint32_t> eval4, std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
                 std::span<uint8_t> scratch);

// Where a call reads its inputs or writes its outputs other than by the tensors' own quantization; by position, may be
// shorter than the operands.
struct Rereading {
  std::span<const std::optional<Quantization>> inputs, outputs;
};

struct BoundedSettings {
  Assumptions assumptions;
  Rereading rereading;
  Activation activation = Activation::NONE;
  std::span<const Allowance> allowances;  // one per output
  std::span<const bool> unspecified;      // one per output
};
template <class F>
void RunBoundedReal(const void* op, EvalFunction<Bounded<F>> eval, const BoundedSettings& settings,
                    std::span<const IntervalRef> inputs, std::span<const IntervalRef> outputs,
                    std::span<uint8_t> scratch);
void RunBoundedMovement(const void* op, EvalFunction<Interval> eval, const Assumptions& assumptions,
                        const Rereading& rereading, std::span<const IntervalRef> inputs,
                        std::span<const IntervalRef> outputs, std::span<uint8_t> scratch);
// The frame that Accept sees: inputs only.
template <class F>
using AcceptFunction = void (*)(const void* op, Frame<Bounded<F>>& frame, size_t output, std::span<const double> answer,
                                std::span<Verdict> verdicts);
template <class F>
void RunAccept(const void* op, AcceptFunction<F> accept, const Assumptions& assumptions, const Rereading& rereading,
               std::span<const IntervalRef> inputs, size_t output, std::span<const double> answer,
               std::span<Verdict> verdicts, std::span<uint8_t> scratch);

// Is float16 arithmetic to be assumed for a call with these tensors?
bool ComputesInFloat16(const Assumptions& assumptions, std::span<const IntervalRef> inputs,
                       std::span<const IntervalRef> outputs);

}  // namespace assay
