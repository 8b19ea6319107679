// Planted faults of convolutions and pools.
#include <algorithm>

#include "driver/fault_table.h"
#include "driver/window_operands.h"

namespace assay {
namespace {

using enum OperationCode;
const std::vector<OperationCode> kWindows = {CONV_2D, DEPTHWISE_CONV_2D, AVERAGE_POOL_2D, MAX_POOL_2D};
const std::vector<OperationCode> kConvolutions = {CONV_2D, DEPTHWISE_CONV_2D};

WindowOperands PlacesOf(OperationCode code, const CallRewrite& call) {
  return WindowOperandsOf(code, call.inputs.size(), [&](size_t i) { return call.inputs[i].type; });
}

bool IsNchw(const WindowOperands& p, const CallRewrite& call) {
  return p.layout != 0 && !call.inputs[p.layout].value.empty() && call.inputs[p.layout].value[0] != 0;
}

bool Swap(CallRewrite& call, size_t a, size_t b) {
  const int32_t x = IntOf(call.inputs[a]), y = IntOf(call.inputs[b]);
  SetInt(call, a, y), SetInt(call, b, x);
  return x != y;
}

// Says the call again with explicit padding: the odd element of SAME at the head instead of the tail.
bool OddElementFirst(OperationCode code, CallRewrite& call) {
  const WindowOperands p = PlacesOf(code, call);
  if (p.scheme == 0 || IntOf(call.inputs[p.scheme]) != 1) return false;
  const Dims& image = call.inputs[0].shape.dims;
  const bool nchw = IsNchw(p, call);
  const int64_t height = image[nchw ? 2 : 1], width = image[nchw ? 3 : 2];
  const auto number = [&](size_t at) { return static_cast<int64_t>(IntOf(call.inputs[at])); };
  const int64_t filter_height = p.filter ? number(p.filter + 1) : call.inputs[1].shape.dims[1];
  const int64_t filter_width = p.filter ? number(p.filter) : call.inputs[1].shape.dims[2];
  const SamePads x = SamePadsOf(width, filter_width, number(p.strides), p.dilations ? number(p.dilations) : 1);
  const SamePads y =
      SamePadsOf(height, filter_height, number(p.strides + 1), p.dilations ? number(p.dilations + 1) : 1);
  const Argument scalar = call.inputs[p.scheme];
  call.inputs.erase(call.inputs.begin() + static_cast<ptrdiff_t>(p.scheme));
  call.inputs.insert(call.inputs.begin() + static_cast<ptrdiff_t>(p.scheme), 4, scalar);
  SetInt(call, p.scheme, x.tail), SetInt(call, p.scheme + 1, x.head);
  SetInt(call, p.scheme + 2, y.tail), SetInt(call, p.scheme + 3, y.head);
  return x.head != x.tail || y.head != y.tail;
}

// NHWC bytes where NCHW ones should be.
void WriteNhwc(const TensorRef& t) {
  const Dims d = *t.dims;
  const std::vector<double> values = Values(t);
  std::vector<double> moved(values.size());
  size_t i = 0;
  for (size_t n = 0; n < d[0]; ++n)
    for (size_t y = 0; y < d[2]; ++y)
      for (size_t x = 0; x < d[3]; ++x)
        for (size_t c = 0; c < d[1]; ++c) moved[i++] = values[((n * d[1] + c) * d[2] + y) * d[3] + x];
  SetValues(t, moved);
}

// How many taps of each window lie inside of the image, and how many there are: from the operands of a pool.
struct Taps {
  std::vector<size_t> inside;  // for each row and column of the output
  size_t columns, all;
};
Taps TapsOf(std::span<const TensorRef> in, const TensorRef& out, OperationCode code) {
  CallRewrite call;
  for (const TensorRef& t : in) {
    Argument& a = call.inputs.emplace_back();
    a.type = t.type, a.shape = Shape::Of(*t.dims), a.value_known = true;
    a.value = {t.bytes, ElementSize(t.type)};
  }
  const WindowOperands p = PlacesOf(code, call);
  const bool nchw = IsNchw(p, call);
  const auto number = [&](size_t at) { return static_cast<int64_t>(IntOf(call.inputs[at])); };
  const auto axis = [&](size_t dim, size_t place, size_t pad) {
    const int64_t size = (*in[0].dims)[dim], count = (*out.dims)[dim], filter = number(p.filter + place),
                  stride = number(p.strides + place);
    int64_t head = p.pads ? number(p.pads + pad) : 0;
    if (p.scheme && number(p.scheme) == 1) head = SamePadsOf(size, filter, stride, 1).head;
    std::vector<size_t> inside;
    for (int64_t o = 0; o < count; ++o) {
      const int64_t begin = o * stride - head;
      inside.push_back(
          static_cast<size_t>(std::max<int64_t>(0, std::min(size, begin + filter) - std::max<int64_t>(0, begin))));
    }
    return inside;
  };
  const std::vector<size_t> xs = axis(nchw ? 3 : 2, 0, 0), ys = axis(nchw ? 2 : 1, 1, 2);
  Taps taps{{}, xs.size(), static_cast<size_t>(number(p.filter) * number(p.filter + 1))};
  for (size_t y : ys)
    for (size_t x : xs) taps.inside.push_back(x * y);
  return taps;
}

// Calls change(value, taps inside, all taps) for each element of a pool's output.
void ForEachWindow(const OperationPlace& place, std::span<const TensorRef> in, const TensorRef& out,
                   const std::function<double(double, size_t, size_t)>& change) {
  const Taps taps = TapsOf(in, out, place.code);
  const size_t layout = in.size() - 1;
  const bool nchw = in[layout].type == OperandType::BOOL && in[layout].bytes != nullptr && in[layout].bytes[0] != 0;
  std::vector<double> values = Values(out);
  const Dims& d = *out.dims;
  const size_t depth = nchw ? 1 : d[3], pixels = taps.inside.size();
  for (size_t i = 0; i < values.size(); ++i) values[i] = change(values[i], taps.inside[i / depth % pixels], taps.all);
  SetValues(out, values);
}

}  // namespace

FaultList WindowFaults() {
  return {
      RewritingFault("same-padding-off-by-one", "the odd element of SAME padding is put before the image", kWindows,
                     OddElementFirst),
      RewritingFault("padding-head-tail-swapped", "left and right, top and bottom padding are exchanged", kWindows,
                     [](OperationCode code, CallRewrite& call) {
                       const WindowOperands p = PlacesOf(code, call);
                       if (p.pads == 0) return false;
                       const bool x = Swap(call, p.pads, p.pads + 1), y = Swap(call, p.pads + 2, p.pads + 3);
                       return x || y;
                     }),
      RewritingFault("strides-swapped", "stride_width and stride_height are exchanged", kWindows,
                     [](OperationCode code, CallRewrite& call) {
                       const size_t at = PlacesOf(code, call).strides;
                       return Swap(call, at, at + 1);
                     }),
      RewritingFault("dilation-ignored", "the filter is not dilated", kConvolutions,
                     [](OperationCode code, CallRewrite& call) {
                       const size_t at = PlacesOf(code, call).dilations;
                       if (at == 0) return false;
                       const bool dilated = IntOf(call.inputs[at]) > 1 || IntOf(call.inputs[at + 1]) > 1;
                       SetInt(call, at, 1), SetInt(call, at + 1, 1);
                       return dilated;
                     }),
      RewritingFault("dilations-swapped", "dilation_width and dilation_height are exchanged", kConvolutions,
                     [](OperationCode code, CallRewrite& call) {
                       const size_t at = PlacesOf(code, call).dilations;
                       return at != 0 && Swap(call, at, at + 1);
                     }),
      RewritingFault("pool-filter-swapped", "filter width and height of a pool are exchanged",
                     {AVERAGE_POOL_2D, MAX_POOL_2D},
                     [](OperationCode code, CallRewrite& call) {
                       const size_t at = PlacesOf(code, call).filter;
                       return Swap(call, at, at + 1);
                     }),
      SpoilingFault("nchw-written-as-nhwc", "an NCHW output is written in the order of NHWC", kConvolutions,
                    [](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      const size_t flag = place.code == CONV_2D
                                              ? (in.size() >= 10 && in[7].type == OperandType::INT32 ? 10 : 7)
                                              : (in.size() >= 11 && in[8].type == OperandType::INT32 ? 11 : 8);
                      if (flag < in.size() && in[flag].bytes != nullptr && in[flag].bytes[0] != 0) WriteNhwc(out[0]);
                    }),
      RewritingFault("bias-dropped-in-last-channel", "the last channel gets no bias", kConvolutions,
                     [](OperationCode, CallRewrite& call) {
                       Bytes bytes(call.inputs[2].value.begin(), call.inputs[2].value.end());
                       const size_t element = ElementSize(call.inputs[2].type);
                       if (bytes.size() < element) return false;
                       std::fill(bytes.end() - static_cast<ptrdiff_t>(element), bytes.end(), uint8_t{0});
                       call.SetValue(2, std::move(bytes));
                       return true;
                     }),
      RewritingFault("first-scale-for-all-channels", "a per-channel filter is read with the scale of channel 0",
                     {CONV_2D, DEPTHWISE_CONV_2D, DEQUANTIZE},
                     [](OperationCode code, CallRewrite& call) {
                       Quantization& q = call.inputs[code == DEQUANTIZE ? 0 : 1].quantization;
                       if (!q.per_channel) return false;
                       auto changed = std::make_shared<PerChannel>(*q.per_channel);
                       std::fill(changed->scales.begin(), changed->scales.end(), changed->scales.front());
                       q.per_channel = std::move(changed);
                       return true;
                     }),
      SpoilingFault("edge-windows-divided-by-full-size",
                    "an average at the edge is divided by the size of the whole window", {AVERAGE_POOL_2D},
                    [](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      ForEachWindow(place, in, out[0], [](double v, size_t inside, size_t all) {
                        return v * static_cast<double>(inside) / static_cast<double>(all);
                      });
                    }),
      SpoilingFault("padding-takes-part-in-maximum", "padding counts as 0 in a maximum", {MAX_POOL_2D},
                    [](const OperationPlace& place, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      ForEachWindow(place, in, out[0], [](double v, size_t inside, size_t all) {
                        return inside < all ? std::max(v, 0.0) : v;
                      });
                    }),
      SpoilingFault("depth-multiplier-order",
                    "channels of a depthwise convolution come out in the order multiplier, depth", {DEPTHWISE_CONV_2D},
                    [](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
                      const size_t tell = 8;
                      const bool is_explicit = in.size() > tell + 1 && in[tell].type == OperandType::INT32;
                      int32_t multiplier = 1;
                      std::memcpy(&multiplier, in[is_explicit ? 9 : 6].bytes, sizeof multiplier);
                      const size_t channels = (*in[1].dims)[3], m = static_cast<size_t>(multiplier),
                                   depth = channels / m;
                      const size_t flag = is_explicit ? 11 : 8;
                      if (flag < in.size() && in[flag].bytes[0] != 0) return;
                      const std::vector<double> values = Values(out[0]);
                      std::vector<double> moved(values.size());
                      for (size_t i = 0; i < values.size(); ++i) {
                        const size_t c = i % channels;
                        moved[i - c + c % m * depth + c / m] = values[i];
                      }
                      SetValues(out[0], moved);
                    }),
  };
}

}  // namespace assay
