// Draws a model as a graph in Graphviz's language. Knows no operation's meaning and no verdict: what is to be seen in
// colour is handed in.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"

namespace assay {

// A remark on one operation or operand. Marks on what the model does not have are passed over.
struct DotMark {
  uint32_t subgraph = 0;  // index into Model::subgraphs
  uint32_t index = 0;     // of the operation, or of the operand, in the subgraph
  std::string label;      // further lines of its text
  std::string colour = "red";
};

struct DotMarks {
  std::string title;  // above the drawing
  std::vector<DotMark> operations, operands;
};

// The graph: a cluster for each subgraph; in it a box for each operation and a node for each operand with its type,
// dimensions, quantization and, if it is a small constant, values. Operations that are handed a subgraph have an edge
// to its cluster. A valid file for every model, also an invalid one.
std::string WriteDot(const Model& model, const DotMarks& marks = {});

}  // namespace assay
