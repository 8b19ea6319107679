// What the random graph plans for a tensor while it is drawn, and the limits it keeps values in (judging.md 7).
// Refuses to know operations; a plan never comes from a kernel's results, so a seed means the same everywhere.
#pragma once
#include <cstddef>

#include "model/model.h"
#include "ops/drawing.h"

namespace assay {

// Of one operand of a graph that is being drawn.
struct Plan {
  Range range;
  // An operation may read it. False where the values mean nothing or the shape depends on values.
  bool readable = true;
  // The values of an unreadable output mean nothing and are not compared.
  bool unspecified = false;
  // Fan-in of weights, so that only weights are shared as weights; 0 for anything else.
  size_t weights_fan_in = 0;
  // Its elements may change places and the model stays legal: not for boxes, sorted keys and shapes.
  bool permutable = false;
  // Predicted width of the judge's interval where no test sees the tensor, in the tensor's units.
  double width = 0;
  // An output only so that the judge sees it.
  bool exposed = false;
  bool omitted = false;  // a model input for which the request passes nothing
};

// The range of what the codes of a quantized type stand for: sure.
Range RangeOfCodes(OperandType type, const Quantization& quantization);
// What surely holds of a tensor's values: the plan's range if it is sure, else that of the codes; nothing for other
// floats.
std::optional<Range> SureRange(const Operand& operand, const Plan& plan);
bool LiesIn(const Range& inner, const Range& outer);

// True if an operation may read a tensor with this plan: its square, and sums of some squares, keep the type's limits,
// and it is not so small that absolute tolerances hide it.
bool IsGoodSource(const Operand& operand, const Plan& plan, bool half);
// True if an operation may have results planned so: magnitudes below 2^13 in half precision, 2^31 in TENSOR_INT32.
bool KeepsLimits(OperandType type, const Range& range, bool half);

// A first, simple prediction of the judge's interval at the output of an operation, in the output's units: the widths
// of its data inputs are added, multiplied by `growth` (1.7 for weights with a dominant tap, 0.8 sqrt(fan-in) for
// Gaussian ones, 1 without weights: judging.md 4) and one allowance of the output is added. Movement adds none. Too
// wide for maxima and concatenations, too narrow for products of large factors and functions steeper than 1.
double PredictWidth(const Operand& output, const Range& range, double sum_of_input_widths, double growth, bool half,
                    bool movement);
// The width at a tensor that the judge sees.
double AnchoredWidth(const Operand& output, const Range& range, bool half);
// Past 25 % of the range an interval says too little: expose the tensor.
bool NeedsAnchor(double width, const Range& range);

}  // namespace assay
