// From an operand of a model to what ops/ knows of an argument. Refuses to know any rule.
#pragma once
#include "model/model.h"
#include "ops/argument.h"

namespace assay {

// What a model says of `operand` before anything runs: its shape with unknown dimensions, the value of a constant, the
// omission of a NO_VALUE operand, the index of the subgraph to which a SUBGRAPH operand refers. The value points into
// the operand's bytes.
Argument ArgumentOf(const Operand& operand);

}  // namespace assay
