// Where the tensors of one call come from.
//
// Each source is one choice. The first answers keep their meaning whatever the draft holds (0: the simplest, 1: a fresh
// input, 2: a constant or the first existing tensor), so that the shrinker can take operations away before it.
#include "randomgraph/call_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "randomgraph/fit.h"

namespace assay {
namespace {

using enum OperandType;

// So many further answers mean the tensor made last, so that graphs are deep as well as wide.
constexpr size_t kDepth = 4;

// Ranges that values of model inputs are drawn in; quantized, these give the zero points 128, 0, 64 and 57.
constexpr Range kTastes[] = {{-1, 1}, {0, 1}, {-4, 4}, {0, 6}, {-2, 6}, {-0.5, 0.5}, {-1.0 / 3, 1}};

Range Intersection(const Range& a, const Range& b) {
  const double least = std::clamp(a.least, b.least, b.most);
  return {least, std::clamp(a.most, least, std::max(least, b.most)), a.sure};
}

// What the codes leave of a range.
Range Coded(OperandType type, const Quantization& quantization, const Range& range) {
  return InfoOf(type).has_scale ? Intersection(range, RangeOfCodes(type, quantization)) : range;
}

Fill ForType(OperandType type, Fill fill) {
  if (type != TENSOR_BOOL8) return fill;
  if (fill.kind != Fill::Kind::kWeights) fill.kind = Fill::Kind::kIntegers;
  fill.range = Intersection({0, 1}, fill.range);
  return fill;
}

bool FitsDims(const Dims& dims, const Want& want) {
  if (dims.size() < want.least_rank || dims.size() > want.most_rank) return false;
  return std::all_of(dims.begin(), dims.end(),
                     [&](uint32_t d) { return d >= want.least_dim && (want.most_dim == 0 || d <= want.most_dim); });
}

Quantization FreshQuantization(OperandType type, const Dims& dims, const Recipe& recipe) {
  const Range range = RangeOfRecipe(recipe);
  if (type != TENSOR_QUANT8_SYMM_PER_CHANNEL) return Fit(type, range);
  return PerChannelScales(range, recipe.channel_dim, dims[recipe.channel_dim],
                          recipe.pattern == Pattern::kEqual ? 0 : recipe.sub_seed);
}

// The greatest number whose power `exponent` is at most `x`.
uint64_t Root(uint64_t x, size_t exponent) {
  uint64_t root = 1;
  const auto fits = [&](uint64_t r) {
    uint64_t power = 1;
    for (size_t i = 0; i < exponent; ++i) power = std::min<uint64_t>(power * r, uint64_t{1} << 32);
    return power <= x;
  };
  while (root < 65536 && fits(root + 1)) ++root;
  return root;
}

}  // namespace

bool CallDrawing::IsSource(uint32_t operand) const {
  return draft_.IsSource(operand, session_.IsHalf(draft_.operand(operand).type));
}

std::vector<uint32_t> CallDrawing::TensorCandidates(const In& in, const Want& want, const Dims* dims) const {
  std::vector<uint32_t> found;
  if (want.fresh) return found;
  for (auto i = static_cast<uint32_t>(draft_.graph().operands.size()); i-- > 0;) {
    const Operand& o = draft_.operand(i);
    if (o.type != in.type() || !IsSource(i) || !FitsDims(o.dims, want)) continue;
    if (dims != nullptr && o.dims != *dims) continue;
    const std::optional<Range> sure = SureRange(o, draft_.plan(i));
    if (want.within && !(sure && LiesIn(*sure, *want.within))) continue;
    found.push_back(i);
  }
  // What a target is to be made of comes first.
  if (dims != nullptr && target_->source) {
    const auto source = std::find(found.begin(), found.end(), *target_->source);
    if (source != found.end()) std::rotate(found.begin(), source, source + 1);
  }
  return found;
}

std::vector<uint32_t> CallDrawing::ExactCandidates(OperandType type, const Dims& dims, const Fill& fill,
                                                   const std::optional<Quantization>& quantization,
                                                   uint32_t channel_dim) const {
  std::vector<uint32_t> found;
  if (fill.kind == Fill::Kind::kDistinct || fill.kind == Fill::Kind::kAscending) return found;
  for (auto i = static_cast<uint32_t>(draft_.graph().operands.size()); i-- > 0;) {
    const Operand& o = draft_.operand(i);
    const Plan& plan = draft_.plan(i);
    if (o.type != type || o.dims != dims || !plan.readable) continue;
    if (quantization && !(o.quantization == *quantization)) continue;
    if (fill.kind == Fill::Kind::kWeights) {
      const auto& channels = o.quantization.per_channel;
      if (plan.weights_fan_in == fill.fan_in && (!channels || channels->channel_dim == channel_dim)) found.push_back(i);
      continue;
    }
    const std::optional<Range> sure = SureRange(o, plan);
    if (IsSource(i) && (fill.loose || (sure && LiesIn(*sure, fill.range)))) found.push_back(i);
  }
  return found;
}

// Dimensions of the tensors made last, of any type.
std::vector<Dims> CallDrawing::KnownDims(const Want& want) const {
  std::vector<Dims> known;
  for (size_t i = draft_.graph().operands.size(); i-- > 0 && known.size() < kDepth;) {
    const Operand& o = draft_.graph().operands[i];
    if (draft_.plan(static_cast<uint32_t>(i)).readable && !IsScalar(o.type) && !IsConstant(o.lifetime) &&
        o.shape().IsKnown() && FitsDims(o.dims, want))
      known.push_back(o.dims);
  }
  return known;
}

Dims CallDrawing::DrawDims(const Want& want) {
  const Options& options = session_.options;
  Want limits = want;
  limits.least_rank = std::max(want.least_rank, options.least_rank);
  limits.most_rank = std::min(want.most_rank, options.most_rank);
  if (limits.least_rank > limits.most_rank) limits.least_rank = want.least_rank, limits.most_rank = want.most_rank;
  // Tensors of equal dimensions can meet again in one operation.
  const std::vector<Dims> known = KnownDims(limits);
  const auto answer = static_cast<size_t>(session_.choices.Below(2 * (1 + known.size())));
  if (answer > 0 && answer <= known.size()) return known[answer - 1];
  // The greatest rank is as likely as all others together: most operations that are picky want 4.
  const size_t ranks = limits.most_rank - limits.least_rank;
  const size_t rank = limits.least_rank + std::min(ranks, static_cast<size_t>(session_.choices.Below(2 * ranks + 1)));
  const uint32_t most_dim = want.most_dim == 0 ? options.most_dim : std::min(want.most_dim, options.most_dim);
  Dims dims;
  uint64_t left = options.most_elements;
  for (size_t i = 0; i < rank; ++i) {
    // What the later dimensions need at least is not spent; twice an even share may be.
    uint64_t rest = 1;
    for (size_t k = i + 1; k < rank; ++k) rest *= want.least_dim;
    const uint64_t share = std::min(2 * Root(left, rank - i), std::max<uint64_t>(1, left / rest));
    const uint64_t cap = std::max<uint64_t>(std::min<uint64_t>(most_dim, share), want.least_dim);
    dims.push_back(static_cast<uint32_t>(session_.choices.Between(want.least_dim, static_cast<int64_t>(cap))));
    left = std::max<uint64_t>(1, left / dims.back());
  }
  return dims;
}

Range CallDrawing::DrawRange(OperandType type, const Want& want) {
  Range taste = session_.choices.Pick(kTastes);
  const double unit = type == TENSOR_INT32 ? 16 : 1;
  taste = {taste.least * unit, taste.most * unit};
  if (!want.within) return taste;
  Range range = Intersection(taste, *want.within);
  // Where hardly anything is in common, the end that is nearest to the taste and one unit (or as much again) from it.
  if (range.most - range.least < unit / 4) {
    const double step = std::max(unit, std::fabs(range.least));
    if (taste.most > want.within->most) {
      range.least = std::max(want.within->least, range.most - step);
    } else {
      range.most = std::min(want.within->most, range.least + step);
    }
  }
  return range;
}

uint32_t CallDrawing::Put(From from, Operand operand, Bytes bytes, const Plan& plan) {
  if (from == From::kFresh) return draft_.AddInput(std::move(operand), std::move(bytes), plan);
  return draft_.AddConstant(std::move(operand), std::move(bytes), session_.choices.Chance(1, 4), plan);
}

uint32_t CallDrawing::Make(From from, OperandType type, Dims dims, const Recipe& recipe, Quantization quantization) {
  Plan plan;
  plan.range = Coded(type, quantization, recipe.fill.range);
  plan.range.sure = !recipe.special_values;
  plan.permutable = recipe.fill.kind != Fill::Kind::kAscending;
  if (recipe.fill.kind == Fill::Kind::kWeights) plan.weights_fan_in = recipe.fill.fan_in;
  Bytes bytes = BytesOf(recipe, type, quantization, dims);
  Operand operand;
  operand.type = type;
  operand.dims = std::move(dims);
  operand.quantization = std::move(quantization);
  return Put(from, std::move(operand), std::move(bytes), plan);
}

void CallDrawing::Bind(In& in, uint32_t operand) {
  const Operand& o = draft_.operand(operand);
  Bound& bound = bound_.emplace_back();
  bound.operand = operand;
  bound.range = draft_.plan(operand).range;
  bound.argument.type = o.type;
  bound.argument.shape = o.shape();
  bound.argument.quantization = o.quantization;
  in.Bind(&bound.argument, in.index());
  input_width_ += draft_.plan(operand).width;
}

void CallDrawing::Tensor(In& in, const Want& want) {
  const Dims* dims = target_ != nullptr && first_tensor_ && FitsDims(target_->dims, want) ? &target_->dims : nullptr;
  first_tensor_ = false;
  const std::vector<uint32_t> found = TensorCandidates(in, want, dims);
  const size_t n = found.size();
  const auto answer = static_cast<size_t>(session_.choices.Below(n == 0 ? 3 : 2 + n + kDepth));
  const bool existing = connected_ || (answer != 1 && answer != 2);
  connected_ = false;
  if (n > 0 && existing) return Bind(in, found[answer >= 3 && answer < 2 + n ? answer - 2 : 0]);
  // Of constants alone nothing can be learned that folding does not hide.
  const From from = ConstantOr(answer == 2 && n > 0 ? From::kConstant : From::kFresh);
  Dims shape = dims != nullptr ? *dims : DrawDims(want);
  const OperandType type = in.type();
  const Fill fill{.kind = want.kind.value_or(Fill::Kind::kNormal), .range = DrawRange(type, want)};
  Recipe recipe = DrawRecipe(session_.choices, ForType(type, fill));
  recipe.special_values =
      session_.options.special_values && from == From::kFresh && IsFloat(type) && !want.within && !want.kind;
  Quantization quantization = FreshQuantization(type, shape, recipe);
  Bind(in, Make(from, type, std::move(shape), recipe, std::move(quantization)));
}

void CallDrawing::Exactly(In& in, Dims dims, const Fill& fill, std::optional<Quantization> quantization) {
  ExactlyAlong(in, std::move(dims), fill, std::move(quantization), 0);
}

void CallDrawing::ExactlyAlong(In& in, Dims dims, const Fill& asked, std::optional<Quantization> quantization,
                               uint32_t channel_dim) {
  const OperandType type = in.type();
  const Fill fill = ForType(type, asked);
  const bool weights = fill.kind == Fill::Kind::kWeights;
  const std::vector<uint32_t> found = ExactCandidates(type, dims, fill, quantization, channel_dim);
  const size_t n = found.size();
  const size_t more = fill.loose ? n : kDepth;
  const auto answer = static_cast<size_t>(session_.choices.Below(2 + n + more));
  if (answer >= 2 && answer < 2 + n + (fill.loose ? more : 0)) {
    const uint32_t operand = found[(answer - 2) % n];
    if (weights) growth_ = std::max(growth_, 0.8 * std::sqrt(static_cast<double>(fill.fan_in)));
    return Bind(in, operand);
  }
  const bool late = !weights || session_.options.late_values;
  const From from = ConstantOr(answer == 1 && late ? From::kFresh : From::kConstant);
  Recipe recipe = DrawRecipe(session_.choices, fill);
  recipe.channel_dim = channel_dim;
  if (!quantization) quantization = FreshQuantization(type, dims, recipe);
  if (weights) growth_ = std::max(growth_, GrowthOf(recipe));
  Bind(in, Make(from, type, std::move(dims), recipe, *std::move(quantization)));
}

void CallDrawing::Weights(In& in, Dims dims, size_t fan_in, uint32_t channel_dim) {
  const Fill fill{.kind = Fill::Kind::kWeights, .range = {-1, 1}, .fan_in = std::max<size_t>(1, fan_in)};
  ExactlyAlong(in, std::move(dims), fill, std::nullopt, channel_dim);
}

void CallDrawing::Bias(In& bias, uint32_t size, const In& input, const In& weights) {
  const double magnitude = RangeOf(input).magnitude() / 4;
  const Fill fill{.range = {-magnitude, magnitude}};
  if (bias.type() != TENSOR_INT32) return Exactly(bias, {size}, fill, std::nullopt);
  const bool fresh = session_.choices.Chance(1, 8) && session_.options.late_values;
  const Recipe recipe = DrawRecipe(session_.choices, fill);
  const float scale = input.quantization().scale;
  Operand operand;
  operand.type = TENSOR_INT32;
  operand.dims = {size};
  Quantization counts;  // what a code counts
  if (const auto& channels = weights.quantization().per_channel) {
    auto scales = std::make_shared<PerChannel>();
    for (float s : channels->scales) scales->scales.push_back(scale * s);
    counts.per_channel = std::move(scales);
  } else {
    counts.scale = operand.quantization.scale = scale * weights.quantization().scale;
  }
  Bytes bytes = BytesOf(recipe, TENSOR_INT32, counts, operand.dims);
  Bind(bias, Put(ConstantOr(fresh ? From::kFresh : From::kConstant), std::move(operand), std::move(bytes),
                 {.range = fill.range, .readable = false}));
}

void CallDrawing::Like(In& in, const In& like, const Fill& fill) {
  std::optional<Quantization> quantization;
  if (IsQuantized(like.type())) quantization = like.quantization();
  Exactly(in, like.dims(), fill, std::move(quantization));
}

void CallDrawing::Contents(In& in, Dims dims, const std::vector<double>& values,
                           std::optional<Quantization> quantization) {
  const OperandType type = in.type();
  Plan plan;
  plan.range = {0, 0, true};
  if (!values.empty()) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    plan.range = {*least, *most, true};
  }
  Operand operand;
  operand.type = type;
  operand.quantization = quantization ? *std::move(quantization) : Fit(type, plan.range);
  plan.range = Coded(type, operand.quantization, plan.range);
  const bool fresh = session_.choices.Chance(1, 4);
  Bytes bytes = StoreValues(type, operand.quantization, dims, values, plan.range);
  operand.dims = std::move(dims);
  Bind(in, Put(ConstantOr(fresh ? From::kFresh : From::kConstant), std::move(operand), std::move(bytes), plan));
}

void CallDrawing::Omit(In& in) {
  Bound& bound = bound_.emplace_back();
  bound.argument.type = in.type();
  bound.argument.omitted = true;
  in.Bind(&bound.argument, in.index());
}

void CallDrawing::Values(IntValues& values, std::vector<int32_t> elements, std::optional<Dims> dims) {
  Operand operand;
  operand.type = TENSOR_INT32;
  operand.dims = dims ? *std::move(dims) : Dims{static_cast<uint32_t>(elements.size())};
  Bytes bytes(elements.size() * sizeof(int32_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  const bool fresh = session_.choices.Chance(1, 12) && session_.options.late_values;
  Bytes copy = bytes;
  Bind(values.tensor, Put(ConstantOr(fresh ? From::kFresh : From::kConstant), std::move(operand), std::move(copy),
                          {.readable = false}));
  Bound& bound = bound_.back();
  bound.bytes = std::move(bytes);
  bound.argument.value_known = true;
  bound.argument.value = bound.bytes;
  values.values = std::move(elements);
}

Range CallDrawing::RangeOf(const In& in) const {
  const Bound* bound = BoundTo(in);
  return bound != nullptr ? bound->range : Range{};
}

const CallDrawing::Bound* CallDrawing::BoundTo(const In& in) const {
  for (const Bound& bound : bound_)
    if (&bound.argument == in.argument()) return &bound;
  return nullptr;
}

void CallDrawing::BindOut(Out& out, const Quantization& quantization, const Range& range) {
  const OperandType type = out.argument() != nullptr ? out.type() : row_.outputs.at(outputs_);
  Bound& bound = bound_.emplace_back();
  bound.argument.type = type;
  bound.argument.quantization = quantization;
  bound.range = Coded(type, quantization, range);
  bound.range.sure |= type == TENSOR_INT32 || type == TENSOR_BOOL8;
  out.Bind(&bound.argument, outputs_);
  ++outputs_;
}

// What a conforming driver may store of values that surely lie in `range`: the nearest code, or the next one.
Range CallDrawing::Stored(OperandType type, const Quantization& quantization, const Range& range) {
  if (!InfoOf(type).has_scale || !range.sure) return range;
  const double step = 1.5 * quantization.scale;
  return {range.least - step, range.most + step, range.sure};
}

void CallDrawing::Output(Out& out, const Range& range, double above_scale) {
  const OperandType type = out.argument() != nullptr ? out.type() : row_.outputs.at(outputs_);
  if (!InfoOf(type).has_scale) return BindOut(out, {}, range);
  if (target_ != nullptr && outputs_ == 0 && type == target_->type)
    return BindOut(out, target_->quantization, Stored(type, target_->quantization, range));
  // Now and then the parameters do not fit, and some values saturate.
  const double half = range.half_width() / 2;
  const bool tight = session_.choices.Chance(1, 12);
  const Range fitted = tight ? Range{range.middle() - half, range.middle() + half} : range;
  const Quantization quantization = Fit(type, fitted, above_scale);
  BindOut(out, quantization, Stored(type, quantization, range));
}

void CallDrawing::OutputLike(Out& out, const In& in) { BindOut(out, in.quantization(), RangeOf(in)); }

void CallDrawing::OutputAs(Out& out, const Quantization& quantization, const Range& range) {
  const OperandType type = out.argument() != nullptr ? out.type() : row_.outputs.at(outputs_);
  BindOut(out, quantization, Stored(type, quantization, range));
}

}  // namespace assay
