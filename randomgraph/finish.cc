#include "randomgraph/finish.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ops/registry.h"
#include "validate/argument.h"

namespace assay {
namespace {

// A model without inputs says nothing that folding does not hide: its first tensor constant becomes one, or else its
// first scalar.
void GiveInput(Draft& draft, DrawnModel& drawn) {
  Subgraph& graph = draft.graph();
  if (!graph.inputs.empty()) return;
  uint32_t chosen = 0;
  bool found = false;
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    if (!IsConstant(graph.operands[i].lifetime)) continue;
    if (found && IsScalar(graph.operands[i].type)) continue;
    const bool better = !found || IsScalar(graph.operands[chosen].type);
    if (better) chosen = i, found = true;
  }
  if (!found) return;
  Operand& o = graph.operands[chosen];
  o.lifetime = Lifetime::SUBGRAPH_INPUT;
  graph.inputs.push_back(chosen);
  drawn.example.inputs.push_back({.omitted = false, .dims = o.dims, .bytes = *o.value});
  o.value = nullptr;
}

// Unread results become outputs, some of them dead code; exposed ones are outputs that are read.
void ChooseOutputs(Session& session, Draft& draft, DrawnModel& drawn) {
  Subgraph& graph = draft.graph();
  const std::vector<bool> read = draft.Read();
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    Operand& o = graph.operands[i];
    const Plan& plan = draft.plan(i);
    if (o.lifetime != Lifetime::TEMPORARY_VARIABLE || (read[i] && !plan.exposed)) continue;
    const bool dead = !read[i] && session.choices.Chance(1, 12) && !graph.outputs.empty();
    if (dead && !plan.exposed) continue;
    o.lifetime = Lifetime::SUBGRAPH_OUTPUT;
    o.ignored = plan.unspecified;
    graph.outputs.push_back(i);
    if (read[i]) drawn.exposed.push_back(i);
  }
}

// Does every operation that touches `operand` still pass as it does for a stranger who sees the model?
bool StillLegal(const Subgraph& graph, uint32_t operand, FeatureLevel level) {
  const auto touches = [&](const std::vector<uint32_t>& list) {
    return std::find(list.begin(), list.end(), operand) != list.end();
  };
  for (const Operation& operation : graph.operations) {
    if (!touches(operation.inputs) && !touches(operation.outputs)) continue;
    std::vector<Argument> inputs, outputs;
    for (uint32_t i : operation.inputs) inputs.push_back(ArgumentOf(graph.operands[i]));
    for (uint32_t i : operation.outputs) outputs.push_back(ArgumentOf(graph.operands[i]));
    Violations violations;
    const auto call = FindOperationInfo(operation.code)->decode(inputs, outputs, violations);
    if (call == nullptr) return false;
    call->Check(Stage::kModel, violations);
    if (!violations.empty() || call->level() > level) return false;
  }
  return true;
}

// Leaves dimensions, or ranks, of some operands unknown.
void Forget(Session& session, Draft& draft) {
  const Options& options = session.options;
  Choices& choices = session.choices;
  if (!choices.Chance(options.dynamic_shapes ? 1 : 0, 3)) return;
  Subgraph& graph = draft.graph();
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    Operand& o = graph.operands[i];
    const bool is_output = o.lifetime == Lifetime::SUBGRAPH_OUTPUT;
    const bool variable =
        is_output || o.lifetime == Lifetime::SUBGRAPH_INPUT || o.lifetime == Lifetime::TEMPORARY_VARIABLE;
    if (!variable || IsScalar(o.type) || o.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) continue;
    if (draft.plan(i).omitted || (is_output && options.feature_level < 3)) continue;
    if (std::find(session.fixed.begin(), session.fixed.end(), i) != session.fixed.end()) continue;
    if (!choices.Chance(1, 3)) continue;
    Choices::Scope scope(choices, "forget");
    const Dims known = o.dims;
    if (choices.Chance(options.feature_level >= 3 ? 1 : 0, 4)) {
      o.dims.clear();
    } else {
      const uint64_t mask = 1 + choices.Below((uint64_t{1} << std::min<size_t>(o.dims.size(), 16)) - 1);
      for (size_t d = 0; d < o.dims.size() && d < 16; ++d)
        if ((mask >> d & 1) != 0) o.dims[d] = 0;
    }
    if (!StillLegal(graph, i, options.feature_level)) o.dims = known;
  }
}

void Name(Subgraph& graph) {
  for (size_t i = 0; i < graph.operands.size(); ++i) {
    absl::string_view kind = "temporary";
    switch (graph.operands[i].lifetime) {
      case Lifetime::SUBGRAPH_INPUT:
        kind = "input";
        break;
      case Lifetime::SUBGRAPH_OUTPUT:
        kind = "output";
        break;
      case Lifetime::CONSTANT_COPY:
      case Lifetime::CONSTANT_REFERENCE:
        kind = "constant";
        break;
      case Lifetime::NO_VALUE:
        kind = "omitted";
        break;
      case Lifetime::SUBGRAPH:
        kind = "subgraph";
        break;
      default:
        break;
    }
    graph.operands[i].name = absl::StrCat(kind, i);
  }
}

}  // namespace

DrawnModel Finish(Session& session, Draft& draft) {
  DrawnModel drawn;
  for (uint32_t i : draft.graph().inputs) {
    const bool omitted = draft.plan(i).omitted;
    drawn.example.inputs.push_back({omitted, draft.operand(i).dims, omitted ? Bytes{} : *draft.data(i)});
  }
  GiveInput(draft, drawn);
  ChooseOutputs(session, draft, drawn);
  Forget(session, draft);
  for (uint32_t i = 0; i < draft.graph().operands.size(); ++i) drawn.ranges.push_back(draft.plan(i).range);
  drawn.model.subgraphs = std::move(session.subgraphs);
  drawn.model.main() = std::move(draft.graph());
  drawn.model.relaxed = session.relaxed;
  for (size_t i = 0; i < drawn.model.subgraphs.size(); ++i) {
    Subgraph& graph = drawn.model.subgraphs[i];
    graph.name = i == 0 ? "main" : absl::StrCat("subgraph", i);
    Name(graph);
  }
  drawn.rejected = std::move(session.rejected);
  return drawn;
}

}  // namespace assay
