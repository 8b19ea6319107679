#include "ops/rule.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay {

absl::string_view NameOf(Stage stage) {
  switch (stage) {
    case Stage::kModel:
      return "model";
    case Stage::kRequest:
      return "request";
    case Stage::kExecution:
      return "execution";
  }
  return "unknown";
}

std::string ToString(const Violation& violation) { return absl::StrCat(violation.rule, ": ", violation.message); }

absl::Status ToStatus(const Violations& violations) {
  if (violations.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrJoin(violations, "\n", [](std::string* out, const Violation& v) { absl::StrAppend(out, ToString(v)); }));
}

}  // namespace assay
