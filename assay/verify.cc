// assay verify: all examples below some folders, with a summary by operation and the failures last.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "assay/command.h"
#include "assay/example_output.h"
#include "assay/json_text.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "driver/open.h"
#include "model/status.h"
#include "nlohmann/json.hpp"
#include "spec_dumps/reader.h"

namespace assay {
namespace {

// All spec files below the folders, sorted; a file stands for itself.
absl::StatusOr<std::vector<std::string>> FilesBelow(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder, error)) {
      files.push_back(folder);
      continue;
    }
    for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (at->is_regular_file() && absl::EndsWith(at->path().string(), ".mod.py")) files.push_back(at->path().string());
    if (error) return absl::NotFoundError(absl::StrCat(folder, ": ", error.message()));
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    return absl::NotFoundError(absl::StrCat("there are no .mod.py files below ", absl::StrJoin(folders, ", ")));
  return files;
}

class Verification {
 public:
  Verification(const VerifyCommand& command, std::vector<std::string> files)
      : command_(command), files_(std::move(files)), results_(files_.size()) {}

  // Runs all files with some threads; an error is that of the first unreadable file, or of the driver.
  absl::Status Run(const ExampleOptions& options, std::stop_token stop) {
    DeviceFactory open;
    if (!command_.driver.empty()) {
      ASSAY_ASSIGN_OR_RETURN(open, MakeDeviceFactory(command_.driver));
    }
    {
      std::vector<std::jthread> threads;
      for (int job = 0; job < command_.jobs; ++job) threads.emplace_back([&] { Work(options, open, stop); });
    }
    return status_;
  }
  std::vector<ExampleResult> Results() {
    std::vector<ExampleResult> out;
    for (auto& results : results_) std::move(results.begin(), results.end(), std::back_inserter(out));
    return out;
  }

 private:
  void Work(ExampleOptions options, const DeviceFactory& open, std::stop_token stop) {
    std::unique_ptr<Device> device;
    if (open) {
      auto opened = open();
      if (!opened.ok()) return Fail(opened.status());
      device = *std::move(opened);
      options.device = device.get();
    }
    for (size_t i; (i = next_++) < files_.size() && !stop.stop_requested();) {
      const auto file = ReadSpecFile(files_[i]);
      if (!file.ok()) return Fail(file.status());
      results_[i] = RunExamples(*file, files_[i], options);
    }
  }
  void Fail(const absl::Status& status) {
    const std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = status;
    next_ = files_.size();
  }

  const VerifyCommand& command_;
  std::vector<std::string> files_;
  std::vector<std::vector<ExampleResult>> results_;
  std::atomic<size_t> next_ = 0;
  std::mutex mutex_;
  absl::Status status_;
};

void Print(const VerifyCommand& command, const std::vector<ExampleResult>& results, const ExampleSummary& summary) {
  absl::PrintF("%s\n%s%s\n", ReportHeader(nullptr, std::nullopt, "").front(),
               command.driver.empty() ? "mode " : "driver ", command.driver.empty() ? command.mode : command.driver);
  std::fputs(ToTable(summary).c_str(), stdout);
  for (const ExampleResult& r : results)
    if (r.verdict == ExampleVerdict::kFailed) absl::PrintF("%s: %s", r.file, ToText(r, false));
  absl::PrintF("%s\n", ToText(summary.all));
  if (summary.all.passed + summary.all.failed == 0) absl::PrintF("NOTHING WAS RUN\n");
}

}  // namespace

int Verify(const VerifyCommand& command, std::stop_token stop) {
  const auto checks = ChecksFrom(command.mode);
  if (!checks.ok()) return Complain(checks.status(), kWrongUse);
  auto files = FilesBelow(command.folders);
  if (!files.ok()) return Complain(files.status(), kWrongUse);
  if (!command.junit.empty())
    if (const absl::Status writable = WriteFileAtomically(command.junit, ToJUnit({})); !writable.ok())
      return Complain(writable, kWrongUse);
  Verification verification(command, *std::move(files));
  const absl::Status status =
      verification.Run({.checks = *checks, .loop_timeout = SecondsFrom(command.loop_timeout)}, stop);
  if (!status.ok()) return Complain(status, kWrongUse);
  const std::vector<ExampleResult> results = verification.Results();
  ExampleSummary summary;
  for (const ExampleResult& r : results) summary.Add(r);
  if (!command.junit.empty())
    if (const absl::Status written = WriteFileAtomically(command.junit, ToJUnit(results)); !written.ok())
      return Complain(written, kWrongUse);
  const bool stopped = stop.stop_requested();
  if (command.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const ExampleResult& r : results)
      if (r.verdict != ExampleVerdict::kPassed) list.push_back(ToJson(r));
    PrintJson({{"summary", ToJson(summary)}, {"not_passed", list}, {"stopped", stopped}});
  } else {
    Print(command, results, summary);
  }
  if (stopped) std::fprintf(stderr, "assay: stopped; these are not all of the examples\n");
  if (summary.all.failed > 0) return kVerdict;
  return stopped ? kStopped : kGood;
}

}  // namespace assay
