// The inside of RunBounded: runs of subgraphs in intervals. Refuses to know observations but through TensorJudge.
#pragma once
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/model.h"
#include "reference/bounded.h"
#include "reference/interval_tensor.h"
#include "reference/memory.h"

namespace assay {

// What all subgraphs of one bounded run share.
class BoundedContext {
 public:
  BoundedContext(const Model& model, const Assumptions& assumptions, const BoundedOptions& options);

  // Cancellation, number of operations.
  absl::Status BeforeOperation();
  // The way a condition goes: its own truth, or the next decision. Nothing if it stays undecided.
  std::optional<bool> Decide(const IntervalTensor& condition);

  const Model& model;
  const BoundedOptions& options;
  Assumptions assumptions;
  // From now on shapes may be those of a wrong answer: a broken rule is no longer the model's fault.
  bool uncertain_shapes = false;
  size_t undecided = 0, decided = 0;
  BlockPool blocks;
  Memory memory;

 private:
  uint64_t operations_ = 0;
};

// A call that was evaluated, with what it read and gave.
struct EvaluatedCall {
  std::unique_ptr<const Call> call;  // null if it could not run: outputs are unknown
  std::vector<IntervalTensor> inputs, outputs;
  std::vector<IntervalRef> input_refs;  // to `inputs`, as the call takes them; with a call
  std::deque<Bytes> values;             // to which the call's arguments refer
};

// Evaluates an operation that is not control flow. GENERAL_FAILURE if a rule is surely broken.
absl::StatusOr<std::unique_ptr<EvaluatedCall>> EvaluateBounded(BoundedContext& context, const Subgraph& subgraph,
                                                               uint32_t operation, std::vector<IntervalTensor> inputs);

class TensorJudge;

class BoundedSubgraph {
 public:
  // `judge` is null but for the main subgraph.
  BoundedSubgraph(BoundedContext& context, uint32_t subgraph, TensorJudge* judge);
  // All operations; the outputs, in the order of the subgraph's.
  absl::StatusOr<std::vector<IntervalTensor>> Run(std::vector<IntervalTensor> inputs);

 private:
  absl::Status RunOperation(uint32_t index);
  std::vector<IntervalTensor> InputsOf(const Operation& operation, size_t first) const;
  absl::Status LoseOutputs(const Operation& operation);

  // bounded_control.cc
  absl::Status RunIf(const Operation& operation);
  absl::Status RunWhile(const Operation& operation);
  absl::Status Adopt(uint32_t operand, IntervalTensor tensor);

  BoundedContext& context_;
  const uint32_t index_;
  const Subgraph& subgraph_;
  TensorJudge* judge_;
  std::vector<IntervalTensor> tensors_;           // by operand
  std::vector<std::vector<uint32_t>> last_uses_;  // by operation
};

}  // namespace assay
