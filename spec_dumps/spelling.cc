#include "spec_dumps/spelling.h"

#include <algorithm>
#include <array>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

constexpr std::array<absl::string_view, 8> kVersions = {"V1_0",    "V1_1",    "V1_2",    "V1_3",
                                                        "AIDL_V1", "AIDL_V2", "AIDL_V3", "AIDL_V4"};

// Python's keywords, and the names that statements call; a space on both sides of each.
constexpr absl::string_view kReserved =
    " False None True and as assert async await break class continue def del elif else except finally for from "
    "global if import in is lambda nonlocal not or pass raise return try while with yield "
    "Input Output Internal IgnoredOutput Parameter SubgraphReference Model Example SymmPerChannelQuantParams "
    "float bytes ";

// The number that `word` spells after `prefix`, at most `most`, spelled as StrCat would.
std::optional<uint32_t> NumberAfter(absl::string_view word, absl::string_view prefix, uint32_t most) {
  if (!absl::ConsumePrefix(&word, prefix)) return std::nullopt;
  uint32_t number = 0;
  if (!absl::SimpleAtoi(word, &number) || number > most || absl::StrCat(number) != word) return std::nullopt;
  return number;
}

constexpr uint32_t kMostPart = 0xFFFF;

std::string SpellExtension(uint32_t code) { return absl::StrCat("EXTENSION_", code >> 16, "_", code & kMostPart); }

std::optional<uint32_t> FindExtension(absl::string_view word) {
  const size_t split = word.rfind('_');
  if (split == absl::string_view::npos) return std::nullopt;
  const auto prefix = NumberAfter(word.substr(0, split), "EXTENSION_", kMostPart);
  const auto number = NumberAfter(word.substr(split), "_", kMostPart);
  if (!prefix || !number || *prefix == 0) return std::nullopt;
  return *prefix << 16 | *number;
}

}  // namespace

Spelled<std::string> SpellType(OperandType type) {
  if (IsExtension(type)) return {SpellExtension(static_cast<uint32_t>(type)), Feature::kExtensions};
  const TypeInfo* info = FindType(type);
  if (!info) return {absl::StrCat("TYPE_", static_cast<uint32_t>(type)), Feature::kTypes};
  return {std::string(info->name), info->storage == Storage::kNone ? std::optional(Feature::kTypes) : std::nullopt};
}

std::optional<Spelled<OperandType>> FindSpelledType(absl::string_view word) {
  std::optional<OperandType> type;
  if (const TypeInfo* info = FindType(word)) {
    type = info->type;
  } else if (const auto extension = FindExtension(word)) {
    type = OperandType{*extension};
  } else if (const auto code = NumberAfter(word, "TYPE_", kMostPart)) {
    type = OperandType{*code};
  }
  if (!type) return std::nullopt;
  const Spelled<std::string> spelled = SpellType(*type);
  if (spelled.value != word) return std::nullopt;
  return Spelled<OperandType>{*type, spelled.needs};
}

Spelled<std::string> SpellOperation(OperationCode code) {
  const auto number = static_cast<uint32_t>(code);
  if (IsExtension(code)) return {SpellExtension(number), Feature::kExtensions};
  if (number < OperationNames().size()) return {std::string(NameOf(code)), std::nullopt};
  if (FindOperation(NameOf(code)) == code) return {std::string(NameOf(code)), Feature::kOperations};
  return {absl::StrCat("OPERATION_", number), Feature::kOperations};
}

std::optional<Spelled<OperationCode>> FindSpelledOperation(absl::string_view word) {
  std::optional<OperationCode> code = FindOperation(word);
  if (!code) {
    if (const auto extension = FindExtension(word)) {
      code = OperationCode{*extension};
    } else if (const auto number = NumberAfter(word, "OPERATION_", kMostPart)) {
      code = OperationCode{*number};
    }
  }
  if (!code) return std::nullopt;
  const Spelled<std::string> spelled = SpellOperation(*code);
  if (spelled.value != word) return std::nullopt;
  return Spelled<OperationCode>{*code, spelled.needs};
}

Spelled<std::string> SpellVersion(FeatureLevel level) {
  if (level >= kLowestFeatureLevel && level <= kHighestFeatureLevel) {
    return {std::string(kVersions[static_cast<size_t>(level - kLowestFeatureLevel)]), std::nullopt};
  }
  if (level < 0) return {absl::StrCat("LEVEL_MINUS_", -int64_t{level}), Feature::kVersions};
  return {absl::StrCat("LEVEL_", level), Feature::kVersions};
}

std::optional<Spelled<FeatureLevel>> FindSpelledVersion(absl::string_view word) {
  const auto at = std::find(kVersions.begin(), kVersions.end(), word);
  if (at != kVersions.end()) {
    return Spelled<FeatureLevel>{static_cast<FeatureLevel>(at - kVersions.begin()) + kLowestFeatureLevel, std::nullopt};
  }
  std::optional<int64_t> level = NumberAfter(word, "LEVEL_", INT32_MAX);
  if (!level) {
    level = NumberAfter(word, "LEVEL_MINUS_", uint32_t{1} << 31);
    if (level) level = -*level;
  }
  if (!level || SpellVersion(static_cast<FeatureLevel>(*level)).value != word) return std::nullopt;
  return Spelled<FeatureLevel>{static_cast<FeatureLevel>(*level), Feature::kVersions};
}

bool IsReservedName(absl::string_view name) {
  if (name.empty()) return false;
  for (size_t at = kReserved.find(name); at != absl::string_view::npos; at = kReserved.find(name, at + 1)) {
    if (kReserved[at - 1] == ' ' && kReserved[at + name.size()] == ' ') return true;
  }
  return false;
}

std::string AsComment(absl::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const absl::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) {
      const bool means_more = absl::StartsWith(line, kSupersetMark) || absl::StartsWith(line, kConstantReferenceMark);
      if (line[0] != '#' || means_more) out += "# ";
      for (char c : line) {
        if (c >= 0x20 && c <= 0x7e) {
          out += c;
        } else {
          absl::StrAppend(&out, absl::CHexEscape(absl::string_view(&c, 1)));
        }
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace assay
