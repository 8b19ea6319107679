#include "assay/example_output.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace assay {

std::string ToText(const ExampleResult& r, bool with_accounts) {
  const char* word = r.verdict == ExampleVerdict::kPassed   ? "pass"
                     : r.verdict == ExampleVerdict::kFailed ? "FAIL"
                                                            : "not run";
  std::string out = absl::StrFormat("%-8s%s%s%s\n", word, r.example, r.reason.empty() ? "" : ": ", r.reason);
  for (const OutputAccount& o : r.outputs) {
    if (o.account.Passed() && !with_accounts) continue;
    if (o.account.AllUnknown()) {
      absl::StrAppend(&out, "        ", o.check, ": ", o.name, ": ALL ", o.account.unknown,
                      " ELEMENTS UNKNOWN, nothing was judged\n");
    } else if (o.account.Passed()) {
      absl::StrAppend(&out, "        ", o.check, ": ", o.name, ": ", o.account.inside, " inside, ", o.account.unknown,
                      " unknown\n");
    } else {
      absl::StrAppend(&out, "        ", o.check, ": ", o.name, "\n", o.account.ToString("          "));
    }
  }
  return out;
}

nlohmann::json ToJson(const ExampleResult& r) {
  nlohmann::json outputs = nlohmann::json::array();
  for (const OutputAccount& o : r.outputs)
    outputs.push_back({{"name", o.name},
                       {"check", o.check},
                       {"inside", o.account.inside},
                       {"outside", o.account.outside},
                       {"unknown", o.account.unknown},
                       {"shape_mismatch", o.account.shape_mismatch}});
  return {{"file", r.file},     {"example", r.example}, {"verdict", std::string(NameOf(r.verdict))},
          {"reason", r.reason}, {"seconds", r.seconds}, {"outputs", outputs}};
}

nlohmann::json ToJson(const ExampleSummary& summary) {
  const auto counts = [](const ExampleCounts& c) {
    return nlohmann::json{{"passed", c.passed}, {"failed", c.failed}, {"not_run", c.not_run}};
  };
  nlohmann::json operations = nlohmann::json::object();
  for (const auto& [code, c] : summary.by_operation) operations[std::string(NameOf(code))] = counts(c);
  return {{"all", counts(summary.all)}, {"operations", operations}};
}

std::string ToText(const ExampleCounts& c) {
  return absl::StrCat(c.passed + c.failed + c.not_run, " examples: ", c.passed, " passed, ", c.failed, " failed, ",
                      c.not_run, " not run");
}

std::string ToTable(const ExampleSummary& summary) {
  std::string out = absl::StrFormat("%-30s %8s %8s %8s\n", "operation", "passed", "failed", "not run");
  for (const auto& [code, c] : summary.by_operation)
    absl::StrAppendFormat(&out, "%-30s %8d %8d %8d\n", NameOf(code), c.passed, c.failed, c.not_run);
  return out;
}

}  // namespace assay
