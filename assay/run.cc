// assay run: examples of spec files, on the reference or on a driver.
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/example_output.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "campaign/operation_report.h"
#include "driver/open.h"
#include "nlohmann/json.hpp"
#include "spec_dumps/reader.h"

namespace assay {
namespace {

// What else the user wants to see of an example; the first error ends it.
absl::Status Extras(const RunCommand& command, const SpecCase& spec, const Example& example) {
  const Model& model = spec.test.model;
  const Mode mode = command.mode == "golden" ? Mode::kGolden : Mode::kFast;
  const auto timeout = SecondsFrom(command.loop_timeout);
  if (command.per_operation) {
    const auto rows = ReportOperations(model, example.inputs, mode, timeout);
    if (!rows.ok()) return rows.status();
    std::fputs(ToTable(*rows).c_str(), stdout);
  }
  if (command.dump.empty()) return absl::OkStatus();
  return DumpOperands(absl::StrCat(command.dump, "/", FolderNameOf(example.name)), model, example.inputs, mode,
                      timeout);
}

}  // namespace

int RunFiles(const RunCommand& command) {
  ExampleOptions options{.loop_timeout = SecondsFrom(command.loop_timeout)};
  const auto checks = ChecksFrom(command.mode);
  if (!checks.ok()) return Complain(checks.status(), kWrongUse);
  options.checks = *checks;
  std::unique_ptr<Device> device;
  if (!command.driver.empty()) {
    auto opened = OpenDevice(command.driver);
    if (!opened.ok()) return Complain(opened.status(), kWrongUse);
    device = *std::move(opened);
    options.device = device.get();
  }
  if (!command.json)
    for (const std::string& line : ReportHeader(device ? &device->description() : nullptr, std::nullopt, ""))
      absl::PrintF("%s\n", line);
  ExampleSummary summary;
  nlohmann::json list = nlohmann::json::array();
  std::string failures;
  for (const std::string& path : command.files) {
    const auto file = ReadSpecFile(path);
    if (!file.ok()) return Complain(file.status(), kWrongUse);
    for (const SpecCase& spec : file->cases)
      for (const Example& example : spec.test.examples) {
        ExampleResult result = RunExample(spec.test, example, options);
        result.file = path;
        summary.Add(result);
        if (command.json) {
          list.push_back(ToJson(result));
        } else if (result.verdict == ExampleVerdict::kFailed) {
          failures += ToText(result, false);
        } else {
          std::fputs(ToText(result, summary.all.passed < 2).c_str(), stdout);
        }
        if (result.verdict == ExampleVerdict::kNotRun || example.expect_failure) continue;
        if (const absl::Status status = Extras(command, spec, example); !status.ok())
          failures += absl::StrCat("        ", status.message(), "\n");
      }
  }
  if (command.json) {
    std::puts(nlohmann::json{{"examples", list}, {"summary", ToJson(summary)}}.dump(1).c_str());
  } else {
    std::fputs(failures.c_str(), stdout);
    absl::PrintF("%s\n", ToText(summary.all));
    if (summary.all.passed + summary.all.failed == 0) absl::PrintF("NOTHING WAS RUN\n");
  }
  return summary.all.failed > 0 ? kVerdict : kGood;
}

}  // namespace assay
