// Operands for tests of one call, built from typed vectors. Knows how numbers are stored; refuses to know operations.
#pragma once
#include <cstdint>
#include <vector>

#include "ops/argument.h"

namespace assay {

// One input or output of a call in a test. The bytes belong to it; OneCall binds `argument.value` to them.
struct Given {
  Argument argument;
  Bytes bytes;

  // The same with its value not known yet, as a model input is before a request.
  Given Hidden() const;
  // The same with less known of its shape.
  Given WithShape(Shape shape) const;
  Given UnknownRank() const { return WithShape(Shape::Unranked()); }
  Given UnknownDim(size_t dim) const;
};

// Tensors. Row-major; ONE value fills the whole tensor; any other number but the product of `dims` is a CHECK. Reals
// are rounded to the type as a stored answer is.
Given Reals(OperandType type, Dims dims, const std::vector<double>& reals, Quantization quantization = {});
Given Codes(OperandType type, Dims dims, const std::vector<int64_t>& codes, Quantization quantization = {});
Given Float32(Dims dims, const std::vector<double>& reals);
Given Float16(Dims dims, const std::vector<double>& reals);
Given Int32(Dims dims, const std::vector<int64_t>& codes, float scale = 0, int32_t zero_point = 0);
Given Bool8(Dims dims, const std::vector<int64_t>& codes);
Given Quant8(Dims dims, const std::vector<int64_t>& codes, float scale, int32_t zero_point);
Given Quant8Signed(Dims dims, const std::vector<int64_t>& codes, float scale, int32_t zero_point);
// TENSOR_QUANT8_SYMM_PER_CHANNEL.
Given PerChannelCodes(Dims dims, const std::vector<int64_t>& codes, uint32_t channel_dim, std::vector<float> scales);
// An operand without a value.
Given Omitted(OperandType type);

// Scalars: INT32, BOOL, FLOAT32, FLOAT16, SUBGRAPH.
Given Int(int32_t value);
Given Flag(bool value);
Given Real(double value);
Given RealHalf(double value);
Given SubgraphAt(uint32_t index);

// An output; nothing is known of its shape.
Given Output(OperandType type, Quantization quantization = {});

// `count` numbers that look random and are the same on every machine: uniform in [least, most]. Whole numbers for
// codes.
std::vector<double> Noise(size_t count, uint64_t seed, double least = -1, double most = 1);
std::vector<int64_t> NoiseCodes(size_t count, uint64_t seed, int64_t least, int64_t most);

}  // namespace assay
