// The closed list of operations.
#pragma once
#include <span>

#include "ops/operation.h"

namespace assay {

// In the order of their codes.
std::span<const OperationInfo* const> AllOperations();
// Null if the operation is not in the registry (OEM and extension operations).
const OperationInfo* FindOperationInfo(OperationCode code);
// Changes whenever what is drawn for a tape may change: names, rows and rules of all operations. Part of every tape.
uint64_t RegistryHash();

}  // namespace assay
