#include "validate/request.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "validate/model.h"
#include "validate/report.h"

namespace assay {
namespace {

constexpr Stage kRequest = Stage::kRequest;
constexpr Rule kModelRule{"request.model", kRequest, "the model has a main subgraph, and its lists are in range"};
constexpr Rule kInputCount{"request.input_count", kRequest, "there are as many inputs as the model has"};
constexpr Rule kOutputCount{"request.output_count", kRequest, "there are as many outputs as the model has"};
constexpr Rule kSource{"request.source", kRequest, "the source is one of pointer, pool and no value"};
constexpr Rule kNoValue{"request.no_value", kRequest,
                        "an omitted argument has neither dimensions nor bytes nor a place"};
constexpr Rule kPointer{"request.pointer", kRequest, "a pointer is not null and has no pool and no offset"};
constexpr Rule kPool{"request.pool", kRequest, "the index of a pool is below the number of pools"};
constexpr Rule kRange{"request.range", kRequest, "offset, length and padding together end inside of the pool"};
constexpr Rule kBuffer{"request.buffer", kRequest,
                       "an argument in a buffer of a memory domain has offset, length and padding 0"};
constexpr Rule kEmpty{"request.empty", kRequest, "the length is above 0"};
constexpr Rule kRank{"request.rank", kRequest, "dimensions that are given have the rank of the model's operand"};
constexpr Rule kDimension{"request.dimension", kRequest,
                          "a dimension that is given is the model's where the model knows it"};
constexpr Rule kUnspecified{"request.unspecified", kRequest,
                            "the dimensions of inputs are known; those of outputs below level 3 and in fenced "
                            "execution too"};
constexpr Rule kSize{"request.size", kRequest, "the bytes of an argument fit 32 bits"};
constexpr Rule kLength{"request.length", kRequest, "the length is that of the value; more room is padding"};
constexpr Rule kFencedLevel{"level.fenced", kRequest, "fenced execution needs level 4"};
constexpr Rule kBufferLevel{"level.buffer", kRequest, "buffers of memory domains need level 4"};
constexpr Rule kPaddingLevel{"level.padding", kRequest, "padding needs level 5"};
constexpr Rule kAll[] = {kModelRule,   kInputCount, kOutputCount, kSource,      kNoValue,     kPointer,
                         kPool,        kRange,      kBuffer,      kEmpty,       kRank,        kDimension,
                         kUnspecified, kSize,       kLength,      kFencedLevel, kBufferLevel, kPaddingLevel};

class RequestCheck {
 public:
  RequestCheck(const Model& model, const RequestShape& request, FeatureLevel level)
      : model_(model), request_(request), level_(level) {}

  Violations All() {
    const Place place = Place::OfModel(model_);
    if (!report_.That(!model_.subgraphs.empty(), kModelRule, place, "the model has no subgraph")) return report_.Take();
    report_.That(!request_.fenced || level_ >= 4, kFencedLevel, place, "fenced execution at level ", level_,
                 ", needs 4");
    for (size_t i = 0; i < request_.pools.size(); ++i)
      report_.That(!request_.pools[i].is_buffer || level_ >= 4, kBufferLevel, place, "pool ", i,
                   " is a buffer of a memory domain at level ", level_, ", needs 4");
    List(model_.main().inputs, request_.inputs, false);
    List(model_.main().outputs, request_.outputs, true);
    return report_.Take();
  }

 private:
  void List(const std::vector<uint32_t>& operands, const std::vector<RequestArgument>& arguments, bool outputs) {
    if (!report_.That(operands.size() == arguments.size(), outputs ? kOutputCount : kInputCount, Place::OfModel(model_),
                      "the request has ", arguments.size(), outputs ? " outputs" : " inputs", ", the model has ",
                      operands.size()))
      return;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!report_.That(operands[i] < model_.main().operands.size(), kModelRule, Place::OfModel(model_),
                        outputs ? "output " : "input ", i, " of the model is operand ", operands[i], ", there are ",
                        model_.main().operands.size(), " operands"))
        continue;
      Argument(operands[i], arguments[i], outputs);
    }
  }

  void Argument(uint32_t index, const RequestArgument& argument, bool output) {
    const Place place = Place::OfOperand(model_, 0, index);
    report_.That(argument.padding == 0 || level_ >= 5, kPaddingLevel, place, "has ", argument.padding,
                 " bytes of padding at level ", level_, ", needs 5");
    if (!Location(argument, place) || argument.source == Source::NO_VALUE) return;
    const std::optional<Shape> shape = Dimensions(model_.main().operands[index], argument, output, place);
    if (shape) Length(model_.main().operands[index].type, *shape, argument, place);
  }

  bool InBuffer(const RequestArgument& a) const {
    return a.source == Source::POOL && a.pool < request_.pools.size() && request_.pools[a.pool].is_buffer;
  }

  bool Location(const RequestArgument& a, const Place& place) {
    switch (a.source) {
      case Source::NO_VALUE:
        return report_.That(
            a.dims.empty() && a.length == 0 && a.padding == 0 && a.pool == 0 && a.offset == 0 && !a.null, kNoValue,
            place, "is omitted, and has dimensions ", a.dims, ", length ", a.length, ", padding ", a.padding, ", pool ",
            a.pool, ", offset ", a.offset, a.null ? " and a null pointer" : "");
      case Source::POINTER:
        return report_.That(!a.null && a.pool == 0 && a.offset == 0, kPointer, place, "pointer is ",
                            a.null ? "null" : "given", ", pool ", a.pool, ", offset ", a.offset) &&
               report_.That(a.length > 0, kEmpty, place, "length is 0");
      case Source::POOL:
        return report_.That(a.pool < request_.pools.size(), kPool, place, "is in pool ", a.pool, ", there are ",
                            request_.pools.size()) &&
               InPool(a, request_.pools[a.pool], place);
    }
    return report_.That(false, kSource, place, "source ", static_cast<int>(a.source), " is not one of 0 to ",
                        static_cast<int>(Source::NO_VALUE));
  }

  bool InPool(const RequestArgument& a, const RequestPool& pool, const Place& place) {
    if (pool.is_buffer)
      return report_.That(a.offset == 0 && a.length == 0 && a.padding == 0, kBuffer, place, "is in a buffer at offset ",
                          a.offset, " with length ", a.length, " and padding ", a.padding);
    // Compared by subtraction: sums could wrap.
    const bool inside =
        a.offset <= pool.size && a.length <= pool.size - a.offset && a.padding <= pool.size - a.offset - a.length;
    return report_.That(inside, kRange, place, "offset ", a.offset, ", length ", a.length, " and padding ", a.padding,
                        " end behind pool ", a.pool, " of ", pool.size, " bytes") &&
           report_.That(a.length > 0, kEmpty, place, "length is 0");
  }

  // What model and request together know of the shape; nothing if they disagree.
  std::optional<Shape> Dimensions(const Operand& operand, const RequestArgument& argument, bool output,
                                  const Place& place) {
    const Shape declared = operand.shape();
    if (!argument.dims.empty() && declared.ranked &&
        !report_.That(argument.dims.size() == declared.rank(), kRank, place, "the request gives dimensions ",
                      argument.dims, ", the model has rank ", declared.rank()))
      return std::nullopt;
    // Compared one by one: a zero leaves open only what the model leaves open.
    bool agree = true;
    for (size_t i = 0; i < argument.dims.size() && declared.ranked; ++i)
      agree = agree && (declared.dims[i] == kUnknownDim || declared.dims[i] == argument.dims[i]);
    if (!report_.That(agree, kDimension, place, "the request gives dimensions ", argument.dims, ", the model has ",
                      declared))
      return std::nullopt;
    const Shape shape = argument.dims.empty() ? declared : Shape::FromModel(argument.dims, false);
    const bool may_be_unknown = output && level_ >= 3 && !request_.fenced;
    // An extension type without dimensions may be a scalar.
    if (operand.dims.empty() && argument.dims.empty() && IsExtension(operand.type)) return std::nullopt;
    if (!report_.That(shape.IsKnown() || may_be_unknown, kUnspecified, place, output ? "output" : "input", " of shape ",
                      shape, " is not fully known", ", level ", level_, request_.fenced ? ", fenced" : ""))
      return std::nullopt;
    return shape;
  }

  void Length(OperandType type, const Shape& shape, const RequestArgument& argument, const Place& place) {
    if (IsExtension(type) || !shape.IsKnown()) return;
    const std::optional<uint32_t> bytes = ByteSize(type, shape.dims);
    if (!report_.That(bytes.has_value(), kSize, place, "shape ", shape, " of ", type, " needs more than ",
                      std::numeric_limits<uint32_t>::max(), " bytes") ||
        InBuffer(argument))
      return;
    report_.That(argument.length == *bytes, kLength, place, "length is ", argument.length, ", ", type, " of shape ",
                 shape, " has ", *bytes, " bytes");
  }

  const Model& model_;
  const RequestShape& request_;
  const FeatureLevel level_;
  Report report_{kMostViolations};
};

}  // namespace

absl::string_view NameOf(Source source) {
  switch (source) {
    case Source::POINTER:
      return "POINTER";
    case Source::POOL:
      return "POOL";
    case Source::NO_VALUE:
      return "NO_VALUE";
  }
  return "UNKNOWN";
}

std::span<const Rule> RequestRules() { return kAll; }

Violations ValidateRequest(const Model& model, const RequestShape& request, FeatureLevel level) {
  return RequestCheck(model, request, level).All();
}

}  // namespace assay
