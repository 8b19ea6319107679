#include "numeric/storage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "model/status.h"
#include "numeric/half.h"

namespace assay {
namespace {

// One element in storage kind T, at any alignment.
template <class T>
T Read(const uint8_t* bytes, size_t index) {
  T element;
  std::memcpy(&element, bytes + index * sizeof(T), sizeof(T));
  return element;
}
template <class T>
void Write(uint8_t* bytes, size_t index, T element) {
  std::memcpy(bytes + index * sizeof(T), &element, sizeof(T));
}

// A half is not an integer: its own type, so that the visitors below can tell.
struct Half {
  uint16_t bits;
};

// Calls visit(T()) with the C++ type of the storage kind; a bool is visited as `bool` but stored as a byte.
template <class Visit>
decltype(auto) VisitStorage(OperandType type, Visit visit) {
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      return visit(float());
    case Storage::kFloat16:
      return visit(Half());
    case Storage::kInt32:
      return visit(int32_t());
    case Storage::kUint32:
      return visit(uint32_t());
    case Storage::kBool8:
      return visit(bool());
    case Storage::kUint8:
      return visit(uint8_t());
    case Storage::kInt8:
      return visit(int8_t());
    case Storage::kUint16:
      return visit(uint16_t());
    case Storage::kInt16:
      return visit(int16_t());
    case Storage::kNone:
      break;
  }
  ASSAY_CHECK(false, absl::StrCat("elements of ", NameOf(type), " are opaque"));
  return visit(float());
}

// How many consecutive elements share a channel, and how many channels there are.
struct Channels {
  size_t inner = 1, count = 1;
  size_t Of(size_t index) const { return index / inner % count; }
};

Channels ChannelsOf(const Quantization& quantization, const Dims& dims) {
  const PerChannel* per_channel = quantization.per_channel.get();
  if (!per_channel) return {};
  ASSAY_CHECK(per_channel->channel_dim < dims.size() && per_channel->scales.size() == dims[per_channel->channel_dim] &&
                  !per_channel->scales.empty(),
              "per-channel scales do not fit the dimensions");
  Channels out;
  out.count = per_channel->scales.size();
  for (size_t d = per_channel->channel_dim + 1; d < dims.size(); ++d) out.inner *= dims[d];
  return out;
}

// The per-channel type, or the INT32 bias of a per-channel filter.
bool HasPerChannel(OperandType type, const Quantization& quantization) {
  return type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL || quantization.per_channel;
}

// A rounded number as a code: halves away from zero, saturated; NaN gives `nan`.
int64_t Saturated(double rounded, CodeRange range, int64_t nan) {
  if (rounded != rounded) return std::clamp(nan, range.least, range.most);
  if (rounded <= static_cast<double>(range.least)) return range.least;
  if (rounded >= static_cast<double>(range.most)) return range.most;
  return static_cast<int64_t>(rounded);
}

template <class T, Plain N>
void StoreCodes(OperandType type, const Quantization& quantization, const Dims& dims, size_t count, const N* values,
                uint8_t* bytes, Activation activation) {
  if (HasPerChannel(type, quantization)) {
    const Channels channels = ChannelsOf(quantization, dims);
    for (size_t i = 0; i < count; ++i) {
      const double x = Activate(activation, static_cast<double>(values[i]));
      const double scale = static_cast<double>(quantization.per_channel->scales[channels.Of(i)]);
      Write(bytes, i, static_cast<T>(Saturated(std::round(x / scale), CodesOf(InfoOf(type).storage), 0)));
    }
    return;
  }
  const CodeRange range = ActivationCodes(activation, quantization, type);
  const bool scaled = quantization.scale != 0;
  const double scale = scaled ? static_cast<double>(quantization.scale) : 1;
  const int64_t zero_point = scaled ? quantization.zero_point : 0;
  for (size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(values[i]);
    // Quantized codes are clamped as codes: that is what NNAPI's limits are.
    const double real = scaled ? x : Activate(activation, x);
    const double code = std::round(real / scale) + static_cast<double>(zero_point);
    Write(bytes, i, static_cast<T>(Saturated(code, range, zero_point)));
  }
}

}  // namespace

double ValueOf(OperandType type, const Quantization& quantization, size_t channel, int64_t code) {
  if (HasPerChannel(type, quantization)) {
    ASSAY_CHECK(quantization.per_channel && channel < quantization.per_channel->scales.size(), "no such channel");
    return static_cast<double>(quantization.per_channel->scales[channel]) * static_cast<double>(code);
  }
  if (InfoOf(type).storage == Storage::kBool8) return code != 0 ? 1 : 0;
  if (quantization.scale == 0) return static_cast<double>(code);
  return static_cast<double>(quantization.scale) * static_cast<double>(code - quantization.zero_point);
}

template <class N>
void Load(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes, N* out) {
  const size_t count = Count(dims);
  VisitStorage(type, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, float>) {
      for (size_t i = 0; i < count; ++i) out[i] = static_cast<N>(Read<float>(bytes, i));
    } else if constexpr (std::is_same_v<T, Half>) {
      for (size_t i = 0; i < count; ++i) out[i] = static_cast<N>(FloatFromHalf(Read<uint16_t>(bytes, i)));
    } else if constexpr (std::is_same_v<T, bool>) {
      for (size_t i = 0; i < count; ++i) out[i] = static_cast<N>(bytes[i] != 0 ? 1 : 0);
    } else if (HasPerChannel(type, quantization)) {
      const Channels channels = ChannelsOf(quantization, dims);
      for (size_t i = 0; i < count; ++i)
        out[i] = static_cast<N>(ValueOf(type, quantization, channels.Of(i), Read<T>(bytes, i)));
    } else if (sizeof(T) == 1 && count > 256) {
      std::array<N, 256> table;
      for (size_t b = 0; b < table.size(); ++b)
        table[b] = static_cast<N>(ValueOf(type, quantization, 0, static_cast<T>(b)));
      for (size_t i = 0; i < count; ++i) out[i] = table[bytes[i]];
    } else {
      for (size_t i = 0; i < count; ++i) out[i] = static_cast<N>(ValueOf(type, quantization, 0, Read<T>(bytes, i)));
    }
  });
}

template <Plain N>
void Store(OperandType type, const Quantization& quantization, const Dims& dims, const N* values, uint8_t* bytes,
           Activation activation) {
  const size_t count = Count(dims);
  VisitStorage(type, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, float>) {
      for (size_t i = 0; i < count; ++i) Write(bytes, i, static_cast<float>(Activate(activation, values[i])));
    } else if constexpr (std::is_same_v<T, Half>) {
      for (size_t i = 0; i < count; ++i) {
        const N x = Activate(activation, values[i]);
        if constexpr (std::is_same_v<N, float>)
          Write(bytes, i, HalfFromFloat(x));
        else
          Write(bytes, i, HalfFromDouble(x));
      }
    } else if constexpr (std::is_same_v<T, bool>) {
      for (size_t i = 0; i < count; ++i) bytes[i] = Activate(activation, values[i]) != 0 ? 1 : 0;
    } else {
      StoreCodes<T>(type, quantization, dims, count, values, bytes, activation);
    }
  });
}

int64_t CodeAt(OperandType type, const uint8_t* bytes, size_t index) {
  return VisitStorage(type, [&]<class T>(T) -> int64_t {
    if constexpr (std::is_same_v<T, float>)
      return Read<uint32_t>(bytes, index);
    else if constexpr (std::is_same_v<T, Half>)
      return Read<uint16_t>(bytes, index);
    else if constexpr (std::is_same_v<T, bool>)
      return bytes[index];
    else
      return Read<T>(bytes, index);
  });
}

double ElementAt(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes,
                 size_t index) {
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      return static_cast<double>(Read<float>(bytes, index));
    case Storage::kFloat16:
      return static_cast<double>(FloatFromHalf(Read<uint16_t>(bytes, index)));
    default:
      break;
  }
  const size_t channel = HasPerChannel(type, quantization) ? ChannelsOf(quantization, dims).Of(index) : 0;
  return ValueOf(type, quantization, channel, CodeAt(type, bytes, index));
}

std::string FormatElement(OperandType type, const Quantization& quantization, const Dims& dims, const uint8_t* bytes,
                          size_t index) {
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      return absl::StrFormat("%.9g", ElementAt(type, quantization, dims, bytes, index));
    case Storage::kFloat16:
      return absl::StrFormat("%.5g", ElementAt(type, quantization, dims, bytes, index));
    default:
      break;
  }
  const int64_t code = CodeAt(type, bytes, index);
  if (InfoOf(type).storage == Storage::kBool8) {
    if (code > 1) return absl::StrCat("true (", code, ")");
    return code != 0 ? "true" : "false";
  }
  if (!HasPerChannel(type, quantization) && quantization.scale == 0) return absl::StrCat(code);
  return absl::StrFormat("%d (%.6g)", code, ElementAt(type, quantization, dims, bytes, index));
}

template void Load(OperandType, const Quantization&, const Dims&, const uint8_t*, double*);
template void Load(OperandType, const Quantization&, const Dims&, const uint8_t*, float*);
template void Load(OperandType, const Quantization&, const Dims&, const uint8_t*, Bounded<Fp32>*);
template void Load(OperandType, const Quantization&, const Dims&, const uint8_t*, Bounded<Fp16>*);
template void Store(OperandType, const Quantization&, const Dims&, const double*, uint8_t*, Activation);
template void Store(OperandType, const Quantization&, const Dims&, const float*, uint8_t*, Activation);

}  // namespace assay
