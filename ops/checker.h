// Collects broken rules. What is unknown breaks none: a rule is reported only if it is surely broken.
#pragma once
#include <string>

#include "absl/strings/str_cat.h"
#include "ops/argument.h"
#include "ops/rule.h"

namespace assay {

class Checker {
 public:
  // `operation` is the operation's name in lower case, the first part of every rule id.
  Checker(absl::string_view operation, Violations& violations) : operation_(operation), violations_(violations) {}

  // Reports `rule` unless `holds`; the message names the place and the values.
  template <class... Message>
  void That(bool holds, const Rule& rule, const Message&... message) {
    if (!holds) Add(rule.id, rule.stage, absl::StrCat(message...));
  }
  // The rank, if known, lies in [least, most].
  void Rank(const Rule& rule, const In& in, absl::string_view name, size_t least, size_t most);
  void Same(const Rule& rule, absl::string_view a_name, Extent a, absl::string_view b_name, Extent b);
  void AtLeast(const Rule& rule, absl::string_view name, Extent a, int64_t least);
  void InRange(const Rule& rule, absl::string_view name, Extent a, int64_t least, int64_t most);
  // Scale, zero point and per-channel parameters of both are equal.
  void SameQuantization(const Rule& rule, absl::string_view a_name, const In& a, absl::string_view b_name, const In& b);
  // A quantized bias has zero point 0 and the product of the scales (relative difference at most 1e-6); float
  // biases pass.
  void BiasScale(const Rule& rule, const In& bias, const In& input, const In& weights);

  void Add(absl::string_view id, Stage stage, std::string message) {
    violations_.push_back({absl::StrCat(operation_, ".", id), stage, std::move(message)});
  }
  bool clean() const { return violations_.empty(); }

 private:
  absl::string_view operation_;
  Violations& violations_;
};

}  // namespace assay
