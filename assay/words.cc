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

absl::Status In(absl::string_view option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", status.message()));
}

// The parts of a list; none is empty, and none is there twice.
absl::StatusOr<std::vector<std::string>> ListFrom(absl::string_view option, const std::string& words) {
  std::vector<std::string> list = absl::StrSplit(words, ',');
  std::set<std::string> seen;
  for (const std::string& word : list) {
    if (word.empty())
      return absl::InvalidArgumentError(absl::StrCat(option, ": \"", words, "\" has an empty name in it",
                                                     list.size() == 1 ? " (leave it out, and all are meant)" : ""));
    if (!seen.insert(word).second)
      return absl::InvalidArgumentError(absl::StrCat(option, ": \"", word, "\" is there twice"));
  }
  return list;
}

absl::Status ReadOperations(const std::string& words, Options& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> list, ListFrom("--ops", words));
  for (const std::string& word : list) {
    const auto code = FindOperation(word);
    if (!code || FindOperationInfo(*code) == nullptr) return In("--ops", NoSuchOperation(word));
    options.operations.push_back(*code);
  }
  return absl::OkStatus();
}

absl::Status ReadTypes(const std::string& words, Options& options) {
  std::vector<absl::string_view> names;
  for (const TypeInfo& info : AllTypes()) names.push_back(info.name);
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> list, ListFrom("--types", words));
  for (const std::string& word : list) {
    const TypeInfo* info = FindType(word);
    if (info == nullptr)
      return absl::InvalidArgumentError(
          absl::StrCat("--types: there is no type \"", word, "\"", DidYouMean(word, names)));
    options.types.push_back(info->type);
  }
  return absl::OkStatus();
}

absl::Status ReadRanks(const std::string& words, Options& options) {
  const std::vector<std::string> parts = absl::StrSplit(words, '-');
  uint32_t least = 0, most = 0;
  if (parts.size() > 2 || !absl::SimpleAtoi(parts.front(), &least) || !absl::SimpleAtoi(parts.back(), &most))
    return absl::InvalidArgumentError(
        absl::StrCat("--ranks: \"", words, "\" is not a rank (3) or a range of ranks (1-4)"));
  if (least < 1 || least > most || most > 8)
    return absl::InvalidArgumentError(
        absl::StrCat("--ranks: \"", words, "\" is ", least, " to ", most, ", must go upwards and lie in 1 to 8"));
  options.least_rank = least, options.most_rank = most;
  return absl::OkStatus();
}

// How one drawing option is written. Numbers and words are both text here.
struct WordOption {
  const char* name;
  const char* standard;  // what is meant without it
  std::optional<std::string> DrawingWords::*text = nullptr;
  std::optional<uint64_t> DrawingWords::*number = nullptr;
  bool DrawingWords::*flag = nullptr;

  bool IsGiven(const DrawingWords& words) const {
    if (text != nullptr) return (words.*text).has_value();
    return number != nullptr ? (words.*number).has_value() : words.*flag;
  }
  std::string In(const DrawingWords& words) const {
    if (!IsGiven(words)) return standard;
    if (text != nullptr) return *(words.*text);
    return number != nullptr ? absl::StrCat(*(words.*number)) : "given";
  }
};

const WordOption kWordOptions[] = {
    {"--ops", "", &DrawingWords::ops},
    {"--types", "", &DrawingWords::types},
    {"--ranks", "", &DrawingWords::ranks},
    {"--feature-level", "8", nullptr, &DrawingWords::feature_level},
    {"--max-operations", "", nullptr, &DrawingWords::max_operations},
    {"--max-dim", "", nullptr, &DrawingWords::max_dim},
    {"--expose", "planned", &DrawingWords::expose},
    {"--relaxed", "sometimes", &DrawingWords::relaxed},
    {"--no-control-flow", "", nullptr, nullptr, &DrawingWords::no_control_flow},
    {"--static-shapes", "", nullptr, nullptr, &DrawingWords::static_shapes},
};

absl::StatusOr<DrawingWords> WordsFrom(const std::string& text) {
  DrawingWords words;
  const auto error = [&](absl::string_view word) {
    return absl::InvalidArgumentError(absl::StrCat("\"", text, "\" are no drawing options: \"", word, "\""));
  };
  const std::vector<std::string> parts = absl::StrSplit(text, ' ', absl::SkipEmpty());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto option = std::find_if(std::begin(kWordOptions), std::end(kWordOptions),
                                     [&](const WordOption& o) { return parts[i] == o.name; });
    if (option == std::end(kWordOptions)) return error(parts[i]);
    if (option->flag != nullptr) {
      words.*(option->flag) = true;
      continue;
    }
    if (++i == parts.size()) return error(option->name);
    if (option->text != nullptr) {
      words.*(option->text) = parts[i];
    } else if (!absl::SimpleAtoi(parts[i], &(words.*(option->number)).emplace())) {
      return error(parts[i]);
    }
  }
  return words;
}

}  // namespace

absl::StatusOr<Options> OptionsFrom(const DrawingWords& words) {
  Options out;
  if (words.ops) ASSAY_RETURN_IF_ERROR(ReadOperations(*words.ops, out));
  if (words.types) ASSAY_RETURN_IF_ERROR(ReadTypes(*words.types, out));
  if (words.ranks) ASSAY_RETURN_IF_ERROR(ReadRanks(*words.ranks, out));
  if (words.feature_level) out.feature_level = static_cast<FeatureLevel>(*words.feature_level);
  if (words.max_operations) out.most_operations = *words.max_operations;
  out.least_operations = std::min(out.least_operations, out.most_operations);
  if (words.max_dim) out.most_dim = static_cast<uint32_t>(std::min<uint64_t>(*words.max_dim, UINT32_MAX));
  out.control_flow = !words.no_control_flow;
  out.dynamic_shapes = !words.static_shapes;
  if (words.expose)
    out.expose = *words.expose == "none"  ? ExposePolicy::kNone
                 : *words.expose == "all" ? ExposePolicy::kAll
                                          : ExposePolicy::kPlanned;
  if (words.relaxed)
    out.relaxed = *words.relaxed == "never"    ? RelaxedPolicy::kNever
                  : *words.relaxed == "always" ? RelaxedPolicy::kAlways
                                               : RelaxedPolicy::kSometimes;
  ASSAY_RETURN_IF_ERROR(CheckOptions(out));
  return out;
}

std::string ToWords(const DrawingWords& words) {
  std::vector<std::string> out;
  for (const WordOption& option : kWordOptions) {
    const std::string value = option.In(words);
    if (value == option.standard) continue;
    out.push_back(option.flag != nullptr ? option.name : absl::StrCat(option.name, " ", value));
  }
  return absl::StrJoin(out, " ");
}

absl::StatusOr<DrawingWords> WordsAsBefore(const std::string& before, const DrawingWords& now) {
  ASSAY_ASSIGN_OR_RETURN(DrawingWords words, WordsFrom(before));
  const auto told = [](const WordOption& option, const std::string& value) {
    if (option.flag != nullptr) return absl::StrCat(value.empty() ? "without " : "with ", option.name);
    return value.empty() ? absl::StrCat("without ", option.name) : absl::StrCat(option.name, " ", value);
  };
  for (const WordOption& option : kWordOptions) {
    if (!option.IsGiven(now) || option.In(now) == option.In(words)) continue;
    return absl::FailedPreconditionError(absl::StrCat("it was drawn ", told(option, option.In(words)),
                                                      ", which cannot become ", told(option, option.In(now)),
                                                      " now (drawing options may be left out)"));
  }
  return words;
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

absl::Status NoSuchOperation(absl::string_view word) {
  if (FindOperation(word))
    return absl::InvalidArgumentError(
        absl::StrCat("operation ", word, " is not implemented (`assay ops` lists those that are)"));
  std::vector<absl::string_view> names;
  for (const OperationInfo* info : AllOperations()) names.push_back(info->name);
  return absl::InvalidArgumentError(absl::StrCat("there is no operation \"", word, "\"", DidYouMean(word, names)));
}

int Complain(const absl::Status& status, int exit_code) {
  const std::string message(status.message());
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  return exit_code;
}

}  // namespace assay
