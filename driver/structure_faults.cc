// Planted faults of operations that move, convert or compare.
#include <algorithm>
#include <cmath>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;

// Calls visit(first, stride, count) for each lane of `dims` along `axis`.
void ForEachLane(const Dims& dims, size_t axis, const std::function<void(size_t, size_t, size_t)>& visit) {
  size_t inner = 1, outer = 1;
  for (size_t i = axis + 1; i < dims.size(); ++i) inner *= dims[i];
  for (size_t i = 0; i < axis; ++i) outer *= dims[i];
  for (size_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < inner; ++i) visit(o * dims[axis] * inner + i, inner, dims[axis]);
}

void LastOfTies(const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
  const std::vector<double> values = Values(in[0]);
  int32_t axis = 0;
  std::memcpy(&axis, in[1].bytes, sizeof axis);
  const size_t a = static_cast<size_t>(axis < 0 ? axis + static_cast<int32_t>(in[0].dims->size()) : axis);
  std::vector<double> answer = Values(out[0]);
  size_t lane = 0;
  ForEachLane(*in[0].dims, a, [&](size_t first, size_t stride, size_t count) {
    size_t best = 0;
    for (size_t k = 1; k < count; ++k)
      if (values[first + k * stride] >= values[first + best * stride]) best = k;
    answer[lane++] = static_cast<double>(best);
  });
  SetValues(out[0], answer);
}

std::vector<int32_t> Permutation(const Argument& a) {
  std::vector<int32_t> out(a.value.size() / sizeof(int32_t));
  if (!out.empty()) std::memcpy(out.data(), a.value.data(), a.value.size());
  return out;
}

bool InvertPermutation(OperationCode, CallRewrite& call) {
  const std::vector<int32_t> p = Permutation(call.inputs[1]);
  std::vector<int32_t> inverse(p.size());
  for (size_t i = 0; i < p.size(); ++i) inverse[static_cast<size_t>(p[i])] = static_cast<int32_t>(i);
  Bytes bytes(p.size() * sizeof(int32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), inverse.data(), bytes.size());
  call.SetValue(1, std::move(bytes));
  return inverse != p;
}

}  // namespace

FaultList StructureFaults() {
  return {
      RewritingFault("concatenation-keeps-codes",
                     "inputs with another scale or zero point than the output are copied as they are", {CONCATENATION},
                     [](OperationCode, CallRewrite& call) {
                       bool changed = false;
                       for (size_t i = 0; i + 1 < call.inputs.size(); ++i) {
                         changed |= !(call.inputs[i].quantization == call.outputs[0].quantization);
                         call.inputs[i].quantization = call.outputs[0].quantization;
                       }
                       return changed;
                     }),
      RewritingFault("concatenation-first-twice", "the second input is taken to be the first where both are alike",
                     {CONCATENATION},
                     [](OperationCode, CallRewrite& call) {
                       if (call.inputs.size() < 3 || !(call.inputs[0].shape == call.inputs[1].shape)) return false;
                       call.inputs[1] = call.inputs[0];
                       return true;
                     }),
      RewritingFault("transpose-inverse", "the inverse permutation is applied", {TRANSPOSE}, InvertPermutation),
      RewritingFault("pad-with-code-zero", "a quantized tensor is padded with code 0 instead of its zero point", {PAD},
                     [](OperationCode, CallRewrite& call) {
                       const bool changed = call.inputs[0].quantization.zero_point != 0;
                       call.inputs[0].quantization.zero_point = call.outputs[0].quantization.zero_point = 0;
                       return changed;
                     }),
      SpoilingFault("pad-only-behind", "what should be before a dimension is put behind it as well", {PAD},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      const std::vector<double> values = Values(in[0]);
                      std::vector<double> padded(Count(*out[0].dims), 0.0);
                      Dims at(in[0].dims->size(), 0);
                      for (double v : values) {
                        size_t to = 0;
                        for (size_t d = 0; d < at.size(); ++d) to = to * (*out[0].dims)[d] + at[d];
                        padded[to] = v;
                        for (size_t d = at.size(); d-- > 0 && ++at[d] == (*in[0].dims)[d];) at[d] = 0;
                      }
                      SetValues(out[0], padded);
                    }),
      SpoilingFault("reshape-reverses", "elements come out in the reverse order", {RESHAPE},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      std::vector<double> values = Values(in[0]);
                      std::reverse(values.begin(), values.end());
                      SetValues(out[0], values);
                    }),
      SpoilingFault("argmax-last-of-ties", "of equal elements the last one is taken", {ARGMAX}, LastOfTies),
      SpoilingFault("argmax-counts-from-one", "the index is one too large", {ARGMAX},
                    [](const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
                      std::vector<double> values = Values(out[0]);
                      for (double& v : values) v += 1;
                      SetValues(out[0], values);
                    }),
      RewritingFault("comparison-of-codes", "quantized tensors are compared by their codes",
                     {LESS, EQUAL, GREATER, GREATER_EQUAL, LESS_EQUAL, NOT_EQUAL},
                     [](OperationCode, CallRewrite& call) {
                       const bool differ = !(call.inputs[0].quantization == call.inputs[1].quantization);
                       call.inputs[1].quantization = call.inputs[0].quantization;
                       return differ;
                     }),
      RewritingFault("less-exchanged", "the operands of LESS are exchanged", {LESS},
                     [](OperationCode, CallRewrite& call) {
                       std::swap(call.inputs[0], call.inputs[1]);
                       return true;
                     }),
      SpoilingFault("cast-rounds", "numbers are rounded to integers instead of truncated", {CAST},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      if (!IsFloat(in[0].type) || IsFloat(out[0].type)) return;
                      const std::vector<double> values = Values(in[0]);
                      for (size_t i = 0; i < values.size(); ++i)
                        SetCode(out[0], i, static_cast<int64_t>(std::round(values[i])));
                    }),
      RewritingFault("dequantize-zero-point-ignored", "the zero point of the input is taken for 0", {DEQUANTIZE},
                     [](OperationCode, CallRewrite& call) {
                       const bool changed = call.inputs[0].quantization.zero_point != 0;
                       call.inputs[0].quantization.zero_point = 0;
                       return changed;
                     }),
  };
}

}  // namespace assay
