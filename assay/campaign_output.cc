#include "assay/campaign_output.h"

#include <unistd.h>

#include <cstdio>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "campaign/header.h"
#include "nlohmann/json.hpp"

namespace assay {

ProgressLine::ProgressLine(bool quiet, std::vector<std::string> header)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), header_(std::move(header)) {}

void ProgressLine::operator()(const CampaignProgress& p) {
  if (quiet_) return;
  for (const std::string& line : std::exchange(header_, {})) absl::PrintF("%s\n", line);
  std::fflush(stdout);
  if (p.finding != nullptr) {
    Clear();
    absl::PrintF("finding: %s\n  %s\n", p.finding->GroupName(), p.finding->attempt.reason);
    if (!p.folder.empty()) absl::PrintF("  %s/report.txt\n", p.folder);
    std::fflush(stdout);
    return;
  }
  const double rate = p.seconds > 0 ? static_cast<double>(p.graphs_this_run) / p.seconds : 0;
  const std::string line =
      absl::StrFormat("%7.0f s  %d graphs (%.0f/s)  %d passed  %d failed  %d not run  %d findings  %.2g %% unknown",
                      p.seconds, p.statistics.graphs, rate, p.statistics.passed, p.statistics.failed,
                      p.statistics.not_run, p.findings, 100 * p.statistics.unknown_share());
  if (terminal_) {
    std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
    shown_ = true;
  } else if (p.seconds >= next_) {
    std::fprintf(stderr, "%s\n", line.c_str());
    next_ = p.seconds + 10;
  }
}

void ProgressLine::Clear() {
  if (shown_) std::fprintf(stderr, "\r\x1b[K");
  shown_ = false;
}

nlohmann::json ToJson(const CampaignSummary& summary, const CampaignOptions& options) {
  nlohmann::json findings = nlohmann::json::array(), earlier = nlohmann::json::array();
  for (size_t i = 0; i < summary.findings.size(); ++i) {
    const Finding& f = summary.findings[i];
    findings.push_back({{"graph", f.index},
                        {"group", f.GroupName()},
                        {"reason", f.attempt.reason},
                        {"folder", summary.folders[i]},
                        {"reproduced", f.reproduced},
                        {"tries", f.tries},
                        {"operations", f.model.main().operations.size()},
                        {"operations_found", f.operations_found},
                        {"trials", f.trials}});
  }
  for (const EarlierFinding& f : summary.earlier)
    earlier.push_back({{"graph", f.graph}, {"group", f.group}, {"reason", f.reason}, {"folder", f.folder}});
  const CampaignStatistics& s = summary.statistics;
  return {{"version", std::string(Version())},
          {"isa", std::string(ProcessorIsa())},
          {"driver", options.context.driver},
          {"seed", options.seed},
          {"options", options.drawing_text},
          {"strict", options.attempt.assumptions.strict},
          {"seconds", summary.seconds},
          {"next_graph", summary.next_graph},
          {"findings", findings},
          {"earlier_findings", earlier},
          {"statistics",
           {{"graphs", s.graphs},
            {"operations", s.operations},
            {"attempts", s.attempts},
            {"passed", s.passed},
            {"failed", s.failed},
            {"not_run", s.not_run},
            {"all_unknown", s.all_unknown},
            {"our_faults", s.our_faults},
            {"inside", s.inside},
            {"outside", s.outside},
            {"unknown", s.unknown},
            {"coverage", s.coverage},
            {"not_run_reasons", s.not_run_reasons}}}};
}

void Print(const CampaignSummary& summary) {
  std::fputs(summary.statistics.ToString().c_str(), stdout);
  struct Group {
    std::string reason;
    size_t findings = 0;
    std::vector<std::string> folders;
  };
  std::map<std::string, Group> groups;
  const auto add = [&](const std::string& name, const std::string& reason, const std::string& folder) {
    Group& group = groups[name];
    if (group.findings++ == 0) group.reason = reason;
    if (!folder.empty()) group.folders.push_back(folder);
  };
  for (const EarlierFinding& f : summary.earlier) add(f.group, f.reason, f.folder);
  for (size_t i = 0; i < summary.findings.size(); ++i)
    add(summary.findings[i].GroupName(), summary.findings[i].attempt.reason, summary.folders[i]);
  for (const auto& [name, group] : groups) {
    absl::PrintF("%d finding%s: %s\n  %s\n", group.findings, group.findings == 1 ? "" : "s", name, group.reason);
    for (const std::string& folder : group.folders) absl::PrintF("  %s\n", folder);
  }
  if (groups.empty()) absl::PrintF("no findings\n");
  if (!summary.earlier.empty()) absl::PrintF("%d of them from before it was resumed\n", summary.earlier.size());
}

}  // namespace assay
