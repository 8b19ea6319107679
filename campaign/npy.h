// Tensors as NumPy files (.npy, format 1.0), in storage form: what NumPy reads is the codes of a quantized tensor.
#pragma once
#include <string>

#include "absl/status/status.h"
#include "model/shape.h"
#include "model/types.h"

namespace assay {

// The file's bytes. `bytes` are row-major elements, as many as `dims` say. Empty for types without elements (SUBGRAPH).
std::string ToNpy(OperandType type, const Dims& dims, std::span<const uint8_t> bytes);

}  // namespace assay
