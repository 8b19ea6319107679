#include "randomgraph/plan.h"

#include <cmath>

namespace assay {
namespace {

// One allowance on either side, in the tensor's units (judging.md 1, 2).
double Allowed(const Operand& operand, const Range& range, bool half) {
  if (InfoOf(operand.type).has_scale) return 1.5 * operand.quantization.scale;
  if (!IsFloat(operand.type)) return 0;
  return half ? 5 * 0x1p-10 * (1 + range.magnitude()) : 1e-5 + 5 * 0x1p-23 * range.magnitude();
}

}  // namespace

Range RangeOfCodes(OperandType type, const Quantization& quantization) {
  const CodeRange codes = CodesOf(InfoOf(type).storage);
  const double scale = quantization.scale;
  return {scale * static_cast<double>(codes.least - quantization.zero_point),
          scale * static_cast<double>(codes.most - quantization.zero_point), true};
}

std::optional<Range> SureRange(const Operand& operand, const Plan& plan) {
  if (plan.range.sure) return plan.range;
  if (InfoOf(operand.type).has_scale) return RangeOfCodes(operand.type, operand.quantization);
  return std::nullopt;
}

bool LiesIn(const Range& inner, const Range& outer) { return outer.least <= inner.least && inner.most <= outer.most; }

bool IsGoodSource(const Operand& operand, const Plan& plan, bool half) {
  const double magnitude = plan.range.magnitude();
  if (operand.type == OperandType::TENSOR_BOOL8) return true;
  // Products stay below 2^28, sums of eight products below 2^31.
  if (operand.type == OperandType::TENSOR_INT32) return plan.range.sure && magnitude <= 0x1p14;
  // 25 squares of 16 are 6400, below 2^13.
  const double most = half ? 16 : 0x1p10;
  return magnitude <= most && magnitude >= 0x1p-5;
}

bool KeepsLimits(OperandType type, const Range& range, bool half) {
  const double magnitude = range.magnitude();
  if (type == OperandType::TENSOR_INT32) return magnitude < 0x1p31;
  if (!IsFloat(type) && !IsQuantized(type)) return true;
  return magnitude <= (half ? 0x1p13 : 0x1p60);
}

double PredictWidth(const Operand& output, const Range& range, double sum_of_input_widths, double growth, bool half,
                    bool movement) {
  return growth * sum_of_input_widths + (movement ? 0 : 2 * Allowed(output, range, half));
}

double AnchoredWidth(const Operand& output, const Range& range, bool half) {
  if (InfoOf(output.type).has_scale) return 2 * double{output.quantization.scale};
  if (!IsFloat(output.type)) return 0;
  return 2 * range.magnitude() * (half ? 0x1p-10 : 0x1p-23);
}

bool NeedsAnchor(double width, const Range& range) { return width > 0.25 * (range.most - range.least); }

}  // namespace assay
