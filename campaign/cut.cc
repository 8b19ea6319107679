#include "campaign/cut.h"

#include <algorithm>
#include <map>

#include "campaign/candidate.h"
#include "randomgraph/graph.h"

namespace assay {
namespace {

// The value of each operand of the main graph that has one in this execution: inputs, and all that is computed.
std::optional<std::map<uint32_t, ExampleValue>> ValuesIn(const Model& model, std::span<const ExampleValue> inputs,
                                                         std::span<const ExampleValue> answer,
                                                         std::chrono::nanoseconds loop_timeout) {
  const Model exposed = Expose(model, Temporaries(model));
  auto golden = ReferenceOutputs(exposed, inputs, Mode::kGolden, loop_timeout);
  if (!golden.ok()) return std::nullopt;
  std::map<uint32_t, ExampleValue> values;
  for (size_t i = 0; i < inputs.size(); ++i) values[model.main().inputs[i]] = inputs[i];
  for (size_t i = 0; i < golden->size(); ++i) values[exposed.main().outputs[i]] = std::move((*golden)[i]);
  for (size_t i = 0; i < answer.size(); ++i) values[model.main().outputs[i]] = answer[i];
  return values;
}

}  // namespace

std::optional<CutOut> CutOutOperation(const Model& model, std::span<const ExampleValue> inputs,
                                      std::span<const ExampleValue> answer, uint32_t operation,
                                      std::chrono::nanoseconds loop_timeout) {
  const Subgraph& main = model.main();
  if (main.operations.size() < 2 || operation >= main.operations.size()) return std::nullopt;
  auto values = ValuesIn(model, inputs, answer, loop_timeout);
  if (!values) return std::nullopt;

  CutOut cut{model, {}};
  Subgraph& graph = cut.model.main();
  graph.operands.clear(), graph.inputs.clear(), graph.outputs.clear();
  graph.operations = {main.operations[operation]};
  std::map<uint32_t, uint32_t> renumbered;
  const auto take = [&](uint32_t& operand, bool is_output) {
    const auto [at, is_new] = renumbered.emplace(operand, static_cast<uint32_t>(graph.operands.size()));
    if (is_new) {
      Operand& o = graph.operands.emplace_back(main.operands[operand]);
      const bool computed = o.lifetime == Lifetime::TEMPORARY_VARIABLE || o.lifetime == Lifetime::SUBGRAPH_OUTPUT;
      if (is_output) {
        o.lifetime = Lifetime::SUBGRAPH_OUTPUT;
        graph.outputs.push_back(at->second);
      } else if (computed || o.lifetime == Lifetime::SUBGRAPH_INPUT) {
        o.lifetime = Lifetime::SUBGRAPH_INPUT;
        graph.inputs.push_back(at->second);
        cut.inputs.push_back((*values)[operand]);
        if (!cut.inputs.back().omitted) o.dims = cut.inputs.back().dims;
      }
    }
    operand = at->second;
  };
  for (uint32_t& operand : graph.operations[0].inputs) take(operand, false);
  for (uint32_t& operand : graph.operations[0].outputs) take(operand, true);
  return cut;
}

}  // namespace assay
