// Interfering with an execution, for devices with planted faults and for those that err inside the rules: other
// operands than the model's, changed results, a broken memory plan, wrong decisions. Refuses to know any fault.
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "model/model.h"
#include "ops/operation.h"
#include "reference/memory_plan.h"
#include "reference/observer.h"

namespace assay {

// The operands of a call that is about to be evaluated, for a hook to change. Everything is known: shapes, and the
// values of all inputs that are not omitted. Outputs have no values.
struct CallRewrite {
  std::vector<Argument> inputs, outputs;
  // For the bytes that a hook lets `value` of an input refer to: addresses in a deque stay.
  std::deque<Bytes> storage;

  // Lets input `index` have other bytes.
  void SetValue(size_t index, Bytes bytes) {
    inputs[index].value = storage.emplace_back(std::move(bytes));
    inputs[index].value_known = true;
  }
};

// Const and called from many threads at once: an implementation's own state needs its own lock. What belongs to one
// execution is only asked for by the thread that executes. IF and WHILE are only seen by ChooseBranch,
// ContinueLoop and ForgetLastIteration.
class ExecutionHooks {
 public:
  virtual ~ExecutionHooks() = default;

  // While a memory plan is made: lifetimes may be shortened, so that memory is reused too early. Called for a subgraph
  // at prepare, and again when an execution completes its unknown dimensions.
  virtual void ChangeLifetimes(const Model& model, uint32_t subgraph, std::span<TensorLifetime> lifetimes) const;

  // Returns whether `call` was changed. The changed call is evaluated in place of the model's if it breaks no rule and
  // its outputs have the very shapes of the model's; otherwise it is dropped. Operands may be left off or added. The
  // types of outputs must stay.
  virtual bool RewriteCall(const OperationPlace& place, CallRewrite& call) const;

  // After an operation: may write to the bytes of `outputs`, and to nothing else.
  virtual void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> inputs,
                             std::span<const TensorRef> outputs) const;

  // The truth to be used for the condition of an IF; and of a WHILE before iteration `iteration`.
  virtual bool ChooseBranch(const OperationPlace& place, bool condition) const;
  virtual bool ContinueLoop(const OperationPlace& place, uint64_t iteration, bool condition) const;

  // When a WHILE that has run its body has ended: whether it gives what it had before the last iteration.
  virtual bool ForgetLastIteration(const OperationPlace& place) const;

  // An execution (OperationPlace::execution) has ended, well or not: what was kept for it can go.
  virtual void AfterExecution(uint64_t execution) const;
};

}  // namespace assay
