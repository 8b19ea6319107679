// assay ops: what the registry knows, printed from the code.
#include <algorithm>
#include <cstdio>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "assay/command.h"
#include "assay/json_text.h"
#include "assay/words.h"
#include "nlohmann/json.hpp"
#include "ops/registry.h"

namespace assay {
namespace {

absl::string_view NameOfEvaluation(Evaluation e) {
  switch (e) {
    case Evaluation::kReal:
      return "real numbers";
    case Evaluation::kMovement:
      return "movement";
    case Evaluation::kControlFlow:
      return "control flow";
  }
  return "";
}

std::string TypeName(OperandType type) { return type == kAnyType ? "any" : std::string(NameOf(type)); }

std::string TypeNames(const TypeList& list) {
  std::vector<std::string> names;
  for (size_t i = 0; i < list.count; ++i) names.push_back(TypeName(list.types[i]));
  return absl::StrJoin(names, ", ");
}

FeatureLevel Since(const OperationInfo& info) {
  FeatureLevel since = kHighestFeatureLevel;
  for (const TypeRow& row : info.rows) since = std::min(since, row.since);
  return since;
}

// The types of the first input, each once, without "TENSOR_".
std::string FirstTypes(const OperationInfo& info) {
  std::vector<std::string> names;
  for (const TypeRow& row : info.rows) {
    std::string name = TypeName(row.inputs.at(0));
    if (name.rfind("TENSOR_", 0) == 0) name = name.substr(7);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return absl::StrJoin(names, " ");
}

void PrintTable() {
  absl::PrintF("%-4s %-26s %-5s %-5s %-13s %s\n", "code", "operation", "since", "rules", "evaluation",
               "types of the first input");
  for (const OperationInfo* info : AllOperations())
    absl::PrintF("%-4d %-26s %-5d %-5d %-13s %s\n", static_cast<uint32_t>(info->code), info->name, Since(*info),
                 info->all_rules().size(), NameOfEvaluation(info->evaluation), FirstTypes(*info));
  absl::PrintF("%d of the %d operations of NNAPI\n", AllOperations().size(), OperationNames().size());
}

void PrintOperation(const OperationInfo& info) {
  absl::PrintF(
      "%s (code %d, since feature level %d)\n%s\n\noperands:\n%s\ntypes (since: inputs -> outputs; the last one stands "
      "for all that follow):\n",
      info.name, static_cast<uint32_t>(info.code), Since(info), info.prose, info.signature());
  for (const TypeRow& row : info.rows)
    absl::PrintF("  %d: (%s) -> (%s)\n", row.since, TypeNames(row.inputs), TypeNames(row.outputs));
  absl::PrintF("\nrules:\n");
  for (const Violation& rule : info.all_rules())
    absl::PrintF("  %-44s %-9s %s\n", rule.rule, NameOf(rule.stage), rule.message);
}

nlohmann::json ToJson(const OperationInfo& info) {
  nlohmann::json rows = nlohmann::json::array(), rules = nlohmann::json::array();
  const auto types = [](const TypeList& list) {
    std::vector<std::string> names;
    for (size_t i = 0; i < list.count; ++i) names.push_back(TypeName(list.types[i]));
    return names;
  };
  for (const TypeRow& row : info.rows)
    rows.push_back({{"since", row.since}, {"inputs", types(row.inputs)}, {"outputs", types(row.outputs)}});
  for (const Violation& rule : info.all_rules())
    rules.push_back({{"id", rule.rule}, {"stage", std::string(NameOf(rule.stage))}});
  return {{"name", std::string(info.name)},
          {"code", static_cast<uint32_t>(info.code)},
          {"since", Since(info)},
          {"evaluation", std::string(NameOfEvaluation(info.evaluation))},
          {"rows", rows},
          {"rules", rules}};
}

}  // namespace

int Ops(const OpsCommand& command) {
  const OperationInfo* chosen = nullptr;
  if (command.operation) {
    const auto code = FindOperation(*command.operation);
    if (code) chosen = FindOperationInfo(*code);
    if (chosen == nullptr) return Complain(NoSuchOperation(*command.operation), kWrongUse);
  }
  if (command.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const OperationInfo* info : AllOperations())
      if (chosen == nullptr || chosen == info) list.push_back(ToJson(*info));
    PrintJson(list);
  } else if (chosen != nullptr) {
    PrintOperation(*chosen);
  } else {
    PrintTable();
  }
  return kGood;
}

}  // namespace assay
