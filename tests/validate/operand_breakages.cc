// Models that break a rule of one operand.
#include <limits>
#include <memory>

#include "tests/validate/breakages.h"

namespace assay {
namespace {

using enum OperandType;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The sample with one more operand, which nothing uses.
Breakage OfUnused(std::string rule, std::string how, Operand operand) {
  return OfSample(std::move(rule), std::move(how),
                  [operand](Sample& s) { s.builder.subgraph().operands.push_back(operand); });
}

Operand Omitted(OperandType type, Dims dims, Quantization q = {}) {
  Operand operand;
  operand.type = type;
  operand.dims = std::move(dims);
  operand.quantization = std::move(q);
  operand.lifetime = Lifetime::NO_VALUE;
  return operand;
}

Operand ConstantOf(OperandType type, Dims dims, size_t bytes, Quantization q = {}) {
  Operand operand = Omitted(type, std::move(dims), std::move(q));
  operand.lifetime = Lifetime::CONSTANT_REFERENCE;
  operand.value = std::make_shared<const Bytes>(bytes);
  return operand;
}

Operand Reference(uint32_t subgraph) {
  Operand operand = Omitted(SUBGRAPH, {});
  operand.lifetime = Lifetime::SUBGRAPH;
  operand.subgraph = subgraph;
  return operand;
}

template <class Edit>
Operand With(Operand operand, Edit edit) {
  edit(operand);
  return operand;
}

constexpr uint16_t kPrefix = 0x1234;
constexpr OperandType kVendorType{(uint32_t{kPrefix} << 16) + 1};

// The same in a model that declares the vendor's extension.
Breakage OfVendor(std::string rule, std::string how, Operand operand) {
  return OfModel(std::move(rule), std::move(how), [operand](Model& m) {
    m.extensions.push_back({"com.vendor", kPrefix});
    m.main().operands.push_back(operand);
  });
}

}  // namespace

std::vector<Breakage> OperandBreakages() {
  const Quantization channels = PerChannelQuant(1, {0.5f, 1, 2});
  const auto omitted = [](auto... a) { return Omitted(a...); };
  return {
      OfModel("model.extension_name", "empty",
              [](Model& m) {
                m.extensions.push_back({"", kPrefix});
              }),
      OfModel("model.extension_prefix", "0",
              [](Model& m) {
                m.extensions.push_back({"com.vendor", 0});
              }),
      OfModel("model.extension_prefix", "twice",
              [](Model& m) {
                m.extensions.push_back({"com.vendor", kPrefix});
                m.extensions.push_back({"com.other", kPrefix});
              }),
      OfUnused("operand.lifetime", "7",
               With(omitted(TENSOR_FLOAT32, Dims{1}), [](Operand& o) { o.lifetime = Lifetime{7}; })),
      OfUnused("operand.type", "16", omitted(OperandType{16}, Dims{1})),
      OfUnused("operand.type", "9999", omitted(OperandType{9999}, Dims{})),
      OfUnused("operand.oem", "scalar", omitted(OEM_SCALAR, Dims{})),
      OfUnused("operand.oem", "tensor", omitted(TENSOR_OEM_BYTE, Dims{1})),
      OfUnused("operand.extension", "not declared", omitted(kVendorType, Dims{})),
      OfVendor("operand.extension", "another prefix", omitted(OperandType{0x12350001}, Dims{})),
      OfUnused("operand.subgraph", "by type only", omitted(SUBGRAPH, Dims{})),
      OfUnused("operand.subgraph", "by lifetime only", With(Reference(1), [](Operand& o) { o.type = INT32; })),
      OfUnused("operand.subgraph_index", "past the last", Reference(1)),
      OfUnused("operand.subgraph_index", "the main subgraph", Reference(0)),
      OfUnused("operand.subgraph_index", "the greatest index", Reference(0xFFFFFFFF)),
      OfUnused("operand.scalar_dims", "rank 1", omitted(INT32, Dims{1})),
      OfUnused("operand.scalar_dims", "a constant", ConstantOf(FLOAT32, {1}, 4)),
      OfUnused("operand.rank", "257", omitted(TENSOR_FLOAT32, Dims(257, 1))),
      OfUnused("operand.size", "2^32 bytes", omitted(TENSOR_FLOAT32, Dims{1u << 16, 1u << 14})),
      OfUnused("operand.size", "known dimensions alone", omitted(TENSOR_FLOAT16, Dims{0, 1u << 16, 1u << 15})),
      OfUnused("operand.size", "many", omitted(TENSOR_FLOAT32, Dims(256, 0x80000000))),
      OfUnused("operand.size", "2^32 - 1 in a dimension", omitted(TENSOR_BOOL8, Dims{0xFFFFFFFF})),
      OfUnused("operand.scale", "0, quantized", omitted(TENSOR_QUANT8_ASYMM, Dims{1}, Quant(0))),
      OfUnused("operand.scale", "below 0", omitted(TENSOR_QUANT16_SYMM, Dims{1}, Quant(-1))),
      OfUnused("operand.scale", "infinite", omitted(TENSOR_QUANT8_SYMM, Dims{1}, Quant(kInfinity))),
      OfUnused("operand.scale", "NaN", omitted(TENSOR_QUANT16_ASYMM, Dims{1}, Quant(kNan))),
      OfUnused("operand.scale", "of TENSOR_INT32 below 0", omitted(TENSOR_INT32, Dims{1}, Quant(-1))),
      OfUnused("operand.scale", "of TENSOR_INT32 NaN", omitted(TENSOR_INT32, Dims{1}, Quant(kNan))),
      OfUnused("operand.scale", "of a float", omitted(TENSOR_FLOAT32, Dims{1}, Quant(1))),
      OfUnused("operand.scale", "of a float NaN", omitted(TENSOR_FLOAT16, Dims{1}, Quant(kNan))),
      OfUnused("operand.scale", "of a scalar", omitted(INT32, Dims{}, Quant(1))),
      OfUnused("operand.scale", "of a per-channel tensor",
               With(omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, channels),
                    [](Operand& o) { o.quantization.scale = 1; })),
      OfVendor("operand.scale", "of an extension", omitted(kVendorType, Dims{1}, Quant(1))),
      OfUnused("operand.zero_point", "uint8 256", omitted(TENSOR_QUANT8_ASYMM, Dims{1}, Quant(1, 256))),
      OfUnused("operand.zero_point", "uint8 -1", omitted(TENSOR_QUANT8_ASYMM, Dims{1}, Quant(1, -1))),
      OfUnused("operand.zero_point", "int8 128", omitted(TENSOR_QUANT8_ASYMM_SIGNED, Dims{1}, Quant(1, 128))),
      OfUnused("operand.zero_point", "int8 -129", omitted(TENSOR_QUANT8_ASYMM_SIGNED, Dims{1}, Quant(1, -129))),
      OfUnused("operand.zero_point", "uint16 65536", omitted(TENSOR_QUANT16_ASYMM, Dims{1}, Quant(1, 65536))),
      OfUnused("operand.zero_point", "symmetric 1", omitted(TENSOR_QUANT16_SYMM, Dims{1}, Quant(1, 1))),
      OfUnused("operand.zero_point", "of TENSOR_INT32", omitted(TENSOR_INT32, Dims{1}, Quant(1, 1))),
      OfUnused("operand.zero_point", "of a scalar", omitted(BOOL, Dims{}, Quant(0, 1))),
      OfUnused("operand.per_channel", "missing", omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3})),
      OfUnused("operand.per_channel", "of a float", omitted(TENSOR_FLOAT32, Dims{2, 3}, channels)),
      OfVendor("operand.per_channel", "of an extension", omitted(kVendorType, Dims{2, 3}, channels)),
      OfUnused("operand.channel_dim", "2 of rank 2",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, PerChannelQuant(2, {1, 1, 1}))),
      OfUnused("operand.channel_dim", "unknown rank", omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{}, channels)),
      OfUnused("operand.channel_dim", "the greatest",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, PerChannelQuant(0xFFFFFFFF, {1, 1, 1}))),
      OfUnused("operand.channel_count", "4 of 3",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, PerChannelQuant(1, {1, 1, 1, 1}))),
      OfUnused("operand.channel_count", "unknown", omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 0}, channels)),
      OfUnused("operand.channel_count", "none of unknown",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 0}, PerChannelQuant(1, {}))),
      OfUnused("operand.channel_scale", "0",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, PerChannelQuant(1, {1, 0, 1}))),
      OfUnused("operand.channel_scale", "NaN",
               omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, Dims{2, 3}, PerChannelQuant(1, {1, 1, kNan}))),
      OfUnused("operand.extension_parameters", "of a float",
               With(omitted(TENSOR_FLOAT32, Dims{1}),
                    [](Operand& o) { o.extension_parameters = std::make_shared<const Bytes>(4); })),
      OfUnused("operand.value", "constant without",
               With(ConstantOf(TENSOR_FLOAT32, {1}, 4), [](Operand& o) { o.value = nullptr; })),
      OfUnused("operand.value", "omitted with",
               With(ConstantOf(TENSOR_FLOAT32, {1}, 4), [](Operand& o) { o.lifetime = Lifetime::NO_VALUE; })),
      OfVendor("operand.value", "extension constant without",
               With(ConstantOf(kVendorType, {1}, 4), [](Operand& o) { o.value = nullptr; })),
      OfUnused("operand.constant_dims", "unknown dimension", ConstantOf(TENSOR_FLOAT32, {2, 0}, 0)),
      OfUnused("operand.constant_dims", "unknown rank", ConstantOf(TENSOR_FLOAT32, {}, 4)),
      OfUnused("operand.length", "too short", ConstantOf(TENSOR_FLOAT32, {2, 3}, 23)),
      OfUnused("operand.length", "too long", ConstantOf(TENSOR_FLOAT16, {2, 3}, 13)),
      OfUnused("operand.length", "empty", ConstantOf(TENSOR_BOOL8, {1}, 0)),
      OfUnused("operand.length", "scalar", ConstantOf(INT32, {}, 1)),
  };
}

}  // namespace assay
