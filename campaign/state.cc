#include "campaign/state.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "campaign/finding_files.h"
#include "model/status.h"
#include "nlohmann/json.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;
constexpr int kVersion = 2;
constexpr size_t kRecord = 24;  // a graph, perhaps after kInvestigated, or blanks; and a line end
constexpr char kInvestigated[] = "i ";

std::string StatePath(const std::string& folder) { return absl::StrCat(folder, "/campaign.json"); }
std::string InFlightPath(const std::string& folder) { return absl::StrCat(folder, "/in_flight"); }

Json ToJson(const CampaignStatistics& s) {
  return {{"graphs", s.graphs},
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
          {"widths", s.widths.Counts()},
          {"not_run_reasons", s.not_run_reasons},
          {"coverage", s.coverage},
          {"groups", s.groups}};
}

CampaignStatistics StatisticsFrom(const Json& j) {
  CampaignStatistics s;
  const auto number = [&](const char* name) { return j.at(name).get<uint64_t>(); };
  s.graphs = number("graphs"), s.operations = number("operations"), s.attempts = number("attempts");
  s.passed = number("passed"), s.failed = number("failed"), s.not_run = number("not_run");
  s.all_unknown = number("all_unknown"), s.our_faults = number("our_faults");
  s.inside = number("inside"), s.outside = number("outside"), s.unknown = number("unknown");
  s.widths = WidthHistogram::FromCounts(j.at("widths").get<std::vector<uint64_t>>());
  j.at("not_run_reasons").get_to(s.not_run_reasons);
  j.at("coverage").get_to(s.coverage);
  j.at("groups").get_to(s.groups);
  return s;
}

Json ToJson(const std::vector<Death>& deaths) {
  Json list = Json::array();
  for (const Death& d : deaths) list.push_back({{"graph", d.graph}, {"cause", d.cause}});
  return list;
}

std::vector<Death> DeathsFrom(const Json& list) {
  std::vector<Death> deaths;
  for (const Json& j : list) deaths.push_back({j.at("graph"), j.at("cause")});
  return deaths;
}

Json ToJson(const Deaths& deaths) {
  return {{"deadly", ToJson(deaths.deadly)},
          {"not_shrunk", ToJson(deaths.not_shrunk)},
          {"suspects", deaths.suspects},
          {"tried_at_death", deaths.at_death.tried},
          {"investigated_at_death", deaths.at_death.investigated ? Json(*deaths.at_death.investigated) : Json()},
          {"cause", deaths.cause}};
}

Deaths DeathsOf(const Json& j) {
  Deaths deaths;
  deaths.deadly = DeathsFrom(j.at("deadly")), deaths.not_shrunk = DeathsFrom(j.at("not_shrunk"));
  deaths.suspects = j.at("suspects").get<std::vector<uint64_t>>();
  deaths.at_death.tried = j.at("tried_at_death").get<std::vector<uint64_t>>();
  if (const Json& graph = j.at("investigated_at_death"); !graph.is_null()) deaths.at_death.investigated = graph;
  deaths.cause = j.at("cause");
  return deaths;
}

Json ToJson(const std::vector<EarlierFinding>& findings) {
  Json list = Json::array();
  for (const EarlierFinding& f : findings)
    list.push_back({{"graph", f.graph}, {"group", f.group}, {"reason", f.reason}, {"folder", f.folder}});
  return list;
}

std::vector<EarlierFinding> FindingsFrom(const Json& list) {
  std::vector<EarlierFinding> findings;
  for (const Json& j : list) findings.push_back({j.at("graph"), j.at("group"), j.at("reason"), j.at("folder")});
  return findings;
}

CampaignState StateFrom(const Json& j) {
  CampaignState state;
  state.identity = {j.at("seed"), j.at("driver"), j.at("drawing_options"), j.at("strict"), j.at("registry")};
  state.next_graph = j.at("next_graph");
  state.findings = FindingsFrom(j.at("findings"));
  state.provisional = j.at("provisional").get<std::vector<std::string>>();
  state.deaths = DeathsOf(j.at("deaths"));
  state.statistics = StatisticsFrom(j.at("statistics"));
  return state;
}

}  // namespace

absl::Status WriteState(const std::string& folder, const CampaignState& state) {
  const Json j = {{"version", kVersion},
                  {"seed", state.identity.seed},
                  {"driver", state.identity.driver},
                  {"drawing_options", state.identity.drawing_options},
                  {"strict", state.identity.strict},
                  {"registry", state.identity.registry},
                  {"next_graph", state.next_graph},
                  {"findings", ToJson(state.findings)},
                  {"provisional", state.provisional},
                  {"deaths", ToJson(state.deaths)},
                  {"statistics", ToJson(state.statistics)}};
  // What a driver says need not be text: without `replace`, one byte of it would be an exception.
  return WriteFileAtomically(StatePath(folder),
                             absl::StrCat(j.dump(1, ' ', false, Json::error_handler_t::replace), "\n"));
}

// The packaged parser reports by exceptions; they end here.
absl::StatusOr<CampaignState> ReadState(const std::string& folder) {
  if (std::error_code ignored; std::filesystem::is_directory(StatePath(folder), ignored))
    return absl::FailedPreconditionError(absl::StrCat(StatePath(folder), ": is a folder, expected a file"));
  std::ifstream file(StatePath(folder), std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(StatePath(folder), ": there is no campaign to resume"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    const Json j = Json::parse(text);
    if (j.at("version") != kVersion)
      return absl::FailedPreconditionError(
          absl::StrCat(StatePath(folder), ": version ", j.at("version").dump(), ", this program writes ", kVersion));
    return StateFrom(j);
  } catch (const Json::exception& e) {
    return absl::FailedPreconditionError(absl::StrCat(StatePath(folder), ": ", e.what()));
  }
}

absl::Status CheckSame(const CampaignIdentity& was, const CampaignIdentity& is) {
  const auto check = [](absl::string_view what, const absl::AlphaNum& old, const absl::AlphaNum& now) {
    if (old.Piece() == now.Piece()) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("cannot resume: the campaign's ", what, " was \"", old.Piece(),
                                                      "\", now it is \"", now.Piece(), "\""));
  };
  ASSAY_RETURN_IF_ERROR(check("seed", was.seed, is.seed));
  ASSAY_RETURN_IF_ERROR(check("driver", was.driver, is.driver));
  ASSAY_RETURN_IF_ERROR(check("drawing options", was.drawing_options, is.drawing_options));
  ASSAY_RETURN_IF_ERROR(check("judgement", was.strict ? "strict" : "usual", is.strict ? "strict" : "usual"));
  return check("registry of operations", absl::Hex(was.registry), absl::Hex(is.registry));
}

absl::StatusOr<InFlight> InFlight::Open(const std::string& folder, int jobs) {
  if (folder.empty()) return InFlight(-1, "", jobs);
  const std::string path = InFlightPath(folder);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return absl::UnavailableError(absl::StrCat(path, ": cannot be written"));
  InFlight in_flight(file, path, jobs);
  for (int record = 0; record <= jobs; ++record) in_flight.End(record);
  return in_flight;
}

InFlight::InFlight(InFlight&& other) noexcept
    : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)), jobs_(other.jobs_) {}

InFlight::~InFlight() {
  if (file_ >= 0) close(file_);
}

void InFlight::Write(int record, const std::string& text) const {
  if (file_ < 0) return;
  const std::string line = absl::StrFormat("%-*s\n", static_cast<int>(kRecord) - 1, text);
  // A record that cannot be written costs the number of a graph after a crash, nothing else.
  [[maybe_unused]] const ssize_t written = pwrite(file_, line.data(), kRecord, static_cast<off_t>(kRecord) * record);
}

void InFlight::Begin(int job, uint64_t graph) const { Write(job, absl::StrCat(graph)); }

void InFlight::End(int job) const { Write(job, ""); }

void InFlight::BeginInvestigation(uint64_t graph) const { Write(jobs_, absl::StrCat(kInvestigated, graph)); }

void InFlight::Remove() {
  if (file_ < 0) return;
  close(std::exchange(file_, -1));
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

LeftBehind InFlight::Find(const std::string& folder) {
  std::ifstream file(InFlightPath(folder));
  LeftBehind left;
  for (std::string line; std::getline(file, line);) {
    absl::string_view text = absl::StripAsciiWhitespace(line);
    const bool is_investigated = absl::ConsumePrefix(&text, kInvestigated);
    uint64_t graph = 0;
    if (!absl::SimpleAtoi(text, &graph)) continue;
    if (is_investigated) {
      left.investigated = graph;
    } else {
      left.tried.push_back(graph);
    }
  }
  return left;
}

}  // namespace assay
