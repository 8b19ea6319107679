#include "validate/rules.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "ops/registry.h"
#include "validate/calls.h"
#include "validate/control_flow.h"
#include "validate/execution.h"
#include "validate/graph.h"
#include "validate/levels.h"
#include "validate/operands.h"
#include "validate/report.h"
#include "validate/request.h"

namespace assay {

std::vector<RuleDescription> OwnRules() {
  std::vector<RuleDescription> rules;
  for (const std::span<const Rule> table :
       {GraphRules(), OperandRules(), CallRules(), BoundaryRules(), LevelRules(), RequestRules(), ReportRules()})
    for (const Rule& rule : table) rules.push_back({std::string(rule.id), rule.stage, std::string(rule.says)});
  return rules;
}

std::vector<RuleDescription> AllRules() {
  std::vector<RuleDescription> rules = OwnRules();
  for (const OperationInfo* info : AllOperations()) {
    const size_t first = rules.size();
    for (Violation& v : info->all_rules()) rules.push_back({std::move(v.rule), v.stage, std::move(v.message)});
    for (const OutputRule& rule : OutputRules()) {
      std::string id = OutputRuleId(*info, rule);
      const auto same = [&](const RuleDescription& r) { return r.id == id; };
      if (std::none_of(rules.begin() + static_cast<ptrdiff_t>(first), rules.end(), same))
        rules.push_back({std::move(id), Stage::kExecution, std::string(rule.says)});
    }
  }
  return rules;
}

}  // namespace assay
