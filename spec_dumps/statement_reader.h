// The statements about operands and models: their spelling. Knows no meaning: case_builder.h does.
#pragma once
#include "spec_dumps/case_builder.h"
#include "spec_dumps/cursor.h"

namespace assay {

// Reads the statement at the cursor, which begins with a NAME, with its LF. False on an error, which the cursor keeps.
bool ReadStatement(Cursor& in, CaseBuilder& builder);
// Reads "# CONSTANT_REFERENCE: " names, with its LF.
bool ReadConstantReferences(Cursor& in, CaseBuilder& builder);
// Reads dims: "[" [ INT { ", " INT } ] "]", at most kMostDims of them.
bool ReadDims(Cursor& in, Dims& out);

// No tensor has more dimensions; it bounds what a text can make a reader copy.
inline constexpr size_t kMostDims = 64;

}  // namespace assay
