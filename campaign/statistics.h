// What a campaign has done so far; added up in the order of the graphs, so it does not depend on the number of jobs.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "campaign/attempt.h"
#include "model/model.h"

namespace assay {

struct CampaignStatistics {
  uint64_t graphs = 0, operations = 0, attempts = 0;
  uint64_t passed = 0, failed = 0, not_run = 0, all_unknown = 0, our_faults = 0;
  uint64_t inside = 0, outside = 0, unknown = 0;  // elements judged
  WidthHistogram widths;
  // "CONV_2D is not supported", "execute answered MISSED_DEADLINE_TRANSIENT": what a reason says whatever the graph. At
  // most kMostReasons different ones; the rest are "other".
  std::map<std::string, uint64_t> not_run_reasons;
  std::map<std::string, uint64_t> coverage;  // "ADD TENSOR_FLOAT32": operations executed and judged
  std::map<std::string, uint64_t> groups;    // failures by signature, whether shrunk or only counted

  static constexpr size_t kMostReasons = 200;
  void AddGraph(const Model& model);
  void AddAttempt(const Attempt& attempt);
  void Merge(const CampaignStatistics& other);
  double unknown_share() const;

  // Several lines, for people.
  std::string ToString() const;

 private:
  void AddReason(const std::string& reason, uint64_t count);
};

}  // namespace assay
