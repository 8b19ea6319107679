// Float32 numbers as the spec language spells them, exactly, whatever the locale. Knows nothing of tensors.
#pragma once
#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// Appends the shortest decimal that gives back `value`, always with "." or "e" (1.0, 1e+01, 1.5e-07, -0.0: the rule of
// printf's %g), or float("inf"), float("-inf"), float("nan"). The payload and sign of a NaN are lost.
void AppendFloat(std::string& out, float value);

// True if AppendFloat keeps all bits of `value`: false for NaNs other than the quiet one without sign and payload.
bool HasFloatText(float value);

// How many characters at the beginning of `text` are a FLOAT of the grammar; 0 if it begins with none.
size_t FloatLength(absl::string_view text);

// The float32 nearest to the decimal (ties to even, once rounded), for `text` of which FloatLength is the whole length.
// False if a decimal rounds to infinity.
bool ParseFloat(absl::string_view text, float& value);

}  // namespace assay
