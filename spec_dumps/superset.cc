#include "spec_dumps/superset.h"

#include <array>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

struct Row {
  Feature feature;
  absl::string_view name;
};

// In the order in which the first line lists them.
constexpr std::array kRows = {
    Row{Feature::kExamples, "examples"},     Row{Feature::kShapes, "shapes"},
    Row{Feature::kTypes, "types"},           Row{Feature::kExtensions, "extensions"},
    Row{Feature::kOperations, "operations"}, Row{Feature::kRaw, "raw"},
    Row{Feature::kLists, "lists"},           Row{Feature::kSubgraphs, "subgraphs"},
    Row{Feature::kVersions, "versions"},
};

constexpr absl::string_view kVersionPart = " 1: ";

}  // namespace

absl::string_view NameOf(Feature feature) {
  for (const Row& row : kRows) {
    if (row.feature == feature) return row.name;
  }
  return "unknown";
}

std::string SupersetLine(Features features) {
  std::string line(kSupersetMark);
  absl::string_view separator = kVersionPart;
  for (const Row& row : kRows) {
    if (!features.Has(row.feature)) continue;
    absl::StrAppend(&line, separator, row.name);
    separator = ", ";
  }
  line += '\n';
  return line;
}

bool ParseSupersetLine(absl::string_view line, Features& features, size_t& bad_column, std::string& expected) {
  bad_column = kSupersetMark.size();
  if (!absl::StartsWith(line.substr(bad_column), kVersionPart)) {
    expected = absl::StrCat("\"", kVersionPart, "\"");
    return false;
  }
  bad_column += kVersionPart.size();
  size_t first_allowed = 0;  // the groups stand in the order of the table
  for (;;) {
    const absl::string_view rest = line.substr(bad_column);
    const absl::string_view name = rest.substr(0, rest.find(", "));
    size_t row = first_allowed;
    while (row < kRows.size() && kRows[row].name != name) ++row;
    if (row == kRows.size()) {
      expected = "one of";
      for (size_t i = first_allowed; i < kRows.size(); ++i) absl::StrAppend(&expected, " ", kRows[i].name);
      if (first_allowed == kRows.size()) expected = "no more names";
      return false;
    }
    features.Add(kRows[row].feature);
    first_allowed = row + 1;
    if (name.size() == rest.size()) return true;
    bad_column += name.size() + 2;
  }
}

}  // namespace assay
