// Is a whole model valid, at which feature level, and will it surely fail when it is executed?
//
// All three take any model, however broken: the time is linear in its size and nothing recurses on its depth. Refuses
// to know what an operation computes (ops/ says what a call must satisfy) and how a model is stored or sent.
#pragma once
#include <cstddef>
#include <string>

#include "model/model.h"
#include "ops/rule.h"

namespace assay {

// A report names at most this many broken rules; one more entry, "model.more", counts the rest.
inline constexpr size_t kMostViolations = 100;
// The limit on the rank of an operand that this implementation sets (NNAPI sets none).
inline constexpr size_t kMostDims = 256;

// Every broken rule of Stage::kModel (rules.h lists them; those of ops/ among them), each with the place and the
// values. Empty if a runtime of `level` must accept the model. A model with a broken rule is not looked into where the
// rule makes that meaningless: an operation whose operands are broken is not decoded.
Violations ValidateModel(const Model& model, FeatureLevel level = kHighestFeatureLevel);

struct LevelReport {
  bool valid = false;      // false: the model breaks a rule at every level, and `level` counts only what could be read
  FeatureLevel level = 1;  // the lowest at which the model is valid
  std::string raised_by;   // the first operand or operation that needs `level`, and why; empty at level 1
  // A WHILE has a boundary operand of unknown size: the framework's own interpreter takes it, a device never does.
  bool runtime_only = false;
};
// Trailing optional inputs that are constants at their default (layout, dilations, axis, resize flags) do not count: a
// runtime drops them before it offers the model. Nor do operands to which nothing refers.
LevelReport LowestLevel(const Model& model);

// The rules of Stage::kExecution that a valid model breaks whatever its inputs are: it is accepted, and fails when it
// is executed. Shapes are inferred along the graph as far as they are known; an optional input that the caller may
// leave out makes its operation's shapes unknown. Looks into the main subgraph and those that it always runs (a branch
// that may not be taken says nothing). Empty for an invalid model.
Violations ExecutionViolations(const Model& model);

}  // namespace assay
