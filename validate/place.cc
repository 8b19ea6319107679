#include "validate/place.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// Names come from outside, of any length and content.
constexpr size_t kMostNameBytes = 60;

// " `name`", or nothing if there is none.
std::string Quoted(absl::string_view name) {
  if (name.empty()) return "";
  const bool whole = name.size() <= kMostNameBytes;
  return absl::StrCat(" `", absl::CHexEscape(name.substr(0, kMostNameBytes)), whole ? "`" : "...`");
}

std::string SubgraphText(const Model& model, size_t s) {
  return absl::StrCat("subgraph ", s, s < model.subgraphs.size() ? Quoted(model.subgraphs[s].name) : "");
}

}  // namespace

std::string Place::Text() const {
  if (kind_ == Kind::kModel) return "";
  std::string text = SubgraphText(*model_, subgraph_);
  if (kind_ == Kind::kSubgraph || subgraph_ >= model_->subgraphs.size()) return text;
  const Subgraph& subgraph = model_->subgraphs[subgraph_];
  if (kind_ == Kind::kOperand)
    absl::StrAppend(&text, ", ", OperandText(subgraph, static_cast<uint32_t>(index_)));
  else
    absl::StrAppend(&text, ", operation ", index_, index_ < subgraph.operations.size() ? " " : "",
                    index_ < subgraph.operations.size() ? OperationText(subgraph.operations[index_].code) : "");
  return text;
}

std::string OperandText(const Subgraph& subgraph, uint32_t index) {
  return absl::StrCat("operand ", index, index < subgraph.operands.size() ? Quoted(subgraph.operands[index].name) : "");
}

std::string TypeText(OperandType type) {
  const auto code = static_cast<uint32_t>(type);
  if (IsExtension(type)) return absl::StrCat("extension type 0x", absl::Hex(code, absl::kZeroPad8));
  return FindType(type) != nullptr ? std::string(NameOf(type)) : absl::StrCat("type ", code);
}

std::string OperationText(OperationCode code) {
  const auto number = static_cast<uint32_t>(code);
  if (IsExtension(code)) return absl::StrCat("extension operation 0x", absl::Hex(number, absl::kZeroPad8));
  const absl::string_view name = NameOf(code);
  return name == "UNKNOWN" ? absl::StrCat("operation code ", number) : std::string(name);
}

}  // namespace assay
