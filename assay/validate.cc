// assay validate: is a model valid, at which level, and what is broken?
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/json_text.h"
#include "assay/words.h"
#include "nlohmann/json.hpp"
#include "spec_dumps/reader.h"
#include "validate/model.h"

namespace assay {
namespace {

struct Checked {
  std::string file, model;
  Violations violations, at_execution;
  LevelReport level;
};

void Print(const Checked& c, const ValidateCommand& command) {
  absl::PrintF("%s: %s: ", c.file, c.model);
  if (c.violations.empty()) {
    absl::PrintF("valid at feature level %d", command.feature_level);
  } else {
    absl::PrintF("INVALID at feature level %d", command.feature_level);
  }
  if (command.lowest && c.level.valid)
    absl::PrintF("; lowest level %d%s%s%s", c.level.level, c.level.raised_by.empty() ? "" : ", raised by ",
                 c.level.raised_by, c.level.runtime_only ? "; for the runtime's own interpreter only" : "");
  if (command.lowest && !c.level.valid) absl::PrintF("; valid at no level");
  absl::PrintF("\n");
  for (const Violation& v : c.violations) absl::PrintF("  %s\n", ToString(v));
  for (const Violation& v : c.at_execution) absl::PrintF("  will fail when executed: %s\n", ToString(v));
}

nlohmann::json ToJson(const Checked& c, const ValidateCommand& command) {
  const auto list = [](const Violations& violations) {
    nlohmann::json out = nlohmann::json::array();
    for (const Violation& v : violations)
      out.push_back({{"rule", v.rule}, {"stage", std::string(NameOf(v.stage))}, {"message", v.message}});
    return out;
  };
  return {{"file", c.file},
          {"model", c.model},
          {"feature_level", command.feature_level},
          {"valid", c.violations.empty()},
          {"violations", list(c.violations)},
          {"at_execution", list(c.at_execution)},
          {"lowest_level", c.level.valid ? nlohmann::json(c.level.level) : nlohmann::json()},
          {"raised_by", c.level.raised_by},
          {"runtime_only", c.level.runtime_only}};
}

}  // namespace

int Validate(const ValidateCommand& command) {
  std::vector<Checked> all;
  for (const std::string& path : command.files) {
    const auto file = ReadSpecFile(path);
    if (!file.ok()) return Complain(file.status(), kWrongUse);
    if (file->cases.empty())
      return Complain(absl::NotFoundError(absl::StrCat(path, ": there is no model in it")), kWrongUse);
    for (const SpecCase& spec : file->cases) {
      const Model& model = spec.test.model;
      all.push_back({path, model.main().name, ValidateModel(model, command.feature_level), ExecutionViolations(model),
                     LowestLevel(model)});
    }
  }
  nlohmann::json list = nlohmann::json::array();
  bool all_valid = true;
  for (const Checked& checked : all) {
    all_valid &= checked.violations.empty();
    if (command.json) {
      list.push_back(ToJson(checked, command));
    } else {
      Print(checked, command);
    }
  }
  if (command.json) PrintJson(list);
  return all_valid ? kGood : kVerdict;
}

}  // namespace assay
