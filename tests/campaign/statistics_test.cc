#include "campaign/statistics.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/campaign/statistics_equal.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

Attempt With(AttemptVerdict verdict, std::string reason = "") {
  Attempt attempt{.verdict = verdict, .reason = absl::StrCat("graph 1: ", reason)};
  if (verdict == AttemptVerdict::kNotRun) attempt.excuse = std::move(reason);
  if (verdict == AttemptVerdict::kFailed) attempt.failure = Failure{.kind = FailureKind::kPrepare};
  return attempt;
}

TEST(CampaignStatistics, CountGraphsByOperationAndType) {
  ModelBuilder b;
  SubgraphBuilder& branch = b.AddSubgraph("branch");
  const auto inside = branch.Input(TENSOR_FLOAT16, {1});
  branch.Output(branch.Op("RELU", {inside}, TENSOR_FLOAT16, {1}));
  const auto x = b.Input(TENSOR_FLOAT16, {1});
  const auto y = b.Op("RELU", {x}, TENSOR_FLOAT16, {1});
  b.Output(b.Op("IF", {b.Bool(true), b.Reference(1), b.Reference(1), y}, TENSOR_FLOAT16, {1}));
  CampaignStatistics s;
  s.AddGraph(b.Build());
  EXPECT_EQ(s.graphs, 1u);
  EXPECT_EQ(s.operations, 3u);
  EXPECT_THAT(s.coverage, UnorderedElementsAre(Pair("RELU TENSOR_FLOAT16", 2), Pair("IF TENSOR_FLOAT16", 1)));
}

TEST(CampaignStatistics, CountAttemptsByVerdict) {
  CampaignStatistics s;
  s.AddAttempt(With(AttemptVerdict::kPassed));
  for (int i = 0; i < 2; ++i) s.AddAttempt(With(AttemptVerdict::kFailed, "it"));
  for (int i = 0; i < 3; ++i) s.AddAttempt(With(AttemptVerdict::kNotRun, "tired"));
  for (int i = 0; i < 4; ++i) s.AddAttempt(With(AttemptVerdict::kAllUnknown));
  for (int i = 0; i < 5; ++i) s.AddAttempt(With(AttemptVerdict::kOurFault, "sorry"));
  EXPECT_EQ(s.attempts, 15u);
  EXPECT_EQ(s.passed, 1u);
  EXPECT_EQ(s.failed, 2u);
  EXPECT_EQ(s.not_run, 3u);
  EXPECT_EQ(s.all_unknown, 4u);
  EXPECT_EQ(s.our_faults, 5u);
  EXPECT_THAT(s.groups, UnorderedElementsAre(Pair("prepare", 2)));
  EXPECT_THAT(s.not_run_reasons, UnorderedElementsAre(Pair("tired", 3)));
}

TEST(CampaignStatistics, MergingIsAddingInOrder) {
  CampaignStatistics all, first, second;
  for (int i = 0; i < 20; ++i) {
    Attempt attempt = With(i % 3 == 0 ? AttemptVerdict::kNotRun : AttemptVerdict::kFailed, absl::StrCat("r", i));
    attempt.inside = static_cast<size_t>(i);
    all.AddAttempt(attempt);
    (i < 7 ? first : second).AddAttempt(attempt);
  }
  CampaignStatistics merged;
  merged.Merge(first);
  merged.Merge(second);
  ExpectSame(merged, all);
}

TEST(CampaignStatistics, ReasonsPastTheMostAreOther) {
  CampaignStatistics s;
  for (size_t i = 0; i < CampaignStatistics::kMostReasons + 5; ++i)
    s.AddAttempt(With(AttemptVerdict::kNotRun, absl::StrCat("reason ", i)));
  s.AddAttempt(With(AttemptVerdict::kNotRun, "reason 0"));
  EXPECT_EQ(s.not_run_reasons.size(), CampaignStatistics::kMostReasons + 1);
  EXPECT_EQ(s.not_run_reasons["other"], 5u);
  EXPECT_EQ(s.not_run_reasons["reason 0"], 2u);
}

TEST(CampaignStatistics, TheMostFrequentReasonsArePrinted) {
  CampaignStatistics s;
  for (int reason = 0; reason < 15; ++reason)
    for (int i = 0; i <= reason; ++i) s.AddAttempt(With(AttemptVerdict::kNotRun, absl::StrCat("<", reason, ">")));
  const std::string text = s.ToString();
  EXPECT_THAT(text, HasSubstr("  not run 15 times: <14>\n  not run 14 times: <13>\n"));
  EXPECT_THAT(text, HasSubstr("  not run 4 times: <3>\n  not run 6 times: 3 other reasons\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("<2>")));
  EXPECT_EQ(s.not_run_reasons.size(), 15u);
}

TEST(CampaignStatistics, BlindnessIsPrinted) {
  CampaignStatistics s;
  s.AddAttempt(With(AttemptVerdict::kAllUnknown));
  EXPECT_THAT(s.ToString(), HasSubstr("WARNING: in most graphs not one element could be judged"));
  CampaignStatistics nothing;
  nothing.AddAttempt(With(AttemptVerdict::kNotRun, "too tired"));
  EXPECT_THAT(nothing.ToString(), HasSubstr("WARNING: nothing was run"));
  EXPECT_THAT(nothing.ToString(), HasSubstr("  not run once: too tired\n"));
  Attempt attempt = With(AttemptVerdict::kPassed);
  attempt.inside = 3, attempt.unknown = 1;
  CampaignStatistics some;
  some.AddAttempt(attempt);
  EXPECT_DOUBLE_EQ(some.unknown_share(), 0.25);
  EXPECT_THAT(some.ToString(), HasSubstr("3 elements judged: 3 inside, 0 outside; 1 unknown (25 %)"));
  EXPECT_THAT(some.ToString(), testing::Not(HasSubstr("WARNING")));
}

}  // namespace
}  // namespace assay
