// Between stored bytes and numbers: dequantization and requantization, halves, bools, integers. Every rounding into a
// tensor of the plain domains is made here, once. Knows no operation, and no bounds but points.
//
// `bytes` are row-major elements in the processor's byte order, at any alignment. `dims` are full dimensions: known,
// their product fits. A code q stands for
//   scale * (q - zero_point)   in quantized types, and in TENSOR_INT32 with a nonzero scale (a bias);
//   scales[channel] * q        in TENSOR_QUANT8_SYMM_PER_CHANNEL (and in a TENSOR_INT32 that comes with per-channel
//                              scales: the bias of such a filter), channel = index along channel_dim;
//   q                          in INT32, UINT32 and TENSOR_INT32 without a scale;
//   0 or 1                     in the bool types: any nonzero byte is true.
// All of these are exact in double, but an int32 with a scale: that is rounded once, in double.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/shape.h"
#include "model/types.h"
#include "numeric/activation.h"

namespace assay {

// What `code` stands for in channel `channel` (of per-channel types; others ignore it). Integers, bools and quantized
// types only.
double ValueOf(OperandType type, const Quantization& quantization, size_t channel, int64_t code);

// All elements. In float: one rounding, half to even, of the exact value. In Bounded: points.
template <class N>
void Load(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes, N* out);

// All elements, for plain N, after the fused activation. ONE rounding each:
//   quantized       the value divided by the scale (in double), rounded half away from zero, plus the zero point, then
//                   saturated to ActivationCodes; NaN gives the zero point, within them;
//   float32         half to even, overflow to infinity; float16 likewise, directly from N;
//   int32, uint32   half away from zero (after a division by the scale if there is one), saturated; NaN gives 0;
//   bool            1 for every nonzero number, NaN included.
// Floats, integers and bools are clamped to the activation's real range before; a NaN passes.
template <Plain N>
void Store(OperandType type, const Quantization& quantization, const Dims& dims, const N* values, uint8_t* bytes,
           Activation activation = Activation::NONE);

// The real number at element `index`.
double ElementAt(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes,
                 size_t index);
// The stored code at element `index`; of floats their bits.
int64_t CodeAt(OperandType type, const uint8_t* bytes, size_t index);

// The element for people: "0.25", "17 (0.25)" for quantized types, "true".
std::string FormatElement(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes,
                          size_t index);

}  // namespace assay
