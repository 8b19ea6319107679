// How a campaign is told: its progress, its findings, and its summary.
#pragma once
#include <string>
#include <vector>

#include "assay/command.h"
#include "campaign/campaign.h"
#include "nlohmann/json_fwd.hpp"

namespace assay {

// One line that is written over on a terminal, and a line now and then otherwise, on standard error; on standard output
// the header, once the campaign has really begun, and each finding.
class ProgressLine {
 public:
  // Quiet: nothing is told. The header may be empty.
  ProgressLine(bool quiet, std::vector<std::string> header);
  void operator()(const CampaignProgress& progress);
  void Clear();

 private:
  bool quiet_, terminal_, shown_ = false;
  std::vector<std::string> header_;
  double next_ = 10;
};

nlohmann::json ToJson(const CampaignSummary& summary, const CampaignOptions& options);
void Print(const CampaignSummary& summary);

}  // namespace assay
