// Legal combinations of operand types, and the kinds of scalars an operation may say it takes.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "absl/strings/string_view.h"
#include "model/types.h"

namespace assay {

// In a row: any operand type (IF and WHILE hand everything through).
inline constexpr OperandType kAnyType{0xFFFE};

// Up to 8 types in the order in which the walk names the tensors; the last one stands for all that follow.
struct TypeList {
  std::array<OperandType, 8> types{};
  uint8_t count = 0;
  constexpr TypeList(std::initializer_list<OperandType> list) {
    for (OperandType t : list) types[count++] = t;
  }
  constexpr OperandType at(size_t slot) const { return types[slot < count ? slot : count - 1u]; }
};

// One legal combination: tensors that the walk names with Tensor/OptionalTensor/Tensors, and the outputs; since which
// feature level. (Scalars and IntValues have fixed types and are not named in rows.)
struct TypeRow {
  FeatureLevel since;
  TypeList inputs, outputs;
};

// A kind of scalar: what is legal, and what the generator likes ([likely_least, likely_most], the first is simplest).
struct Kind {
  double least, most;
  int32_t likely_least, likely_most;
  absl::string_view says;
};
inline constexpr Kind kPositive{1, INT32_MAX, 1, 3, "at least 1"};
inline constexpr Kind kNonNegative{0, INT32_MAX, 0, 2, "at least 0"};
inline constexpr Kind kAnyInt{INT32_MIN, INT32_MAX, -1, 1, "any integer"};
inline constexpr Kind kActivationCode{0, 3, 0, 3, "0 NONE, 1 RELU, 2 RELU1 or 3 RELU6"};
inline constexpr Kind kPaddingScheme{1, 2, 1, 2, "1 SAME or 2 VALID"};
inline constexpr Kind kAnyReal{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), -1, 1,
                               "any finite number"};
inline constexpr Kind kNonNegativeReal{0, std::numeric_limits<double>::max(), 0, 2, "at least 0"};
inline constexpr Kind kPositiveReal{std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(), 1, 2,
                                    "above 0"};

// The type of a real scalar: FLOAT16 where the first tensor of the row is TENSOR_FLOAT16, else FLOAT32 (the usual
// NNAPI rule), or always FLOAT32.
enum class RealType : uint8_t { kOfRow, kFloat32 };

}  // namespace assay
