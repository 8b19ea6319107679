// Which valid models can be executed here, and how their subgraphs refer to each other.
#pragma once
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/model.h"

namespace assay {

// INVALID_ARGUMENT if an operation is none of the registry's: operations of extensions are valid, but nobody here knows
// them.
absl::Status CheckSupported(const Model& model);

// The subgraphs to which inputs of a subgraph's operations refer, as often as they do.
std::vector<uint32_t> References(const Subgraph& subgraph);

// The subgraphs of a valid model, each after those that it refers to. RESOURCE_EXHAUSTED_PERSISTENT if references go
// deeper than kMostNesting. Does not recurse.
absl::StatusOr<std::vector<uint32_t>> InnerFirst(const Model& model);

}  // namespace assay
