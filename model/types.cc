// The table of operand types.
#include "model/types.h"

#include <array>

namespace assay {
namespace {

using enum OperandType;
constexpr std::array kTypes = {
    //       type                            name                              storage            size  scalar scale
    //       zero points     since
    TypeInfo{FLOAT32, "FLOAT32", Storage::kFloat32, 4, true, false, 0, 0, 1},
    TypeInfo{INT32, "INT32", Storage::kInt32, 4, true, false, 0, 0, 1},
    TypeInfo{UINT32, "UINT32", Storage::kUint32, 4, true, false, 0, 0, 1},
    TypeInfo{TENSOR_FLOAT32, "TENSOR_FLOAT32", Storage::kFloat32, 4, false, false, 0, 0, 1},
    TypeInfo{TENSOR_INT32, "TENSOR_INT32", Storage::kInt32, 4, false, false, 0, 0, 1},
    TypeInfo{TENSOR_QUANT8_ASYMM, "TENSOR_QUANT8_ASYMM", Storage::kUint8, 1, false, true, 0, 255, 1},
    TypeInfo{BOOL, "BOOL", Storage::kBool8, 1, true, false, 0, 0, 3},
    TypeInfo{TENSOR_QUANT16_SYMM, "TENSOR_QUANT16_SYMM", Storage::kInt16, 2, false, true, 0, 0, 3},
    TypeInfo{TENSOR_FLOAT16, "TENSOR_FLOAT16", Storage::kFloat16, 2, false, false, 0, 0, 3},
    TypeInfo{TENSOR_BOOL8, "TENSOR_BOOL8", Storage::kBool8, 1, false, false, 0, 0, 3},
    TypeInfo{FLOAT16, "FLOAT16", Storage::kFloat16, 2, true, false, 0, 0, 3},
    TypeInfo{TENSOR_QUANT8_SYMM_PER_CHANNEL, "TENSOR_QUANT8_SYMM_PER_CHANNEL", Storage::kInt8, 1, false, false, 0, 0,
             3},
    TypeInfo{TENSOR_QUANT16_ASYMM, "TENSOR_QUANT16_ASYMM", Storage::kUint16, 2, false, true, 0, 65535, 3},
    TypeInfo{TENSOR_QUANT8_SYMM, "TENSOR_QUANT8_SYMM", Storage::kInt8, 1, false, true, 0, 0, 3},
    TypeInfo{TENSOR_QUANT8_ASYMM_SIGNED, "TENSOR_QUANT8_ASYMM_SIGNED", Storage::kInt8, 1, false, true, -128, 127, 4},
    TypeInfo{SUBGRAPH, "SUBGRAPH", Storage::kNone, 0, true, false, 0, 0, 4},
    TypeInfo{OEM_SCALAR, "OEM_SCALAR", Storage::kNone, 0, true, false, 0, 0, 1},
    TypeInfo{TENSOR_OEM_BYTE, "TENSOR_OEM_BYTE", Storage::kNone, 1, false, false, 0, 0, 1},
};
constexpr TypeInfo kUnknownType{OperandType{0xFFFF}, "UNKNOWN", Storage::kNone, 0, false, false, 0, 0, 1};

}  // namespace

std::span<const TypeInfo> AllTypes() { return kTypes; }

const TypeInfo* FindType(OperandType type) {
  const auto code = static_cast<size_t>(type);
  if (code <= static_cast<size_t>(SUBGRAPH)) return &kTypes[code];
  if (type == OEM_SCALAR) return &kTypes[kTypes.size() - 2];
  if (type == TENSOR_OEM_BYTE) return &kTypes[kTypes.size() - 1];
  return nullptr;
}

const TypeInfo* FindType(absl::string_view name) {
  for (const TypeInfo& info : kTypes)
    if (info.name == name) return &info;
  return nullptr;
}

const TypeInfo& InfoOf(OperandType type) {
  const TypeInfo* info = FindType(type);
  return info ? *info : kUnknownType;
}

bool IsQuantized(OperandType type) { return InfoOf(type).has_scale || type == TENSOR_QUANT8_SYMM_PER_CHANNEL; }

bool IsFloat(OperandType type) {
  const Storage s = InfoOf(type).storage;
  return s == Storage::kFloat32 || s == Storage::kFloat16;
}

CodeRange CodesOf(Storage storage) {
  switch (storage) {
    case Storage::kInt32:
      return {INT32_MIN, INT32_MAX};
    case Storage::kUint32:
      return {0, UINT32_MAX};
    case Storage::kBool8:
      return {0, 1};
    case Storage::kUint8:
      return {0, 255};
    case Storage::kInt8:
      return {-128, 127};
    case Storage::kUint16:
      return {0, 65535};
    case Storage::kInt16:
      return {-32768, 32767};
    default:
      return {0, 0};
  }
}

bool operator==(const Quantization& a, const Quantization& b) {
  if (a.scale != b.scale || a.zero_point != b.zero_point) return false;
  if (!a.per_channel || !b.per_channel) return a.per_channel == b.per_channel;
  return *a.per_channel == *b.per_channel;
}

}  // namespace assay
