// Patterns of values, and how numbers become stored elements.
#include "randomgraph/data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "choice/stream.h"
#include "numeric/half.h"
#include "randomgraph/fit.h"

namespace assay {
namespace {

// Of the values of weights, in units of 1: a dominant tap lies in [3/4, 1]; the others add up to 3/4 on average.
constexpr double kLeastDominant = 0.75, kOthers = 1.5;

double Within(double x, const Range& range) { return std::min(std::max(x, range.least), range.most); }

// The simplest number of a fill.
double Simple(const Fill& fill) {
  if (fill.kind == Fill::Kind::kWeights) return Within(1 / static_cast<double>(fill.fan_in), fill.range);
  if (fill.kind == Fill::Kind::kIntegers) return Within(0, fill.range);
  // Not at an end of the range, where quantized results would saturate.
  const double half = fill.range.most / 2;
  return half > 0 && half >= fill.range.least ? std::min(1.0, half) : Within(fill.range.middle(), fill.range);
}

double Random(const Fill& fill, Stream& stream) {
  const Range& r = fill.range;
  switch (fill.kind) {
    case Fill::Kind::kNormal:
      return Within(r.middle() + r.half_width() * (stream.Normal() / 3), r);
    case Fill::Kind::kWeights:
      return Within(stream.Normal() / std::sqrt(static_cast<double>(fill.fan_in)), r);
    case Fill::Kind::kIntegers: {
      const double least = std::ceil(r.least), most = std::floor(r.most);
      return std::min(least + std::floor((most - least + 1) * stream.Unit()), most);
    }
    default:
      return Within(r.least + (r.most - r.least) * stream.Unit(), r);
  }
}

std::vector<double> Spaced(const Recipe& recipe, size_t count) {
  std::vector<double> values(count);
  const Range& r = recipe.fill.range;
  const double step = (r.most - r.least) / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) values[i] = r.least + (static_cast<double>(i) + 0.5) * step;
  if (recipe.fill.kind == Fill::Kind::kAscending || recipe.pattern == Pattern::kEqual) return values;
  Stream stream = Bulk(recipe.sub_seed);
  for (size_t i = count; i > 1; --i) std::swap(values[i - 1], values[static_cast<size_t>(stream.UpTo(i - 1))]);
  return values;
}

// One large tap for each channel, at a place of its own.
std::vector<double> Dominant(const Recipe& recipe, const Dims& dims) {
  const size_t count = Count(dims), fan_in = std::max<size_t>(1, recipe.fill.fan_in);
  size_t inner = 1;
  for (size_t i = recipe.channel_dim + 1; i < dims.size(); ++i) inner *= dims[i];
  const size_t channels = recipe.channel_dim < dims.size() ? dims[recipe.channel_dim] : 1;
  std::vector<double> values(count);
  Stream stream = Bulk(recipe.sub_seed);
  for (size_t i = 0; i < count; ++i) {
    const size_t channel = i / inner % channels, tap = i / (inner * channels) * inner + i % inner;
    const uint64_t own = Stream::Mix(recipe.sub_seed + channel * 0x9E3779B97F4A7C15);
    const double u = stream.Symmetric();
    double value = kOthers / static_cast<double>(fan_in) * u;
    if (tap % fan_in == own % fan_in) {
      const double size = kLeastDominant + (1 - kLeastDominant) * std::fabs(u);
      value = own >> 63 != 0 ? -size : size;
    }
    values[i] = Within(value, recipe.fill.range);
  }
  return values;
}

// The codes that stand for numbers in `range`, or all of the type if there is none.
struct Codes {
  double least, most;
};
Codes CodesIn(OperandType type, double scale, double zero_point, const Range& range) {
  const CodeRange all = CodesOf(InfoOf(type).storage);
  const Codes type_codes{static_cast<double>(all.least), static_cast<double>(all.most)};
  const double least = std::max(std::ceil(range.least / scale) + zero_point, type_codes.least);
  const double most = std::min(std::floor(range.most / scale) + zero_point, type_codes.most);
  return least <= most ? Codes{least, most} : type_codes;
}

template <class T>
void Put(Bytes& bytes, size_t index, T element) {
  std::memcpy(bytes.data() + index * sizeof element, &element, sizeof element);
}

void PutCode(Bytes& bytes, size_t index, Storage storage, double code) {
  switch (storage) {
    case Storage::kInt32:
      return Put(bytes, index, static_cast<int32_t>(code));
    case Storage::kUint32:
      return Put(bytes, index, static_cast<uint32_t>(code));
    case Storage::kUint16:
      return Put(bytes, index, static_cast<uint16_t>(code));
    case Storage::kInt16:
      return Put(bytes, index, static_cast<int16_t>(code));
    case Storage::kInt8:
      return Put(bytes, index, static_cast<int8_t>(code));
    default:
      return Put(bytes, index, static_cast<uint8_t>(code));
  }
}

// A float whose rounding left the range is moved towards its middle, by more than one ulp of either format.
template <class Round>
auto RoundInside(double value, const Range& range, Round round) {
  auto rounded = round(value);
  for (int i = 0; i < 4 && !(rounded.value >= range.least && rounded.value <= range.most); ++i) {
    value = range.middle() + (value - range.middle()) * (1 - 0x1p-9);
    rounded = round(value);
  }
  return rounded.bits;
}
struct Single {
  float bits;
  double value;
};
Single ToSingle(double v) { return {static_cast<float>(v), static_cast<float>(v)}; }
struct Half {
  uint16_t bits;
  double value;
};
Half ToHalf(double v) { return {HalfFromDouble(v), FloatFromHalf(HalfFromDouble(v))}; }

// Every seventh element or so becomes a special number.
void Sprinkle(OperandType type, uint64_t sub_seed, Bytes& bytes) {
  static constexpr std::array<double, 8> kSpecial = {std::numeric_limits<double>::infinity(),
                                                     -std::numeric_limits<double>::infinity(),
                                                     std::numeric_limits<double>::quiet_NaN(),
                                                     -0.0,
                                                     0x1p-24,
                                                     0x1p-130,
                                                     65504,
                                                     -65504};
  Stream stream = Bulk(~sub_seed);
  for (size_t i = 0; i < bytes.size() / ElementSize(type); ++i) {
    const uint64_t drawn = stream.UpTo(55);
    if (drawn >= kSpecial.size()) continue;
    if (type == OperandType::TENSOR_FLOAT16) {
      Put(bytes, i, HalfFromDouble(kSpecial[drawn]));
    } else {
      Put(bytes, i, static_cast<float>(kSpecial[drawn]));
    }
  }
}

}  // namespace

Recipe DrawRecipe(Choices& choices, const Fill& fill) {
  // Of 16 answers, 12 are random: the others exercise little, but shrink well.
  static constexpr Pattern kFirst[] = {Pattern::kEqual, Pattern::kRamp, Pattern::kSparse, Pattern::kEnds};
  const uint64_t answer = choices.Below(16);
  Recipe recipe{.fill = fill, .pattern = answer < 4 ? kFirst[answer] : Pattern::kRandom};
  if (fill.kind == Fill::Kind::kWeights && answer >= 10) recipe.pattern = Pattern::kDominant;
  recipe.sub_seed = choices.Seed();
  return recipe;
}

Range RangeOfRecipe(const Recipe& recipe) {
  const Range& r = recipe.fill.range;
  if (recipe.fill.kind != Fill::Kind::kWeights || recipe.pattern == Pattern::kDominant) return r;
  const double bound = std::min(r.magnitude(), 4 / std::sqrt(static_cast<double>(recipe.fill.fan_in)));
  return {std::clamp(-bound, r.least, r.most), std::clamp(bound, r.least, r.most), r.sure};
}

double GrowthOf(const Recipe& recipe) {
  if (recipe.pattern == Pattern::kDominant) return 1.7;
  if (recipe.pattern == Pattern::kEqual) return 1;
  return std::max(1.0, 0.8 * std::sqrt(static_cast<double>(recipe.fill.fan_in)));
}

std::vector<double> ValuesOf(const Recipe& recipe, const Dims& dims) {
  const size_t count = Count(dims);
  Fill fill = recipe.fill;
  if (fill.kind == Fill::Kind::kDistinct || fill.kind == Fill::Kind::kAscending) return Spaced(recipe, count);
  if (recipe.pattern == Pattern::kDominant) return Dominant(recipe, dims);
  const bool weights = fill.kind == Fill::Kind::kWeights;
  if (weights) fill.range = RangeOfRecipe(recipe);
  const double simple = Simple(fill);
  const double ends = weights ? 1 / std::sqrt(static_cast<double>(std::max<size_t>(1, fill.fan_in))) : 0;
  Stream stream = Bulk(recipe.sub_seed);
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i) {
    switch (recipe.pattern) {
      case Pattern::kEqual:
        values[i] = simple;
        break;
      case Pattern::kRamp:
        values[i] = weights ? simple * static_cast<double>(i % 7) / 3
                            : fill.range.least + (fill.range.most - fill.range.least) * static_cast<double>(i % 7) / 6;
        break;
      case Pattern::kSparse:
        values[i] = stream.UpTo(7) != 0 ? simple : Random(fill, stream);
        break;
      case Pattern::kEnds:
        values[i] = stream.UpTo(1) != 0 ? (weights ? ends : fill.range.most) : (weights ? -ends : fill.range.least);
        break;
      default:
        values[i] = Random(fill, stream);
    }
    if (fill.kind == Fill::Kind::kIntegers) values[i] = std::floor(values[i]);
    values[i] = Within(values[i], fill.range);
  }
  return values;
}

Bytes StoreValues(OperandType type, const Quantization& quantization, const Dims& dims, std::span<const double> values,
                  const Range& range, const uint64_t* dither) {
  const TypeInfo& info = InfoOf(type);
  Bytes bytes(values.size() * info.element_size);
  const PerChannel* channels = quantization.per_channel.get();
  size_t inner = 1;
  for (size_t i = channels ? channels->channel_dim + 1 : dims.size(); i < dims.size(); ++i) inner *= dims[i];
  Stream stream = Bulk(dither != nullptr ? *dither : 0);
  for (size_t i = 0; i < values.size(); ++i) {
    if (info.storage == Storage::kFloat32) {
      Put(bytes, i, RoundInside(values[i], range, ToSingle));
      continue;
    }
    if (info.storage == Storage::kFloat16) {
      Put(bytes, i, RoundInside(values[i], range, ToHalf));
      continue;
    }
    if (info.storage == Storage::kBool8) {
      Put(bytes, i, static_cast<uint8_t>(values[i] > 0.5 ? 1 : 0));
      continue;
    }
    double scale = channels ? channels->scales[i / inner % channels->scales.size()] : quantization.scale;
    if (scale == 0) scale = 1;
    const Codes codes = CodesIn(type, scale, quantization.zero_point, range);
    const double half = dither != nullptr ? stream.Unit() : 0.5;
    const double code = std::floor(values[i] / scale + half) + quantization.zero_point;
    PutCode(bytes, i, info.storage, std::min(std::max(code, codes.least), codes.most));
  }
  return bytes;
}

Bytes BytesOf(const Recipe& recipe, OperandType type, const Quantization& quantization, const Dims& dims) {
  const uint64_t dither = ~recipe.sub_seed;
  const bool dithered = recipe.fill.kind == Fill::Kind::kWeights && recipe.pattern >= Pattern::kRandom;
  Bytes bytes =
      StoreValues(type, quantization, dims, ValuesOf(recipe, dims), recipe.fill.range, dithered ? &dither : nullptr);
  if (recipe.special_values && IsFloat(type)) Sprinkle(type, recipe.sub_seed, bytes);
  return bytes;
}

Quantization PerChannelScales(const Range& range, uint32_t channel_dim, uint32_t channels, uint64_t sub_seed) {
  static constexpr double kFactors[] = {1, 1.25, 1.5, 1.75, 2};
  const double least = SnapUp(range.magnitude() / 127);
  Stream stream = Bulk(sub_seed);
  auto scales = std::make_shared<PerChannel>();
  scales->channel_dim = channel_dim;
  for (uint32_t c = 0; c < channels; ++c)
    scales->scales.push_back(sub_seed == 0 ? static_cast<float>(least) : SnapUp(least * kFactors[stream.UpTo(4)]));
  return {0, 0, std::move(scales)};
}

}  // namespace assay
