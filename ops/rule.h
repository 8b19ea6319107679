// Rules: what a call must satisfy, when that is checked, and what was found to be broken.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

// When a rule is checked. Model rules decide whether a model is valid; execution rules see the actual shapes and
// values, and a model that will break one is still valid (NNAPI checks most shapes only when it executes).
enum class Stage : uint8_t { kModel, kRequest, kExecution };
absl::string_view NameOf(Stage stage);

// A rule of one operation. The full id is the operation's name in lower case, a dot, and `id`.
struct Rule {
  absl::string_view id;
  Stage stage;
  absl::string_view says;
};

// One broken rule: the full id and a sentence with the place and both values.
struct Violation {
  std::string rule;
  Stage stage;
  std::string message;
};
using Violations = std::vector<Violation>;

// "conv_2d.depth_in: input depth is 3, filter depth is 4"; with all violations, one a line.
std::string ToString(const Violation& violation);
// OK if there are none; otherwise InvalidArgument with all of them.
absl::Status ToStatus(const Violations& violations);

}  // namespace assay
