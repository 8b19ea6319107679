#include "validate/argument.h"

namespace assay {

Argument ArgumentOf(const Operand& operand) {
  Argument argument;
  argument.type = operand.type;
  argument.shape = operand.shape();
  argument.quantization = operand.quantization;
  argument.omitted = operand.lifetime == Lifetime::NO_VALUE;
  argument.subgraph = operand.subgraph;
  if (IsConstant(operand.lifetime) && operand.value != nullptr) {
    argument.value_known = true;
    argument.value = *operand.value;
  }
  return argument;
}

}  // namespace assay
