// Models and requests that each break one rule of validate/, by what breaks it. Refuses to know how rules are checked.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/model.h"
#include "ops/rule.h"
#include "tests/model_builder.h"
#include "validate/model.h"
#include "validate/request.h"

namespace assay {

// A valid model: ADD(x, y) -> temporary, ADD(temporary, x) -> output, of TENSOR_FLOAT32 [2, 3]. By name where what is.
struct Sample {
  ModelBuilder builder;
  uint32_t x, y, activation, temporary, output;
  Sample();
  Operand& operand(uint32_t index) { return builder.operand(index); }
  Operation& operation(size_t i) { return builder.subgraph().operations[i]; }
  Model Build() { return builder.Build(); }
};

struct Breakage {
  std::string rule, how;
  std::function<Violations()> violations;
};

// What ValidateModel says of the sample after `edit`.
Breakage OfSample(std::string rule, std::string how, std::function<void(Sample&)> edit,
                  FeatureLevel level = kHighestFeatureLevel);
// The same of a whole model.
Breakage OfModel(std::string rule, std::string how, std::function<void(Model&)> edit,
                 FeatureLevel level = kHighestFeatureLevel);

// A valid model of IF (WHILE) on float tensors of shape [2], the subgraphs in the order in which they are referred to.
Model IfSample();
Model WhileSample();

std::vector<Breakage> OperandBreakages();
std::vector<Breakage> GraphBreakages();
std::vector<Breakage> CallBreakages();
std::vector<Breakage> BoundaryBreakages();
std::vector<Breakage> RequestBreakages();
std::vector<Breakage> AllBreakages();

}  // namespace assay
