// Values between spec text and bytes: the elements of one tensor or scalar. Knows storage kinds, no operands.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "model/shape.h"
#include "model/types.h"
#include "spec_dumps/cursor.h"

namespace assay {

// How many elements a value of `type` with `dims` has: 1 for scalars, the product of the dimensions for tensors (1 for
// none, 0 with a dimension 0). Nothing if it overflows 64 bits.
std::optional<uint64_t> ElementsOf(OperandType type, const Dims& dims);

// Reads "[" [ value { ", " value } ] "]": exactly ElementsOf(type, dims) elements of `type`, which has a storage kind.
bool ReadValues(Cursor& in, OperandType type, const Dims& dims, Bytes& out);

// True if AppendValues says all that `bytes` says: as many elements as there must be, each with a spelling (bools are 0
// or 1, NaNs have no payload).
bool HasValueText(OperandType type, const Dims& dims, const Bytes& bytes);

// Appends what ReadValues reads. `bytes` as in HasValueText.
void AppendValues(std::string& out, OperandType type, const Bytes& bytes);

// Appends "[1, 2]".
void AppendDims(std::string& out, const Dims& dims);
// Appends bytes.fromhex("00ff").
void AppendHex(std::string& out, const Bytes& bytes);

}  // namespace assay
