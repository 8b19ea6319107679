#include "tests/ops/operands.h"

#include <cstring>

#include "model/status.h"
#include "numeric/storage.h"

namespace assay {
namespace {

template <class T>
std::vector<T> Filled(const Dims& dims, const std::vector<T>& values) {
  const size_t count = Count(dims);
  if (values.size() == 1) return std::vector<T>(count, values.front());
  ASSAY_CHECK(values.size() == count, "a tensor in a test has another number of values than its dimensions say");
  return values;
}

Given Tensor(OperandType type, Dims dims, Quantization quantization) {
  Given o;
  o.argument.type = type;
  o.bytes.resize(Count(dims) * ElementSize(type));
  o.argument.shape = Shape::Of(std::move(dims));
  o.argument.quantization = std::move(quantization);
  o.argument.value_known = true;
  return o;
}

template <class T>
void Put(Bytes& bytes, size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value);
}

template <class T>
Given Scalar(OperandType type, T value) {
  Given o = Tensor(type, {}, {});
  Put(o.bytes, 0, value);
  return o;
}

// SplitMix64.
uint64_t Next(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Given Given::Hidden() const {
  Given o = *this;
  o.argument.value_known = false;
  return o;
}

Given Given::WithShape(Shape shape) const {
  Given o = Hidden();
  o.argument.shape = std::move(shape);
  return o;
}

Given Given::UnknownDim(size_t dim) const {
  Shape shape = argument.shape;
  shape.dims.at(dim) = kUnknownDim;
  return WithShape(std::move(shape));
}

Given Reals(OperandType type, Dims dims, const std::vector<double>& reals, Quantization quantization) {
  const std::vector<double> all = Filled(dims, reals);
  Given o = Tensor(type, std::move(dims), std::move(quantization));
  Store(type, o.argument.quantization, o.argument.shape.dims, all.data(), o.bytes.data());
  return o;
}

Given Codes(OperandType type, Dims dims, const std::vector<int64_t>& codes, Quantization quantization) {
  const std::vector<int64_t> all = Filled(dims, codes);
  Given o = Tensor(type, std::move(dims), std::move(quantization));
  for (size_t i = 0; i < all.size(); ++i) {
    if (ElementSize(type) == 1) Put(o.bytes, i, static_cast<uint8_t>(all[i]));
    if (ElementSize(type) == 2) Put(o.bytes, i, static_cast<uint16_t>(all[i]));
    if (ElementSize(type) == 4) Put(o.bytes, i, static_cast<uint32_t>(all[i]));
    ASSAY_CHECK(CodeAt(type, o.bytes.data(), i) == all[i], "a code in a test does not fit its type");
  }
  return o;
}

Given Float32(Dims dims, const std::vector<double>& reals) {
  return Reals(OperandType::TENSOR_FLOAT32, std::move(dims), reals);
}
Given Float16(Dims dims, const std::vector<double>& reals) {
  return Reals(OperandType::TENSOR_FLOAT16, std::move(dims), reals);
}
Given Int32(Dims dims, const std::vector<int64_t>& codes, float scale, int32_t zero_point) {
  return Codes(OperandType::TENSOR_INT32, std::move(dims), codes, {scale, zero_point, nullptr});
}
Given Bool8(Dims dims, const std::vector<int64_t>& codes) {
  return Codes(OperandType::TENSOR_BOOL8, std::move(dims), codes);
}
Given Quant8(Dims dims, const std::vector<int64_t>& codes, float scale, int32_t zero_point) {
  return Codes(OperandType::TENSOR_QUANT8_ASYMM, std::move(dims), codes, {scale, zero_point, nullptr});
}
Given Quant8Signed(Dims dims, const std::vector<int64_t>& codes, float scale, int32_t zero_point) {
  return Codes(OperandType::TENSOR_QUANT8_ASYMM_SIGNED, std::move(dims), codes, {scale, zero_point, nullptr});
}
Given PerChannelCodes(Dims dims, const std::vector<int64_t>& codes, uint32_t channel_dim, std::vector<float> scales) {
  auto channels = std::make_shared<PerChannel>();
  channels->channel_dim = channel_dim;
  channels->scales = std::move(scales);
  return Codes(OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, std::move(dims), codes, {0, 0, std::move(channels)});
}
Given Omitted(OperandType type) {
  Given o;
  o.argument.type = type;
  o.argument.omitted = true;
  return o;
}

Given Int(int32_t value) { return Scalar(OperandType::INT32, value); }
Given Flag(bool value) { return Scalar(OperandType::BOOL, static_cast<uint8_t>(value)); }
Given Real(double value) { return Scalar(OperandType::FLOAT32, static_cast<float>(value)); }
Given RealHalf(double value) {
  Given o = Tensor(OperandType::FLOAT16, {}, {});
  Store(OperandType::FLOAT16, {}, {}, &value, o.bytes.data());
  return o;
}
Given SubgraphAt(uint32_t index) {
  Given o;
  o.argument.type = OperandType::SUBGRAPH;
  o.argument.shape = Shape::Of({});
  o.argument.subgraph = index;
  return o;
}

Given Output(OperandType type, Quantization quantization) {
  Given o;
  o.argument.type = type;
  o.argument.quantization = std::move(quantization);
  return o;
}

std::vector<double> Noise(size_t count, uint64_t seed, double least, double most) {
  std::vector<double> out(count);
  for (double& v : out) v = least + (most - least) * static_cast<double>(Next(seed) >> 11) * 0x1p-53;
  return out;
}

std::vector<int64_t> NoiseCodes(size_t count, uint64_t seed, int64_t least, int64_t most) {
  std::vector<int64_t> out(count);
  const auto range = static_cast<uint64_t>(most - least) + 1;
  for (int64_t& v : out) v = least + static_cast<int64_t>((Next(seed) >> 16) % range);
  return out;
}

}  // namespace assay
