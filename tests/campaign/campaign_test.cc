// The main loop: the same findings whatever the number of jobs and however often it was stopped, or died.
#include "campaign/campaign.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "campaign/state.h"
#include "driver/faults.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/campaign/folder.h"
#include "tests/campaign/scripted_device.h"
#include "tests/campaign/statistics_equal.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Small graphs, and not much shrinking of what fails.
CampaignOptions Small(uint64_t graphs, const std::string& out = "") {
  CampaignOptions options;
  options.seed = 11;
  options.graphs = graphs;
  options.out = out;
  options.drawing = {.operations = {OperationCode::ADD, OperationCode::MUL, OperationCode::RELU},
                     .most_operations = 5,
                     .most_dim = 8,
                     .control_flow = false};
  options.drawing_text = "--small";
  options.shrink = {.trials = 60, .reruns = 1};
  options.context = {{"assay"}, "scripted", "--small"};
  return options;
}

// A device that doubles the RELUs of graphs with more than two operations: finding something is quick.
absl::StatusOr<std::unique_ptr<Device>> OpenDoubling() {
  auto device = std::make_unique<ScriptedDevice>();
  device->executed = [](const Model& model, auto, std::span<const OutputBuffer> out, uint64_t, DeviceResult&) {
    for (size_t i = 0; i < out.size(); ++i)
      for (const Operation& o : model.main().operations)
        if (o.code == OperationCode::RELU && o.outputs[0] == model.main().outputs[i] && !out[i].bytes.empty())
          out[i].bytes.back() ^= 0x40;
  };
  return device;
}
absl::StatusOr<std::unique_ptr<Device>> OpenPlain() { return std::make_unique<ScriptedDevice>(); }

CampaignSummary RunOnce(const DeviceFactory& open, const CampaignOptions& options,
                        const ProgressCallback& progress = {}, std::stop_token stop = {}) {
  auto summary = RunCampaign(open, options, progress, stop);
  EXPECT_TRUE(summary.ok()) << summary.status();
  return summary.ok() ? *std::move(summary) : CampaignSummary();
}

std::vector<std::string> Told(const CampaignSummary& summary) {
  std::vector<std::string> out;
  for (const Finding& f : summary.findings)
    out.push_back(absl::StrCat(f.index, " ", NameOf(f.variant), " ", f.GroupName(), ": ", f.attempt.reason));
  return out;
}

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out.insert(std::filesystem::relative(entry.path(), folder).string());
  return out;
}

TEST(RunCampaign, FindsTheSameWithOneJobAndWithFour) {
  CampaignOptions options = Small(60);
  const CampaignSummary one = RunOnce(OpenDoubling, options);
  options.jobs = 4;
  const CampaignSummary four = RunOnce(OpenDoubling, options);
  EXPECT_EQ(one.next_graph, 60u);
  EXPECT_EQ(one.statistics.graphs, 60u);
  EXPECT_GT(one.statistics.passed, 0u);
  ASSERT_GT(one.findings.size(), 1u);
  EXPECT_EQ(one.folders, std::vector<std::string>(one.findings.size()));
  EXPECT_EQ(Told(one), Told(four));
  for (size_t i = 0; i < std::min(one.findings.size(), four.findings.size()); ++i) {
    EXPECT_EQ(one.findings[i].tape, four.findings[i].tape);
    EXPECT_EQ(one.findings[i].model, four.findings[i].model);
  }
  ExpectSame(one.statistics, four.statistics);
}

TEST(RunCampaign, AConformingDeviceHasNoFindings) {
  CampaignOptions options = Small(60);
  options.drawing = {};
  options.jobs = 2;
  const CampaignSummary summary = RunOnce(OpenPlain, options);
  EXPECT_THAT(Told(summary), IsEmpty());
  EXPECT_EQ(summary.statistics.failed + summary.statistics.our_faults, 0u) << summary.statistics.ToString();
  EXPECT_EQ(summary.statistics.graphs, 60u);
}

TEST(RunCampaign, OnlyTheFirstOfAGroupAreInvestigated) {
  CampaignOptions options = Small(60);
  options.investigated_per_group = 1;
  const CampaignSummary summary = RunOnce(OpenDoubling, options);
  std::set<std::string> signatures;
  for (const auto& [signature, count] : summary.statistics.groups) signatures.insert(signature);
  EXPECT_EQ(summary.findings.size(), signatures.size());
  EXPECT_GT(summary.statistics.failed, summary.findings.size());
}

TEST(RunCampaign, EndsWithEnoughFindings) {
  CampaignOptions options = Small(1000);
  options.most_findings = 2;
  const CampaignSummary summary = RunOnce(OpenDoubling, options);
  EXPECT_EQ(summary.findings.size(), 2u);
  EXPECT_EQ(summary.next_graph, summary.findings.back().index + 1);
  EXPECT_LT(summary.next_graph, 1000u);
}

TEST(RunCampaign, ResumedIsTheSameAsUninterrupted) {
  const Folder whole("whole"), parts("parts");
  const CampaignSummary uninterrupted = RunOnce(OpenDoubling, Small(60, whole.path()));
  const CampaignSummary first = RunOnce(OpenDoubling, Small(25, parts.path()));
  CampaignOptions options = Small(60, parts.path());
  options.resume = true;
  options.jobs = 3;
  const CampaignSummary second = RunOnce(OpenDoubling, options);
  ExpectSame(second.statistics, uninterrupted.statistics);
  EXPECT_EQ(second.next_graph, 60u);
  ASSERT_EQ(second.earlier.size(), first.findings.size());
  for (size_t i = 0; i < first.findings.size(); ++i) {
    EXPECT_EQ(second.earlier[i].group, first.findings[i].GroupName());
    EXPECT_EQ(second.earlier[i].folder, first.folders[i]);
  }
  std::vector<std::string> told = Told(first);
  for (std::string& finding : Told(second)) told.push_back(std::move(finding));
  EXPECT_EQ(told, Told(uninterrupted));
  EXPECT_EQ(FilesIn(parts.path()), FilesIn(whole.path()));
  EXPECT_TRUE(FilesIn(whole.path()).count("campaign.json"));
  EXPECT_FALSE(FilesIn(whole.path()).count("in_flight"));
  for (const std::string& folder : uninterrupted.folders)
    EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder, "/report.txt"))) << folder;
}

TEST(RunCampaign, RefusesWhatIsNotItsOwn) {
  const Folder folder("refused");
  const auto error = [](const CampaignOptions& options) {
    const absl::Status status = RunCampaign(OpenPlain, options, {}, {}).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  };
  RunOnce(OpenPlain, Small(3, folder.path()));
  EXPECT_THAT(error(Small(3, folder.path())), HasSubstr("holds a campaign already"));
  CampaignOptions options = Small(3, folder.path());
  options.resume = true;
  RunOnce(OpenPlain, options);
  options.seed = 12;
  EXPECT_THAT(error(options), HasSubstr("the campaign's seed was \"11\", now it is \"12\""));
  options = Small(3, folder.path());
  options.resume = true;
  options.context.driver = "another";
  EXPECT_THAT(error(options), HasSubstr("driver was \"scripted\", now it is \"another\""));
}

TEST(RunCampaign, ReportsWhatCannotBeOpened) {
  const auto status = RunCampaign([] { return absl::NotFoundError("no such driver"); }, Small(3), {}, {}).status();
  EXPECT_EQ(status.message(), "no such driver");
  EXPECT_FALSE(RunCampaign(OpenPlain, Small(3, "/proc/nowhere"), {}, {}).ok());
  CampaignOptions options = Small(3);
  options.drawing.least_rank = 5, options.drawing.most_rank = 4;
  EXPECT_TRUE(absl::IsInvalidArgument(RunCampaign(OpenPlain, options, {}, {}).status()));
}

// Tapes and models of all findings in a campaign's folder, by finding.
std::map<std::string, std::string> TapesIn(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& file : FilesIn(folder)) {
    if (!absl::EndsWith(file, "/tape")) continue;
    std::ifstream tape(absl::StrCat(folder, "/", file));
    out[file] = {std::istreambuf_iterator<char>(tape), {}};
  }
  return out;
}

// Wherever it is stopped, in the middle of a finding's shrinking too: what was cut short is found anew.
TEST(RunCampaign, StopsWhenAskedAndGoesOn) {
  const Folder whole("unstopped");
  const CampaignSummary uninterrupted = RunOnce(OpenDoubling, Small(60, whole.path()));
  size_t cut_short = 0;
  for (const int executions : {1, 40, 150, 400}) {
    const Folder folder("stopped");
    CampaignOptions options = Small(60, folder.path());
    options.jobs = 2;
    std::stop_source stop;
    std::atomic<int> executed = 0;
    const DeviceFactory counting = [&]() -> absl::StatusOr<std::unique_ptr<Device>> {
      auto device = OpenDoubling();
      auto& scripted = static_cast<ScriptedDevice&>(**device);
      scripted.executed = [&, doubling = scripted.executed](const Model& model, auto in, auto out, uint64_t execution,
                                                            DeviceResult& result) {
        if (++executed == executions) stop.request_stop();
        doubling(model, in, out, execution, result);
      };
      return device;
    };
    const CampaignSummary stopped = RunOnce(counting, options, {}, stop.get_token());
    EXPECT_EQ(stopped.statistics.graphs, stopped.next_graph);
    const auto state = ReadState(folder.path());
    ASSERT_TRUE(state.ok()) << state.status();
    cut_short += state->provisional.size();
    options.resume = true;
    const CampaignSummary resumed = RunOnce(OpenDoubling, options);
    EXPECT_EQ(resumed.next_graph, 60u);
    ExpectSame(resumed.statistics, uninterrupted.statistics);
    EXPECT_EQ(FilesIn(folder.path()), FilesIn(whole.path())) << executions;
    EXPECT_EQ(TapesIn(folder.path()), TapesIn(whole.path())) << executions;
    EXPECT_EQ(resumed.earlier.size() + resumed.findings.size(), uninterrupted.findings.size());
  }
  EXPECT_GT(cut_short, 0u);
}

TEST(RunCampaign, EndsWhenTheTimeIsOver) {
  CampaignOptions options = Small(0);
  options.graphs.reset();
  options.seconds = std::chrono::seconds(1);
  const CampaignSummary summary = RunOnce(OpenPlain, options);
  EXPECT_GT(summary.next_graph, 0u);
  EXPECT_GE(summary.seconds, 1.0);
  EXPECT_EQ(summary.statistics.graphs, summary.next_graph);
}

TEST(RunCampaign, TellsItsProgress) {
  const Folder folder("told");
  std::vector<std::string> folders;
  uint64_t last = 0;
  const CampaignSummary summary = RunOnce(OpenDoubling, Small(40, folder.path()), [&](const CampaignProgress& p) {
    if (p.finding != nullptr) folders.push_back(p.folder);
    EXPECT_GE(p.graphs_this_run, last);
    last = p.graphs_this_run;
  });
  EXPECT_EQ(folders, summary.folders);
  EXPECT_EQ(last, 40u);
}

// Leaves behind what a process does that died with these graphs on the driver.
void LeaveInFlight(const std::string& folder, const std::vector<uint64_t>& graphs,
                   std::optional<uint64_t> investigated = std::nullopt) {
  const auto in_flight = InFlight::Open(folder, static_cast<int>(graphs.size()));
  ASSERT_TRUE(in_flight.ok());
  for (size_t i = 0; i < graphs.size(); ++i) in_flight->Begin(static_cast<int>(i), graphs[i]);
  if (investigated) in_flight->BeginInvestigation(*investigated);
}

CampaignOptions Resumed(uint64_t graphs, const std::string& out, const std::string& died_of) {
  CampaignOptions options = Small(graphs, out);
  options.resume = true;
  options.died_of = died_of;
  return options;
}

Model ModelAt(uint64_t graph) { return DrawFromSeed(GraphSeed(11, graph), Small(0).drawing).drawn.model; }

TEST(RunCampaign, AGraphThatEndsTheProcessTwiceIsAFindingAndNotTriedAgain) {
  const Folder folder("died");
  RunOnce(OpenPlain, Small(10, folder.path()));
  LeaveInFlight(folder.path(), {12, 11});
  const Model deadly = ModelAt(12);
  std::atomic<int> tried = 0;
  const DeviceFactory counting = [&]() -> absl::StatusOr<std::unique_ptr<Device>> {
    auto device = std::make_unique<ScriptedDevice>();
    device->supported = [&](const Model& model, auto answer) {
      tried += model == deadly;
      return answer;
    };
    return device;
  };
  {
    // 11 is innocent, and 12 would end the process: what is written when its turn comes is looked at.
    std::stop_source stop;
    const DeviceFactory stopping = [&]() -> absl::StatusOr<std::unique_ptr<Device>> {
      auto device = std::make_unique<ScriptedDevice>();
      device->supported = [&](const Model&, auto answer) {
        stop.request_stop();
        return answer;
      };
      return device;
    };
    RunOnce(stopping, Resumed(20, folder.path(), "Aborted"), {}, stop.get_token());
    const auto state = ReadState(folder.path());
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_THAT(state->deaths.suspects, ElementsAre(12));
    LeaveInFlight(folder.path(), {12});
  }
  const CampaignSummary summary = RunOnce(counting, Resumed(20, folder.path(), "Segmentation fault"));
  EXPECT_EQ(tried, 0);
  EXPECT_THAT(Told(summary),
              ElementsAre(HasSubstr("the process died (Segmentation fault) while this graph alone was on the driver")));
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].index, 12u);
  EXPECT_EQ(summary.findings[0].model, deadly);
  EXPECT_FALSE(summary.findings[0].flaky());
  EXPECT_FALSE(summary.findings[0].attempt.golden.empty());
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(summary.folders[0], "/report.txt")));
  EXPECT_EQ(summary.statistics.graphs, 20u);
  EXPECT_EQ(summary.statistics.groups.at("death"), 1u);
}

TEST(RunCampaign, OfADeathThatNoGraphRepeatsOneFlakyFindingIsKept) {
  const Folder folder("flaky_death");
  RunOnce(OpenPlain, Small(10, folder.path()));
  LeaveInFlight(folder.path(), {12, 11});
  const CampaignSummary summary = RunOnce(OpenPlain, Resumed(20, folder.path(), "Aborted"));
  ASSERT_THAT(Told(summary), ElementsAre(HasSubstr("the process died (Aborted) while graphs 12, 11 were on the driver, "
                                                   "but of none of them alone")));
  EXPECT_TRUE(summary.findings[0].flaky());
  EXPECT_EQ(summary.statistics.graphs, 20u);
  EXPECT_EQ(summary.statistics.failed, 0u);
}

TEST(RunCampaign, ADeathThatNobodySawIsNoFindingByItself) {
  const Folder folder("killed");
  RunOnce(OpenPlain, Small(10, folder.path()));
  LeaveInFlight(folder.path(), {12, 11}, 9);
  const CampaignSummary summary = RunOnce(OpenPlain, Resumed(20, folder.path(), ""));
  EXPECT_THAT(Told(summary), IsEmpty());
  EXPECT_EQ(summary.statistics.passed, RunOnce(OpenPlain, Small(20)).statistics.passed);
}

TEST(RunCampaign, WhatDiesWhileItIsShrunkIsKeptAsItWasFound) {
  const Folder folder("died_shrinking");
  const CampaignSummary all = RunOnce(OpenDoubling, Small(60));
  ASSERT_FALSE(all.findings.empty());
  const uint64_t graph = all.findings[0].index;
  RunOnce(OpenDoubling, Small(graph, folder.path()));
  LeaveInFlight(folder.path(), {graph + 1}, graph);
  const CampaignSummary summary = RunOnce(OpenDoubling, Resumed(graph + 1, folder.path(), "Aborted"));
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].trials, 0u);
  EXPECT_EQ(summary.findings[0].cut_short, "the process died (Aborted) while it was shrunk");
  EXPECT_EQ(summary.findings[0].model.main().operations.size(), summary.findings[0].operations_found);
}

// A device that ends the process at graphs of exactly two operations, like a driver that crashes now and then.
absl::StatusOr<std::unique_ptr<Device>> OpenDeadly() {
  auto device = std::make_unique<ScriptedDevice>();
  device->executed = [](const Model& model, auto, auto, uint64_t, DeviceResult&) {
    if (model.main().operations.size() == 2) _exit(77);
  };
  return device;
}

TEST(RunCampaign, IsResumedPastAnyNumberOfDeadlyGraphs) {
  const Folder folder("deadly");
  std::set<uint64_t> deadly;
  for (uint64_t graph = 0; graph < 12; ++graph)
    if (ModelAt(graph).main().operations.size() == 2) deadly.insert(graph);
  ASSERT_GE(deadly.size(), 2u);
  size_t deaths = 0;
  for (bool done = false; !done && deaths <= 2 * deadly.size(); deaths += done ? 0 : 1) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      CampaignOptions options = Small(12, folder.path());
      options.jobs = 3;
      options.resume = deaths > 0;
      if (deaths > 0) options.died_of = "exit code 77";
      _exit(RunCampaign(OpenDeadly, options, {}, {}).ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    done = WEXITSTATUS(status) == 0;
    ASSERT_TRUE(done || WEXITSTATUS(status) == 77) << WEXITSTATUS(status);
  }
  EXPECT_LE(deaths, 2 * deadly.size());
  const auto state = ReadState(folder.path());
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->next_graph, 12u);
  EXPECT_EQ(state->findings.size(), deadly.size());
  EXPECT_EQ(state->statistics.graphs, 12u);
  EXPECT_EQ(state->deaths, Deaths());
  std::set<uint64_t> written;
  for (const std::string& file : FilesIn(folder.path()))
    if (uint64_t graph; absl::EndsWith(file, "/report.txt") &&
                        absl::SimpleAtoi(std::filesystem::path(file).parent_path().filename().string(), &graph))
      written.insert(graph);
  EXPECT_EQ(written, deadly);
}

}  // namespace
}  // namespace assay
