// In which order a model's subgraphs are written and numbered. Knows the references between subgraphs, no text.
#pragma once
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace assay {

// True if the operand hands a subgraph to an operation.
inline bool RefersToSubgraph(const Operand& operand) { return operand.lifetime == Lifetime::SUBGRAPH; }

struct SubgraphOrder {
  // Subgraphs as first met from the main one through the operands, depth first; then those not met.
  std::vector<uint32_t> met;
  // The same subgraphs as a file has them: each after those that it refers to, the main one last, those not met first.
  std::vector<uint32_t> written;
  // For each subgraph and operand: 1 if it refers to a subgraph that is written before, so that its name can stand
  // there; 0 for circles and subgraphs that do not exist.
  std::vector<std::vector<char>> by_name;
  size_t not_met = 0;
};

// Walks the references. With `keep_numbers`, a reference that would meet a subgraph before one with a lower index is
// passed over (by_name 0), so that what a reader of the file finds has the same indices: met is 0, 1, 2, ...
SubgraphOrder OrderSubgraphs(const Model& model, bool keep_numbers);

}  // namespace assay
