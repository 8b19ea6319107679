// Tests of driver codes inside absl::Status.
#include "reference/status.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr ErrorStatus kAll[] = {ErrorStatus::NONE,
                                ErrorStatus::DEVICE_UNAVAILABLE,
                                ErrorStatus::GENERAL_FAILURE,
                                ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                                ErrorStatus::INVALID_ARGUMENT,
                                ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                                ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                                ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                                ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                                ErrorStatus::DEAD_OBJECT};

TEST(ErrorStatus, EveryCodeSurvivesAStatus) {
  for (const ErrorStatus error : kAll) {
    const absl::Status status = MakeStatus(error, "why");
    EXPECT_EQ(status.ok(), error == ErrorStatus::NONE);
    EXPECT_EQ(ErrorStatusOf(status), error) << NameOf(error);
    EXPECT_EQ(ErrorStatusOf(WithPlace("here", status)), error) << NameOf(error);
  }
}

TEST(ErrorStatus, StatusesOfOthersAreSorted) {
  EXPECT_EQ(ErrorStatusOf(absl::OkStatus()), ErrorStatus::NONE);
  EXPECT_EQ(ErrorStatusOf(absl::InvalidArgumentError("x")), ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(ErrorStatusOf(absl::InternalError("x")), ErrorStatus::GENERAL_FAILURE);
}

TEST(ErrorStatus, ThePlaceStandsBeforeTheMessage) {
  EXPECT_EQ(WithPlace("operation 3", MakeStatus(ErrorStatus::GENERAL_FAILURE, "why")).message(), "operation 3: why");
  EXPECT_TRUE(WithPlace("operation 3", absl::OkStatus()).ok());
}

TEST(ErrorStatus, NamesAreNnapis) {
  EXPECT_EQ(NameOf(ErrorStatus::MISSED_DEADLINE_PERSISTENT), "MISSED_DEADLINE_PERSISTENT");
  EXPECT_EQ(NameOf(static_cast<ErrorStatus>(77)), "UNKNOWN");
}

}  // namespace
}  // namespace assay
