#include "campaign/campaign.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "campaign/graph_queue.h"
#include "campaign/state.h"
#include "model/status.h"
#include "ops/registry.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// Where failures without a signature are counted.
constexpr char kOurFaultGroup[] = "fault of ours";

struct FailedAttempt {
  Variant variant;
  Attempt attempt;
};

// What one graph gave. The graph itself is kept only where something failed.
struct Tried {
  CampaignStatistics statistics;
  std::optional<Candidate> candidate;
  std::vector<FailedAttempt> failures;
  bool deadly = false;  // not tried again; see Deaths::deadly
};
using Queue = GraphQueue<Tried>;

bool IsBad(const Attempt& a) { return a.verdict == AttemptVerdict::kFailed || a.verdict == AttemptVerdict::kOurFault; }

class Campaign {
 public:
  Campaign(const DeviceFactory& open_device, const CampaignOptions& options, const ProgressCallback& progress)
      : open_device_(open_device), options_(options), progress_(progress) {}

  absl::StatusOr<CampaignSummary> Run(std::stop_token stop);

 private:
  absl::Status Begin();
  absl::Status Resume();
  absl::Status TrySuspects(Device& device, const InFlight& in_flight, std::stop_token stop);
  Tried TryGraph(Device& device, uint64_t graph) const;
  void Work(Device& device, int job, const InFlight& in_flight, Queue& queue, std::stop_token stop) const;
  absl::Status Collect(Queue& queue, Device& device, const InFlight& in_flight, std::stop_token stop);
  absl::Status CollectOne(uint64_t graph, const Tried& tried, Device& device, const InFlight& in_flight,
                          std::stop_token stop);
  absl::Status Investigated(uint64_t graph, const Tried& tried, Device& device, const InFlight& in_flight,
                            std::stop_token stop);
  absl::Status Keep(Finding finding);
  Tried DeadlyGraph(const Death& death) const;
  Finding AsFound(uint64_t graph, const Candidate& candidate, const FailedAttempt& failed) const;
  AttemptOptions AttemptFor(uint64_t graph) const;
  bool TimeIsOver() const { return options_.seconds && Clock::now() - begin_ >= *options_.seconds; }
  bool Enough() const { return options_.most_findings && summary_.findings.size() >= *options_.most_findings; }
  void Tell(const Finding* finding, const std::string& folder) const;
  const std::string& state_folder() const {
    return options_.state_folder.empty() ? options_.out : options_.state_folder;
  }
  CampaignState StateNow() const;
  absl::Status SaveState();
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const DeviceFactory& open_device_;
  const CampaignOptions& options_;
  const ProgressCallback& progress_;
  const Clock::time_point begin_ = Clock::now();
  CampaignIdentity identity_;
  CampaignSummary summary_;
  std::vector<EarlierFinding> findings_;          // all: of earlier processes, and of this one
  Deaths deaths_;                                 // changes before the threads begin only
  std::map<std::string, uint64_t> investigated_;  // failures by signature
  uint64_t graphs_before_ = 0;
  // Where a resumed campaign begins, once the investigation of a finding was cut short: this process goes on to tell
  // what else it has, but what it tells from here on is provisional.
  std::optional<CampaignState> resume_at_;
};

absl::Status Campaign::Begin() {
  identity_ = {options_.seed, options_.context.driver, options_.drawing_text, options_.attempt.assumptions.strict,
               RegistryHash()};
  for (const std::string& folder : {options_.out, state_folder()})
    if (!folder.empty()) ASSAY_RETURN_IF_ERROR(MakeFolder(folder));
  if (state_folder().empty()) return absl::OkStatus();
  if (options_.resume) return Resume();
  if (std::filesystem::exists(absl::StrCat(state_folder(), "/campaign.json")))
    return absl::FailedPreconditionError(
        absl::StrCat(state_folder(), " holds a campaign already: go on with it (--resume) or choose another folder"));
  return SaveState();
}

absl::Status Campaign::Resume() {
  ASSAY_ASSIGN_OR_RETURN(CampaignState state, ReadState(state_folder()));
  ASSAY_RETURN_IF_ERROR(CheckSame(state.identity, identity_));
  for (const std::string& folder : state.provisional)
    if (!folder.empty() && !options_.out.empty() && !absl::StrContains(folder, ".."))
      RemoveFinding(absl::StrCat(options_.out, "/", folder));
  summary_.statistics = state.statistics;
  summary_.next_graph = state.next_graph;
  findings_ = std::move(state.findings);
  summary_.earlier = findings_;
  for (EarlierFinding& f : summary_.earlier)
    if (!f.folder.empty()) f.folder = absl::StrCat(options_.out, "/", f.folder);
  graphs_before_ = state.statistics.graphs;
  investigated_ = state.statistics.groups;
  investigated_[kOurFaultGroup] = state.statistics.our_faults;
  deaths_ = std::move(state.deaths);
  deaths_.Learn(InFlight::Find(state_folder()), options_.died_of);
  // Kept before this process leaves other graphs behind.
  return SaveState();
}

// What was on the driver when the process died is tried again, one graph at a time; what is seen of them now is
// forgotten, for their turn is yet to come. If the process dies again, the next one learns who is guilty.
absl::Status Campaign::TrySuspects(Device& device, const InFlight& in_flight, std::stop_token stop) {
  while (!deaths_.suspects.empty() && !stop.stop_requested()) {
    const uint64_t graph = deaths_.suspects.front();
    in_flight.Begin(0, graph);
    TryGraph(device, graph);
    in_flight.End(0);
    deaths_.Acquit();
    ASSAY_RETURN_IF_ERROR(SaveState());
  }
  if (!deaths_.suspects.empty()) return absl::OkStatus();
  if (const auto unexplained = deaths_.Conclude()) {
    const uint64_t graph = unexplained->tried.front();
    FailedAttempt died{Variant::kAsDrawn, {.verdict = AttemptVerdict::kFailed}};
    const bool one = unexplained->tried.size() == 1;
    died.attempt.reason = absl::StrCat(
        "the process died (", unexplained->cause, ") while ", one ? "graph " : "graphs ",
        absl::StrJoin(unexplained->tried, ", "),
        one ? " was on the driver, but not a second time" : " were on the driver, but of none of them alone");
    died.attempt.failure = Failure{.kind = FailureKind::kDeath, .message = died.attempt.reason};
    Finding finding = AsFound(graph, DrawFromSeed(GraphSeed(options_.seed, graph), options_.drawing), died);
    finding.tries = 1;
    ASSAY_RETURN_IF_ERROR(Keep(std::move(finding)));
  }
  return SaveState();
}

AttemptOptions Campaign::AttemptFor(uint64_t graph) const {
  AttemptOptions out = options_.attempt;
  out.alignment_seed = GraphSeed(options_.seed ^ 0xA11C, graph) | 1;
  return out;
}

Tried Campaign::TryGraph(Device& device, uint64_t graph) const {
  Tried tried;
  Candidate candidate = DrawFromSeed(GraphSeed(options_.seed, graph), options_.drawing);
  tried.statistics.AddGraph(candidate.drawn.model);
  for (Variant variant : candidate.variants()) {
    Attempt attempt = TryOn(device, candidate.model(variant), candidate.drawn.example.inputs, AttemptFor(graph));
    tried.statistics.AddAttempt(attempt);
    if (!IsBad(attempt)) continue;
    tried.failures.push_back({variant, std::move(attempt)});
    break;  // the other variant would most likely show the same again
  }
  if (!tried.failures.empty()) tried.candidate = std::move(candidate);
  return tried;
}

void Campaign::Work(Device& device, int job, const InFlight& in_flight, Queue& queue, std::stop_token stop) const {
  while (!stop.stop_requested() && !TimeIsOver()) {
    const std::optional<uint64_t> graph = queue.Take();
    if (!graph) return;
    // A graph that killed the process before is not given to the driver again.
    if (const Death* death = deaths_.DeadlyAt(*graph)) {
      queue.Put(*graph, DeadlyGraph(*death));
      continue;
    }
    in_flight.Begin(job, *graph);
    Tried tried = TryGraph(device, *graph);
    in_flight.End(job);
    queue.Put(*graph, std::move(tried));
  }
  queue.Close();
}

Tried Campaign::DeadlyGraph(const Death& death) const {
  Tried tried{.deadly = true};
  tried.candidate = DrawFromSeed(GraphSeed(options_.seed, death.graph), options_.drawing);
  tried.statistics.AddGraph(tried.candidate->drawn.model);
  Attempt attempt{.verdict = AttemptVerdict::kFailed};
  attempt.reason = absl::StrCat("the process died", death.cause.empty() ? "" : absl::StrCat(" (", death.cause, ")"),
                                " while this graph alone was on the driver");
  attempt.failure = Failure{.kind = FailureKind::kDeath, .message = attempt.reason};
  tried.statistics.AddAttempt(attempt);
  tried.failures.push_back({Variant::kAsDrawn, std::move(attempt)});
  return tried;
}

// A failure that cannot be tried again in this process.
Finding Campaign::AsFound(uint64_t graph, const Candidate& candidate, const FailedAttempt& failed) const {
  Finding finding{.index = graph, .variant = failed.variant};
  finding.model = candidate.model(failed.variant);
  finding.inputs = candidate.drawn.example.inputs;
  finding.tape = TapeOf(candidate.trace);
  finding.operations_found = finding.model.main().operations.size();
  finding.attempt = failed.attempt;
  if (!finding.attempt.golden.empty()) return finding;
  if (auto golden = ReferenceOutputs(finding.model, finding.inputs, Mode::kGolden, options_.attempt.loop_timeout);
      golden.ok())
    finding.attempt.golden = *std::move(golden);
  return finding;
}

absl::Status Campaign::Investigated(uint64_t graph, const Tried& tried, Device& device, const InFlight& in_flight,
                                    std::stop_token stop) {
  for (const FailedAttempt& failed : tried.failures) {
    if (tried.deadly) {
      Finding finding = AsFound(graph, *tried.candidate, failed);
      finding.tries = finding.reproduced = 1;
      ASSAY_RETURN_IF_ERROR(Keep(std::move(finding)));
      continue;
    }
    const std::string signature = failed.attempt.failure ? failed.attempt.failure->Signature() : kOurFaultGroup;
    if (investigated_[signature]++ >= options_.investigated_per_group) continue;
    if (const Death* death = deaths_.NotShrunkAt(graph)) {
      Finding finding = AsFound(graph, *tried.candidate, failed);
      finding.cut_short = absl::StrCat("the process died (", death->cause, ") while it was shrunk");
      ASSAY_RETURN_IF_ERROR(Keep(std::move(finding)));
      continue;
    }
    ShrinkOptions shrink = options_.shrink;
    shrink.stop = stop;
    in_flight.BeginInvestigation(graph);
    Finding finding = Investigate(device, *tried.candidate, failed.variant, failed.attempt, options_.drawing,
                                  AttemptFor(graph), shrink);
    in_flight.EndInvestigation();
    finding.index = graph;
    ASSAY_RETURN_IF_ERROR(Keep(std::move(finding)));
  }
  return absl::OkStatus();
}

absl::Status Campaign::Keep(Finding finding) {
  std::string folder;
  if (!options_.out.empty()) {
    ASSAY_ASSIGN_OR_RETURN(folder, WriteFinding(options_.out, finding, options_.context));
  }
  const absl::string_view below = absl::StripPrefix(folder, absl::StrCat(options_.out, "/"));
  findings_.push_back({finding.index, finding.GroupName(), finding.attempt.reason, std::string(below)});
  summary_.findings.push_back(std::move(finding));
  summary_.folders.push_back(folder);
  Tell(&summary_.findings.back(), folder);
  return absl::OkStatus();
}

void Campaign::Tell(const Finding* finding, const std::string& folder) const {
  if (progress_)
    progress_({summary_.statistics, Seconds(), summary_.statistics.graphs - graphs_before_, findings_.size(), finding,
               folder});
}

CampaignState Campaign::StateNow() const {
  CampaignState state{identity_, summary_.next_graph, findings_, {}, deaths_, summary_.statistics};
  state.deaths.ForgetBefore(summary_.next_graph);
  return state;
}

absl::Status Campaign::SaveState() {
  if (state_folder().empty()) return absl::OkStatus();
  return WriteState(state_folder(), resume_at_ ? *resume_at_ : StateNow());
}

absl::Status Campaign::CollectOne(uint64_t graph, const Tried& tried, Device& device, const InFlight& in_flight,
                                  std::stop_token stop) {
  const bool failed = !tried.failures.empty();
  std::optional<CampaignState> before;
  if (failed && !resume_at_) before = StateNow();
  const size_t findings_before = findings_.size();
  summary_.statistics.Merge(tried.statistics);
  ASSAY_RETURN_IF_ERROR(Investigated(graph, tried, device, in_flight, stop));
  summary_.next_graph = graph + 1;
  if (!failed) return absl::OkStatus();
  const bool found = findings_.size() > findings_before;
  if (found && !tried.deadly && stop.stop_requested() && before) resume_at_ = std::move(before);
  if (resume_at_)
    for (size_t i = findings_before; i < findings_.size(); ++i) resume_at_->provisional.push_back(findings_[i].folder);
  return SaveState();
}

absl::Status Campaign::Collect(Queue& queue, Device& device, const InFlight& in_flight, std::stop_token stop) {
  Clock::time_point told = begin_, saved = begin_;
  while (!queue.Finished() && !Enough()) {
    const uint64_t graph = queue.collected();
    if (const std::optional<Tried> tried = queue.Collect())
      ASSAY_RETURN_IF_ERROR(CollectOne(graph, *tried, device, in_flight, stop));
    if (stop.stop_requested() || TimeIsOver()) queue.Close();
    const Clock::time_point now = Clock::now();
    if (now - told > std::chrono::milliseconds(500)) Tell(nullptr, ""), told = now;
    if (now - saved > std::chrono::seconds(5)) {
      ASSAY_RETURN_IF_ERROR(SaveState());
      saved = now;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<CampaignSummary> Campaign::Run(std::stop_token stop) {
  ASSAY_RETURN_IF_ERROR(CheckOptions(options_.drawing));
  ASSAY_RETURN_IF_ERROR(Begin());
  // One device a thread, and one for the collector, so that a driver that is not made for several threads is fine.
  std::vector<std::unique_ptr<Device>> devices;
  for (int job = 0; job <= options_.jobs; ++job) {
    ASSAY_ASSIGN_OR_RETURN(auto device, open_device_());
    devices.push_back(std::move(device));
  }
  ASSAY_ASSIGN_OR_RETURN(InFlight in_flight, InFlight::Open(state_folder(), options_.jobs));
  Tell(nullptr, "");
  ASSAY_RETURN_IF_ERROR(TrySuspects(*devices.front(), in_flight, stop));
  Queue queue(summary_.next_graph, options_.graphs.value_or(UINT64_MAX));
  absl::Status status;
  {
    std::vector<std::jthread> threads;
    for (int job = 0; job < options_.jobs; ++job)
      threads.emplace_back([&, job] { Work(*devices[static_cast<size_t>(job)], job, in_flight, queue, stop); });
    status = Collect(queue, *devices.back(), in_flight, stop);
    queue.Close();
  }
  ASSAY_RETURN_IF_ERROR(status);
  ASSAY_RETURN_IF_ERROR(SaveState());
  in_flight.Remove();
  Tell(nullptr, "");
  summary_.seconds = Seconds();
  return std::move(summary_);
}

}  // namespace

absl::StatusOr<CampaignSummary> RunCampaign(const DeviceFactory& open_device, const CampaignOptions& options,
                                            const ProgressCallback& progress, std::stop_token stop) {
  return Campaign(open_device, options, progress).Run(stop);
}

}  // namespace assay
