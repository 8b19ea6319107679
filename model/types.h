// The vocabulary of NNAPI: operand types, quantization, feature levels. No operation is known here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {

// NNAPI operand type codes. Extension types have a nonzero prefix in the high 16 bits: see IsExtension.
enum class OperandType : uint32_t {
  FLOAT32 = 0,
  INT32 = 1,
  UINT32 = 2,
  TENSOR_FLOAT32 = 3,
  TENSOR_INT32 = 4,
  TENSOR_QUANT8_ASYMM = 5,
  BOOL = 6,
  TENSOR_QUANT16_SYMM = 7,
  TENSOR_FLOAT16 = 8,
  TENSOR_BOOL8 = 9,
  FLOAT16 = 10,
  TENSOR_QUANT8_SYMM_PER_CHANNEL = 11,
  TENSOR_QUANT16_ASYMM = 12,
  TENSOR_QUANT8_SYMM = 13,
  TENSOR_QUANT8_ASYMM_SIGNED = 14,
  SUBGRAPH = 15,
  OEM_SCALAR = 10000,
  TENSOR_OEM_BYTE = 10001,
};

// How the elements of a type are stored. One storage kind may serve several operand types.
enum class Storage : uint8_t { kNone, kFloat32, kFloat16, kInt32, kUint32, kBool8, kUint8, kInt8, kUint16, kInt16 };

// Feature levels 1 = HAL 1.0 / API 27, 2 = HAL 1.1, 3 = HAL 1.2, 4 = HAL 1.3, 5..8 = AIDL v1..v4.
using FeatureLevel = int;
inline constexpr FeatureLevel kLowestFeatureLevel = 1;
inline constexpr FeatureLevel kHighestFeatureLevel = 8;

// Facts of one operand type (NNAPI model rules, section 1).
struct TypeInfo {
  OperandType type;
  absl::string_view name;  // as NNAPI spells it
  Storage storage;
  uint8_t element_size;  // bytes; 0 for SUBGRAPH and OEM_SCALAR
  bool is_scalar;
  bool has_scale;  // scale > 0 is required
  int32_t least_zero_point, most_zero_point;
  FeatureLevel since;
};

// All operand types, in the order of their codes.
std::span<const TypeInfo> AllTypes();
// The facts of `type`; null for extension types and codes that NNAPI does not define.
const TypeInfo* FindType(OperandType type);
// By NNAPI name; null if there is none.
const TypeInfo* FindType(absl::string_view name);
// Never null: unknown codes give a row named "UNKNOWN" of element size 0.
const TypeInfo& InfoOf(OperandType type);

inline absl::string_view NameOf(OperandType type) { return InfoOf(type).name; }
inline bool IsScalar(OperandType type) { return InfoOf(type).is_scalar; }
inline bool IsExtension(OperandType type) { return (static_cast<uint32_t>(type) >> 16) != 0; }
// True for the types whose codes stand for scale * (code - zero point), per-channel ones included.
bool IsQuantized(OperandType type);
// TENSOR_FLOAT32, TENSOR_FLOAT16 and the scalars FLOAT32, FLOAT16.
bool IsFloat(OperandType type);
inline size_t ElementSize(OperandType type) { return InfoOf(type).element_size; }
// Least and greatest code of an integer storage kind; {0, 0} for the floats.
struct CodeRange {
  int64_t least, most;
};
CodeRange CodesOf(Storage storage);

// Scales of TENSOR_QUANT8_SYMM_PER_CHANNEL: code q in channel c stands for scales[c] * q.
struct PerChannel {
  uint32_t channel_dim = 0;
  std::vector<float> scales;
  friend bool operator==(const PerChannel&, const PerChannel&) = default;
};

// What a code stands for: scale * (code - zero_point), or the per-channel form. Floats and bools have scale 0.
struct Quantization {
  float scale = 0;
  int32_t zero_point = 0;
  std::shared_ptr<const PerChannel> per_channel;  // shared: copied with every operand
  friend bool operator==(const Quantization& a, const Quantization& b);
};

using Bytes = std::vector<uint8_t>;
using SharedBytes = std::shared_ptr<const Bytes>;

}  // namespace assay
