#include "model/model.h"

#include <algorithm>
#include <limits>

namespace assay {
namespace {

bool SameBytes(const SharedBytes& a, const SharedBytes& b) {
  if (!a || !b) return a == b;
  return *a == *b;
}

}  // namespace

absl::string_view NameOf(Lifetime lifetime) {
  switch (lifetime) {
    case Lifetime::TEMPORARY_VARIABLE:
      return "TEMPORARY_VARIABLE";
    case Lifetime::SUBGRAPH_INPUT:
      return "SUBGRAPH_INPUT";
    case Lifetime::SUBGRAPH_OUTPUT:
      return "SUBGRAPH_OUTPUT";
    case Lifetime::CONSTANT_COPY:
      return "CONSTANT_COPY";
    case Lifetime::CONSTANT_REFERENCE:
      return "CONSTANT_REFERENCE";
    case Lifetime::NO_VALUE:
      return "NO_VALUE";
    case Lifetime::SUBGRAPH:
      return "SUBGRAPH";
  }
  return "UNKNOWN";
}

bool operator==(const Operand& a, const Operand& b) {
  return a.name == b.name && a.type == b.type && a.dims == b.dims && a.quantization == b.quantization &&
         a.lifetime == b.lifetime && SameBytes(a.value, b.value) && a.subgraph == b.subgraph &&
         a.ignored == b.ignored && SameBytes(a.extension_parameters, b.extension_parameters);
}

bool Uses(const Model& model, OperandType type) {
  return std::any_of(model.subgraphs.begin(), model.subgraphs.end(), [&](const Subgraph& s) {
    return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) { return o.type == type; });
  });
}

std::optional<uint32_t> ByteSize(OperandType type, const Dims& dims) {
  uint64_t size = ElementSize(type);
  for (uint32_t d : dims) {
    if (d == 0 || d == kUnknownDim) return std::nullopt;
    size *= d;  // both factors are below 2^32
    if (size > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  }
  if (dims.empty() && !IsScalar(type)) return std::nullopt;
  return static_cast<uint32_t>(size);
}

}  // namespace assay
