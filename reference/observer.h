// Looking on while a model is executed: for dumps, per-operation reports, and running single operations again. Refuses
// to change anything; see hooks.h for that.
#pragma once
#include <chrono>
#include <cstdint>
#include <span>

#include "model/operation_code.h"
#include "ops/operation.h"

namespace assay {

// Which operation, in which execution.
struct OperationPlace {
  uint32_t subgraph = 0, operation = 0;  // indices into Model::subgraphs and Subgraph::operations
  OperationCode code = OperationCode::ADD;
  // The iterations of the enclosing WHILE loops, outermost first, each counted from 0. A condition belongs to the
  // iteration that it decides about.
  std::span<const uint64_t> iterations;
  uint64_t execution = 0;  // how many executions of this prepared model began before this one
};

// An operation that has just been executed. IF and WHILE are reported after what they ran.
struct ObservedOperation {
  OperationPlace place;
  // In the order of the operation's operands; bytes and dims are valid during the call only. Omitted inputs and
  // references to subgraphs have null bytes.
  std::span<const TensorRef> inputs, outputs;
  std::chrono::nanoseconds wall{};  // evaluation alone; of IF and WHILE: everything inside
};

class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // Called from the thread that executes, in the order of execution. Must not write to the tensors.
  virtual void AfterOperation(const ObservedOperation& operation) = 0;
};

}  // namespace assay
