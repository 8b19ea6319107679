#include "validate/report.h"

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

constexpr Rule kMore{"model.more", Stage::kModel, "not a rule: counts what is broken beyond the most that is reported"};
constexpr Rule kAll[] = {kMore};

// An operation with 100,000 inputs can be told about at great length.
constexpr size_t kMostMessageBytes = 1000;

}  // namespace

std::span<const Rule> ReportRules() { return kAll; }

void Report::Add(std::string rule, Stage stage, const Place& place, std::string message) {
  if (message.size() > kMostMessageBytes) {
    message.resize(kMostMessageBytes);
    message += "...";
  }
  const std::string where = place.Text();
  violations_.push_back(
      {std::move(rule), stage, where.empty() ? std::move(message) : absl::StrCat(where, ": ", message)});
}

Violations Report::Take() {
  if (more_ > 0)
    violations_.push_back({std::string(kMore.id), kMore.stage,
                           absl::StrCat(most_, " broken rules are reported, ", more_, " more were found")});
  more_ = 0;
  return std::move(violations_);
}

}  // namespace assay
