// How single words are spelled in spec files: types, operations, feature levels, reserved names, comments. Knows no
// statement and no model.
#pragma once
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "model/operation_code.h"
#include "model/types.h"
#include "spec_dumps/superset.h"

namespace assay {

// A spelled word, or what a word means, and the superset group that it needs, if any.
template <class T>
struct Spelled {
  T value;
  std::optional<Feature> needs;
};

// "TENSOR_FLOAT32"; superset: "SUBGRAPH", "TENSOR_OEM_BYTE", "EXTENSION_<prefix>_<number>", "TYPE_<code>".
Spelled<std::string> SpellType(OperandType type);
// The inverse; nothing for what SpellType does not write.
std::optional<Spelled<OperandType>> FindSpelledType(absl::string_view word);

// "ADD"; superset: "OEM_OPERATION", "EXTENSION_<prefix>_<number>", "OPERATION_<code>".
Spelled<std::string> SpellOperation(OperationCode code);
std::optional<Spelled<OperationCode>> FindSpelledOperation(absl::string_view word);

// "V1_0".."V1_3" for feature levels 1..4, "AIDL_V1".."AIDL_V4" for 5..8; superset: "LEVEL_<level>", "LEVEL_MINUS_<n>".
Spelled<std::string> SpellVersion(FeatureLevel level);
std::optional<Spelled<FeatureLevel>> FindSpelledVersion(absl::string_view word);

// True for words that Python or the spec language reserve: no operand or model may be called so.
bool IsReservedName(absl::string_view name);

// `text` as comment lines, each with its LF: "# " before lines that are no comments yet and before those that would be
// taken for more than a comment; what is not printable ASCII is escaped. Blank lines stay. Twice is as once.
std::string AsComment(absl::string_view text);

// The comment before a Model that names its constants which are passed by reference.
inline constexpr absl::string_view kConstantReferenceMark = "# CONSTANT_REFERENCE";

}  // namespace assay
