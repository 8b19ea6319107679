// Planted faults of arithmetic, activations, quantization, softmax, fully connected and recurrent operations.
#include <algorithm>
#include <cmath>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;
const std::vector<OperationCode> kFused = {
    ADD, MUL, CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, MAX_POOL_2D, FULLY_CONNECTED};

// The operand of the fused activation: the last INT32 scalar, for a layout and dilations come after it.
size_t ActivationOf(OperationCode code, const CallRewrite& call) {
  const auto& in = call.inputs;
  if (code == ADD || code == MUL) return 2;
  if (code == FULLY_CONNECTED) return 3;
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i].type == OperandType::BOOL) return i - 1;
  return in.size() - 1;
}

// Replaces one activation by another.
Change Activating(int32_t from, int32_t to) {
  return [=](OperationCode code, CallRewrite& call) {
    const size_t at = ActivationOf(code, call);
    if (IntOf(call.inputs[at]) != from) return false;
    SetInt(call, at, to);
    return true;
  };
}

// A constant or input with its elements changed by change(index, value); false if nothing changed.
bool ChangeInput(CallRewrite& call, size_t index, const std::function<double(size_t, double)>& change) {
  Argument& a = call.inputs[index];
  Bytes bytes(a.value.begin(), a.value.end());
  const TensorRef t{a.type, &a.quantization, &a.shape.dims, bytes.data()};
  const std::vector<double> before = Values(t);
  std::vector<double> after(before.size());
  for (size_t i = 0; i < before.size(); ++i) after[i] = change(i, before[i]);
  if (after == before) return false;
  SetValues(t, after);
  call.SetValue(index, std::move(bytes));
  return true;
}

bool IsQuantized8(const TensorRef& t) { return IsQuantized(t.type) && ElementSize(t.type) == 1; }

void IgnoreZeroPoint(const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
  if (!IsQuantized8(out[0])) return;
  for (size_t i = 0; i < Count(*out[0].dims); ++i)
    SetCode(out[0], i, Code(out[0], i) - out[0].quantization->zero_point);
}

// A code at the end of its range stands, most often, for a number past it.
void Wrap(const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
  if (!IsQuantized8(out[0])) return;
  const CodeRange range = CodesOf(InfoOf(out[0].type).storage);
  for (size_t i = 0; i < Count(*out[0].dims); ++i)
    if (Code(out[0], i) == range.most) SetCode(out[0], i, range.least);
}

// Softmax and the like along `axis` of each lane, given real values of the input.
void SoftmaxAlongLast(std::span<const TensorRef> in, const TensorRef& out, double beta) {
  const std::vector<double> x = Values(in[0]);
  const size_t depth = out.dims->back();
  std::vector<double> y(x.size());
  for (size_t first = 0; first < x.size(); first += depth) {
    double most = x[first], sum = 0;
    for (size_t i = 0; i < depth; ++i) most = std::max(most, x[first + i]);
    for (size_t i = 0; i < depth; ++i) sum += y[first + i] = std::exp(beta * (x[first + i] - most));
    for (size_t i = 0; i < depth; ++i) y[first + i] /= sum;
  }
  SetValues(out, y);
}

}  // namespace

FaultList ElementFaults() {
  return {
      RewritingFault("relu-dropped", "a fused RELU is not applied", kFused, Activating(1, 0)),
      RewritingFault("relu1-dropped", "a fused RELU1 is not applied", kFused, Activating(2, 0)),
      RewritingFault("relu1-without-lower-bound",
                     "a fused RELU1 clamps to [-6, 6] instead: on the wrong side of its bounds it lets all pass",
                     kFused, Activating(2, 3)),
      RewritingFault("relu6-as-relu1", "a fused RELU6 clamps as RELU1", kFused, Activating(3, 2)),
      SpoilingFault("output-zero-point-ignored", "the zero point of the output is taken for 0",
                    {ADD, MUL, CONV_2D, FULLY_CONNECTED, QUANTIZE}, IgnoreZeroPoint),
      SpoilingFault("saturation-wraps", "codes past the greatest wrap around",
                    {ADD, MUL, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, QUANTIZE}, Wrap),
      RewritingFault("second-zero-point-ignored", "the zero point of the second input is taken for 0", {ADD, MUL},
                     [](OperationCode, CallRewrite& call) {
                       const int32_t was = call.inputs[1].quantization.zero_point;
                       call.inputs[1].quantization.zero_point = 0;
                       return was != 0;
                     }),
      RewritingFault("second-scale-ignored", "the second input is read with the scale of the first", {ADD, MUL},
                     [](OperationCode, CallRewrite& call) {
                       const bool differ = call.inputs[0].quantization.scale != call.inputs[1].quantization.scale;
                       call.inputs[1].quantization.scale = call.inputs[0].quantization.scale;
                       return differ;
                     }),
      RewritingFault("broadcast-repeats-first-element",
                     "an operand that is broadcast gives its first element everywhere", {ADD, MUL},
                     [](OperationCode, CallRewrite& call) {
                       if (call.inputs[0].shape == call.inputs[1].shape || call.inputs[1].shape.dims.empty())
                         return false;
                       double first = 0;
                       return ChangeInput(call, 1, [&](size_t i, double v) { return i == 0 ? first = v : first; });
                     }),
      SpoilingFault("long-rows-cut-off",
                    "in rows of 17 elements and more the 17th and later are not computed: only for a large dimension",
                    {ADD, MUL, RELU, LOGISTIC, TANH},
                    [](const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
                      const size_t row = out[0].dims->back();
                      if (row < 17) return;
                      std::vector<double> values = Values(out[0]);
                      for (size_t i = 0; i < values.size(); ++i)
                        if (i % row >= 16) values[i] = values[i - i % row];
                      SetValues(out[0], values);
                    }),
      SpoilingFault("int32-product-in-float", "a product of integers is rounded to 8 bits", {MUL},
                    [](const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
                      if (out[0].type != OperandType::TENSOR_INT32) return;
                      std::vector<double> values = Values(out[0]);
                      for (double& v : values) {
                        int exponent = 0;
                        const double mantissa = std::frexp(v, &exponent);
                        v = std::ldexp(std::round(mantissa * 256), exponent - 8);
                      }
                      SetValues(out[0], values);
                    }),
      RewritingFault(
          "weights-tail-dropped", "columns past the last multiple of 4 are left out of a product", {FULLY_CONNECTED},
          [](OperationCode, CallRewrite& call) {
            const size_t columns = call.inputs[1].shape.dims[1];
            return ChangeInput(
                call, 1, [=](size_t i, double v) { return i % columns >= columns / 4 * 4 && columns > 4 ? 0 : v; });
          }),
      RewritingFault(
          "fully-connected-bias-dropped", "there is no bias", {FULLY_CONNECTED},
          [](OperationCode, CallRewrite& call) { return ChangeInput(call, 2, [](size_t, double) { return 0.0; }); }),
      RewritingFault("beta-ignored", "beta is taken for 1", {SOFTMAX},
                     [](OperationCode, CallRewrite& call) {
                       const bool differs = RealOf(call.inputs[1]) != 1;
                       SetReal(call, 1, 1);
                       return differs;
                     }),
      SpoilingFault("softmax-axis-ignored", "softmax always goes along the last axis", {SOFTMAX},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      if (in.size() < 3) return;
                      int32_t axis = -1;
                      std::memcpy(&axis, in[2].bytes, sizeof axis);
                      const auto rank = static_cast<int32_t>(out[0].dims->size());
                      const double beta = Values(in[1]).front();
                      if (axis != -1 && axis != rank - 1) SoftmaxAlongLast(in, out[0], beta);
                    }),
      RewritingFault("softmax-negative-axis", "a negative axis counts from one place too far", {SOFTMAX},
                     [](OperationCode, CallRewrite& call) {
                       if (call.inputs.size() < 3) return false;
                       const int32_t axis = IntOf(call.inputs[2]),
                                     rank = static_cast<int32_t>(call.inputs[0].shape.rank());
                       if (axis >= 0) return false;
                       SetInt(call, 2, (axis + rank + 1) % rank);
                       return true;
                     }),
      SpoilingFault("tanh-as-clamp", "tanh is approximated by clamping to [-1, 1]", {TANH},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      std::vector<double> values = Values(in[0]);
                      for (double& v : values) v = std::clamp(v, -1.0, 1.0);
                      SetValues(out[0], values);
                    }),
      SpoilingFault("logistic-as-line", "the logistic function is approximated by 0.5 + x / 4, clamped", {LOGISTIC},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      std::vector<double> values = Values(in[0]);
                      for (double& v : values) v = std::clamp(0.5 + v / 4, 0.0, 1.0);
                      SetValues(out[0], values);
                    }),
      SpoilingFault("relu-leaks", "RELU lets a hundredth of negative numbers pass", {RELU},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      std::vector<double> values = Values(in[0]);
                      for (double& v : values) v = v < 0 ? v / 100 : v;
                      SetValues(out[0], values);
                    }),
      RewritingFault("lstm-cell-clip-ignored", "the cell state is not clipped", {LSTM},
                     [](OperationCode, CallRewrite& call) {
                       const bool clipped = RealOf(call.inputs[21]) > 0;
                       SetReal(call, 21, 0);
                       return clipped;
                     }),
      RewritingFault("lstm-peepholes-ignored", "peephole weights are taken for 0", {LSTM},
                     [](OperationCode, CallRewrite& call) {
                       bool changed = false;
                       for (size_t i : {9, 10, 11})
                         if (!call.inputs[i].omitted)
                           changed |= ChangeInput(call, i, [](size_t, double) { return 0.0; });
                       return changed;
                     }),
      RewritingFault("lstm-gates-exchanged", "forget and output gate read each other's bias", {LSTM},
                     [](OperationCode, CallRewrite& call) {
                       std::swap(call.inputs[13], call.inputs[15]);
                       return true;
                     }),
  };
}

}  // namespace assay
