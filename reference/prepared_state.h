// What a prepared model holds: shared by its executions, never changed by them but for caches behind locks.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "reference/constants.h"
#include "reference/memory.h"
#include "reference/prepared_model.h"
#include "reference/subgraph_plan.h"

namespace assay {

class PreparedState {
 public:
  PreparedState(const Model& model, const PrepareOptions& options);

  const Model model;
  const PrepareOptions options;

  // The plan of a subgraph for what its inputs are known to be. Made at prepare for what the model declares; others
  // are made when they are needed, and the latest kept.
  std::shared_ptr<const SubgraphPlan> PlanFor(uint32_t subgraph, std::vector<InputState> inputs);
  const std::shared_ptr<const SubgraphPlan>& declared_plan(uint32_t subgraph) const { return declared_[subgraph]; }

  // Makes the plans for what the model declares, and checks the nesting.
  absl::Status Prepare();

  BlockPool& blocks() { return blocks_; }
  // The number of this execution, from 0.
  uint64_t NextExecution() { return executions_.fetch_add(1, std::memory_order_relaxed); }
  size_t PlannedPeakBytes(uint32_t subgraph) const { return peaks_[subgraph]; }

 private:
  static constexpr size_t kMostPlans = 16;  // of one subgraph, beside the declared one

  void MeasurePeak(uint32_t subgraph);

  ConstantPool constants_;
  BlockPool blocks_;
  std::atomic<uint64_t> executions_ = 0;
  std::vector<std::shared_ptr<const SubgraphPlan>> declared_;
  std::vector<size_t> peaks_;  // by subgraph
  std::mutex mutex_;
  std::vector<std::vector<std::shared_ptr<const SubgraphPlan>>> others_;  // by subgraph, the latest last
};

}  // namespace assay
