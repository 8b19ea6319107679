// The text of one test case. Knows the statements; what stands around cases is writer.h's business.
#pragma once
#include <string>

#include "spec_dumps/spec.h"
#include "spec_dumps/superset.h"

namespace assay {

// Appends the statements of a case with the comments between them, those before it left out. Adds to `needed` the
// superset groups that it uses. Any case can be written, also one of an invalid model; CHECK-fails on a model without a
// subgraph.
void AppendCase(std::string& out, const SpecCase& spec_case, Features& needed);

}  // namespace assay
