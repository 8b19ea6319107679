// Every rule of validate/ can fire, alone.
#include "validate/rules.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/validate/breakages.h"

namespace assay {
namespace {

using testing::IsEmpty;
using testing::Not;

std::set<std::string> RulesOf(const Violations& violations) {
  std::set<std::string> rules;
  for (const Violation& v : violations) rules.insert(v.rule);
  return rules;
}

TEST(RulesTest, SamplesAreValid) {
  EXPECT_THAT(RulesOf(ValidateModel(Sample().Build())), IsEmpty());
  EXPECT_THAT(RulesOf(ValidateModel(Sample().Build(), 1)), IsEmpty());
}

TEST(RulesTest, ControlFlowSamplesAreValid) {
  for (const Model& model : {IfSample(), WhileSample()}) {
    EXPECT_THAT(RulesOf(ValidateModel(model, 4)), IsEmpty()) << ToStatus(ValidateModel(model, 4));
    EXPECT_EQ(LowestLevel(model).level, 4);
  }
  Model model = IfSample();
  model.subgraphs[2].inputs.pop_back();
  EXPECT_EQ(RulesOf(ValidateModel(model)), (std::set<std::string>{"if.else_inputs", "graph.unlisted"}));
}

TEST(RulesTest, EachBreakageBreaksItsRuleAlone) {
  for (const Breakage& b : AllBreakages()) {
    const Violations violations = b.violations();
    EXPECT_EQ(RulesOf(violations), std::set{b.rule}) << b.rule << ", " << b.how << ":\n" << ToStatus(violations);
    for (const Violation& v : violations) EXPECT_THAT(v.message, Not(IsEmpty())) << v.rule;
  }
}

TEST(RulesTest, EveryOwnRuleHasFired) {
  std::set<std::string> fired;
  for (const Breakage& b : AllBreakages())
    for (const Violation& v : b.violations()) fired.insert(v.rule);
  std::set<std::string> never_fired;
  for (const RuleDescription& rule : OwnRules())
    if (fired.count(rule.id) == 0) never_fired.insert(rule.id);
  EXPECT_THAT(never_fired, IsEmpty());
}

TEST(RulesTest, FiredRulesAreListedWithTheirStage) {
  std::set<std::pair<std::string, Stage>> listed;
  for (const RuleDescription& rule : AllRules()) listed.emplace(rule.id, rule.stage);
  for (const Breakage& b : AllBreakages())
    for (const Violation& v : b.violations()) EXPECT_EQ(listed.count({v.rule, v.stage}), 1u) << v.rule;
}

TEST(RulesTest, IdsAreDistinctAndSayWhatTheyMean) {
  std::set<std::string> ids;
  for (const RuleDescription& rule : AllRules())
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id << " is there twice";
  for (const RuleDescription& rule : OwnRules()) EXPECT_THAT(rule.says, Not(IsEmpty())) << rule.id;
}

}  // namespace
}  // namespace assay
