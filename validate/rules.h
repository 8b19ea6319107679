// The list of all rules, for people and for the test that demands that each of them can fire.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "ops/rule.h"

namespace assay {

struct RuleDescription {
  std::string id;  // complete: "operand.scale", "conv_2d.depth_in"
  Stage stage;
  std::string says;
};

// The rules of whole models and requests: those that are not of an operation.
std::vector<RuleDescription> OwnRules();
// The rules of whole models and requests, and then those of all operations, in the order of the registry.
std::vector<RuleDescription> AllRules();

}  // namespace assay
