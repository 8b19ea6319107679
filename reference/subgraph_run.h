// One run of one subgraph: its tensors, and its operations one after the other. IF and WHILE run further subgraphs
// inside of it. Refuses to know the caller's buffers.
#pragma once
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reference/memory.h"
#include "reference/prepared_state.h"
#include "reference/resolve.h"

namespace assay {

// A tensor as it is at some moment of an execution.
struct LiveTensor {
  const Quantization* quantization = nullptr;
  const Dims* dims = nullptr;  // null: not known yet
  uint8_t* bytes = nullptr;    // null: omitted, or not computed yet. Inputs and constants are never written.
  bool omitted = false;
};

// Where an output of a run is wanted, and where it went.
struct OutputSlot {
  // Offered memory, aligned to the elements; another place is found if it is too small, or null.
  uint8_t* bytes = nullptr;
  size_t capacity = 0;
  // After the run.
  Dims dims;
  Quantization quantization;
  uint8_t* at = nullptr;
  Buffer own;  // holds `at` if the offered memory was not used
};

// What all runs of one execution share. For one thread.
class ExecutionContext {
 public:
  ExecutionContext(PreparedState& state, const ExecuteOptions& options);
  ExecutionContext(const ExecutionContext&) = delete;
  ~ExecutionContext();

  // Deadline, cancellation, number of operations.
  absl::Status BeforeOperation();
  OperationPlace PlaceAt(uint32_t subgraph, uint32_t operation) const;
  bool cancelled() const { return cancelled_; }

  PreparedState& state;
  const ExecuteOptions& options;
  const ExecutionHooks* hooks;  // or null
  Memory memory;
  std::vector<uint64_t> iterations;  // of the WHILE loops that are running, outermost first

 private:
  uint64_t operations_ = 0;
  const uint64_t execution_;
  bool cancelled_ = false;
};

class SubgraphRun {
 public:
  SubgraphRun(ExecutionContext& context, uint32_t subgraph);
  // Runs all operations. Inputs and slots in the order of the subgraph's.
  absl::Status Run(std::span<const LiveTensor> inputs, std::span<OutputSlot> outputs);

 private:
  absl::Status Bind(std::span<const LiveTensor> inputs);
  Argument ArgumentAt(uint32_t operand) const;
  TensorRef RefTo(uint32_t operand) const;
  std::vector<TensorRef> RefsTo(std::span<const uint32_t> operands) const;
  OutputSlot* SlotOf(uint32_t operand);

  // Gives an operand that is about to be written its shape, quantization and memory.
  absl::Status Place(uint32_t operand, const Dims& dims, const Quantization& quantization);
  absl::Status SetShape(uint32_t operand, const Dims& dims, const Quantization& quantization);
  absl::Status SetMemory(uint32_t operand);

  absl::Status RunOperation(uint32_t index);
  absl::Status RunPlanned(uint32_t index);
  absl::Status RunResolved(uint32_t index);
  bool IsAsPlanned(uint32_t index) const;
  void Evaluate(uint32_t index, const Call& call, std::span<const void* const> converted, std::span<uint8_t> scratch);
  absl::StatusOr<bool> EvaluateRewritten(uint32_t index);
  void Report(uint32_t index, std::chrono::nanoseconds wall);

  // control_flow.cc
  absl::Status RunIf(uint32_t index);
  absl::Status RunWhile(uint32_t index);
  absl::StatusOr<bool> RunCondition(uint32_t subgraph, std::span<const LiveTensor> values);
  OutputSlot Offer(uint32_t operand);
  absl::Status Adopt(uint32_t operand, OutputSlot slot);

  ExecutionContext& context_;
  const uint32_t index_;
  const Subgraph& subgraph_;
  std::shared_ptr<const SubgraphPlan> plan_;
  Buffer memory_;                     // as the plan says
  std::vector<LiveTensor> tensors_;   // by operand
  std::vector<uint32_t> slot_index_;  // by operand: which output, or none
  std::span<OutputSlot> slots_;
  std::map<uint32_t, Buffer> own_;  // of temporaries without a place in memory_
  std::deque<Dims> dims_;           // what tensors_ refer to, where it is not the plan's
  std::deque<Quantization> quantizations_;
};

}  // namespace assay
