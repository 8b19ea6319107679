#include "ops/walks.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace assay {

void Document::Line(absl::string_view name, absl::string_view kind, absl::string_view doc) {
  absl::StrAppend(&text, "  ", name, ": ", kind, optional_ ? " (optional)" : "", doc.empty() ? "" : ", ", doc, "\n");
}

void Document::Tensors(InList&, absl::string_view name, size_t least, size_t, absl::string_view doc) {
  Line(name, absl::StrCat(least, " or more tensors"), doc);
}

void Document::Real(double&, absl::string_view name, Kind kind, RealType type) {
  Line(name, type == RealType::kOfRow ? "FLOAT32 or FLOAT16" : "FLOAT32", kind.says);
}

void Document::Outputs(OutList&, absl::string_view name, size_t least, absl::string_view doc) {
  optional_ = false;
  Line(name, absl::StrCat(least, " or more outputs"), doc);
}

bool Document::More(bool& given) {
  optional_ = true;
  return given = true;
}

void ListRules::Add(absl::string_view name, absl::string_view suffix, bool model_stage) {
  std::string id = absl::StrCat(name, suffix);
  const bool known = std::any_of(ids.begin(), ids.end(), [&](const Id& i) { return i.id == id; });
  if (!known) ids.push_back({std::move(id), model_stage});
}

void ListRules::Scalar(absl::string_view name, bool ranged) {
  Add(name, ".type", true);
  Add(name, ".omitted", false);
  if (ranged) Add(name, ".range", false);
}

void ListRules::Int(int32_t&, absl::string_view name, Kind kind) {
  Scalar(name, kind.least > INT32_MIN || kind.most < INT32_MAX);
}

void ListRules::Real(double&, absl::string_view name, Kind kind, RealType) {
  Scalar(name, !std::isinf(kind.least) || !std::isinf(kind.most));
}

}  // namespace assay
