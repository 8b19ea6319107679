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
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "campaign/finding_files.h"
#include "model/status.h"
#include "nlohmann/json.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;
constexpr int kVersion = 1;
constexpr size_t kRecord = 24;  // "graph" or blanks, and a line end

std::string StatePath(const std::string& out) { return absl::StrCat(out, "/campaign.json"); }
std::string InFlightPath(const std::string& out) { return absl::StrCat(out, "/in_flight"); }

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

absl::Status Differs(absl::string_view what, absl::string_view was, absl::string_view is) {
  return absl::FailedPreconditionError(
      absl::StrCat("cannot resume: the campaign's ", what, " was \"", was, "\", now it is \"", is, "\""));
}

absl::Status CheckIdentity(const CampaignIdentity& was, const CampaignIdentity& is) {
  if (was.seed != is.seed) return Differs("seed", absl::StrCat(was.seed), absl::StrCat(is.seed));
  if (was.driver != is.driver) return Differs("driver", was.driver, is.driver);
  if (was.drawing_options != is.drawing_options)
    return Differs("drawing options", was.drawing_options, is.drawing_options);
  if (was.registry != is.registry)
    return Differs("registry of operations", absl::StrCat(absl::Hex(was.registry)),
                   absl::StrCat(absl::Hex(is.registry)));
  return absl::OkStatus();
}

}  // namespace

absl::Status WriteState(const std::string& out, const CampaignState& state) {
  const Json j = {{"version", kVersion},
                  {"seed", state.identity.seed},
                  {"driver", state.identity.driver},
                  {"drawing_options", state.identity.drawing_options},
                  {"registry", state.identity.registry},
                  {"next_graph", state.next_graph},
                  {"findings", state.findings},
                  {"deadly", state.deadly},
                  {"statistics", ToJson(state.statistics)}};
  return WriteFileAtomically(StatePath(out), absl::StrCat(j.dump(1), "\n"));
}

// The packaged parser reports by exceptions; they end here.
absl::StatusOr<CampaignState> ReadState(const std::string& out, const CampaignIdentity& expected) {
  std::ifstream file(StatePath(out), std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(StatePath(out), ": there is no campaign to resume"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CampaignState state;
  try {
    const Json j = Json::parse(text);
    if (j.at("version") != kVersion)
      return absl::FailedPreconditionError(
          absl::StrCat(StatePath(out), ": version ", j.at("version").dump(), ", this program writes ", kVersion));
    state.identity = {j.at("seed"), j.at("driver"), j.at("drawing_options"), j.at("registry")};
    state.next_graph = j.at("next_graph");
    state.findings = j.at("findings");
    state.deadly = j.at("deadly").get<std::vector<uint64_t>>();
    state.statistics = StatisticsFrom(j.at("statistics"));
  } catch (const Json::exception& e) {
    return absl::FailedPreconditionError(absl::StrCat(StatePath(out), ": ", e.what()));
  }
  ASSAY_RETURN_IF_ERROR(CheckIdentity(state.identity, expected));
  return state;
}

absl::StatusOr<InFlight> InFlight::Open(const std::string& out, int jobs) {
  if (out.empty()) return InFlight(-1, "");
  const std::string path = InFlightPath(out);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return absl::UnavailableError(absl::StrCat(path, ": cannot be written"));
  InFlight in_flight(file, path);
  for (int job = 0; job < jobs; ++job) in_flight.End(job);
  return in_flight;
}

InFlight::InFlight(InFlight&& other) noexcept : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)) {}

InFlight::~InFlight() {
  if (file_ >= 0) close(file_);
}

void InFlight::Begin(int job, uint64_t graph) const {
  if (file_ < 0) return;
  const std::string record = absl::StrFormat("%-*d\n", static_cast<int>(kRecord) - 1, graph);
  // A record that cannot be written costs the number of a graph after a crash, nothing else.
  [[maybe_unused]] const ssize_t written = pwrite(file_, record.data(), kRecord, static_cast<off_t>(kRecord) * job);
}

void InFlight::End(int job) const {
  if (file_ < 0) return;
  const std::string record = absl::StrCat(std::string(kRecord - 1, ' '), "\n");
  [[maybe_unused]] const ssize_t written = pwrite(file_, record.data(), kRecord, static_cast<off_t>(kRecord) * job);
}

void InFlight::Remove() {
  if (file_ < 0) return;
  close(std::exchange(file_, -1));
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

std::vector<uint64_t> InFlight::LeftBehind(const std::string& out) {
  std::ifstream file(InFlightPath(out));
  std::vector<uint64_t> graphs;
  for (std::string line; std::getline(file, line);) {
    uint64_t graph;
    if (absl::SimpleAtoi(absl::StripAsciiWhitespace(line), &graph)) graphs.push_back(graph);
  }
  return graphs;
}

}  // namespace assay
