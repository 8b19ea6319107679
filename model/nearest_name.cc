#include "model/nearest_name.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay {

size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<absl::string_view> NearestNames(absl::string_view word, std::span<const absl::string_view> names,
                                            size_t most) {
  std::vector<std::pair<size_t, absl::string_view>> near;
  for (absl::string_view name : names)
    if (const size_t d = EditDistance(word, name); d <= word.size() / 2 + 1) near.emplace_back(d, name);
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<absl::string_view> out;
  for (const auto& [distance, name] : near)
    if (out.size() < most && distance <= near.front().first + 2) out.push_back(name);
  return out;
}

std::string DidYouMean(absl::string_view word, std::span<const absl::string_view> names) {
  const std::vector<absl::string_view> near = NearestNames(word, names);
  if (near.empty()) return "";
  std::string out = absl::StrCat("; did you mean ", near.front());
  for (size_t i = 1; i < near.size(); ++i) absl::StrAppend(&out, i + 1 == near.size() ? " or " : ", ", near[i]);
  return absl::StrCat(out, "?");
}

}  // namespace assay
