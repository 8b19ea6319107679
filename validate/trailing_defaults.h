// The trailing optional scalars that a runtime drops from an operation before it asks what level the operation needs.
#pragma once
#include <memory>
#include <span>

#include "model/model.h"
#include "ops/operation.h"

namespace assay {

// How many inputs of `operation` are left without those at the end that are constants (copied, not referred to) at
// their default: BOOL false, INT32 -1 (an axis), or two INT32 of 1 (dilations, which only go together). An input goes
// only if the operation still reads without it, so what is not optional stays. `inputs` and `outputs` are its
// arguments.
size_t InputsWithoutDefaults(const Subgraph& subgraph, const Operation& operation, const OperationInfo& info,
                             std::span<const Argument> inputs, std::span<const Argument> outputs);

}  // namespace assay
