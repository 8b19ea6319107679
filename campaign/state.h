// What a campaign leaves behind so that it can go on: how far it came, its statistics, and which graphs were being
// tried when the process died.
#pragma once
#include <string>
#include <vector>

#include "campaign/statistics.h"

namespace assay {

// What must be the same for a campaign to be continued.
struct CampaignIdentity {
  uint64_t seed = 0;
  std::string driver, drawing_options;
  uint64_t registry = 0;
  friend bool operator==(const CampaignIdentity&, const CampaignIdentity&) = default;
};

struct CampaignState {
  CampaignIdentity identity;
  uint64_t next_graph = 0;  // all before it are done
  uint64_t findings = 0;
  std::vector<uint64_t> deadly;  // from next_graph on: were on the driver when the process died, not to be tried again
  CampaignStatistics statistics;
};

absl::Status WriteState(const std::string& out, const CampaignState& state);
// NotFound if there is none; FailedPrecondition if it is of another campaign.
absl::StatusOr<CampaignState> ReadState(const std::string& out, const CampaignIdentity& expected);

// Names, for each thread, the graph that is on the device right now: a file of fixed-size records, written in place
// before each graph, so that a process that dies leaves the culprits' numbers behind.
class InFlight {
 public:
  // No file is kept if `out` is empty.
  static absl::StatusOr<InFlight> Open(const std::string& out, int jobs);
  InFlight(InFlight&& other) noexcept;
  ~InFlight();
  void Begin(int job, uint64_t graph) const;
  void End(int job) const;
  // Removes the file: everything ended well.
  void Remove();
  // The graphs that a dead process left; none if it ended well.
  static std::vector<uint64_t> LeftBehind(const std::string& out);

 private:
  explicit InFlight(int file, std::string path) : file_(file), path_(std::move(path)) {}
  int file_ = -1;
  std::string path_;
};

}  // namespace assay
