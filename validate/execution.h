// The rules that every output of every operation is under when it is executed. ExecutionViolations is in model.h.
#pragma once
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "ops/operation.h"

namespace assay {

// The full id is the operation's name in lower case, a dot, and `id`.
struct OutputRule {
  absl::string_view id, says;
};
std::span<const OutputRule> OutputRules();
std::string OutputRuleId(const OperationInfo& info, const OutputRule& rule);

}  // namespace assay
