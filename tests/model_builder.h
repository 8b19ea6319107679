// Builds small models by hand for tests: operands and operations in the order in which they are named. Refuses to know
// any operation and to check anything: a wrong model is built as it is asked for, so that it can be refused.
//
//   ModelBuilder b;
//   const auto x = b.Input(TENSOR_FLOAT32, {2, 2});
//   const auto z = b.Constant<float>(TENSOR_FLOAT32, {2, 2}, {1, 2, 3, 4});
//   b.Output(b.Op("ADD", {x, z, b.Int(0)}, TENSOR_FLOAT32, {2, 2}));
//   const Model model = b.Build();
#pragma once
#include <cstring>
#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "model/model.h"
#include "model/status.h"
#include "numeric/half.h"

namespace assay {

// Row-major storage bytes of some elements: BytesOf<float>({1, 2}), BytesOf<uint8_t>(codes).
template <class T>
Bytes BytesOf(const std::vector<T>& elements) {
  const auto* begin = reinterpret_cast<const uint8_t*>(elements.data());
  return Bytes(begin, begin + elements.size() * sizeof(T));
}
// The inverse; the size must be a multiple of the element's.
template <class T>
std::vector<T> ElementsOf(const Bytes& bytes) {
  ASSAY_CHECK(bytes.size() % sizeof(T) == 0, "bytes do not make whole elements");
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}
// Halves nearest to the values, for TENSOR_FLOAT16.
inline std::vector<uint16_t> HalvesOf(const std::vector<float>& values) {
  std::vector<uint16_t> halves;
  for (float v : values) halves.push_back(HalfFromFloat(v));
  return halves;
}

inline Quantization Quant(float scale, int32_t zero_point = 0) { return {scale, zero_point, nullptr}; }
inline Quantization PerChannelQuant(uint32_t channel_dim, std::vector<float> scales) {
  return {0, 0, std::make_shared<const PerChannel>(PerChannel{channel_dim, std::move(scales)})};
}

// Type, dims and quantization of a tensor that an operation writes.
struct TensorType {
  OperandType type;
  Dims dims;
  Quantization quantization = {};
};

// One subgraph. Every operand that is made is named "op<index>".
class SubgraphBuilder {
 public:
  using Id = uint32_t;  // index into Subgraph::operands

  explicit SubgraphBuilder(std::string name) { subgraph_.name = std::move(name); }

  Id Input(OperandType type, Dims dims, Quantization q = {}) {
    const Id id = Add({type, std::move(dims), std::move(q)}, Lifetime::SUBGRAPH_INPUT);
    subgraph_.inputs.push_back(id);
    return id;
  }
  Id Constant(OperandType type, Dims dims, Bytes value, Quantization q = {}) {
    const Id id = Add({type, std::move(dims), std::move(q)}, Lifetime::CONSTANT_COPY);
    subgraph_.operands[id].value = std::make_shared<const Bytes>(std::move(value));
    return id;
  }
  template <class T>
  Id Constant(OperandType type, Dims dims, const std::vector<T>& elements, Quantization q = {}) {
    return Constant(type, std::move(dims), BytesOf(elements), std::move(q));
  }
  Id Int(int32_t value) { return Constant(OperandType::INT32, {}, std::vector<int32_t>{value}); }
  Id Float(float value) { return Constant(OperandType::FLOAT32, {}, std::vector<float>{value}); }
  Id Half(float value) { return Constant(OperandType::FLOAT16, {}, HalvesOf({value})); }
  Id Bool(bool value) { return Constant(OperandType::BOOL, {}, std::vector<uint8_t>{value}); }
  Id Ints(const std::vector<int32_t>& values) {
    return Constant(OperandType::TENSOR_INT32, {static_cast<uint32_t>(values.size())}, values);
  }
  // An omitted optional operand.
  Id Omitted(OperandType type, Dims dims = {}, Quantization q = {}) {
    return Add({type, std::move(dims), std::move(q)}, Lifetime::NO_VALUE);
  }
  // Subgraph `index` of the model, for IF and WHILE.
  Id Reference(uint32_t index) {
    const Id id = Add({OperandType::SUBGRAPH, {}}, Lifetime::SUBGRAPH);
    subgraph_.operands[id].subgraph = index;
    return id;
  }
  Id Temporary(OperandType type, Dims dims, Quantization q = {}) {
    return Add({type, std::move(dims), std::move(q)}, Lifetime::TEMPORARY_VARIABLE);
  }

  // An operation with one output, which is a new temporary until Output() says otherwise.
  Id Op(absl::string_view name, std::vector<Id> inputs, OperandType type, Dims dims, Quantization q = {}) {
    return Op(name, std::move(inputs), {{type, std::move(dims), std::move(q)}}).front();
  }
  // The same with several outputs.
  std::vector<Id> Op(absl::string_view name, std::vector<Id> inputs, const std::vector<TensorType>& types) {
    std::vector<Id> outputs;
    for (const TensorType& t : types) outputs.push_back(Add(t, Lifetime::TEMPORARY_VARIABLE));
    OpInto(name, std::move(inputs), outputs);
    return outputs;
  }
  // An operation that writes operands which exist already.
  void OpInto(absl::string_view name, std::vector<Id> inputs, std::vector<Id> outputs) {
    const std::optional<OperationCode> code = FindOperation(name);
    ASSAY_CHECK(code.has_value(), absl::StrCat("there is no operation ", name));
    subgraph_.operations.push_back({*code, std::move(inputs), std::move(outputs)});
  }
  // Makes the operand the subgraph's next output.
  void Output(Id id) {
    subgraph_.operands[id].lifetime = Lifetime::SUBGRAPH_OUTPUT;
    subgraph_.outputs.push_back(id);
  }

  // For what has no method of its own.
  Operand& operand(Id id) { return subgraph_.operands[id]; }
  Subgraph& subgraph() { return subgraph_; }

 private:
  Id Add(TensorType t, Lifetime lifetime) {
    Operand operand;
    operand.name = absl::StrCat("op", subgraph_.operands.size());
    operand.type = t.type;
    operand.dims = std::move(t.dims);
    operand.quantization = std::move(t.quantization);
    operand.lifetime = lifetime;
    subgraph_.operands.push_back(std::move(operand));
    return static_cast<Id>(subgraph_.operands.size() - 1);
  }

  Subgraph subgraph_;
};

// The main subgraph, and those that it refers to.
class ModelBuilder : public SubgraphBuilder {
 public:
  ModelBuilder() : SubgraphBuilder("main") {}

  // A further subgraph: refer to it by `Reference(index)` of its user, where the first one added has index 1. The
  // builder stays where it is.
  SubgraphBuilder& AddSubgraph(std::string name) { return referenced_.emplace_back(std::move(name)); }
  void Relaxed() { relaxed_ = true; }

  Model Build() {
    Model model;
    model.main() = subgraph();
    for (SubgraphBuilder& s : referenced_) model.subgraphs.push_back(s.subgraph());
    model.relaxed = relaxed_;
    return model;
  }

 private:
  std::deque<SubgraphBuilder> referenced_;  // a deque: addresses stay
  bool relaxed_ = false;
};

}  // namespace assay
