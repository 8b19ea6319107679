// A model as NNAPI has it: subgraphs of operands and operations. Checked by validate/, not here.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "model/operation_code.h"
#include "model/shape.h"
#include "model/types.h"

namespace assay {

enum class Lifetime : uint8_t {
  TEMPORARY_VARIABLE,
  SUBGRAPH_INPUT,
  SUBGRAPH_OUTPUT,
  CONSTANT_COPY,       // the value travels inside the model
  CONSTANT_REFERENCE,  // the value lies in a memory object beside the model
  NO_VALUE,            // an omitted optional operand
  SUBGRAPH,            // refers to another subgraph of the model
};
absl::string_view NameOf(Lifetime lifetime);
inline bool IsConstant(Lifetime l) { return l == Lifetime::CONSTANT_COPY || l == Lifetime::CONSTANT_REFERENCE; }

struct Operand {
  std::string name;  // for people; unique within a spec file, otherwise free
  OperandType type = OperandType::TENSOR_FLOAT32;
  Dims dims;  // NNAPI's form: 0 = unknown dim; empty on a tensor = unknown rank
  Quantization quantization;
  Lifetime lifetime = Lifetime::TEMPORARY_VARIABLE;
  SharedBytes value;                 // of a constant: row-major elements in the processor's byte order
  uint32_t subgraph = 0;             // of a SUBGRAPH operand: index into Model::subgraphs
  bool ignored = false;              // an output whose values no test compares
  SharedBytes extension_parameters;  // opaque, of an extension type; may be null

  Shape shape() const { return Shape::FromModel(dims, IsScalar(type)); }
  friend bool operator==(const Operand& a, const Operand& b);
};

struct Operation {
  OperationCode code = OperationCode::ADD;
  std::vector<uint32_t> inputs, outputs;  // indices into Subgraph::operands
  friend bool operator==(const Operation&, const Operation&) = default;
};

struct Subgraph {
  std::string name;
  std::vector<Operand> operands;
  std::vector<Operation> operations;
  std::vector<uint32_t> inputs, outputs;
  friend bool operator==(const Subgraph&, const Subgraph&) = default;
};

// A vendor extension that the model uses. Its types and operations have `prefix` in their high 16 bits.
struct ExtensionPrefix {
  std::string name;
  uint16_t prefix = 0;
  friend bool operator==(const ExtensionPrefix&, const ExtensionPrefix&) = default;
};

struct Model {
  std::vector<Subgraph> subgraphs = std::vector<Subgraph>(1);  // the first is the main one
  std::vector<ExtensionPrefix> extensions;
  bool relaxed = false;  // float32 may be computed with the range and precision of float16

  const Subgraph& main() const { return subgraphs.front(); }
  Subgraph& main() { return subgraphs.front(); }
  friend bool operator==(const Model&, const Model&) = default;
};

// True if an operand of any subgraph has the type; some criteria depend on it (CTS float16 tolerances).
bool Uses(const Model& model, OperandType type);

// Bytes of a tensor or scalar of `type` with `dims`; nothing if a dim is 0/unknown, or it does not fit 32 bits.
std::optional<uint32_t> ByteSize(OperandType type, const Dims& dims);

// A value for an Operand, copied.
template <class T>
SharedBytes MakeValue(std::span<const T> elements) {
  const auto* begin = reinterpret_cast<const uint8_t*>(elements.data());
  return std::make_shared<const Bytes>(begin, begin + elements.size_bytes());
}

}  // namespace assay
