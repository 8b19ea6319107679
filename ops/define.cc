#include "ops/define.h"

#include <algorithm>

namespace assay {

std::vector<Violation> CompleteRules(const OperationInfo& info, std::span<const ListRules::Id> one,
                                     std::span<const ListRules::Id> other, bool allows_empty) {
  const std::string prefix = absl::StrCat(absl::AsciiStrToLower(info.name), ".");
  std::vector<Violation> out;
  const auto add = [&](absl::string_view id, Stage stage, absl::string_view says) {
    std::string full = absl::StrCat(prefix, id);
    if (std::any_of(out.begin(), out.end(), [&](const Violation& v) { return v.rule == full; })) return;
    out.push_back({std::move(full), stage, std::string(says)});
  };
  const auto takes_all = [](const TypeRow& row) {
    return row.inputs.at(0) == kAnyType && row.outputs.at(0) == kAnyType;
  };
  const bool takes_any_types = std::any_of(info.rows.begin(), info.rows.end(), takes_all);
  for (const auto ids : {one, other})
    for (const ListRules::Id& id : ids)
      if (id.id != "types" || !takes_any_types) add(id.id, id.model_stage ? Stage::kModel : Stage::kExecution, "");
  if (!allows_empty) add("empty_input", Stage::kExecution, "no input has a dimension 0");
  for (const Rule& rule : info.rules) add(rule.id, rule.stage, rule.says);
  return out;
}

}  // namespace assay
