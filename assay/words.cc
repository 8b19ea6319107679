#include "assay/words.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "model/nearest_name.h"
#include "model/status.h"
#include "ops/registry.h"

namespace assay {
namespace {

absl::Status Unknown(absl::string_view option, absl::string_view word, const std::vector<absl::string_view>& names) {
  return absl::InvalidArgumentError(absl::StrCat(option, ": there is no \"", word, "\"", DidYouMean(word, names)));
}

absl::Status ReadOperations(const std::string& words, Options& options) {
  std::vector<absl::string_view> names;
  for (const OperationInfo* info : AllOperations()) names.push_back(info->name);
  for (absl::string_view word : absl::StrSplit(words, ',', absl::SkipEmpty())) {
    const auto code = FindOperation(word);
    if (!code || FindOperationInfo(*code) == nullptr) return Unknown("--ops", word, names);
    options.operations.push_back(*code);
  }
  return absl::OkStatus();
}

absl::Status ReadTypes(const std::string& words, Options& options) {
  std::vector<absl::string_view> names;
  for (const TypeInfo& info : AllTypes()) names.push_back(info.name);
  for (absl::string_view word : absl::StrSplit(words, ',', absl::SkipEmpty())) {
    const TypeInfo* info = FindType(word);
    if (info == nullptr) return Unknown("--types", word, names);
    options.types.push_back(info->type);
  }
  return absl::OkStatus();
}

absl::Status ReadRanks(const std::string& words, Options& options) {
  if (words.empty()) return absl::OkStatus();
  const std::vector<std::string> parts = absl::StrSplit(words, '-');
  uint32_t least = 0, most = 0;
  if (parts.size() > 2 || !absl::SimpleAtoi(parts.front(), &least) || !absl::SimpleAtoi(parts.back(), &most))
    return absl::InvalidArgumentError(
        absl::StrCat("--ranks: \"", words, "\" is not a rank (3) or a range of ranks (1-4)"));
  options.least_rank = least, options.most_rank = most;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> OptionsFrom(const DrawingWords& words) {
  Options out;
  ASSAY_RETURN_IF_ERROR(ReadOperations(words.ops, out));
  ASSAY_RETURN_IF_ERROR(ReadTypes(words.types, out));
  ASSAY_RETURN_IF_ERROR(ReadRanks(words.ranks, out));
  out.feature_level = words.feature_level;
  if (words.max_operations) out.most_operations = *words.max_operations;
  out.least_operations = std::min(out.least_operations, out.most_operations);
  if (words.max_dim) out.most_dim = static_cast<uint32_t>(std::min<uint64_t>(*words.max_dim, UINT32_MAX));
  out.control_flow = !words.no_control_flow;
  out.dynamic_shapes = !words.static_shapes;
  out.expose = words.expose == "none"  ? ExposePolicy::kNone
               : words.expose == "all" ? ExposePolicy::kAll
                                       : ExposePolicy::kPlanned;
  out.relaxed = words.relaxed == "never"    ? RelaxedPolicy::kNever
                : words.relaxed == "always" ? RelaxedPolicy::kAlways
                                            : RelaxedPolicy::kSometimes;
  ASSAY_RETURN_IF_ERROR(CheckOptions(out));
  return out;
}

std::string ToWords(const DrawingWords& words) {
  const DrawingWords defaults;
  std::vector<std::string> out;
  const auto add = [&](absl::string_view option, const auto& value, const auto& standard) {
    if (value != standard) out.push_back(absl::StrCat("--", option, " ", value));
  };
  add("ops", words.ops, defaults.ops);
  add("types", words.types, defaults.types);
  add("ranks", words.ranks, defaults.ranks);
  add("feature-level", words.feature_level, defaults.feature_level);
  if (words.max_operations) out.push_back(absl::StrCat("--max-operations ", *words.max_operations));
  if (words.max_dim) out.push_back(absl::StrCat("--max-dim ", *words.max_dim));
  add("expose", words.expose, defaults.expose);
  add("relaxed", words.relaxed, defaults.relaxed);
  if (words.no_control_flow) out.push_back("--no-control-flow");
  if (words.static_shapes) out.push_back("--static-shapes");
  return absl::StrJoin(out, " ");
}

absl::StatusOr<std::set<ExampleCheck>> ChecksFrom(const std::string& mode) {
  using enum ExampleCheck;
  if (mode == "golden") return std::set{kGolden};
  if (mode == "fast") return std::set{kFast};
  if (mode == "bounded") return std::set{kBounded};
  if (mode == "all") return std::set{kGolden, kFast, kBounded};
  return absl::InvalidArgumentError(absl::StrCat("--mode: \"", mode, "\" is none of golden, fast, bounded, all"));
}

std::chrono::nanoseconds SecondsFrom(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

int Complain(const absl::Status& status, int exit_code) {
  const std::string message(status.message());
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  return exit_code;
}

}  // namespace assay
