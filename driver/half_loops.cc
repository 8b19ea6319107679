#include "driver/half_loops.h"

#include <cmath>
#include <cstring>

#include "driver/window_operands.h"
#include "numeric/activation.h"
#include "numeric/half.h"
#include "numeric/storage.h"

namespace assay {

double HalfArithmetic::Round(double exact) const {
  uint16_t half = HalfFromDouble(exact);
  const auto value = [&] { return static_cast<double>(FloatFromHalf(half)); };
  // The next number of the same sign, toward zero or away from it, is the next code.
  if (direction_ == Direction::kTowardZero && std::abs(value()) > std::abs(exact)) --half;
  if (direction_ == Direction::kAwayFromZero && std::abs(value()) < std::abs(exact)) ++half;
  return value();
}

std::vector<double> HalfArithmetic::Read(const TensorRef& t) const {
  if (t.bytes == nullptr) return {};
  std::vector<double> values(Count(*t.dims));
  Load(t.type, *t.quantization, *t.dims, t.bytes, values.data());
  for (double& v : values) v = Round(v);
  return values;
}

void StoreHalves(const TensorRef& t, const std::vector<double>& values, int32_t activation) {
  Store(t.type, *t.quantization, *t.dims, values.data(), t.bytes, static_cast<Activation>(activation));
}

int32_t IntAt(std::span<const TensorRef> in, size_t index) {
  int32_t value = 0;
  std::memcpy(&value, in[index].bytes, sizeof value);
  return value;
}

namespace {

using enum OperationCode;

// One spatial axis of a window.
struct Axis {
  int64_t in, out, filter, stride = 1, dilation = 1, head = 0;
  // Where tap `tap` of window `at` lies; negative where that is in the padding.
  int64_t Index(int64_t at, int64_t tap) const {
    const int64_t index = at * stride - head + tap * dilation;
    return index < in ? index : -1;
  }
};

// An image as [batches, height, width, depth], whatever its layout.
struct Image {
  size_t batches, height, width, depth;
  bool nchw;
  Image(const Dims& d, bool nchw_)
      : batches(d[0]), height(d[nchw_ ? 2 : 1]), width(d[nchw_ ? 3 : 2]), depth(d[nchw_ ? 1 : 3]), nchw(nchw_) {}
  size_t At(size_t b, size_t y, size_t x, size_t c) const {
    return nchw ? ((b * depth + c) * height + y) * width + x : ((b * height + y) * width + x) * depth + c;
  }
};

// The windows of a convolution or a pool.
struct Sliding {
  Image from, to;
  Axis y, x;
  int32_t activation, multiplier = 1;

  Sliding(OperationCode code, std::span<const TensorRef> in, const TensorRef& out)
      : Sliding(WindowOperandsOf(code, in.size(), [&](size_t i) { return in[i].type; }), in, out) {}
  Sliding(const WindowOperands& w, std::span<const TensorRef> in, const TensorRef& out)
      : from(*in[0].dims, w.layout != 0 && in[w.layout].bytes[0] != 0),
        to(*out.dims, from.nchw),
        y(AxisOf(w, in, 1)),
        x(AxisOf(w, in, 0)),
        activation(IntAt(in, w.activation)),
        multiplier(w.multiplier != 0 ? IntAt(in, w.multiplier) : 1) {}

  // visit(index in the image without the channel's part, tap) for all taps of a window inside of the image.
  template <class Visit>
  void ForEachTap(size_t b, size_t oy, size_t ox, Visit visit) const {
    for (int64_t i = 0; i < y.filter; ++i)
      for (int64_t j = 0; j < x.filter; ++j) {
        const int64_t iy = y.Index(static_cast<int64_t>(oy), i), ix = x.Index(static_cast<int64_t>(ox), j);
        if (iy < 0 || ix < 0) continue;
        visit([&, b, iy, ix](size_t c) { return from.At(b, static_cast<size_t>(iy), static_cast<size_t>(ix), c); },
              static_cast<size_t>(i * x.filter + j));
      }
  }
  template <class Visit>
  void ForEachOutput(Visit visit) const {
    for (size_t b = 0; b < to.batches; ++b)
      for (size_t oy = 0; oy < to.height; ++oy)
        for (size_t ox = 0; ox < to.width; ++ox)
          for (size_t c = 0; c < to.depth; ++c) visit(b, oy, ox, c);
  }

 private:
  // Axis 0 is the width, for that comes first in operands.
  Axis AxisOf(const WindowOperands& w, std::span<const TensorRef> in, size_t axis) const {
    Axis a{};
    a.in = static_cast<int64_t>(axis == 0 ? from.width : from.height);
    a.filter = w.filter != 0 ? IntAt(in, w.filter + axis) : (*in[1].dims)[axis == 0 ? 2 : 1];
    a.stride = IntAt(in, w.strides + axis);
    a.dilation = w.dilations != 0 ? IntAt(in, w.dilations + axis) : 1;
    if (w.pads != 0) a.head = IntAt(in, w.pads + 2 * axis);
    if (w.scheme != 0 && IntAt(in, w.scheme) == 1) a.head = SamePadsOf(a.in, a.filter, a.stride, a.dilation).head;
    return a;
  }
};

void Convolve(OperationCode code, const HalfArithmetic& half, std::span<const TensorRef> in, const TensorRef& out) {
  const Sliding s(code, in, out);
  const std::vector<double> image = half.Read(in[0]), filter = half.Read(in[1]), bias = half.Read(in[2]);
  std::vector<double> result(Count(*out.dims));
  const auto taps = static_cast<size_t>(s.y.filter * s.x.filter);
  s.ForEachOutput([&](size_t b, size_t y, size_t x, size_t o) {
    double sum = bias[o];
    const auto add = [&](double pixel, double weight) { sum = half.Add(sum, half.Multiply(pixel, weight)); };
    s.ForEachTap(b, y, x, [&](auto at, size_t tap) {
      if (code == DEPTHWISE_CONV_2D) {
        add(image[at(o / static_cast<size_t>(s.multiplier))], filter[tap * s.to.depth + o]);
      } else {
        for (size_t c = 0; c < s.from.depth; ++c) add(image[at(c)], filter[(o * taps + tap) * s.from.depth + c]);
      }
    });
    result[s.to.At(b, y, x, o)] = sum;
  });
  StoreHalves(out, result, s.activation);
}

void AveragePool(const HalfArithmetic& half, std::span<const TensorRef> in, const TensorRef& out) {
  const Sliding s(AVERAGE_POOL_2D, in, out);
  const std::vector<double> image = half.Read(in[0]);
  std::vector<double> result(Count(*out.dims));
  s.ForEachOutput([&](size_t b, size_t y, size_t x, size_t c) {
    double sum = 0, count = 0;
    s.ForEachTap(b, y, x, [&](auto at, size_t) { sum = half.Add(sum, image[at(c)]), ++count; });
    result[s.to.At(b, y, x, c)] = half.Divide(sum, half.Round(count));
  });
  StoreHalves(out, result, s.activation);
}

void FullyConnect(const HalfArithmetic& half, std::span<const TensorRef> in, const TensorRef& out) {
  const std::vector<double> rows = half.Read(in[0]), weights = half.Read(in[1]), bias = half.Read(in[2]);
  const size_t units = (*in[1].dims)[0], size = (*in[1].dims)[1];
  std::vector<double> result(Count(*out.dims));
  for (size_t i = 0; i < result.size(); ++i) {
    double sum = bias[i % units];
    for (size_t k = 0; k < size; ++k)
      sum = half.Add(sum, half.Multiply(rows[i / units * size + k], weights[i % units * size + k]));
    result[i] = sum;
  }
  StoreHalves(out, result, IntAt(in, 3));
}

void Softmax(const HalfArithmetic& half, std::span<const TensorRef> in, const TensorRef& out) {
  const std::vector<double> x = half.Read(in[0]);
  const double beta = half.Read(in[1])[0];
  const Dims& dims = *in[0].dims;
  const int64_t axis = in.size() > 2 ? IntAt(in, 2) : -1;
  const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(dims.size()) : axis);
  const size_t size = dims[at];
  size_t inner = 1;
  for (size_t d = at + 1; d < dims.size(); ++d) inner *= dims[d];
  std::vector<double> result(x.size());
  for (size_t first = 0; first < x.size(); ++first) {
    if (first / inner % size != 0) continue;  // not the first element of a line
    double most = x[first], sum = 0;
    for (size_t i = 0; i < size; ++i) most = std::max(most, x[first + i * inner]);
    const auto power = [&](size_t i) {
      return half.Exp(half.Multiply(half.Subtract(x[first + i * inner], most), beta));
    };
    for (size_t i = 0; i < size; ++i) sum = half.Add(sum, power(i));
    for (size_t i = 0; i < size; ++i) result[first + i * inner] = half.Divide(power(i), sum);
  }
  StoreHalves(out, result, 0);
}

}  // namespace

bool EvaluateInHalf(OperationCode code, const HalfArithmetic& half, std::span<const TensorRef> in,
                    std::span<const TensorRef> out) {
  const auto map = [&](auto function) {
    std::vector<double> values = half.Read(in[0]);
    for (double& v : values) v = function(v);
    StoreHalves(out[0], values, 0);
  };
  switch (code) {
    case CONV_2D:
    case DEPTHWISE_CONV_2D:
      Convolve(code, half, in, out[0]);
      return true;
    case AVERAGE_POOL_2D:
      AveragePool(half, in, out[0]);
      return true;
    case FULLY_CONNECTED:
      FullyConnect(half, in, out[0]);
      return true;
    case SOFTMAX:
      Softmax(half, in, out[0]);
      return true;
    case LOGISTIC:
      map([&](double x) { return half.Logistic(x); });
      return true;
    case TANH:
      map([&](double x) { return half.Tanh(x); });
      return true;
    case LSTM:
      LstmInHalf(half, in, out);
      return true;
    default:
      return false;
  }
}

}  // namespace assay
