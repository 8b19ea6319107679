// Reads spec files. The language and its superset: docs/spec_format.md. Knows no operation's meaning: whether a model
// is valid is not its business, only whether the text says one.
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "spec_dumps/spec.h"

namespace assay {

// Reads a whole file's text. Anything that the language does not spell so is an error, InvalidArgument
// "file_name:line:column: expected ..., found ...". Time and memory are proportional to the text.
absl::StatusOr<SpecFile> ReadSpec(absl::string_view text, absl::string_view file_name);

// The same, of a file; its errors begin with `path`. NotFound or Unavailable if it cannot be read.
absl::StatusOr<SpecFile> ReadSpecFile(const std::string& path);

}  // namespace assay
