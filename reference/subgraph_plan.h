// What can be settled about a subgraph before it runs, given what is known of its inputs: decoded calls, shapes, and
// where tensors lie in memory. Knows no values but constants.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "model/model.h"
#include "ops/operation.h"
#include "reference/constants.h"
#include "reference/hooks.h"
#include "reference/memory_plan.h"

namespace assay {

// What is known of a subgraph's input.
struct InputState {
  bool omitted = false;
  Shape shape;
  Quantization quantization;
  friend bool operator==(const InputState&, const InputState&) = default;
};

struct TensorPlan {
  static constexpr size_t kNowhere = SIZE_MAX;
  Shape shape;
  Quantization quantization;
  bool omitted = false;
  size_t offset = kNowhere;  // in the subgraph's memory, of a temporary whose size is known
};

struct OperationPlan {
  // Null for IF and WHILE, where something is unknown that only an execution can tell, and where a rule is broken.
  std::unique_ptr<const Call> call;
  std::vector<const void*> converted;  // with a call: of each input that is a converted constant; else null
  size_t scratch_offset = 0, scratch_bytes = 0;
  std::vector<uint32_t> last_uses;  // temporaries without a place that nothing reads after this operation
};

struct SubgraphPlan {
  std::vector<InputState> inputs;   // for which it holds
  std::vector<TensorPlan> tensors;  // by operand
  std::vector<OperationPlan> operations;
  std::vector<TensorLifetime> lifetimes;  // as planned, changed by hooks
  std::vector<size_t> offsets;            // of the lifetimes
  size_t bytes = 0;                       // of the subgraph's memory
};

// What is fixed for all plans of a prepared model. Everything outlives the plans.
struct PlanSettings {
  const Model& model;
  Mode mode;
  const ExecutionHooks* hooks;  // or null
  ConstantPool& constants;
};

// Of a valid model. `inputs` are as many as the subgraph's. Time grows with the size of the subgraph.
std::unique_ptr<const SubgraphPlan> PlanSubgraph(const PlanSettings& settings, uint32_t subgraph,
                                                 std::vector<InputState> inputs);
// What the model says of a subgraph's inputs.
std::vector<InputState> DeclaredInputs(const Subgraph& subgraph);

inline bool IsControlFlow(OperationCode code) { return code == OperationCode::IF || code == OperationCode::WHILE; }

}  // namespace assay
