#include "campaign/campaign.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"
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
  bool deadly = false;  // not tried again; see CampaignState::deadly
};

// Graphs are handed out in order, tried in any order and collected in order again.
class Queue {
 public:
  Queue(uint64_t first, uint64_t end) : next_(first), end_(end), collected_(first) {}

  // The next graph to try, or nothing when all are handed out or it is closed. Waits when the collector is far behind.
  std::optional<uint64_t> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || next_ < collected_ + kAhead; });
    if (closed_ || next_ >= end_) return std::nullopt;
    return next_++;
  }
  void Put(uint64_t graph, Tried tried) {
    const std::lock_guard lock(mutex_);
    done_.emplace(graph, std::move(tried));
    changed_.notify_all();
  }
  // No more graphs are handed out.
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // What the next graph in order gave; nothing if it is not there within half a second.
  std::optional<Tried> Collect() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(500),
                      [&] { return done_.count(collected_) > 0 || AllCollected(); });
    const auto at = done_.find(collected_);
    if (at == done_.end()) return std::nullopt;
    Tried tried = std::move(at->second);
    done_.erase(at);
    ++collected_;
    changed_.notify_all();
    return tried;
  }
  bool Finished() const {
    const std::lock_guard lock(mutex_);
    return AllCollected();
  }
  uint64_t collected() const {
    const std::lock_guard lock(mutex_);
    return collected_;
  }

 private:
  static constexpr uint64_t kAhead = 4096;
  bool AllCollected() const { return collected_ == next_ && (closed_ || next_ >= end_); }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_, end_, collected_;
  bool closed_ = false;
  std::map<uint64_t, Tried> done_;
};

bool IsBad(const Attempt& a) { return a.verdict == AttemptVerdict::kFailed || a.verdict == AttemptVerdict::kOurFault; }

class Campaign {
 public:
  Campaign(const DeviceFactory& open_device, const CampaignOptions& options, const ProgressCallback& progress)
      : open_device_(open_device), options_(options), progress_(progress) {}

  absl::StatusOr<CampaignSummary> Run(std::stop_token stop);

 private:
  absl::Status Begin();
  Tried TryGraph(Device& device, uint64_t graph) const;
  void Work(Device& device, int job, const InFlight& in_flight, Queue& queue, std::stop_token stop) const;
  absl::Status Collect(Queue& queue, Device& device, std::stop_token stop);
  absl::Status Investigated(uint64_t graph, const Tried& tried, Device& device, std::stop_token stop);
  absl::Status Keep(Finding finding);
  Tried DeadlyGraph(uint64_t graph) const;
  Finding OfDeadProcess(uint64_t graph, const Tried& tried) const;
  AttemptOptions AttemptFor(uint64_t graph) const;
  bool TimeIsOver() const { return options_.seconds && Clock::now() - begin_ >= *options_.seconds; }
  bool Enough() const { return options_.most_findings && summary_.findings.size() >= *options_.most_findings; }
  void Tell(const Finding* finding, const std::string& folder) const;
  absl::Status SaveState(uint64_t next_graph);
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const DeviceFactory& open_device_;
  const CampaignOptions& options_;
  const ProgressCallback& progress_;
  const Clock::time_point begin_ = Clock::now();
  CampaignIdentity identity_;
  CampaignSummary summary_;
  std::set<uint64_t> deadly_;
  std::map<std::string, uint64_t> investigated_;  // failures by signature
  uint64_t graphs_before_ = 0;
};

absl::Status Campaign::Begin() {
  identity_ = {options_.seed, options_.context.driver, options_.drawing_text, RegistryHash()};
  if (options_.out.empty()) return absl::OkStatus();
  std::error_code error;
  std::filesystem::create_directories(options_.out, error);
  if (error) return absl::UnavailableError(absl::StrCat(options_.out, ": ", error.message()));
  if (!options_.resume) {
    if (std::filesystem::exists(absl::StrCat(options_.out, "/campaign.json")))
      return absl::FailedPreconditionError(
          absl::StrCat(options_.out, " holds a campaign already: go on with it (--resume) or choose another folder"));
    return SaveState(0);
  }
  ASSAY_ASSIGN_OR_RETURN(const CampaignState state, ReadState(options_.out, identity_));
  summary_.statistics = state.statistics;
  summary_.next_graph = state.next_graph;
  summary_.findings_before = state.findings;
  graphs_before_ = state.statistics.graphs;
  investigated_ = state.statistics.groups;
  investigated_[kOurFaultGroup] = state.statistics.our_faults;
  deadly_ = {state.deadly.begin(), state.deadly.end()};
  for (uint64_t graph : InFlight::LeftBehind(options_.out)) deadly_.insert(graph);
  // Kept before the next process leaves other ones behind.
  return SaveState(summary_.next_graph);
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
    if (deadly_.count(*graph) > 0) {
      queue.Put(*graph, DeadlyGraph(*graph));
      continue;
    }
    in_flight.Begin(job, *graph);
    Tried tried = TryGraph(device, *graph);
    in_flight.End(job);
    queue.Put(*graph, std::move(tried));
  }
  queue.Close();
}

Tried Campaign::DeadlyGraph(uint64_t graph) const {
  Tried tried{.deadly = true};
  tried.candidate = DrawFromSeed(GraphSeed(options_.seed, graph), options_.drawing);
  tried.statistics.AddGraph(tried.candidate->drawn.model);
  Attempt attempt{.verdict = AttemptVerdict::kFailed};
  attempt.reason = "the process died while this graph was on the driver";
  attempt.failure = Failure{.kind = FailureKind::kDeath, .message = attempt.reason};
  tried.statistics.AddAttempt(attempt);
  tried.failures.push_back({Variant::kAsDrawn, std::move(attempt)});
  return tried;
}

Finding Campaign::OfDeadProcess(uint64_t graph, const Tried& tried) const {
  const DrawnModel& drawn = tried.candidate->drawn;
  Finding finding{.index = graph, .model = drawn.model, .inputs = drawn.example.inputs};
  finding.tape = TapeOf(tried.candidate->trace);
  finding.operations_found = finding.model.main().operations.size();
  finding.attempt = tried.failures.front().attempt;
  if (auto golden = ReferenceOutputs(finding.model, finding.inputs, Mode::kGolden, options_.attempt.loop_timeout);
      golden.ok())
    finding.attempt.golden = *std::move(golden);
  return finding;
}

absl::Status Campaign::Investigated(uint64_t graph, const Tried& tried, Device& device, std::stop_token stop) {
  // Each of these is kept: with several jobs only one of them is guilty.
  if (tried.deadly) return Keep(OfDeadProcess(graph, tried));
  for (const FailedAttempt& failed : tried.failures) {
    const std::string signature = failed.attempt.failure ? failed.attempt.failure->Signature() : kOurFaultGroup;
    if (investigated_[signature]++ >= options_.investigated_per_group) continue;
    ShrinkOptions shrink = options_.shrink;
    shrink.stop = stop;
    Finding finding = Investigate(device, *tried.candidate, failed.variant, failed.attempt, options_.drawing,
                                  AttemptFor(graph), shrink);
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
  summary_.findings.push_back(std::move(finding));
  summary_.folders.push_back(folder);
  Tell(&summary_.findings.back(), folder);
  return absl::OkStatus();
}

void Campaign::Tell(const Finding* finding, const std::string& folder) const {
  if (progress_)
    progress_({summary_.statistics, Seconds(), summary_.statistics.graphs - graphs_before_,
               summary_.findings_before + summary_.findings.size(), finding, folder});
}

absl::Status Campaign::SaveState(uint64_t next_graph) {
  if (options_.out.empty()) return absl::OkStatus();
  return WriteState(options_.out, {identity_,
                                   next_graph,
                                   summary_.findings_before + summary_.findings.size(),
                                   {deadly_.lower_bound(next_graph), deadly_.end()},
                                   summary_.statistics});
}

absl::Status Campaign::Collect(Queue& queue, Device& device, std::stop_token stop) {
  Clock::time_point told = begin_, saved = begin_;
  while (!queue.Finished() && !Enough()) {
    const uint64_t graph = queue.collected();
    if (const std::optional<Tried> tried = queue.Collect()) {
      summary_.statistics.Merge(tried->statistics);
      ASSAY_RETURN_IF_ERROR(Investigated(graph, *tried, device, stop));
      summary_.next_graph = graph + 1;
      if (!tried->failures.empty()) ASSAY_RETURN_IF_ERROR(SaveState(summary_.next_graph));
    }
    if (stop.stop_requested() || TimeIsOver()) queue.Close();
    const Clock::time_point now = Clock::now();
    if (now - told > std::chrono::milliseconds(500)) Tell(nullptr, ""), told = now;
    if (now - saved > std::chrono::seconds(5)) {
      ASSAY_RETURN_IF_ERROR(SaveState(summary_.next_graph));
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
  ASSAY_ASSIGN_OR_RETURN(InFlight in_flight, InFlight::Open(options_.out, options_.jobs));
  Queue queue(summary_.next_graph, options_.graphs.value_or(UINT64_MAX));
  absl::Status status;
  {
    std::vector<std::jthread> threads;
    for (int job = 0; job < options_.jobs; ++job)
      threads.emplace_back([&, job] { Work(*devices[static_cast<size_t>(job)], job, in_flight, queue, stop); });
    status = Collect(queue, *devices.back(), stop);
    queue.Close();
  }
  ASSAY_RETURN_IF_ERROR(status);
  ASSAY_RETURN_IF_ERROR(SaveState(summary_.next_graph));
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
