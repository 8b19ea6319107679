// What a campaign leaves behind so that it can go on: how far it came, what it found, its statistics, and which graphs
// were being tried when the process died.
#pragma once
#include <string>
#include <vector>

#include "campaign/deaths.h"
#include "campaign/statistics.h"

namespace assay {

// What must be the same for a campaign to be continued.
struct CampaignIdentity {
  uint64_t seed = 0;
  std::string driver, drawing_options;
  bool strict = false;
  uint64_t registry = 0;
  friend bool operator==(const CampaignIdentity&, const CampaignIdentity&) = default;
};

// A finding of an earlier process, as far as it is told again.
struct EarlierFinding {
  uint64_t graph = 0;
  std::string group, reason;
  std::string folder;  // below the campaign's; empty if nothing was written
  friend bool operator==(const EarlierFinding&, const EarlierFinding&) = default;
};

struct CampaignState {
  CampaignIdentity identity;
  uint64_t next_graph = 0;  // all before it are done
  std::vector<EarlierFinding> findings;
  // Folders of findings from next_graph on, whose investigation was cut short: they are found anew.
  std::vector<std::string> provisional;
  Deaths deaths;
  CampaignStatistics statistics;
};

absl::Status WriteState(const std::string& folder, const CampaignState& state);
// NotFound if there is none; FailedPrecondition if it is damaged or of another version of this program.
absl::StatusOr<CampaignState> ReadState(const std::string& folder);
// FailedPrecondition, with both values, if the campaigns are not the same.
absl::Status CheckSame(const CampaignIdentity& was, const CampaignIdentity& is);

// Names, for each thread, the graph that is on the device right now: a file of fixed-size records, written in place
// before each graph, so that a process that dies leaves the culprits' numbers behind.
class InFlight {
 public:
  // No file is kept if `folder` is empty.
  static absl::StatusOr<InFlight> Open(const std::string& folder, int jobs);
  InFlight(InFlight&& other) noexcept;
  ~InFlight();
  void Begin(int job, uint64_t graph) const;
  void End(int job) const;
  void BeginInvestigation(uint64_t graph) const;
  void EndInvestigation() const { End(jobs_); }
  // Removes the file: everything ended well.
  void Remove();
  // What a dead process left; nothing if it ended well.
  static LeftBehind Find(const std::string& folder);

 private:
  InFlight(int file, std::string path, int jobs) : file_(file), path_(std::move(path)), jobs_(jobs) {}
  void Write(int record, const std::string& text) const;
  int file_ = -1;
  std::string path_;
  int jobs_ = 0;  // and the number of the record of investigations
};

}  // namespace assay
