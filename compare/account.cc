#include "compare/account.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace assay {

void Account::Add(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInside:
      ++inside;
      break;
    case Verdict::kOutside:
      ++outside;
      break;
    case Verdict::kUnknown:
      ++unknown;
      break;
  }
}

void Account::Keep(Discrepancy discrepancy) {
  const auto before = [](const Discrepancy& a, const Discrepancy& b) {
    return a.excess != b.excess ? a.excess > b.excess : a.index < b.index;
  };
  worst.insert(std::upper_bound(worst.begin(), worst.end(), discrepancy, before), std::move(discrepancy));
  if (worst.size() > kMostShown) worst.pop_back();
}

std::string Account::ToString(absl::string_view indent) const {
  std::string out;
  if (!shape_mismatch.empty()) return absl::StrCat(indent, shape_mismatch, "\n");
  absl::StrAppend(&out, indent, outside, " outside, ", inside, " inside, ", unknown, " unknown\n");
  for (const Discrepancy& d : worst)
    absl::StrAppend(&out, indent, d.position, ": expected ", d.expected, ", got ", d.got, ", allowed ", d.allowed,
                    "\n");
  if (outside > worst.size()) absl::StrAppend(&out, indent, "and ", outside - worst.size(), " more\n");
  return out;
}

std::string PositionOf(const Dims& dims, size_t index) {
  Dims at(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] == 0) return "[]";
    at[i] = static_cast<uint32_t>(index % dims[i]);
    index /= dims[i];
  }
  return ToString(at);
}

}  // namespace assay
