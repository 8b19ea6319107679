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
#include "campaign/state.h"
#include "campaign/statistics.h"
#include "driver/open.h"

namespace assay {

struct CampaignOptions {
  uint64_t seed = 1;
  std::optional<uint64_t> graphs;  // none: until the time is over or it is stopped
  std::optional<std::chrono::seconds> seconds;
  std::optional<uint64_t> most_findings;  // ends after so many were investigated
  int jobs = 1;
  std::string out;           // folder for findings; empty: they are not written
  std::string state_folder;  // folder for the state; empty: `out`
  bool resume = false;       // go on with the state
  // How the process before this one ended while it was at this campaign ("Segmentation fault"); empty: nobody saw it.
  std::string died_of;
  uint64_t investigated_per_group = 3;  // of failures with one signature; more are only counted
  Options drawing;
  std::string drawing_text;  // the options as words of a command, for `resume`
  AttemptOptions attempt;
  ShrinkOptions shrink;
  FindingContext context;
};

// Where the campaign is; told from one thread: when everything is ready, about twice a second, and after each finding.
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
  std::vector<Finding> findings;        // of this run, in the order of the graphs
  std::vector<std::string> folders;     // one for each finding; empty strings if nothing is written
  std::vector<EarlierFinding> earlier;  // of the processes that this one has resumed
  uint64_t next_graph = 0;              // all graphs before it were tried
  double seconds = 0;
};

// Runs until graphs or time are used up, enough was found, or `stop` is asked for; then what has begun is finished and
// written. What is found depends on the seed, the options, the driver and the number of graphs, not on the number of
// jobs, and not on whether the campaign was stopped and resumed: a finding whose investigation was cut short is
// written as it is, and found anew when the campaign goes on. If the process died before, the graphs that were on the
// driver are tried alone first, to see which of them is guilty. Errors: the device cannot be opened; the folders cannot
// be written; a state that is to be resumed is unreadable, or of another seed, driver, set of options or registry
// (FailedPrecondition naming both values).
absl::StatusOr<CampaignSummary> RunCampaign(const DeviceFactory& open_device, const CampaignOptions& options,
                                            const ProgressCallback& progress, std::stop_token stop);

}  // namespace assay
