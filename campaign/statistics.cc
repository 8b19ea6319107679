#include "campaign/statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay {
namespace {

constexpr size_t kMostPrinted = 12;  // reasons for not running, the most frequent first

std::string Times(uint64_t count) { return count == 1 ? "once" : absl::StrCat(count, " times"); }

}  // namespace

void CampaignStatistics::AddGraph(const Model& model) {
  ++graphs;
  for (const Subgraph& s : model.subgraphs)
    for (const Operation& o : s.operations) {
      ++operations;
      const absl::string_view type = o.outputs.empty() ? "" : NameOf(s.operands[o.outputs.front()].type);
      ++coverage[absl::StrCat(NameOf(o.code), " ", type)];
    }
}

void CampaignStatistics::AddAttempt(const Attempt& attempt) {
  ++attempts;
  switch (attempt.verdict) {
    case AttemptVerdict::kPassed:
      ++passed;
      break;
    case AttemptVerdict::kFailed:
      ++failed;
      break;
    case AttemptVerdict::kAllUnknown:
      ++all_unknown;
      break;
    case AttemptVerdict::kOurFault:
      ++our_faults;
      break;
    case AttemptVerdict::kNotRun:
      ++not_run;
      AddReason(attempt.excuse, 1);
      break;
  }
  if (attempt.failure) ++groups[attempt.failure->Signature()];
  inside += attempt.inside, outside += attempt.outside, unknown += attempt.unknown;
  widths.Merge(attempt.widths);
}

void CampaignStatistics::AddReason(const std::string& reason, uint64_t count) {
  const bool room = not_run_reasons.size() < kMostReasons || not_run_reasons.count(reason) > 0;
  not_run_reasons[room ? reason : "other"] += count;
}

void CampaignStatistics::Merge(const CampaignStatistics& other) {
  graphs += other.graphs, operations += other.operations, attempts += other.attempts;
  passed += other.passed, failed += other.failed, not_run += other.not_run;
  all_unknown += other.all_unknown, our_faults += other.our_faults;
  inside += other.inside, outside += other.outside, unknown += other.unknown;
  widths.Merge(other.widths);
  for (const auto& [reason, count] : other.not_run_reasons) AddReason(reason, count);
  for (const auto& [name, count] : other.coverage) coverage[name] += count;
  for (const auto& [name, count] : other.groups) groups[name] += count;
}

double CampaignStatistics::unknown_share() const {
  const uint64_t all = inside + outside + unknown;
  return all == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(all);
}

std::string CampaignStatistics::ToString() const {
  std::string out =
      absl::StrFormat("%d graphs, %d operations, %d attempts: %d passed, %d failed, %d not run, %d all unknown\n",
                      graphs, operations, attempts, passed, failed, not_run, all_unknown);
  if (our_faults > 0) absl::StrAppend(&out, "FAULTS OF OURS: ", our_faults, " (see our_faults)\n");
  absl::StrAppendFormat(&out, "%d elements judged: %d inside, %d outside; %d unknown (%.3g %%)\n", inside + outside,
                        inside, outside, unknown, 100 * unknown_share());
  absl::StrAppend(&out, "intervals: ", widths.ToString(), "\n");
  if (attempts > 0 && all_unknown * 2 > attempts)
    absl::StrAppend(&out, "WARNING: in most graphs not one element could be judged: this campaign shows nothing\n");
  if (attempts > 0 && not_run == attempts)
    absl::StrAppend(&out, "WARNING: nothing was run: this campaign shows nothing\n");
  std::vector<std::pair<std::string, uint64_t>> reasons(not_run_reasons.begin(), not_run_reasons.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  uint64_t left = not_run;
  for (size_t i = 0; i < std::min(reasons.size(), kMostPrinted); left -= reasons[i++].second)
    absl::StrAppend(&out, "  not run ", Times(reasons[i].second), ": ", reasons[i].first, "\n");
  if (reasons.size() > kMostPrinted)
    absl::StrAppend(&out, "  not run ", Times(left), ": ", reasons.size() - kMostPrinted, " other reasons\n");
  return out;
}

}  // namespace assay
