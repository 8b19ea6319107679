#include "reference/status.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

constexpr absl::string_view kPayload = "assay/error_status";

absl::StatusCode CodeFor(ErrorStatus error) {
  switch (error) {
    case ErrorStatus::NONE:
      return absl::StatusCode::kOk;
    case ErrorStatus::DEVICE_UNAVAILABLE:
    case ErrorStatus::DEAD_OBJECT:
      return absl::StatusCode::kUnavailable;
    case ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
      return absl::StatusCode::kOutOfRange;
    case ErrorStatus::INVALID_ARGUMENT:
      return absl::StatusCode::kInvalidArgument;
    case ErrorStatus::MISSED_DEADLINE_TRANSIENT:
    case ErrorStatus::MISSED_DEADLINE_PERSISTENT:
      return absl::StatusCode::kDeadlineExceeded;
    case ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT:
    case ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT:
      return absl::StatusCode::kResourceExhausted;
    case ErrorStatus::GENERAL_FAILURE:
      break;
  }
  return absl::StatusCode::kFailedPrecondition;
}

}  // namespace

absl::string_view NameOf(ErrorStatus status) {
  switch (status) {
    case ErrorStatus::NONE:
      return "NONE";
    case ErrorStatus::DEVICE_UNAVAILABLE:
      return "DEVICE_UNAVAILABLE";
    case ErrorStatus::GENERAL_FAILURE:
      return "GENERAL_FAILURE";
    case ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
      return "OUTPUT_INSUFFICIENT_SIZE";
    case ErrorStatus::INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case ErrorStatus::MISSED_DEADLINE_TRANSIENT:
      return "MISSED_DEADLINE_TRANSIENT";
    case ErrorStatus::MISSED_DEADLINE_PERSISTENT:
      return "MISSED_DEADLINE_PERSISTENT";
    case ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT:
      return "RESOURCE_EXHAUSTED_TRANSIENT";
    case ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT:
      return "RESOURCE_EXHAUSTED_PERSISTENT";
    case ErrorStatus::DEAD_OBJECT:
      return "DEAD_OBJECT";
  }
  return "UNKNOWN";
}

absl::Status MakeStatus(ErrorStatus error, absl::string_view message) {
  absl::Status status(CodeFor(error), message);
  if (!status.ok()) status.SetPayload(kPayload, absl::Cord(absl::StrCat(static_cast<int32_t>(error))));
  return status;
}

ErrorStatus ErrorStatusOf(const absl::Status& status) {
  if (status.ok()) return ErrorStatus::NONE;
  if (const auto payload = status.GetPayload(kPayload)) {
    int32_t code = 0;
    if (absl::SimpleAtoi(std::string(*payload), &code)) return static_cast<ErrorStatus>(code);
  }
  return absl::IsInvalidArgument(status) ? ErrorStatus::INVALID_ARGUMENT : ErrorStatus::GENERAL_FAILURE;
}

absl::Status WithPlace(absl::string_view place, const absl::Status& status) {
  if (status.ok()) return status;
  return MakeStatus(ErrorStatusOf(status), absl::StrCat(place, ": ", status.message()));
}

}  // namespace assay
