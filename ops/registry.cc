// Each operation is a constant in its family's file; a missing one is a link error, and nothing runs before main.
#include "ops/registry.h"

#include "absl/strings/string_view.h"

namespace assay {

extern const OperationInfo kAdd;
extern const OperationInfo kArgmax;
extern const OperationInfo kArgmin;
extern const OperationInfo kAveragePool2d;
extern const OperationInfo kCast;
extern const OperationInfo kConcatenation;
extern const OperationInfo kConv2d;
extern const OperationInfo kDepthwiseConv2d;
extern const OperationInfo kDequantize;
extern const OperationInfo kEqual;
extern const OperationInfo kFullyConnected;
extern const OperationInfo kGreater;
extern const OperationInfo kGreaterEqual;
extern const OperationInfo kIf;
extern const OperationInfo kLess;
extern const OperationInfo kLessEqual;
extern const OperationInfo kLogicalAnd;
extern const OperationInfo kLogicalNot;
extern const OperationInfo kLogicalOr;
extern const OperationInfo kLogistic;
extern const OperationInfo kLstm;
extern const OperationInfo kMaxPool2d;
extern const OperationInfo kMul;
extern const OperationInfo kNotEqual;
extern const OperationInfo kPad;
extern const OperationInfo kQuantize;
extern const OperationInfo kRelu;
extern const OperationInfo kReshape;
extern const OperationInfo kResizeBilinear;
extern const OperationInfo kResizeNearestNeighbor;
extern const OperationInfo kSelect;
extern const OperationInfo kSoftmax;
extern const OperationInfo kTanh;
extern const OperationInfo kTranspose;
extern const OperationInfo kWhile;

namespace {

// With their codes.
constinit const OperationInfo* const kAll[] = {
    &kAdd,                    // 0
    &kAveragePool2d,          // 1
    &kConcatenation,          // 2
    &kConv2d,                 // 3
    &kDepthwiseConv2d,        // 4
    &kDequantize,             // 6
    &kFullyConnected,         // 9
    &kLogistic,               // 14
    &kLstm,                   // 16
    &kMaxPool2d,              // 17
    &kMul,                    // 18
    &kRelu,                   // 19
    &kReshape,                // 22
    &kResizeBilinear,         // 23
    &kSoftmax,                // 25
    &kTanh,                   // 28
    &kPad,                    // 32
    &kTranspose,              // 37
    &kArgmax,                 // 39
    &kArgmin,                 // 40
    &kCast,                   // 45
    &kEqual,                  // 48
    &kGreater,                // 53
    &kGreaterEqual,           // 54
    &kLess,                   // 58
    &kLessEqual,              // 59
    &kLogicalAnd,             // 61
    &kLogicalNot,             // 62
    &kLogicalOr,              // 63
    &kNotEqual,               // 68
    &kQuantize,               // 72
    &kSelect,                 // 84
    &kResizeNearestNeighbor,  // 94
    &kIf,                     // 96
    &kWhile,                  // 97
};

// FNV-1a, 64 bits.
class Hash {
 public:
  void Add(absl::string_view text) {
    for (char c : text) Byte(static_cast<uint8_t>(c));
    Byte(0);
  }
  void Add(const TypeList& list) {
    for (size_t i = 0; i < list.count; ++i) Number(static_cast<uint32_t>(list.types[i]));
    Byte(0);
  }
  void Number(uint32_t n) {
    for (int shift = 0; shift < 32; shift += 8) Byte(static_cast<uint8_t>(n >> shift));
  }
  uint64_t value() const { return value_; }

 private:
  void Byte(uint8_t b) { value_ = (value_ ^ b) * 0x100000001b3u; }
  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace

std::span<const OperationInfo* const> AllOperations() { return kAll; }

const OperationInfo* FindOperationInfo(OperationCode code) {
  for (const OperationInfo* info : kAll)
    if (info->code == code) return info;
  return nullptr;
}

uint64_t RegistryHash() {
  Hash hash;
  for (const OperationInfo* info : kAll) {
    hash.Add(info->name);
    hash.Add(info->signature());
    for (const TypeRow& row : info->rows) {
      hash.Number(static_cast<uint32_t>(row.since));
      hash.Add(row.inputs);
      hash.Add(row.outputs);
    }
    for (const Rule& rule : info->rules) hash.Add(rule.id);
  }
  return hash.value();
}

}  // namespace assay
