// Each operation is a constant in its family's file; a missing one is a link error, and nothing runs before main.
#include "ops/registry.h"

#include "absl/strings/string_view.h"

namespace assay {

extern const OperationInfo kAbs;
extern const OperationInfo kAdd;
extern const OperationInfo kArgmax;
extern const OperationInfo kArgmin;
extern const OperationInfo kAveragePool2d;
extern const OperationInfo kBatchToSpaceNd;
extern const OperationInfo kCast;
extern const OperationInfo kChannelShuffle;
extern const OperationInfo kConcatenation;
extern const OperationInfo kConv2d;
extern const OperationInfo kDepthToSpace;
extern const OperationInfo kDepthwiseConv2d;
extern const OperationInfo kDequantize;
extern const OperationInfo kElu;
extern const OperationInfo kEmbeddingLookup;
extern const OperationInfo kEqual;
extern const OperationInfo kExp;
extern const OperationInfo kExpandDims;
extern const OperationInfo kFill;
extern const OperationInfo kFloor;
extern const OperationInfo kFullyConnected;
extern const OperationInfo kGather;
extern const OperationInfo kGreater;
extern const OperationInfo kGreaterEqual;
extern const OperationInfo kHardSwish;
extern const OperationInfo kHashtableLookup;
extern const OperationInfo kIf;
extern const OperationInfo kLess;
extern const OperationInfo kLessEqual;
extern const OperationInfo kLog;
extern const OperationInfo kLogicalAnd;
extern const OperationInfo kLogicalNot;
extern const OperationInfo kLogicalOr;
extern const OperationInfo kLogistic;
extern const OperationInfo kLshProjection;
extern const OperationInfo kLstm;
extern const OperationInfo kMaxPool2d;
extern const OperationInfo kMirrorPad;
extern const OperationInfo kMul;
extern const OperationInfo kNeg;
extern const OperationInfo kNotEqual;
extern const OperationInfo kPack;
extern const OperationInfo kPad;
extern const OperationInfo kPadV2;
extern const OperationInfo kQuantize;
extern const OperationInfo kRank;
extern const OperationInfo kRelu;
extern const OperationInfo kRelu1;
extern const OperationInfo kRelu6;
extern const OperationInfo kReshape;
extern const OperationInfo kResizeBilinear;
extern const OperationInfo kResizeNearestNeighbor;
extern const OperationInfo kReverse;
extern const OperationInfo kRsqrt;
extern const OperationInfo kSelect;
extern const OperationInfo kSin;
extern const OperationInfo kSlice;
extern const OperationInfo kSoftmax;
extern const OperationInfo kSpaceToBatchNd;
extern const OperationInfo kSpaceToDepth;
extern const OperationInfo kSplit;
extern const OperationInfo kSqrt;
extern const OperationInfo kSqueeze;
extern const OperationInfo kStridedSlice;
extern const OperationInfo kTanh;
extern const OperationInfo kTile;
extern const OperationInfo kTopkV2;
extern const OperationInfo kTranspose;
extern const OperationInfo kWhile;

namespace {

// With their codes.
constinit const OperationInfo* const kAll[] = {
    /* 0 */ &kAdd,
    /* 1 */ &kAveragePool2d,
    /* 2 */ &kConcatenation,
    /* 3 */ &kConv2d,
    /* 4 */ &kDepthwiseConv2d,
    /* 5 */ &kDepthToSpace,
    /* 6 */ &kDequantize,
    /* 7 */ &kEmbeddingLookup,
    /* 8 */ &kFloor,
    /* 9 */ &kFullyConnected,
    /* 10 */ &kHashtableLookup,
    /* 14 */ &kLogistic,
    /* 15 */ &kLshProjection,
    /* 16 */ &kLstm,
    /* 17 */ &kMaxPool2d,
    /* 18 */ &kMul,
    /* 19 */ &kRelu,
    /* 20 */ &kRelu1,
    /* 21 */ &kRelu6,
    /* 22 */ &kReshape,
    /* 23 */ &kResizeBilinear,
    /* 25 */ &kSoftmax,
    /* 26 */ &kSpaceToDepth,
    /* 28 */ &kTanh,
    /* 29 */ &kBatchToSpaceNd,
    /* 32 */ &kPad,
    /* 33 */ &kSpaceToBatchNd,
    /* 34 */ &kSqueeze,
    /* 35 */ &kStridedSlice,
    /* 37 */ &kTranspose,
    /* 38 */ &kAbs,
    /* 39 */ &kArgmax,
    /* 40 */ &kArgmin,
    /* 45 */ &kCast,
    /* 46 */ &kChannelShuffle,
    /* 48 */ &kEqual,
    /* 49 */ &kExp,
    /* 50 */ &kExpandDims,
    /* 51 */ &kGather,
    /* 53 */ &kGreater,
    /* 54 */ &kGreaterEqual,
    /* 58 */ &kLess,
    /* 59 */ &kLessEqual,
    /* 60 */ &kLog,
    /* 61 */ &kLogicalAnd,
    /* 62 */ &kLogicalNot,
    /* 63 */ &kLogicalOr,
    /* 67 */ &kNeg,
    /* 68 */ &kNotEqual,
    /* 69 */ &kPadV2,
    /* 72 */ &kQuantize,
    /* 83 */ &kRsqrt,
    /* 84 */ &kSelect,
    /* 85 */ &kSin,
    /* 86 */ &kSlice,
    /* 87 */ &kSplit,
    /* 88 */ &kSqrt,
    /* 89 */ &kTile,
    /* 90 */ &kTopkV2,
    /* 94 */ &kResizeNearestNeighbor,
    /* 96 */ &kIf,
    /* 97 */ &kWhile,
    /* 98 */ &kElu,
    /* 99 */ &kHardSwish,
    /* 100 */ &kFill,
    /* 101 */ &kRank,
    /* 103 */ &kPack,
    /* 104 */ &kMirrorPad,
    /* 105 */ &kReverse,
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
