// How preparing and executing end: NNAPI's driver error codes, carried by absl::Status so that the status macros work.
// Refuses to know what went wrong: only how it is passed on.
#pragma once
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// NNAPI's ErrorStatus, as drivers answer it.
enum class ErrorStatus : int32_t {
  NONE = 0,
  DEVICE_UNAVAILABLE = 1,
  GENERAL_FAILURE = 2,
  OUTPUT_INSUFFICIENT_SIZE = 3,
  INVALID_ARGUMENT = 4,
  MISSED_DEADLINE_TRANSIENT = 5,
  MISSED_DEADLINE_PERSISTENT = 6,
  RESOURCE_EXHAUSTED_TRANSIENT = 7,
  RESOURCE_EXHAUSTED_PERSISTENT = 8,
  DEAD_OBJECT = 10000,
};
// As NNAPI spells it; "UNKNOWN" for other numbers.
absl::string_view NameOf(ErrorStatus status);

// A status that ErrorStatusOf turns into `error` again. OK for NONE.
absl::Status MakeStatus(ErrorStatus error, absl::string_view message);
// The driver code of any status: what MakeStatus was given; otherwise NONE for OK, INVALID_ARGUMENT for an invalid
// argument, and GENERAL_FAILURE for the rest.
ErrorStatus ErrorStatusOf(const absl::Status& status);
// The same error with `place` and ": " before its message. OK stays OK.
absl::Status WithPlace(absl::string_view place, const absl::Status& status);

}  // namespace assay
