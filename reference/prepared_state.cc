#include "reference/prepared_state.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/status.h"

namespace assay {
namespace {

// The subgraphs to which operation inputs of a subgraph refer.
std::vector<uint32_t> References(const Subgraph& subgraph) {
  std::vector<uint32_t> references;
  for (const Operation& operation : subgraph.operations)
    for (uint32_t input : operation.inputs)
      if (subgraph.operands[input].lifetime == Lifetime::SUBGRAPH)
        references.push_back(subgraph.operands[input].subgraph);
  return references;
}

}  // namespace

PreparedState::PreparedState(const Model& m, const PrepareOptions& o)
    : model(m), options(o), constants_(o.most_constant_bytes), others_(m.subgraphs.size()) {}

absl::Status PreparedState::Prepare() {
  ASSAY_RETURN_IF_ERROR(MeasureNesting());
  for (uint32_t s = 0; s < model.subgraphs.size(); ++s) {
    if (options.deadline && std::chrono::steady_clock::now() > *options.deadline)
      return MakeStatus(ErrorStatus::MISSED_DEADLINE_TRANSIENT, "the deadline passed while the model was prepared");
    const PlanSettings settings{model, options.mode, options.hooks.get(), constants_};
    declared_.push_back(PlanSubgraph(settings, s, DeclaredInputs(model.subgraphs[s])));
  }
  peaks_.resize(model.subgraphs.size());
  for (uint32_t s : inner_first_) MeasurePeak(s);
  return absl::OkStatus();
}

// References make no cycle (validated). No recursion: a chain may be as long as the model.
absl::Status PreparedState::MeasureNesting() {
  const size_t count = model.subgraphs.size();
  std::vector<std::vector<uint32_t>> references(count);
  std::vector<size_t> users(count), depth(count, 0);
  for (size_t s = 0; s < count; ++s) {
    references[s] = References(model.subgraphs[s]);
    for (uint32_t r : references[s]) ++users[r];
  }
  std::vector<uint32_t> ready;
  for (uint32_t s = 0; s < count; ++s)
    if (users[s] == 0) ready.push_back(s);
  for (size_t at = 0; at < ready.size(); ++at) {
    const uint32_t s = ready[at];
    for (uint32_t r : references[s]) {
      depth[r] = std::max(depth[r], depth[s] + 1);
      if (--users[r] == 0) ready.push_back(r);
    }
  }
  ASSAY_CHECK(ready.size() == count, "a valid model has no cycle of subgraphs");
  inner_first_.assign(ready.rbegin(), ready.rend());
  const size_t deepest = *std::max_element(depth.begin(), depth.end());
  if (deepest <= kMostNesting) return absl::OkStatus();
  return MakeStatus(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                    absl::StrCat("IF and WHILE are nested ", deepest, " deep, at most ", kMostNesting, " is possible"));
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
