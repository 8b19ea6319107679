// The main loop: draws graphs, tries them on a driver with some threads, investigates what fails, writes it down at
// once, and can go on where it was stopped.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/finding.h"
#include "campaign/finding_files.h"
#include "campaign/statistics.h"

namespace assay {

struct CampaignOptions {
  uint64_t seed = 1;
  std::optional<uint64_t> graphs;  // none: until the time is over or it is stopped
  std::optional<std::chrono::seconds> seconds;
  std::optional<uint64_t> most_findings;  // ends after so many were investigated
  int jobs = 1;
  std::string out;                      // folder for findings and state; empty: nothing is written
  bool resume = false;                  // go on with the state in `out`
  uint64_t investigated_per_group = 3;  // of failures with one signature; more are only counted
  Options drawing;
  std::string drawing_text;  // the options as words of a command, for reports and `resume`
  AttemptOptions attempt;
  ShrinkOptions shrink;
  FindingContext context;
};

// Where the campaign is; told from one thread, about twice a second and after each finding.
struct CampaignProgress {
  const CampaignStatistics& statistics;
  double seconds = 0;            // since this process began
  uint64_t graphs_this_run = 0;  // without what was resumed
  uint64_t findings = 0;
  const Finding* finding = nullptr;  // the one just written
  std::string folder;                // its folder; empty if nothing is written
};
using ProgressCallback = std::function<void(const CampaignProgress&)>;

struct CampaignSummary {
  CampaignStatistics statistics;
  std::vector<Finding> findings;     // of this run, in the order of the graphs
  std::vector<std::string> folders;  // one for each finding; empty strings if nothing is written
  uint64_t findings_before = 0;      // found before the campaign was resumed
  uint64_t next_graph = 0;           // all graphs before it were tried
  double seconds = 0;
};

// One device for each thread that tries graphs.
using DeviceFactory = std::function<absl::StatusOr<std::unique_ptr<Device>>()>;

// Runs until graphs or time are used up, enough was found, or `stop` is asked for; then what has begun is finished and
// written. What is found depends on the seed, the options, the driver and the number of graphs, not on the number of
// jobs. Errors: the device cannot be opened; `out` cannot be written; a state that is to be resumed is unreadable, or
// of another seed, driver, set of options or registry (FailedPrecondition naming both values).
absl::StatusOr<CampaignSummary> RunCampaign(const DeviceFactory& open_device, const CampaignOptions& options,
                                            const ProgressCallback& progress, std::stop_token stop);

}  // namespace assay
