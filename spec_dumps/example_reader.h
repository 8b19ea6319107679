// The Example statement: values for the inputs and outputs of a case's main model. Its spelling and what it says; the
// model itself comes from case_builder.h.
#pragma once
#include "spec_dumps/case_builder.h"
#include "spec_dumps/cursor.h"

namespace assay {

// Reads the Example statement at the cursor, with its LF, and adds it. False on an error, which the cursor keeps.
bool ReadExample(Cursor& in, CaseBuilder& builder);

}  // namespace assay
