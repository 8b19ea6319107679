// What a set of drawn models is like: sizes, connectedness, types, operations, and how much their values say.
// Refuses to compute values: the caller brings the examples' outputs.
#pragma once
#include <cstddef>
#include <map>
#include <string>

#include "model/test_case.h"

namespace assay {

// Of one model; tensors and operations of all its subgraphs, the rest of the main one.
struct GraphStatistics {
  size_t operations = 0;  // of the main graph
  size_t pieces = 0;      // parts of the main graph that share no tensor but constants
  size_t depth = 0;       // operations of the longest chain
  size_t dependent = 0;   // operations that read, directly or not, a model input
  size_t inputs = 0, outputs = 0, subgraphs = 0;
  size_t unknown_shapes = 0;              // operands with unknown dimensions or rank
  size_t shared = 0;                      // tensors that several input slots read, constants not counted
  std::map<OperandType, size_t> types;    // tensors
  std::map<OperationCode, size_t> codes;  // operations
};
GraphStatistics StatisticsOf(const Model& model);

// Of the elements of output tensors.
struct ValueStatistics {
  size_t tensors = 0, elements = 0;
  size_t zeros = 0;       // elements that stand for 0
  size_t saturated = 0;   // of quantized types: elements at the least or the greatest code that do not stand for 0
  size_t special = 0;     // of floats: NaN and infinities
  size_t uniform = 0;     // tensors of two elements or more that are all the same
  size_t uniform_of = 0;  // tensors of two elements or more
};

// The sums over many models.
class DrawStatistics {
 public:
  // `example` is one of the model's; its outputs are counted if they are given.
  void Add(const Model& model, const Example& example);

  size_t models() const { return models_; }
  const GraphStatistics& sums() const { return sums_; }
  const std::map<OperandType, ValueStatistics>& values() const { return values_; }
  // Share of the operations that depend on a model input; 0 of none.
  double DependentShare() const;
  // A table for people.
  std::string ToString() const;

 private:
  size_t models_ = 0, connected_ = 0;
  GraphStatistics sums_;
  std::map<size_t, size_t> sizes_;  // models by number of operations
  std::map<OperandType, ValueStatistics> values_;
};

}  // namespace assay
