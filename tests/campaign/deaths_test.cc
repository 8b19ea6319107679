// Who is guilty when the process dies: the graph that ends it again, alone.
#include "campaign/deaths.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Deaths, WhatWasOnTheDriverIsSuspectInTheOrderOfTheGraphs) {
  Deaths deaths;
  deaths.Learn({{9, 3, 5}, std::nullopt}, "Aborted");
  EXPECT_THAT(deaths.suspects, ElementsAre(3, 5, 9));
  EXPECT_THAT(deaths.deadly, IsEmpty());
}

TEST(Deaths, TheOneThatKillsAloneIsGuiltyAndExplainsIt) {
  Deaths deaths;
  deaths.Learn({{3, 5, 9}, 2}, "Aborted");
  deaths.Acquit();
  deaths.Learn({{5}, std::nullopt}, "Segmentation fault");
  EXPECT_THAT(deaths.deadly, ElementsAre(Death{5, "Segmentation fault"}));
  EXPECT_THAT(deaths.suspects, ElementsAre(9));
  ASSERT_NE(deaths.DeadlyAt(5), nullptr);
  EXPECT_EQ(deaths.DeadlyAt(9), nullptr);
  deaths.Acquit();
  EXPECT_FALSE(deaths.Conclude().has_value());
  EXPECT_THAT(deaths.not_shrunk, IsEmpty());
}

TEST(Deaths, WithoutASecondCauseTheFirstOneIsTold) {
  Deaths deaths;
  deaths.Learn({{3}, std::nullopt}, "Aborted");
  deaths.Learn({{3}, std::nullopt}, "");
  EXPECT_THAT(deaths.deadly, ElementsAre(Death{3, "Aborted"}));
}

TEST(Deaths, TwoMayBeGuilty) {
  Deaths deaths;
  deaths.Learn({{3, 5}, std::nullopt}, "Aborted");
  deaths.Learn({{3}, std::nullopt}, "Aborted");
  deaths.Learn({{5}, std::nullopt}, "Killed");
  EXPECT_THAT(deaths.deadly, ElementsAre(Death{3, "Aborted"}, Death{5, "Killed"}));
  EXPECT_THAT(deaths.suspects, IsEmpty());
  EXPECT_FALSE(deaths.Conclude().has_value());
}

TEST(Deaths, WhereNoneIsGuiltyTheInvestigationIs) {
  Deaths deaths;
  deaths.Learn({{3}, 1}, "Aborted");
  deaths.Acquit();
  EXPECT_FALSE(deaths.Conclude().has_value());
  EXPECT_THAT(deaths.not_shrunk, ElementsAre(Death{1, "Aborted"}));
  ASSERT_NE(deaths.NotShrunkAt(1), nullptr);
  EXPECT_EQ(deaths.NotShrunkAt(3), nullptr);
}

TEST(Deaths, OfAnInvestigationAloneHaveNoSuspects) {
  Deaths deaths;
  deaths.Learn({{}, 1}, "Aborted");
  EXPECT_THAT(deaths.suspects, IsEmpty());
  EXPECT_FALSE(deaths.Conclude().has_value());
  EXPECT_THAT(deaths.not_shrunk, ElementsAre(Death{1, "Aborted"}));
}

TEST(Deaths, OfNobodyAreUnexplainedOnce) {
  Deaths deaths;
  deaths.Learn({{3, 5}, std::nullopt}, "Aborted");
  deaths.Acquit();
  deaths.Acquit();
  const auto unexplained = deaths.Conclude();
  ASSERT_TRUE(unexplained.has_value());
  EXPECT_THAT(unexplained->tried, ElementsAre(3, 5));
  EXPECT_EQ(unexplained->cause, "Aborted");
  EXPECT_FALSE(deaths.Conclude().has_value());
}

TEST(Deaths, ThatNobodySawMayComeFromOutside) {
  Deaths deaths;
  deaths.Learn({{3, 5}, 1}, "");
  deaths.Acquit();
  deaths.Acquit();
  EXPECT_FALSE(deaths.Conclude().has_value());
  EXPECT_EQ(deaths, Deaths());
}

TEST(Deaths, NothingLeftBehindIsNoDeath) {
  Deaths deaths;
  deaths.Learn({}, "Aborted");
  EXPECT_EQ(deaths, Deaths());
  EXPECT_FALSE(deaths.Conclude().has_value());
}

TEST(Deaths, AreForgottenWhenTheirGraphsAreDone) {
  Deaths deaths;
  deaths.deadly = {{3, ""}, {5, ""}};
  deaths.not_shrunk = {{4, ""}, {6, ""}};
  deaths.ForgetBefore(5);
  EXPECT_THAT(deaths.deadly, ElementsAre(Death{5, ""}));
  EXPECT_THAT(deaths.not_shrunk, ElementsAre(Death{6, ""}));
}

}  // namespace
}  // namespace assay
