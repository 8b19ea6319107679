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

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CampaignState Some() {
  CampaignState state{.identity = {7, "fast", "--ops ADD", 0xFFFFFFFFFFFFFFFFu}, .next_graph = 12, .findings = 3};
  state.deadly = {12, 99};
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
  const auto state = ReadState(folder.path(), Some().identity);
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->identity, Some().identity);
  EXPECT_EQ(state->next_graph, 12u);
  EXPECT_EQ(state->findings, 3u);
  EXPECT_THAT(state->deadly, ElementsAre(12, 99));
  ExpectSame(state->statistics, Some().statistics);
}

TEST_F(State, OfAnotherCampaignIsRefusedWithBothValues) {
  ASSERT_TRUE(WriteState(folder.path(), Some()).ok());
  const auto error = [&](auto change) {
    CampaignIdentity identity = Some().identity;
    change(identity);
    const absl::Status status = ReadState(folder.path(), identity).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  };
  EXPECT_EQ(error([](auto& i) { i.seed = 8; }), "cannot resume: the campaign's seed was \"7\", now it is \"8\"");
  EXPECT_THAT(error([](auto& i) { i.driver = "slow"; }), HasSubstr("driver was \"fast\", now it is \"slow\""));
  EXPECT_THAT(error([](auto& i) { i.drawing_options = ""; }),
              HasSubstr("drawing options was \"--ops ADD\", now it is \"\""));
  EXPECT_THAT(error([](auto& i) { i.registry = 1; }),
              HasSubstr("registry of operations was \"ffffffffffffffff\", now it is \"1\""));
}

TEST_F(State, ThatIsMissingOrDamagedIsAnError) {
  EXPECT_TRUE(absl::IsNotFound(ReadState(folder.path(), {}).status()));
  ASSERT_TRUE(WriteState(folder.path(), Some()).ok());
  const std::string path = absl::StrCat(folder.path(), "/campaign.json");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(text.size(), 100u);
  std::vector<std::string> damaged = {
      "[]", "{}", "{\"version\": 2}", "{\"version\": 1, \"seed\": \"x\"}", "3", "", text.substr(0, text.size() / 2)};
  damaged.push_back(text.substr(0, text.size() - 2));  // without the last brace
  for (const std::string& other : damaged) {
    std::ofstream(path) << other;
    EXPECT_TRUE(absl::IsFailedPrecondition(ReadState(folder.path(), Some().identity).status())) << other;
  }
}

TEST_F(State, InFlightNamesTheGraphsOfADeadProcess) {
  EXPECT_THAT(InFlight::LeftBehind(folder.path()), IsEmpty());
  {
    const auto in_flight = InFlight::Open(folder.path(), 3);
    ASSERT_TRUE(in_flight.ok()) << in_flight.status();
    EXPECT_THAT(InFlight::LeftBehind(folder.path()), IsEmpty());
    in_flight->Begin(0, 5);
    in_flight->Begin(2, UINT64_MAX);
    EXPECT_THAT(InFlight::LeftBehind(folder.path()), ElementsAre(5, UINT64_MAX));
    in_flight->Begin(0, 123456789);
    in_flight->End(2);
    in_flight->Begin(1, 7);
  }
  EXPECT_THAT(InFlight::LeftBehind(folder.path()), ElementsAre(123456789, 7));
  auto next = InFlight::Open(folder.path(), 1);
  ASSERT_TRUE(next.ok());
  EXPECT_THAT(InFlight::LeftBehind(folder.path()), IsEmpty());
  next->Begin(0, 1);
  next->Remove();
  EXPECT_THAT(InFlight::LeftBehind(folder.path()), IsEmpty());
}

TEST_F(State, InFlightWithoutAFolderKeepsNothing) {
  auto in_flight = InFlight::Open("", 2);
  ASSERT_TRUE(in_flight.ok());
  in_flight->Begin(1, 3);
  in_flight->End(1);
  in_flight->Remove();
  EXPECT_FALSE(InFlight::Open("/proc/nowhere", 1).ok());
}

}  // namespace
}  // namespace assay
