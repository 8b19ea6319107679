// Planted faults of comparisons, logic and choices.
#include <cmath>

#include "driver/fault_table.h"
#include "ops/axis.h"

namespace assay {
namespace {

using enum OperationCode;

// Where along the axis the element is that beats all before it.
Spoil Choosing(std::function<bool(double candidate, double best)> beats) {
  return
      [beats = std::move(beats)](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
        int32_t axis = 0;
        std::memcpy(&axis, in[1].bytes, sizeof axis);
        const std::vector<double> values = Values(in[0]);
        const Lines lines = LinesAlong(*in[0].dims, AxisIndex(axis, in[0].dims->size()));
        std::vector<double> answer(Count(*out[0].dims));
        lines.ForEach([&](size_t line, size_t first) {
          size_t best = 0;
          for (size_t i = 1; i < lines.size; ++i)
            if (beats(values[first + i * lines.inner], values[first + best * lines.inner])) best = i;
          answer[line] = static_cast<double>(best);
        });
        SetValues(out[0], answer);
      };
}

bool Exchange(CallRewrite& call, size_t a, size_t b) {
  std::swap(call.inputs[a], call.inputs[b]);
  return true;
}

}  // namespace

FaultList ComparisonFaults() {
  return {
      SpoilingFault("greater-includes-equal", "GREATER is true of equal elements", {GREATER},
                    RecomputingPairs([](double x, double y) { return x >= y; })),
      SpoilingFault("greater-equal-excludes-equal", "GREATER_EQUAL is false of equal elements", {GREATER_EQUAL},
                    RecomputingPairs([](double x, double y) { return x > y; })),
      SpoilingFault("less-equal-excludes-equal", "LESS_EQUAL is false of equal elements", {LESS_EQUAL},
                    RecomputingPairs([](double x, double y) { return x < y; })),
      RewritingFault("greater-exchanged", "the operands are exchanged", {GREATER, GREATER_EQUAL},
                     [](OperationCode, CallRewrite& call) { return Exchange(call, 0, 1); }),
      SpoilingFault(
          "equality-with-tolerance", "numbers that differ by less than 1/8 count as equal", {EQUAL, NOT_EQUAL},
          [](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
            const bool differs = place.code == NOT_EQUAL;
            RecomputingPairs([=](double x, double y) { return std::fabs(x - y) < 0.125 ? !differs : differs; })(
                place, in, out);
          }),
      SpoilingFault("argmin-last-of-ties", "of equal elements the last one is taken", {ARGMIN},
                    Choosing([](double x, double best) { return x <= best; })),
      SpoilingFault("argmin-of-magnitudes", "the element that is nearest to 0 is taken", {ARGMIN},
                    Choosing([](double x, double best) { return std::fabs(x) < std::fabs(best); })),
      RewritingFault("logical-and-reads-one-operand", "LOGICAL_AND takes the first operand for both", {LOGICAL_AND},
                     [](OperationCode, CallRewrite& call) {
                       const bool same = call.inputs[0].shape == call.inputs[1].shape;
                       if (same) call.inputs[1] = call.inputs[0];
                       return same;
                     }),
      SpoilingFault("logical-or-exclusive", "LOGICAL_OR is false where both are true", {LOGICAL_OR},
                    RecomputingPairs([](double x, double y) { return x != y; })),
      SpoilingFault("logical-not-flips-bits", "LOGICAL_NOT flips all bits of a byte, so that 1 becomes 254",
                    {LOGICAL_NOT},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      for (size_t i = 0; i < Count(*out[0].dims); ++i)
                        out[0].bytes[i] = static_cast<uint8_t>(~in[0].bytes[i]);
                    }),
      RewritingFault("select-exchanged", "where the condition is true the second tensor is taken", {SELECT},
                     [](OperationCode, CallRewrite& call) { return Exchange(call, 1, 2); }),
      RewritingFault("select-keeps-codes", "the second tensor's codes are written as they are", {SELECT},
                     [](OperationCode, CallRewrite& call) {
                       const bool differ = !(call.inputs[2].quantization == call.outputs[0].quantization);
                       call.inputs[2].quantization = call.outputs[0].quantization;
                       return differ;
                     }),
  };
}

}  // namespace assay
