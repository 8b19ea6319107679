// Tests of the check and status macros.
#include "model/status.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(CheckDeathTest, FalseConditionAbortsWithPlaceAndCondition) {
  const int rank = 3;
  EXPECT_DEATH(ASSAY_CHECK(rank == 4), "^model/status_test\\.cc:[0-9]+: check failed: rank == 4\n$");
}

TEST(CheckDeathTest, MessageFollowsTheCondition) {
  const int rank = 3;
  EXPECT_DEATH(ASSAY_CHECK(rank == 4, absl::StrCat("rank is ", rank)), "check failed: rank == 4: rank is 3\n$");
  EXPECT_DEATH(ASSAY_CHECK(rank == 4, "a literal"), "check failed: rank == 4: a literal\n$");
}

TEST(CheckDeathTest, ConditionMayContainCommasInParentheses) {
  EXPECT_DEATH(ASSAY_CHECK((std::pair<int, int>(1, 2).first == 2)), "check failed: \\(std::pair<int, int>");
}

TEST(Check, TrueConditionEvaluatesOnceAndNoMessage) {
  int conditions = 0;
  int messages = 0;
  auto message = [&messages] {
    ++messages;
    return "never";
  };
  ASSAY_CHECK(++conditions == 1, message());
  EXPECT_EQ(conditions, 1);
  EXPECT_EQ(messages, 0);
}

TEST(Check, IsOneStatement) {
  bool reached_else = false;
  if (reached_else)
    ASSAY_CHECK(true);
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

absl::Status Passes(absl::Status status, int* evaluations, bool* went_on) {
  ASSAY_RETURN_IF_ERROR((++*evaluations, status));
  *went_on = true;
  return absl::OkStatus();
}

TEST(ReturnIfError, ReturnsTheErrorAndStops) {
  int evaluations = 0;
  bool went_on = false;
  const absl::Status status = Passes(absl::InvalidArgumentError("rank: 3, wants 4"), &evaluations, &went_on);
  EXPECT_EQ(status, absl::InvalidArgumentError("rank: 3, wants 4"));
  EXPECT_EQ(evaluations, 1);
  EXPECT_FALSE(went_on);
}

TEST(ReturnIfError, GoesOnWhenOk) {
  int evaluations = 0;
  bool went_on = false;
  EXPECT_TRUE(Passes(absl::OkStatus(), &evaluations, &went_on).ok());
  EXPECT_EQ(evaluations, 1);
  EXPECT_TRUE(went_on);
}

absl::StatusOr<int> ReturnsStatusFromStatusOr(absl::Status status) {
  ASSAY_RETURN_IF_ERROR(status);
  return 7;
}

TEST(ReturnIfError, WorksInAFunctionThatReturnsStatusOr) {
  EXPECT_EQ(ReturnsStatusFromStatusOr(absl::NotFoundError("x")).status(), absl::NotFoundError("x"));
  EXPECT_EQ(*ReturnsStatusFromStatusOr(absl::OkStatus()), 7);
}

absl::StatusOr<int> Half(int value) {
  if (value % 2 != 0) return absl::InvalidArgumentError(absl::StrCat("half: ", value, " is odd"));
  return value / 2;
}

absl::StatusOr<std::string> QuarterAsText(int value) {
  ASSAY_ASSIGN_OR_RETURN(const int half, Half(value));
  int quarter = -1;
  ASSAY_ASSIGN_OR_RETURN(quarter, Half(half));
  return absl::StrCat(quarter);
}

TEST(AssignOrReturn, AssignsToADeclarationAndToAVariable) { EXPECT_EQ(*QuarterAsText(12), "3"); }

TEST(AssignOrReturn, ReturnsTheErrorOfTheFirstOrSecond) {
  EXPECT_EQ(QuarterAsText(5).status(), absl::InvalidArgumentError("half: 5 is odd"));
  EXPECT_EQ(QuarterAsText(6).status(), absl::InvalidArgumentError("half: 3 is odd"));
}

template <typename Key, typename Value>
absl::StatusOr<std::unique_ptr<Value>> Box(Value value) {
  return std::make_unique<Value>(value);
}

absl::Status Unbox(int* out) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<int> box, Box<char, int>(5));
  *out = *box;
  return absl::OkStatus();
}

TEST(AssignOrReturn, MovesMoveOnlyValuesAndTakesCommasInTheExpression) {
  int value = 0;
  EXPECT_TRUE(Unbox(&value).ok());
  EXPECT_EQ(value, 5);
}

}  // namespace
}  // namespace assay
