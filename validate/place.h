// Where in a model something is, for messages: "subgraph 1 `then`, operand 5 `op5`". Refuses to know any rule.
#pragma once
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "model/model.h"

namespace assay {

// Cheap to make: the text is built only when something is to be said. Indices may be out of range.
class Place {
 public:
  static Place OfModel(const Model& model) { return {model, Kind::kModel, 0, 0}; }
  static Place OfSubgraph(const Model& model, size_t s) { return {model, Kind::kSubgraph, s, 0}; }
  static Place OfOperand(const Model& model, size_t s, size_t i) { return {model, Kind::kOperand, s, i}; }
  static Place OfOperation(const Model& model, size_t s, size_t i) { return {model, Kind::kOperation, s, i}; }

  // Names are shortened and escaped. Empty for the model as a whole.
  std::string Text() const;

 private:
  enum class Kind : uint8_t { kModel, kSubgraph, kOperand, kOperation };
  Place(const Model& model, Kind kind, size_t subgraph, size_t index)
      : model_(&model), kind_(kind), subgraph_(subgraph), index_(index) {}

  const Model* model_;
  Kind kind_;
  size_t subgraph_, index_;
};

// "operand 5 `op5`", within a message that has said which subgraph.
std::string OperandText(const Subgraph& subgraph, uint32_t index);
// "TENSOR_FLOAT32", also of codes that have no name: "type 77", "extension type 0x12340001".
std::string TypeText(OperandType type);
// The same of operations: "CONV_2D", "operation code 200", "extension operation 0x12340001".
std::string OperationText(OperationCode code);

}  // namespace assay
