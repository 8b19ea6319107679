// The operations of a model: decoded one by one by ops/, checked, and asked for their level. Refuses to know what any
// of them means.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "ops/argument.h"
#include "ops/operation.h"
#include "ops/rule.h"
#include "validate/control_flow.h"
#include "validate/levels.h"
#include "validate/operands.h"
#include "validate/report.h"

namespace assay {

// A constant with more bytes is handed to ops/ without its value: many operations may share it, and each would copy it.
// Lists that decide shapes (paddings, axes, permutations) are far shorter.
inline constexpr size_t kMostValueBytes = 4096;

// What the model says of an operand, for a call.
Argument CallArgument(const Operand& operand);

// Checks the operations of one model's subgraphs.
class Calls {
 public:
  Calls(const Model& model, const Extensions& extensions, Report& report, Levels& levels)
      : model_(model), extensions_(extensions), report_(report), levels_(levels), boundaries_(model, report, levels) {}

  // Every operation of the subgraph whose operands are `sound`, and the level of all operands that are not left over.
  void Check(size_t subgraph, const std::vector<bool>& sound);

 private:
  // How many inputs count when it comes to levels.
  size_t CheckOperation(size_t subgraph, size_t operation);
  size_t Decode(size_t subgraph, size_t operation, const OperationInfo& info);

  const Model& model_;
  const Extensions& extensions_;
  Report& report_;
  Levels& levels_;
  Boundaries boundaries_;
};

std::span<const Rule> CallRules();

}  // namespace assay
