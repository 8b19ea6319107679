// Random whole models with data. Refuses to know what the right answers are: the caller asks reference/.
//
// Drawing goes forward: each operation takes tensors that are there, so there is nothing to solve. What is drawn
// depends on the choices, the options and the registry alone, and on no kernel's result: a tape means the same model
// on every machine and with every compiler. Every drawn model is valid at the level asked for, and can be executed.
#pragma once
#include <span>
#include <vector>

#include "model/test_case.h"
#include "randomgraph/draft.h"
#include "randomgraph/options.h"

namespace assay {

struct DrawnModel {
  Model model;
  // The inputs' values; outputs are left empty.
  Example example;
  // Operands of the main graph that are outputs only so that the judge sees them.
  std::vector<uint32_t> exposed;
  // Where the values of each operand of the main graph were planned to lie.
  std::vector<Range> ranges;
  // Calls that were drawn and dropped. One for Reason::kFault shows a fault of a family.
  std::vector<Rejection> rejected;
};

// Draws a model. CheckOptions(options) is OK.
DrawnModel Draw(Choices& choices, const Options& options);

// The model with these temporaries of its main graph as further outputs, in the order given; other operands are
// ignored. The runs A (all exposed), B (some hidden) and C (none) of judging.md 4 are made with it.
Model Expose(const Model& model, std::span<const uint32_t> operands);
// The inverse, for outputs that an operation reads; others stay outputs.
Model Hide(const Model& model, std::span<const uint32_t> operands);

}  // namespace assay
