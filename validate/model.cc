#include "validate/model.h"

#include <limits>
#include <vector>

#include "validate/calls.h"
#include "validate/graph.h"
#include "validate/levels.h"
#include "validate/operands.h"
#include "validate/report.h"

namespace assay {
namespace {

// Every rule of Stage::kModel, and the level.
LevelReport Check(const Model& model, FeatureLevel allowed, Report& report) {
  Levels levels(allowed, report);
  const Extensions extensions(model, report);
  CheckSubgraphs(model, report);
  std::vector<std::vector<bool>> sound(model.subgraphs.size());
  for (size_t s = 0; s < model.subgraphs.size(); ++s) {
    sound[s].resize(model.subgraphs[s].operands.size());
    for (size_t i = 0; i < sound[s].size(); ++i) sound[s][i] = CheckOperand(model, s, i, extensions, report);
    CheckGraph(model, s, report);
  }
  levels.NeedModel(model);
  Calls calls(model, extensions, report, levels);
  for (size_t s = 0; s < model.subgraphs.size(); ++s) calls.Check(s, sound[s]);
  LevelReport lowest = levels.lowest();
  lowest.valid = report.clean();
  return lowest;
}

}  // namespace

Violations ValidateModel(const Model& model, FeatureLevel level) {
  Report report(kMostViolations);
  Check(model, level, report);
  return report.Take();
}

LevelReport LowestLevel(const Model& model) {
  Report report(1);
  return Check(model, std::numeric_limits<FeatureLevel>::max(), report);
}

}  // namespace assay
