// assay run: examples of spec files, on the reference or on a driver.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/example_output.h"
#include "assay/json_text.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "campaign/operation_report.h"
#include "driver/open.h"
#include "model/status.h"
#include "nlohmann/json.hpp"
#include "spec_dumps/reader.h"

namespace assay {
namespace {

struct ReadFile {
  std::string path;
  SpecFile file;
};

// All of them are read before the first one runs, so that an unreadable one leaves no half of a result.
absl::StatusOr<std::vector<ReadFile>> ReadAll(const std::vector<std::string>& paths) {
  std::vector<ReadFile> out;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN_OR_RETURN(SpecFile file, ReadSpecFile(path));
    out.push_back({path, std::move(file)});
  }
  return out;
}

nlohmann::json ToJson(const std::vector<OperationRow>& rows) {
  const auto number = [](double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(); };
  nlohmann::json list = nlohmann::json::array();
  for (const OperationRow& r : rows)
    list.push_back({{"subgraph", r.subgraph},
                    {"operation", r.operation},
                    {"iterations", r.iterations},
                    {"code", std::string(NameOf(r.code))},
                    {"output", r.output},
                    {"type", std::string(NameOf(r.type))},
                    {"dims", r.dims},
                    {"least", number(r.least)},
                    {"most", number(r.most)},
                    {"error", number(r.error)},
                    {"milliseconds", r.milliseconds}});
  return list;
}

class Running {
 public:
  Running(const RunCommand& command, const ExampleOptions& options) : command_(command), options_(options) {}

  // The error is that of writing, or of looking closer at an example.
  absl::Status Run(const std::string& path, const TestCase& test, const Example& example);
  // Prints what was not printed yet.
  void End();
  bool failed() const { return summary_.all.failed > 0; }

 private:
  // What else the user wants to see of an example.
  absl::Status LookCloser(const Model& model, const Example& example, const ExampleResult& result,
                          nlohmann::json& json) const;

  const RunCommand& command_;
  const ExampleOptions& options_;
  ExampleSummary summary_;
  nlohmann::json list_ = nlohmann::json::array();
  std::string failures_;
};

absl::Status Running::Run(const std::string& path, const TestCase& test, const Example& example) {
  ExampleResult result = RunExample(test, example, options_);
  result.file = path;
  summary_.Add(result);
  nlohmann::json json;
  if (command_.json) {
    json = ToJson(result);
  } else if (result.verdict == ExampleVerdict::kFailed) {
    failures_ += ToText(result, false);
  } else {
    std::fputs(ToText(result, summary_.all.passed < 2).c_str(), stdout);
  }
  absl::Status status;
  if (result.verdict != ExampleVerdict::kNotRun && !example.expect_failure)
    status = LookCloser(test.model, example, result, json);
  if (command_.json) list_.push_back(std::move(json));
  return status;
}

absl::Status Running::LookCloser(const Model& model, const Example& example, const ExampleResult& result,
                                 nlohmann::json& json) const {
  if (!command_.per_operation && command_.dump.empty()) return absl::OkStatus();
  const Mode mode = command_.mode == "golden" ? Mode::kGolden : Mode::kFast;
  const auto timeout = SecondsFrom(command_.loop_timeout);
  // What the reference cannot execute was told as a failure already.
  if (!ReferenceOutputs(model, example.inputs, mode, timeout).ok()) return absl::OkStatus();
  if (command_.per_operation) {
    ASSAY_ASSIGN_OR_RETURN(const auto rows, ReportOperations(model, example.inputs, mode, timeout));
    if (command_.json) {
      json["per_operation"] = ToJson(rows);
    } else {
      std::fputs(ToTable(rows).c_str(), stdout);
    }
  }
  if (command_.dump.empty()) return absl::OkStatus();
  return DumpOperands(absl::StrCat(command_.dump, "/", FolderNameOf(result.example)), model, example.inputs, mode,
                      timeout);
}

void Running::End() {
  if (command_.json) return PrintJson({{"examples", list_}, {"summary", ToJson(summary_)}});
  std::fputs(failures_.c_str(), stdout);
  absl::PrintF("%s\n", ToText(summary_.all));
  if (summary_.all.passed + summary_.all.failed == 0) absl::PrintF("NOTHING WAS RUN\n");
}

}  // namespace

int RunFiles(const RunCommand& command) {
  ExampleOptions options{.loop_timeout = SecondsFrom(command.loop_timeout)};
  const auto checks = ChecksFrom(command.mode);
  if (!checks.ok()) return Complain(checks.status(), kWrongUse);
  options.checks = *checks;
  const auto files = ReadAll(command.files);
  if (!files.ok()) return Complain(files.status(), kWrongUse);
  if (!command.dump.empty())
    if (const absl::Status made = MakeFolder(command.dump); !made.ok()) return Complain(made, kWrongUse);
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
  Running running(command, options);
  for (const ReadFile& read : *files)
    for (const SpecCase& spec : read.file.cases)
      for (const Example& example : spec.test.examples)
        if (const absl::Status status = running.Run(read.path, spec.test, example); !status.ok())
          return Complain(status, kWrongUse);
  running.End();
  return running.failed() ? kVerdict : kGood;
}

}  // namespace assay
