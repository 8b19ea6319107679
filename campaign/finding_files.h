// Findings on disk: one folder each, readable by people and by `assay run`, complete or not there at all.
#pragma once
#include <string>
#include <vector>

#include "campaign/finding.h"
#include "spec_dumps/spec.h"

namespace assay {

// What every file of a finding says besides the finding itself.
struct FindingContext {
  std::vector<std::string> header;  // ReportHeader lines
  std::string driver;               // as given to --driver, for the commands
  std::string draw_options;         // kept in the tape, which means another graph without them: "--max-dim 8"
  bool strict = false;              // how it was judged, for the commands
};

// The spec: golden values as expected outputs; as comments the header, the failure, the driver's answer, what was
// allowed, and the commands that show it again.
SpecFile SpecOf(const Finding& finding, const FindingContext& context);
// A page for people: what failed, how often, the smallest model, the worst elements, the commands.
std::string ReportOf(const Finding& finding, const FindingContext& context, absl::string_view folder);

// "value_CONV_2D_TENSOR_FLOAT32__CONV_2D_RELU": a group's name as a folder's.
std::string FolderNameOf(absl::string_view group);

// Writes finding.mod.py, graph.dot, tape and report.txt into OUT/<group>/<graph index>[_hidden|_exposed]/, each beside
// its place and then renamed; report.txt comes last. Returns the folder. The error names the path.
absl::StatusOr<std::string> WriteFinding(const std::string& out, const Finding& finding, const FindingContext& context);

// Removes what WriteFinding wrote into this folder, and the folders that are empty then. Whatever else is there stays.
void RemoveFinding(const std::string& folder);

// Makes a folder, and those above it; one that is there already is fine if a file can be made in it. The error names
// the folder.
absl::Status MakeFolder(const std::string& folder);

// Writes `text` to `path` by way of a temporary file beside it.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view text);

}  // namespace assay
