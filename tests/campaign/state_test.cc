// What a campaign leaves behind: kept exactly, refused when it is another's, and the graphs of a dead process named.
#include "campaign/state.h"

#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/campaign/folder.h"
#include "tests/campaign/statistics_equal.h"

namespace assay {
namespace {

using testing::HasSubstr;

CampaignState Some() {
  CampaignState state{.identity = {7, "fast", "--ops ADD", true, 0xFFFFFFFFFFFFFFFFu}, .next_graph = 12};
  state.findings = {{3, "value ADD", "3 is 4", "value_ADD/3"}, {4, "death", "", ""}};
  state.provisional = {"value_ADD/13"};
  state.deaths.deadly = {{12, "Aborted"}, {99, ""}};
  state.deaths.not_shrunk = {{14, "Killed"}};
  state.deaths.suspects = {15, 16};
  state.deaths.at_death = {{15, 16, 17}, 18};
  state.deaths.cause = "Segmentation fault";
  CampaignStatistics& s = state.statistics;
  s.graphs = 1, s.operations = 2, s.attempts = 3, s.passed = 4, s.failed = 5, s.not_run = 6, s.all_unknown = 7;
  s.our_faults = 8, s.inside = 9, s.outside = 10, s.unknown = UINT64_MAX;
  s.not_run_reasons = {{"a \"reason\"", 1}};
  s.coverage = {{"ADD TENSOR_FLOAT32", 2}};
  s.groups = {{"value ADD TENSOR_FLOAT32", 3}};
  const Dims dims = {2};
  const Quantization none;
  const std::vector<Bounded<Fp32>> widths = {{0, 1, 0.5}, {3, 3.5, 3}};
  s.widths.Add({OperandType::TENSOR_FLOAT32, &none, &dims}, widths);
  return state;
}

class State : public testing::Test {
 protected:
  State() { std::filesystem::create_directories(folder.path()); }
  Folder folder{"state"};
};

TEST_F(State, IsReadAsItWasWritten) {
  ASSERT_TRUE(WriteState(folder.path(), Some()).ok());
  const auto state = ReadState(folder.path());
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->identity, Some().identity);
  EXPECT_EQ(state->next_graph, 12u);
  EXPECT_EQ(state->findings, Some().findings);
  EXPECT_EQ(state->provisional, Some().provisional);
  EXPECT_EQ(state->deaths, Some().deaths);
  ExpectSame(state->statistics, Some().statistics);
}

TEST_F(State, HoldsWhatADriverSaysEvenIfItIsNoText) {
  CampaignState state = Some();
  state.findings[0].reason = "the driver said \xFF\xC0";
  ASSERT_TRUE(WriteState(folder.path(), state).ok());
  const auto read = ReadState(folder.path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->findings[0].reason, HasSubstr("the driver said "));
}

TEST_F(State, OfAnotherCampaignIsRefusedWithBothValues) {
  EXPECT_TRUE(CheckSame(Some().identity, Some().identity).ok());
  const auto error = [&](auto change) {
    CampaignIdentity identity = Some().identity;
    change(identity);
    const absl::Status status = CheckSame(Some().identity, identity);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  };
  EXPECT_EQ(error([](auto& i) { i.seed = 8; }), "cannot resume: the campaign's seed was \"7\", now it is \"8\"");
  EXPECT_THAT(error([](auto& i) { i.driver = "slow"; }), HasSubstr("driver was \"fast\", now it is \"slow\""));
  EXPECT_THAT(error([](auto& i) { i.drawing_options = ""; }),
              HasSubstr("drawing options was \"--ops ADD\", now it is \"\""));
  EXPECT_THAT(error([](auto& i) { i.strict = false; }), HasSubstr("judgement was \"strict\", now it is \"usual\""));
  EXPECT_THAT(error([](auto& i) { i.registry = 1; }),
              HasSubstr("registry of operations was \"ffffffffffffffff\", now it is \"1\""));
}

TEST_F(State, ThatIsMissingOrDamagedIsAnError) {
  EXPECT_TRUE(absl::IsNotFound(ReadState(folder.path()).status()));
  ASSERT_TRUE(WriteState(folder.path(), Some()).ok());
  const std::string path = absl::StrCat(folder.path(), "/campaign.json");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(text.size(), 100u);
  std::vector<std::string> damaged = {
      "[]", "{}", "{\"version\": 3}", "{\"version\": 2, \"seed\": \"x\"}", "3", "", text.substr(0, text.size() / 2)};
  damaged.push_back(text.substr(0, text.size() - 2));  // without the last brace
  for (const std::string& other : damaged) {
    std::ofstream(path) << other;
    EXPECT_TRUE(absl::IsFailedPrecondition(ReadState(folder.path()).status())) << other;
  }
}

TEST_F(State, InFlightNamesTheGraphsOfADeadProcess) {
  EXPECT_TRUE(InFlight::Find(folder.path()).empty());
  {
    const auto in_flight = InFlight::Open(folder.path(), 3);
    ASSERT_TRUE(in_flight.ok()) << in_flight.status();
    EXPECT_TRUE(InFlight::Find(folder.path()).empty());
    in_flight->Begin(0, 5);
    in_flight->Begin(2, UINT64_MAX);
    EXPECT_EQ(InFlight::Find(folder.path()), (LeftBehind{{5, UINT64_MAX}, std::nullopt}));
    in_flight->BeginInvestigation(UINT64_MAX);
    in_flight->Begin(0, 123456789);
    in_flight->End(2);
    in_flight->Begin(1, 7);
    EXPECT_EQ(InFlight::Find(folder.path()), (LeftBehind{{123456789, 7}, UINT64_MAX}));
    in_flight->EndInvestigation();
  }
  EXPECT_EQ(InFlight::Find(folder.path()), (LeftBehind{{123456789, 7}, std::nullopt}));
  auto next = InFlight::Open(folder.path(), 1);
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(InFlight::Find(folder.path()).empty());
  next->Begin(0, 1);
  next->Remove();
  EXPECT_TRUE(InFlight::Find(folder.path()).empty());
}

TEST_F(State, InFlightWithoutAFolderKeepsNothing) {
  auto in_flight = InFlight::Open("", 2);
  ASSERT_TRUE(in_flight.ok());
  in_flight->Begin(1, 3);
  in_flight->End(1);
  in_flight->BeginInvestigation(3);
  in_flight->Remove();
  EXPECT_FALSE(InFlight::Open("/proc/nowhere", 1).ok());
}

}  // namespace
}  // namespace assay
