// No operation is named here. Of all operations, exactly those whose defaults a runtime drops have optional scalars at
// their end, and what such a scalar defaults to follows from its type: a layout or a resize flag is a BOOL, an axis an
// INT32, and dilations come in pairs.
#include "validate/trailing_defaults.h"

#include <algorithm>
#include <cstring>

#include "ops/rule.h"

namespace assay {
namespace {

// Layout, dilations, and two flags: no operation has more.
constexpr size_t kMostDropped = 4;

const Operand& InputFromEnd(const Subgraph& subgraph, const Operation& operation, size_t left, size_t from_end) {
  return subgraph.operands[operation.inputs[left - from_end]];
}

bool IsCopiedInt(const Operand& operand, int32_t value) {
  int32_t actual = 0;
  if (operand.lifetime != Lifetime::CONSTANT_COPY || operand.type != OperandType::INT32) return false;
  std::memcpy(&actual, operand.value->data(), sizeof actual);
  return actual == value;
}

bool IsCopiedFalse(const Operand& operand) {
  return operand.lifetime == Lifetime::CONSTANT_COPY && operand.type == OperandType::BOOL &&
         operand.value->front() == 0;
}

// How many of the first `left` inputs go together if they are at their default; 0 if the last is not.
size_t DefaultsAtEnd(const Subgraph& subgraph, const Operation& operation, size_t left) {
  if (left < 2) return 0;
  const Operand& last = InputFromEnd(subgraph, operation, left, 1);
  if (IsCopiedFalse(last) || IsCopiedInt(last, -1)) return 1;
  return IsCopiedInt(last, 1) && IsCopiedInt(InputFromEnd(subgraph, operation, left, 2), 1) ? 2 : 0;
}

bool Reads(const OperationInfo& info, std::span<const Argument> inputs, std::span<const Argument> outputs) {
  Violations violations;
  return info.decode(inputs, outputs, violations) != nullptr &&
         std::none_of(violations.begin(), violations.end(),
                      [](const Violation& v) { return v.stage == Stage::kModel; });
}

}  // namespace

size_t InputsWithoutDefaults(const Subgraph& subgraph, const Operation& operation, const OperationInfo& info,
                             std::span<const Argument> inputs, std::span<const Argument> outputs) {
  size_t left = inputs.size();
  if (info.evaluation == Evaluation::kControlFlow) return left;  // they take any inputs
  while (inputs.size() - left < kMostDropped) {
    const size_t defaults = DefaultsAtEnd(subgraph, operation, left);
    if (defaults == 0 || !Reads(info, inputs.first(left - defaults), outputs)) break;
    left -= defaults;
  }
  return left;
}

}  // namespace assay
