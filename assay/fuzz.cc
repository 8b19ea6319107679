// assay fuzz: a campaign against a driver. A driver from a shared library gets a process of its own, and a new one when
// that dies.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/campaign_output.h"
#include "assay/child.h"
#include "assay/command.h"
#include "assay/json_text.h"
#include "assay/our_fault.h"
#include "assay/signal_watch.h"
#include "assay/words.h"
#include "campaign/campaign.h"
#include "campaign/header.h"
#include "driver/open.h"
#include "model/status.h"
#include "nlohmann/json.hpp"

namespace assay {
namespace {

constexpr int kMostDeaths = 100;  // of one run

// What was given with `--resume` must agree with the campaign; what was not is taken from it.
absl::StatusOr<FuzzCommand> AsBefore(const FuzzCommand& command) {
  ASSAY_ASSIGN_OR_RETURN(const CampaignState state, ReadState(command.resume));
  FuzzCommand out = command;
  if (command.driver.empty()) out.driver = state.identity.driver;
  if (!command.seed) out.seed = state.identity.seed;
  out.strict |= state.identity.strict;
  const auto words = WordsAsBefore(state.identity.drawing_options, command.drawing);
  if (!words.ok()) return absl::Status(words.status().code(), absl::StrCat("--resume: ", words.status().message()));
  out.drawing = *words;
  return out;
}

// What the campaign is told before its driver is opened.
absl::StatusOr<CampaignOptions> OptionsOf(const FuzzCommand& command) {
  CampaignOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.drawing, OptionsFrom(command.drawing));
  options.seed = command.seed.value_or(1);
  options.graphs = command.graphs;
  if (command.seconds) options.seconds = std::chrono::seconds(*command.seconds);
  options.most_findings = command.stop_after;
  options.jobs = command.jobs;
  options.resume = !command.resume.empty();
  options.out = options.resume ? command.resume : command.no_files ? "" : command.out;
  options.attempt.assumptions.strict = command.strict;
  options.context = {{}, command.driver, "", command.strict};
  return options;
}

void Print(const CampaignSummary& summary, const CampaignOptions& options, bool stopped, bool json) {
  if (json) return PrintJson(ToJson(summary, options));
  Print(summary);
  if (stopped && !options.out.empty())
    absl::PrintF("stopped; go on with: assay fuzz --resume %s\n", ShellWord(options.out));
}

// Opens the driver and runs the campaign. `tell_header` is false when an earlier process has told it.
int RunHere(const FuzzCommand& command, CampaignOptions options, const DeviceFactory& open, bool tell_header,
            std::stop_token stop) {
  DeviceDescription description;
  {
    const auto device = open();
    if (!device.ok()) return Complain(device.status(), kWrongUse);
    description = (*device)->description();
  }
  // What is drawn depends on the driver's level.
  DrawingWords words = command.drawing;
  options.drawing.feature_level = std::min(options.drawing.feature_level, description.feature_level);
  words.feature_level = static_cast<uint64_t>(options.drawing.feature_level);
  options.drawing_text = options.context.draw_options = ToWords(words);
  options.context.header = ReportHeader(&description, options.seed, command.command);
  if (!options.drawing_text.empty()) options.context.header.push_back(absl::StrCat("options ", options.drawing_text));

  ProgressLine line(command.json, tell_header ? options.context.header : std::vector<std::string>());
  const auto summary = RunCampaign(open, options, std::ref(line), stop);
  line.Clear();
  if (!summary.ok()) return Complain(summary.status(), kWrongUse);
  Print(*summary, options, stop.stop_requested(), command.json);
  if (summary->statistics.our_faults > 0) return kOurFault;
  return summary->findings.empty() && summary->earlier.empty() ? kGood : kVerdict;
}

// Starts a process for the campaign, and another one whenever the driver has ended it.
class Supervisor {
 public:
  Supervisor(const FuzzCommand& command, CampaignOptions options, DeviceFactory open)
      : command_(command), options_(std::move(options)), open_(std::move(open)) {}

  int Run();

 private:
  // How far the campaign is: if the process dies and this is the same as before, the next one would die likewise.
  struct Mark {
    uint64_t next_graph = 0;
    size_t findings = 0;
    Deaths deaths;
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  const std::string& folder() const { return options_.state_folder.empty() ? options_.out : options_.state_folder; }
  Mark MarkNow() const;
  // False if it makes no sense to go on.
  bool GoOn(const ChildEnd& end, const Mark& before);

  const FuzzCommand& command_;
  CampaignOptions options_;
  DeviceFactory open_;
  int deaths_ = 0;
  bool died_alone_ = false;  // while no graph was on the driver
};

Supervisor::Mark Supervisor::MarkNow() const {
  const auto state = ReadState(folder());
  if (!state.ok()) return {};
  return {state->next_graph, state->findings.size(), state->deaths};
}

bool Supervisor::GoOn(const ChildEnd& end, const Mark& before) {
  const bool on_driver = !InFlight::Find(folder()).empty();
  died_alone_ |= !on_driver;
  const char* where = on_driver ? "" : " while no graph was on it";
  std::fprintf(stderr, "assay: the driver's process died%s: %s\n", where, end.death->c_str());
  if (!on_driver && MarkNow() == before) return false;
  if (++deaths_ < kMostDeaths) return true;
  std::fprintf(stderr, "assay: ended after %d deaths\n", deaths_);
  return false;
}

int Supervisor::Run() {
  const auto begin = std::chrono::steady_clock::now();
  const size_t findings_at_first = options_.resume ? MarkNow().findings : 0;
  bool interrupted = false;
  for (bool first = true;; first = false) {
    const Mark before = first && !options_.resume ? Mark() : MarkNow();
    CampaignOptions options = options_;
    if (options.most_findings) {
      const size_t found = before.findings - std::min(before.findings, findings_at_first);
      options.most_findings = *options.most_findings - std::min<uint64_t>(*options.most_findings, found);
    }
    if (options.seconds) {
      const auto spent = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
      options.seconds = std::max(*options.seconds - spent, std::chrono::seconds(0));
    }
    const bool asked = interrupted;
    const ChildEnd end = RunInChild(
        [&] {
          const SignalWatch watch(asked);
          return RunHere(command_, options, open_, first, watch.token());
        },
        interrupted);
    interrupted |= asked;
    if (!end.death) return died_alone_ && end.exit_code == kGood ? kVerdict : end.exit_code;
    // The user has ended it, the second time at once.
    if (interrupted && (end.was_killed || end.exit_code == kStopped)) {
      std::fprintf(stderr, "assay: ended at once%s%s\n",
                   options_.out.empty() ? "" : "; go on with: assay fuzz --resume ",
                   options_.out.empty() ? "" : ShellWord(options_.out).c_str());
      return kStopped;
    }
    if (!GoOn(end, before)) return first && MarkNow() == Mark() ? kWrongUse : kVerdict;
    options_.resume = true;
    options_.died_of = *end.death;
  }
}

// For the state of a campaign that leaves no files; removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "assay_XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int RunSupervised(const FuzzCommand& command, CampaignOptions options, const DeviceFactory& open) {
  if (!options.out.empty()) return Supervisor(command, std::move(options), open).Run();
  const TemporaryFolder folder;
  if (folder.path().empty()) return Complain(absl::UnavailableError("no temporary folder can be made"), kWrongUse);
  options.state_folder = absl::StrCat(folder.path(), "/state");
  return Supervisor(command, std::move(options), open).Run();
}

}  // namespace

int Fuzz(const FuzzCommand& given) {
  const auto command = given.resume.empty() ? absl::StatusOr<FuzzCommand>(given) : AsBefore(given);
  if (!command.ok()) return Complain(command.status(), kWrongUse);
  if (command->driver.empty()) return Complain(absl::InvalidArgumentError("--driver is required"), kWrongUse);
  const auto options = OptionsOf(*command);
  if (!options.ok()) return Complain(options.status(), kWrongUse);
  const auto open = MakeDeviceFactory(command->driver);
  if (!open.ok()) return Complain(open.status(), kWrongUse);
  if (IsLibraryPath(command->driver)) return RunSupervised(*command, *options, *open);
  EndFaultsOfOursWithExitCode();
  const SignalWatch watch;
  return RunHere(*command, *options, *open, true, watch.token());
}

}  // namespace assay
