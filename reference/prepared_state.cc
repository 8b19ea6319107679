#include "reference/prepared_state.h"

#include <algorithm>
#include <utility>

#include "model/status.h"
#include "reference/status.h"
#include "reference/support.h"

namespace assay {

PreparedState::PreparedState(const Model& m, const PrepareOptions& o)
    : model(m), options(o), constants_(o.most_constant_bytes), others_(m.subgraphs.size()) {}

absl::Status PreparedState::Prepare() {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<uint32_t> inner_first, InnerFirst(model));
  for (uint32_t s = 0; s < model.subgraphs.size(); ++s) {
    if (options.deadline && std::chrono::steady_clock::now() > *options.deadline)
      return MakeStatus(ErrorStatus::MISSED_DEADLINE_TRANSIENT, "the deadline passed while the model was prepared");
    const PlanSettings settings{model, options.mode, options.hooks.get(), constants_};
    declared_.push_back(PlanSubgraph(settings, s, DeclaredInputs(model.subgraphs[s])));
  }
  peaks_.resize(model.subgraphs.size());
  for (uint32_t s : inner_first) MeasurePeak(s);
  return absl::OkStatus();
}

void PreparedState::MeasurePeak(uint32_t subgraph) {
  size_t inside = 0;
  for (uint32_t r : References(model.subgraphs[subgraph])) inside = std::max(inside, peaks_[r]);
  peaks_[subgraph] = declared_[subgraph]->bytes + inside;
}

std::shared_ptr<const SubgraphPlan> PreparedState::PlanFor(uint32_t subgraph, std::vector<InputState> inputs) {
  if (declared_[subgraph]->inputs == inputs) return declared_[subgraph];
  std::vector<std::shared_ptr<const SubgraphPlan>>& others = others_[subgraph];
  {
    std::lock_guard lock(mutex_);
    for (const auto& plan : others)
      if (plan->inputs == inputs) return plan;
  }
  const PlanSettings settings{model, options.mode, options.hooks.get(), constants_};
  std::shared_ptr<const SubgraphPlan> plan = PlanSubgraph(settings, subgraph, std::move(inputs));
  std::lock_guard lock(mutex_);
  if (others.size() == kMostPlans) others.erase(others.begin());
  others.push_back(plan);
  return plan;
}

}  // namespace assay
