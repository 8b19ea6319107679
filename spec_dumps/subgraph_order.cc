#include "spec_dumps/subgraph_order.h"

#include "model/status.h"

namespace assay {
namespace {

// One subgraph on the way from the main one, and the operand at which the walk goes on.
struct Step {
  uint32_t subgraph;
  size_t operand = 0;
};

}  // namespace

SubgraphOrder OrderSubgraphs(const Model& model, bool keep_numbers) {
  const size_t count = model.subgraphs.size();
  ASSAY_CHECK(count > 0, "a model has a main subgraph");
  enum class State : uint8_t { kNotMet, kOnTheWay, kDone };
  std::vector<State> states(count, State::kNotMet);
  SubgraphOrder order;
  order.by_name.resize(count);
  std::vector<uint32_t> done;
  std::vector<Step> way;
  const auto enter = [&](uint32_t subgraph) {
    states[subgraph] = State::kOnTheWay;
    order.met.push_back(subgraph);
    order.by_name[subgraph].resize(model.subgraphs[subgraph].operands.size(), 0);
    way.push_back({subgraph});
  };
  enter(0);
  while (!way.empty()) {
    const uint32_t from = way.back().subgraph;
    const std::vector<Operand>& operands = model.subgraphs[from].operands;
    if (way.back().operand == operands.size()) {
      states[from] = State::kDone;
      done.push_back(from);
      way.pop_back();
      continue;
    }
    const size_t at = way.back().operand++;
    const uint32_t to = operands[at].subgraph;
    if (!RefersToSubgraph(operands[at]) || to >= count || states[to] == State::kOnTheWay) continue;
    if (states[to] == State::kNotMet) {
      if (keep_numbers && to != order.met.size()) continue;
      enter(to);
    }
    order.by_name[from][at] = 1;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (states[i] != State::kNotMet) continue;
    const std::vector<Operand>& operands = model.subgraphs[i].operands;
    order.by_name[i].resize(operands.size(), 0);
    for (size_t at = 0; at < operands.size(); ++at) {
      const uint32_t to = operands[at].subgraph;
      if (RefersToSubgraph(operands[at]) && to < i && states[to] == State::kNotMet) order.by_name[i][at] = 1;
    }
    order.met.push_back(i);
    order.written.push_back(i);
  }
  order.not_met = order.written.size();
  order.written.insert(order.written.end(), done.begin(), done.end());
  return order;
}

}  // namespace assay
