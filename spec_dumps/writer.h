// Writes spec files. The language and its superset: docs/spec_format.md. Knows no operation's meaning: any model can be
// written, also an invalid one.
#pragma once
#include <string>

#include "absl/status/status.h"
#include "spec_dumps/spec.h"

namespace assay {

// The file's text. It is plain spec language where that suffices; else its first line names what it uses beyond it.
// What was read is written with the same bytes, if its numbers and statements are spelled and ordered as the writer
// does.
std::string WriteSpec(const SpecFile& file);

// Writes the text beside `path` and then renames it, so that there never is half a file. Fails with the system's error.
absl::Status WriteSpecFile(const std::string& path, const SpecFile& file);

}  // namespace assay
