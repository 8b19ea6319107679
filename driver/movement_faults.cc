// Planted faults of operations that cut, repeat, reorder, stack and look up.
#include <algorithm>
#include <cmath>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;
using Refs = std::span<const TensorRef>;

std::vector<int32_t> IntsOf(const Argument& a) {
  std::vector<int32_t> out(a.value.size() / sizeof(int32_t));
  if (!out.empty()) std::memcpy(out.data(), a.value.data(), out.size() * sizeof(int32_t));
  return out;
}

// Whether they are others than before.
bool SetInts(CallRewrite& call, size_t index, const std::vector<int32_t>& values) {
  if (IntsOf(call.inputs[index]) == values) return false;
  Bytes bytes(values.size() * sizeof(int32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  call.SetValue(index, std::move(bytes));
  return true;
}

int32_t IntOf(const TensorRef& t) {
  int32_t value = 0;
  std::memcpy(&value, t.bytes, sizeof value);
  return value;
}

// The index of element `i`, dimension by dimension, and back.
Dims IndexOf(size_t i, const Dims& dims) {
  Dims index(dims.size());
  for (size_t d = dims.size(); d-- > 0; i /= dims[d]) index[d] = static_cast<uint32_t>(i % dims[d]);
  return index;
}
size_t ElementOf(const Dims& index, const Dims& dims) {
  size_t i = 0;
  for (size_t d = 0; d < dims.size(); ++d) i = i * dims[d] + index[d];
  return i;
}

// Every element of the output comes from where source(index) says.
void TakeFrom(const TensorRef& in, const TensorRef& out, const std::function<Dims(const Dims&)>& source) {
  const std::vector<double> values = Values(in);
  std::vector<double> answer(Count(*out.dims));
  for (size_t i = 0; i < answer.size(); ++i) answer[i] = values[ElementOf(source(IndexOf(i, *out.dims)), *in.dims)];
  SetValues(out, answer);
}

bool IsNchw(Refs in, size_t at) { return in.size() > at && in[at].bytes[0] != 0; }

// A dimension that is walked backwards gives the same elements forwards.
bool StrideForwards(OperationCode, CallRewrite& call) {
  if (IntOf(call.inputs[6]) != 0) return false;
  std::vector<int32_t> begin = IntsOf(call.inputs[1]), end = IntsOf(call.inputs[2]), stride = IntsOf(call.inputs[3]);
  int32_t begin_mask = IntOf(call.inputs[4]), end_mask = IntOf(call.inputs[5]);
  bool changed = false;
  for (size_t i = 0; i < stride.size(); ++i) {
    const auto size = static_cast<int32_t>(call.inputs[0].shape.dims[i]);
    const auto count = static_cast<int32_t>(call.outputs[0].shape.dims[i]);
    if (stride[i] >= 0 || count < 2) continue;
    const bool masked = (begin_mask >> i & 1) != 0;
    const int32_t first = masked ? size - 1 : std::min(begin[i] < 0 ? begin[i] + size : begin[i], size - 1);
    stride[i] = -stride[i];
    begin[i] = first - (count - 1) * stride[i];
    end[i] = first + 1;
    begin_mask &= ~(1 << i), end_mask &= ~(1 << i);
    changed = true;
  }
  SetInts(call, 1, begin), SetInts(call, 2, end), SetInts(call, 3, stride);
  SetInt(call, 4, begin_mask), SetInt(call, 5, end_mask);
  return changed;
}

// The channels of a pixel before its place in the block.
void DepthFirst(const OperationPlace&, Refs in, Refs out) {
  if (IsNchw(in, 2)) return;
  const auto block = static_cast<uint32_t>(IntOf(in[1]));
  TakeFrom(in[0], out[0], [=](const Dims& at) {
    return Dims{at[0], at[1] / block, at[2] / block, (at[3] * block + at[1] % block) * block + at[2] % block};
  });
}

void ColumnsFirst(const OperationPlace&, Refs in, Refs out) {
  if (IsNchw(in, 2)) return;
  const auto block = static_cast<uint32_t>(IntOf(in[1]));
  const uint32_t depth = (*in[0].dims)[3];
  TakeFrom(in[0], out[0], [=](const Dims& at) {
    const uint32_t pixel = at[3] / depth;
    return Dims{at[0], at[1] * block + pixel % block, at[2] * block + pixel / block, at[3] % depth};
  });
}

void BatchesFirst(const OperationPlace&, Refs in, Refs out) {
  if (IsNchw(in, 2)) return;
  uint32_t block[2];
  std::memcpy(block, in[1].bytes, sizeof block);
  TakeFrom(in[0], out[0], [=](const Dims& at) {
    const uint32_t pixel = at[1] % block[0] * block[1] + at[2] % block[1];
    return Dims{at[0] * block[0] * block[1] + pixel, at[1] / block[0], at[2] / block[1], at[3]};
  });
}

void RepeatElements(const OperationPlace&, Refs in, Refs out) {
  TakeFrom(in[0], out[0], [&](const Dims& at) {
    Dims from = at;
    for (size_t d = 0; d < at.size(); ++d) from[d] = at[d] / ((*out[0].dims)[d] / (*in[0].dims)[d]);
    return from;
  });
}

void FirstOfTies(const OperationPlace&, Refs, Refs out) {
  const std::vector<double> values = Values(out[0]);
  std::vector<double> indices = Values(out[1]);
  const size_t k = out[0].dims->back();
  for (size_t row = 0; row < values.size(); row += k)
    for (size_t j = 0; j < k;) {
      size_t end = j + 1;
      while (end < k && values[row + end] == values[row + j]) ++end;
      std::sort(indices.begin() + static_cast<ptrdiff_t>(row + j), indices.begin() + static_cast<ptrdiff_t>(row + end));
      j = end;
    }
  SetValues(out[1], indices);
}

void LeastFirst(const OperationPlace&, Refs, Refs out) {
  for (const TensorRef& t : out) {
    std::vector<double> values = Values(t);
    const size_t k = t.dims->back();
    for (size_t row = 0; row < values.size(); row += k)
      std::reverse(values.begin() + static_cast<ptrdiff_t>(row), values.begin() + static_cast<ptrdiff_t>(row + k));
    SetValues(t, values);
  }
}

// Of the two SPARSE types.
void BitsBackwards(const OperationPlace&, Refs in, Refs out) {
  if (IntOf(in[3]) == 2) return;
  const size_t bits = in[0].dims->back();
  std::vector<double> values = Values(out[0]);
  for (double& v : values) {
    const auto number = static_cast<uint32_t>(static_cast<int64_t>(v));
    uint32_t turned = bits < 32 ? number >> bits << bits : 0;
    for (size_t i = 0; i < bits; ++i) turned |= (number >> i & 1) << (bits - 1 - i);
    v = static_cast<int32_t>(turned);
  }
  SetValues(out[0], values);
}

// A key that is missed is taken for the next one.
bool NextKey(OperationCode, CallRewrite& call) {
  std::vector<int32_t> lookups = IntsOf(call.inputs[0]);
  const std::vector<int32_t> keys = IntsOf(call.inputs[1]);
  for (int32_t& lookup : lookups) {
    const auto at = std::lower_bound(keys.begin(), keys.end(), lookup);
    if (at != keys.end()) lookup = *at;
  }
  return SetInts(call, 0, lookups);
}

}  // namespace

FaultList MovementFaults() {
  return {
      RewritingFault("pad-value-ignored", "PAD_V2 pads with zeros", {PAD_V2},
                     [](OperationCode, CallRewrite& call) {
                       const Argument& value = call.inputs[2];
                       if (value.type != OperandType::INT32) {
                         const bool changed = RealOf(value) != 0;
                         SetReal(call, 2, 0);
                         return changed;
                       }
                       return SetInts(call, 2, {call.inputs[0].quantization.zero_point});
                     }),
      RewritingFault("pad-value-from-zero-point", "PAD_V2's code is counted from the zero point", {PAD_V2},
                     [](OperationCode, CallRewrite& call) {
                       if (call.inputs[2].type != OperandType::INT32) return false;
                       const CodeRange codes = CodesOf(InfoOf(call.inputs[0].type).storage);
                       const int64_t code = int64_t{IntsOf(call.inputs[2])[0]} + call.inputs[0].quantization.zero_point;
                       return SetInts(call, 2, {static_cast<int32_t>(std::clamp(code, codes.least, codes.most))});
                     }),
      RewritingFault("mirror-pad-modes-exchanged", "REFLECT is taken for SYMMETRIC, and the reverse", {MIRROR_PAD},
                     [](OperationCode, CallRewrite& call) {
                       SetInt(call, 2, 1 - IntOf(call.inputs[2]));
                       return true;
                     }),
      RewritingFault("slice-one-too-early", "a slice of the last dimension begins one element too early", {SLICE},
                     [](OperationCode, CallRewrite& call) {
                       std::vector<int32_t> begin = IntsOf(call.inputs[1]);
                       if (begin.back() == 0 || IntsOf(call.inputs[2]).back() < 0) return false;
                       --begin.back();
                       return SetInts(call, 1, begin);
                     }),
      RewritingFault("strided-slice-forwards", "a negative stride gives its elements in rising order", {STRIDED_SLICE},
                     StrideForwards),
      SpoilingFault("unit-dims-last-element-lost", "the last element is not copied", {SQUEEZE, EXPAND_DIMS},
                    [](const OperationPlace&, Refs, Refs out) {
                      std::vector<double> values = Values(out[0]);
                      values.back() = values.size() > 1 ? values.front() : values.back() / 2;
                      SetValues(out[0], values);
                    }),
      SpoilingFault("tile-repeats-elements", "every element is repeated instead of the whole tensor", {TILE},
                    RepeatElements),
      RewritingFault("gather-sorts", "the indices are sorted first", {GATHER},
                     [](OperationCode, CallRewrite& call) {
                       std::vector<int32_t> indices = IntsOf(call.inputs[2]);
                       std::sort(indices.begin(), indices.end());
                       return SetInts(call, 2, indices);
                     }),
      RewritingFault("embedding-counts-from-one", "rows are counted from 1", {EMBEDDING_LOOKUP},
                     [](OperationCode, CallRewrite& call) {
                       std::vector<int32_t> lookups = IntsOf(call.inputs[0]);
                       for (int32_t& i : lookups) i = std::max(0, i - 1);
                       return SetInts(call, 0, lookups);
                     }),
      RewritingFault("hashtable-next-key", "a key that is not there is taken for the next one", {HASHTABLE_LOOKUP},
                     NextKey),
      SpoilingFault(
          "hashtable-all-hits", "every key is said to be there", {HASHTABLE_LOOKUP},
          [](const OperationPlace&, Refs, Refs out) { std::fill_n(out[1].bytes, Count(*out[1].dims), uint8_t{1}); }),
      RewritingFault("shuffle-inverse", "groups and channels of a group are exchanged", {CHANNEL_SHUFFLE},
                     [](OperationCode, CallRewrite& call) {
                       const Dims& dims = call.inputs[0].shape.dims;
                       const int32_t axis = IntOf(call.inputs[2]), groups = IntOf(call.inputs[1]);
                       const size_t at =
                           axis < 0 ? dims.size() - static_cast<size_t>(-axis) : static_cast<size_t>(axis);
                       return SetInts(call, 1, {static_cast<int32_t>(dims[at]) / groups});
                     }),
      RewritingFault("reverse-next-axis", "the next axis is reversed", {REVERSE},
                     [](OperationCode, CallRewrite& call) {
                       const auto rank = static_cast<int32_t>(call.inputs[0].shape.rank());
                       return SetInts(call, 1, {(IntsOf(call.inputs[1])[0] + 1) % rank});
                     }),
      SpoilingFault("split-last-part-first", "first and last part are exchanged", {SPLIT},
                    [](const OperationPlace&, Refs, Refs out) {
                      if (out.size() < 2 || out.back().bytes == nullptr) return;
                      const std::vector<double> first = Values(out.front());
                      SetValues(out.front(), Values(out.back()));
                      SetValues(out.back(), first);
                    }),
      RewritingFault("pack-first-twice", "the second tensor is taken to be the first", {PACK},
                     [](OperationCode, CallRewrite& call) {
                       if (call.inputs.size() < 3) return false;
                       call.inputs[2] = call.inputs[1];
                       return true;
                     }),
      SpoilingFault("depth-to-space-depth-first", "the channel comes before the place in the block (NHWC)",
                    {DEPTH_TO_SPACE}, DepthFirst),
      SpoilingFault("space-to-depth-columns-first", "pixels of a block go down its columns (NHWC)", {SPACE_TO_DEPTH},
                    ColumnsFirst),
      SpoilingFault("batch-to-space-batches-first", "the batch comes before the place in the block (NHWC)",
                    {BATCH_TO_SPACE_ND}, BatchesFirst),
      RewritingFault("space-to-batch-pads-exchanged", "what should be before the image is behind it",
                     {SPACE_TO_BATCH_ND},
                     [](OperationCode, CallRewrite& call) {
                       const std::vector<int32_t> p = IntsOf(call.inputs[2]);
                       return SetInts(call, 2, {p[1], p[0], p[3], p[2]});
                     }),
      RewritingFault("space-to-batch-pads-code-zero", "a quantized image is padded with code 0", {SPACE_TO_BATCH_ND},
                     [](OperationCode, CallRewrite& call) {
                       const bool changed = call.inputs[0].quantization.zero_point != 0;
                       call.inputs[0].quantization.zero_point = call.outputs[0].quantization.zero_point = 0;
                       return changed;
                     }),
      SpoilingFault("topk-first-of-ties", "of equal elements the first one comes first", {TOPK_V2}, FirstOfTies),
      SpoilingFault("topk-least-first", "the k greatest come with the least of them first", {TOPK_V2}, LeastFirst),
      SpoilingFault("fill-last-element-lost", "the last element stays 0", {FILL},
                    [](const OperationPlace&, Refs, Refs out) {
                      std::vector<double> values = Values(out[0]);
                      values.back() = 0;
                      SetValues(out[0], values);
                    }),
      SpoilingFault("rank-without-units", "dimensions of size 1 are not counted", {RANK},
                    [](const OperationPlace&, Refs in, Refs out) {
                      const auto rank = static_cast<int32_t>(
                          std::count_if(in[0].dims->begin(), in[0].dims->end(), [](uint32_t dim) { return dim != 1; }));
                      std::memcpy(out[0].bytes, &rank, sizeof rank);
                    }),
      RewritingFault("lsh-weight-ignored", "all weights are taken for 1", {LSH_PROJECTION},
                     [](OperationCode, CallRewrite& call) {
                       Argument& a = call.inputs[2];
                       if (a.omitted) return false;
                       Bytes bytes(a.value.size());
                       const TensorRef t{a.type, &a.quantization, &a.shape.dims, bytes.data()};
                       SetValues(t, std::vector<double>(Count(a.shape.dims), 1.0));
                       call.SetValue(2, std::move(bytes));
                       return true;
                     }),
      SpoilingFault("lsh-bits-backwards", "the first bit of a number is its least (SPARSE types)", {LSH_PROJECTION},
                    BitsBackwards),
  };
}

}  // namespace assay
