#include "validate/operands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "validate/model.h"

namespace assay {
namespace {

constexpr Stage kModel = Stage::kModel;
constexpr Rule kExtensionName{"model.extension_name", kModel, "a declared extension has a name"};
constexpr Rule kExtensionPrefix{"model.extension_prefix", kModel, "prefixes of extensions are above 0 and distinct"};
constexpr Rule kLifetime{"operand.lifetime", kModel, "the lifetime is one that NNAPI has"};
constexpr Rule kType{"operand.type", kModel, "the type is one that NNAPI has"};
constexpr Rule kOem{"operand.oem", kModel, "OEM types are refused"};
constexpr Rule kExtension{"operand.extension", kModel, "an extension type has a prefix that the model declares"};
constexpr Rule kSubgraph{"operand.subgraph", kModel, "type SUBGRAPH and lifetime SUBGRAPH imply each other"};
constexpr Rule kSubgraphIndex{"operand.subgraph_index", kModel,
                              "the index of a SUBGRAPH operand is that of a subgraph other than the main one"};
constexpr Rule kScalarDims{"operand.scalar_dims", kModel, "a scalar has no dimensions"};
constexpr Rule kRank{"operand.rank", kModel, "the rank is at most 256 (a limit of this implementation)"};
constexpr Rule kSize{"operand.size", kModel, "the bytes of the known dimensions fit 32 bits"};
constexpr Rule kScale{"operand.scale", kModel,
                      "the scale is finite and above 0 (quantized), at least 0 (TENSOR_INT32) or 0 (all others)"};
constexpr Rule kZeroPoint{"operand.zero_point", kModel, "the zero point lies in the range of the type"};
constexpr Rule kPerChannel{"operand.per_channel", kModel,
                           "TENSOR_QUANT8_SYMM_PER_CHANNEL, and no other type, has per-channel parameters"};
constexpr Rule kChannelDim{"operand.channel_dim", kModel, "the channel dimension is below the rank"};
constexpr Rule kChannelCount{"operand.channel_count", kModel,
                             "there are as many scales as channels, and their number is known"};
constexpr Rule kChannelScale{"operand.channel_scale", kModel, "every scale of a channel is finite and above 0"};
constexpr Rule kExtensionParameters{"operand.extension_parameters", kModel,
                                    "only extension types have such parameters"};
constexpr Rule kValue{"operand.value", kModel, "a constant has a value, an operand of another lifetime has none"};
constexpr Rule kConstantDims{"operand.constant_dims", kModel, "all dimensions of a constant are known"};
constexpr Rule kLength{"operand.length", kModel, "the value of a constant has the bytes that its dimensions ask for"};
constexpr Rule kAll[] = {
    kExtensionName, kExtensionPrefix, kLifetime,   kType,         kOem,          kExtension,
    kSubgraph,      kSubgraphIndex,   kScalarDims, kRank,         kSize,         kScale,
    kZeroPoint,     kPerChannel,      kChannelDim, kChannelCount, kChannelScale, kExtensionParameters,
    kValue,         kConstantDims,    kLength};

bool IsPositive(float scale) { return std::isfinite(scale) && scale > 0; }

// One operand and what is said of it.
class OperandCheck {
 public:
  OperandCheck(const Model& model, size_t subgraph, size_t index, Report& report)
      : model_(model),
        operand_(model.subgraphs[subgraph].operands[index]),
        place_(Place::OfOperand(model, subgraph, index)),
        report_(report) {}

  bool All(const Extensions& extensions) {
    // Nothing else means anything without these.
    if (!That(operand_.lifetime <= Lifetime::SUBGRAPH, kLifetime, "lifetime ", static_cast<int>(operand_.lifetime),
              " is not one of 0 to ", static_cast<int>(Lifetime::SUBGRAPH)))
      return false;
    if (!Type(extensions) || !Reference()) return false;
    Dimensions();
    Scale();
    PerChannelParameters();
    That(operand_.extension_parameters == nullptr || is_extension_, kExtensionParameters, "type ", operand_.type,
         " has extension parameters");
    Value();
    return sound_;
  }

 private:
  template <class... Parts>
  bool That(bool holds, const Rule& rule, const Parts&... parts) {
    sound_ = sound_ && holds;
    return report_.That(holds, rule, place_, parts...);
  }

  bool Type(const Extensions& extensions) {
    const auto code = static_cast<uint32_t>(operand_.type);
    if (is_extension_)
      return That(extensions.Declares(code), kExtension, operand_.type, " has prefix ", code >> 16,
                  ", which the model does not declare");
    if (!That(FindType(operand_.type) != nullptr, kType, "type ", code, " is not defined")) return false;
    const bool oem = operand_.type == OperandType::OEM_SCALAR || operand_.type == OperandType::TENSOR_OEM_BYTE;
    return That(!oem, kOem, "type ", operand_.type,
                " is deprecated and means something to its vendor only; no device here takes it");
  }

  bool Reference() {
    const bool by_type = operand_.type == OperandType::SUBGRAPH, by_lifetime = operand_.lifetime == Lifetime::SUBGRAPH;
    if (!That(by_type == by_lifetime, kSubgraph, "type is ", operand_.type, ", lifetime is ", operand_.lifetime))
      return false;
    return !by_type || That(operand_.subgraph > 0 && operand_.subgraph < model_.subgraphs.size(), kSubgraphIndex,
                            "refers to subgraph ", operand_.subgraph, ", must be 1 to ",
                            std::max<size_t>(model_.subgraphs.size(), 1) - 1);
  }

  void Dimensions() {
    const Dims& dims = operand_.dims;
    if (!That(dims.empty() || !IsScalar(operand_.type), kScalarDims, "scalar type ", operand_.type, " has ",
              dims.size(), " dimensions"))
      return;
    if (!That(dims.size() <= kMostDims, kRank, "rank is ", dims.size(), ", at most ", kMostDims)) return;
    // The value that stands for an unknown dimension in a Shape is too much for any type.
    uint64_t bytes = std::max<uint64_t>(info_.element_size, 1);
    for (uint32_t d : dims)
      if (d != 0 && bytes <= kMostBytes) bytes *= d;
    const bool fits = bytes <= kMostBytes && std::find(dims.begin(), dims.end(), kUnknownDim) == dims.end();
    That(fits, kSize, "dimensions ", dims, " of ", info_.element_size, " bytes an element need more than ", kMostBytes,
         " bytes");
  }

  void Scale() {
    const auto& [scale, zero_point, per_channel] = operand_.quantization;
    if (info_.has_scale) {
      That(IsPositive(scale), kScale, "scale of ", info_.type, " is ", scale, ", must be above 0");
    } else if (operand_.type == OperandType::TENSOR_INT32) {
      That(scale == 0 || IsPositive(scale), kScale, "scale of TENSOR_INT32 is ", scale, ", must be at least 0");
    } else {
      That(scale == 0, kScale, "scale of ", operand_.type, " is ", scale, ", must be 0");
    }
    That(zero_point >= info_.least_zero_point && zero_point <= info_.most_zero_point, kZeroPoint, "zero point of ",
         operand_.type, " is ", zero_point, ", must be ", info_.least_zero_point, " to ", info_.most_zero_point);
  }

  void PerChannelParameters() {
    const bool wanted = operand_.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    const PerChannel* given = operand_.quantization.per_channel.get();
    if (!That(wanted == (given != nullptr), kPerChannel, "type ", operand_.type,
              wanted ? " has no per-channel parameters" : " has per-channel parameters") ||
        given == nullptr)
      return;
    if (!That(given->channel_dim < operand_.dims.size(), kChannelDim, "channel dimension is ", given->channel_dim,
              ", rank is ", operand_.dims.size()))
      return;
    const uint32_t channels = operand_.dims[given->channel_dim];
    That(channels != 0 && given->scales.size() == channels, kChannelCount, "there are ", given->scales.size(),
         " scales, dimension ", given->channel_dim, " is ", channels, channels == 0 ? " (unknown)" : "");
    const auto broken = std::find_if_not(given->scales.begin(), given->scales.end(), IsPositive);
    if (broken != given->scales.end())
      That(false, kChannelScale, "scale of channel ", broken - given->scales.begin(), " is ", *broken,
           ", must be above 0");
  }

  void Value() {
    const bool constant = IsConstant(operand_.lifetime);
    if (!That(constant == (operand_.value != nullptr), kValue, "lifetime is ", operand_.lifetime,
              constant ? ", and there is no value" : ", and there is a value") ||
        !constant || is_extension_)
      return;
    const Dims& dims = operand_.dims;
    const bool known =
        IsScalar(operand_.type) || (!dims.empty() && std::find(dims.begin(), dims.end(), 0u) == dims.end());
    if (!That(known, kConstantDims, "dimensions of a constant are ", dims, ", they must be known")) return;
    const std::optional<uint32_t> bytes = ByteSize(operand_.type, operand_.dims);
    if (!bytes) return;  // reported as too large
    That(operand_.value->size() == *bytes, kLength, "value has ", operand_.value->size(), " bytes, ", operand_.type,
         " ", operand_.dims, " needs ", *bytes);
  }

  static constexpr uint64_t kMostBytes = std::numeric_limits<uint32_t>::max();

  const Model& model_;
  const Operand& operand_;
  const TypeInfo& info_ = InfoOf(operand_.type);
  const bool is_extension_ = IsExtension(operand_.type);
  const Place place_;
  Report& report_;
  bool sound_ = true;
};

}  // namespace

std::span<const Rule> OperandRules() { return kAll; }

Extensions::Extensions(const Model& model, Report& report) : declared_(size_t{1} << 16, false) {
  const Place place = Place::OfModel(model);
  for (const ExtensionPrefix& e : model.extensions) {
    report.That(!e.name.empty(), kExtensionName, place, "the extension with prefix ", e.prefix, " has no name");
    report.That(e.prefix != 0 && !declared_[e.prefix], kExtensionPrefix, place, "prefix ", e.prefix,
                e.prefix == 0 ? " is reserved" : " is declared twice");
    if (e.prefix != 0) declared_[e.prefix] = true;
  }
}

bool CheckOperand(const Model& model, size_t subgraph, size_t index, const Extensions& extensions, Report& report) {
  return OperandCheck(model, subgraph, index, report).All(extensions);
}

}  // namespace assay
