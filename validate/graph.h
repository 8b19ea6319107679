// The graph of one subgraph: indices, lists, order, one writer for each operand; and that references between subgraphs
// have no cycle. Refuses to know types and what operations mean.
#pragma once
#include <cstddef>
#include <span>

#include "model/model.h"
#include "ops/rule.h"
#include "validate/report.h"

namespace assay {

// The model has a main subgraph, and no subgraph refers to itself, directly or through others. Operands that refer to
// no subgraph are skipped.
void CheckSubgraphs(const Model& model, Report& report);

void CheckGraph(const Model& model, size_t subgraph, Report& report);

// Are all operand indices of the operation in range?
bool IndicesInRange(const Subgraph& subgraph, const Operation& operation);

std::span<const Rule> GraphRules();

}  // namespace assay
