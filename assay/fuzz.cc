// assay fuzz: a campaign against a driver.
#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/words.h"
#include "campaign/campaign.h"
#include "campaign/header.h"
#include "driver/open.h"
#include "nlohmann/json.hpp"

namespace assay {
namespace {

// One line that is written over on a terminal, and a line now and then otherwise.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}
  void operator()(const CampaignProgress& p) {
    if (quiet_) return;
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
  void Clear() {
    if (shown_) std::fprintf(stderr, "\r\x1b[K");
    shown_ = false;
  }

 private:
  bool quiet_, terminal_, shown_ = false;
  double next_ = 10;
};

nlohmann::json ToJson(const CampaignSummary& summary, const FuzzCommand& command) {
  nlohmann::json findings = nlohmann::json::array();
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
  const CampaignStatistics& s = summary.statistics;
  return {{"version", std::string(Version())},
          {"isa", std::string(ProcessorIsa())},
          {"driver", command.driver},
          {"seed", command.seed},
          {"options", ToWords(command.drawing)},
          {"seconds", summary.seconds},
          {"next_graph", summary.next_graph},
          {"findings", findings},
          {"findings_before", summary.findings_before},
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
  std::map<std::string, std::vector<size_t>> groups;
  for (size_t i = 0; i < summary.findings.size(); ++i) groups[summary.findings[i].GroupName()].push_back(i);
  for (const auto& [group, members] : groups) {
    const Finding& f = summary.findings[members.front()];
    absl::PrintF("%d finding%s: %s\n  %s\n", members.size(), members.size() == 1 ? "" : "s", group, f.attempt.reason);
    for (size_t i : members)
      if (!summary.folders[i].empty()) absl::PrintF("  %s\n", summary.folders[i]);
  }
  if (groups.empty() && summary.findings_before == 0) absl::PrintF("no findings\n");
  if (summary.findings_before > 0) absl::PrintF("%d findings before this run\n", summary.findings_before);
}

}  // namespace

int Fuzz(const FuzzCommand& command, std::stop_token stop) {
  auto drawing = OptionsFrom(command.drawing);
  if (!drawing.ok()) return Complain(drawing.status(), kWrongUse);
  auto first = OpenDevice(command.driver);
  if (!first.ok()) return Complain(first.status(), kWrongUse);
  // What is drawn depends on the driver's level, so a replay must be told it.
  DrawingWords words = command.drawing;
  words.feature_level = std::min(words.feature_level, (*first)->description().feature_level);
  drawing->feature_level = words.feature_level;
  const std::vector<std::string> header = ReportHeader(&(*first)->description(), command.seed, command.command);

  CampaignOptions options;
  options.seed = command.seed;
  options.graphs = command.graphs;
  if (command.seconds) options.seconds = std::chrono::seconds(*command.seconds);
  options.most_findings = command.stop_after;
  options.jobs = command.jobs;
  options.resume = !command.resume.empty();
  options.out = options.resume ? command.resume : command.no_files ? "" : command.out;
  options.drawing = *drawing;
  options.drawing_text = ToWords(words);
  options.attempt.assumptions.strict = command.strict;
  options.context = {header, command.driver, options.drawing_text};
  if (!command.json)
    for (const std::string& line : header) absl::PrintF("%s\n", line);
  std::fflush(stdout);

  ProgressLine line(command.json);
  const auto summary = RunCampaign([&] { return OpenDevice(command.driver); }, options, std::ref(line), stop);
  line.Clear();
  if (!summary.ok()) return Complain(summary.status(), kWrongUse);
  if (command.json) {
    std::puts(ToJson(*summary, command).dump(1).c_str());
  } else {
    Print(*summary);
    if (stop.stop_requested() && !options.out.empty())
      absl::PrintF("stopped; go on with: assay fuzz --driver %s --seed %d --resume %s\n", command.driver, command.seed,
                   options.out);
  }
  if (summary->statistics.our_faults > 0) return kOurFault;
  return summary->findings.empty() && summary->findings_before == 0 ? kGood : kVerdict;
}

}  // namespace assay
