#include "reference/subgraph_plan.h"

#include <algorithm>
#include <utility>

#include "ops/registry.h"
#include "reference/resolve.h"
#include "validate/argument.h"

namespace assay {
namespace {

class Planner {
 public:
  Planner(const PlanSettings& settings, uint32_t subgraph)
      : settings_(settings), index_(subgraph), subgraph_(settings.model.subgraphs[subgraph]) {}

  std::unique_ptr<const SubgraphPlan> Plan(std::vector<InputState> inputs) {
    plan_->inputs = std::move(inputs);
    ReadOperands();
    plan_->operations.resize(subgraph_.operations.size());
    for (uint32_t i = 0; i < subgraph_.operations.size(); ++i) PlanOperation(i);
    PlanLifetimes();
    PlaceTensors();
    return std::move(plan_);
  }

 private:
  void ReadOperands() {
    for (const Operand& operand : subgraph_.operands)
      plan_->tensors.push_back({operand.shape(), operand.quantization, operand.lifetime == Lifetime::NO_VALUE});
    for (size_t i = 0; i < subgraph_.inputs.size(); ++i) {
      TensorPlan& tensor = plan_->tensors[subgraph_.inputs[i]];
      const InputState& input = plan_->inputs[i];
      tensor.omitted = input.omitted;
      tensor.quantization = input.quantization;
      if (!input.omitted) tensor.shape = input.shape;
    }
  }

  Argument ArgumentAt(uint32_t operand) const {
    const TensorPlan& tensor = plan_->tensors[operand];
    Argument a = ArgumentOf(subgraph_.operands[operand]);
    a.shape = tensor.shape;
    a.quantization = tensor.quantization;
    a.omitted = tensor.omitted;
    return a;
  }

  void PlanOperation(uint32_t index) {
    const Operation& operation = subgraph_.operations[index];
    if (IsControlFlow(operation.code)) return;
    std::vector<Argument> inputs;
    for (uint32_t i : operation.inputs) inputs.push_back(ArgumentAt(i));
    // A broken rule is told by the execution that gets here.
    absl::StatusOr<ResolvedCall> resolved =
        Resolve(*FindOperationInfo(operation.code), inputs, DeclaredOutputs(subgraph_, operation));
    if (!resolved.ok()) return;
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      plan_->tensors[operation.outputs[i]].shape = resolved->outputs[i].shape;
      plan_->tensors[operation.outputs[i]].quantization = resolved->outputs[i].quantization;
    }
    if (!resolved->ready || !SizesFit(inputs)) return;
    OperationPlan& planned = plan_->operations[index];
    planned.call = std::move(resolved->call);
    ConvertConstants(index, planned);
  }

  // An input's declared dims may be anything; an execution finds no buffer of such a size.
  static bool SizesFit(std::span<const Argument> inputs) {
    return std::all_of(inputs.begin(), inputs.end(), [](const Argument& a) {
      return a.omitted || a.type == OperandType::SUBGRAPH || StorageBytes(a.type, a.shape.dims).has_value();
    });
  }

  void ConvertConstants(uint32_t index, OperationPlan& planned) {
    const Operation& operation = subgraph_.operations[index];
    std::vector<bool> converted;
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const Operand& operand = subgraph_.operands[operation.inputs[i]];
      const bool is_read = IsConstant(operand.lifetime) && !planned.call->needs_value()[i];
      planned.converted.push_back(is_read ? settings_.constants.Converted(index_, index, operation.inputs[i], operand,
                                                                          *planned.call, i, settings_.mode)
                                          : nullptr);
      converted.push_back(planned.converted.back() != nullptr);
    }
    planned.scratch_bytes = planned.call->ScratchBytes(settings_.mode, converted);
  }

  void PlanLifetimes() {
    const size_t count = subgraph_.operands.size();
    std::vector<uint32_t> first(count), last(count);
    for (uint32_t i = 0; i < subgraph_.operations.size(); ++i) {
      for (uint32_t operand : subgraph_.operations[i].inputs) last[operand] = i;
      for (uint32_t operand : subgraph_.operations[i].outputs) first[operand] = last[operand] = i;
    }
    for (uint32_t i = 0; i < subgraph_.operations.size(); ++i) {
      for (uint32_t operand : subgraph_.operations[i].outputs) {
        if (subgraph_.operands[operand].lifetime != Lifetime::TEMPORARY_VARIABLE) continue;
        const TensorPlan& tensor = plan_->tensors[operand];
        std::optional<uint32_t> bytes;
        if (tensor.shape.IsKnown()) bytes = StorageBytes(subgraph_.operands[operand].type, tensor.shape.dims);
        if (bytes) {
          plan_->lifetimes.push_back({operand, *bytes, first[operand], last[operand]});
        } else {
          plan_->operations[last[operand]].last_uses.push_back(operand);
        }
      }
      if (const size_t bytes = plan_->operations[i].scratch_bytes; bytes != 0)
        plan_->lifetimes.push_back({TensorLifetime::kScratch, bytes, i, i});
    }
  }

  void PlaceTensors() {
    std::vector<TensorLifetime> changed = plan_->lifetimes;
    if (settings_.hooks != nullptr) settings_.hooks->ChangeLifetimes(settings_.model, index_, changed);
    for (size_t i = 0; i < changed.size(); ++i) {
      // What a hook may change; sizes are not its to decide.
      plan_->lifetimes[i].first = changed[i].first;
      plan_->lifetimes[i].last = changed[i].last;
    }
    MemoryPlan memory = PlanMemory(plan_->lifetimes);
    for (size_t i = 0; i < plan_->lifetimes.size(); ++i) {
      const TensorLifetime& t = plan_->lifetimes[i];
      if (t.operand != TensorLifetime::kScratch) plan_->tensors[t.operand].offset = memory.offsets[i];
    }
    // Scratch memory is planned in the order of the operations.
    size_t at = 0;
    for (OperationPlan& planned : plan_->operations) {
      if (planned.scratch_bytes == 0) continue;
      while (plan_->lifetimes[at].operand != TensorLifetime::kScratch) ++at;
      planned.scratch_offset = memory.offsets[at++];
    }
    plan_->offsets = std::move(memory.offsets);
    plan_->bytes = memory.peak;
  }

  const PlanSettings& settings_;
  const uint32_t index_;
  const Subgraph& subgraph_;
  std::unique_ptr<SubgraphPlan> plan_ = std::make_unique<SubgraphPlan>();
};

}  // namespace

std::unique_ptr<const SubgraphPlan> PlanSubgraph(const PlanSettings& settings, uint32_t subgraph,
                                                 std::vector<InputState> inputs) {
  return Planner(settings, subgraph).Plan(std::move(inputs));
}

std::vector<InputState> DeclaredInputs(const Subgraph& subgraph) {
  std::vector<InputState> inputs;
  for (uint32_t index : subgraph.inputs) {
    const Operand& operand = subgraph.operands[index];
    inputs.push_back({false, operand.shape(), operand.quantization});
  }
  return inputs;
}

}  // namespace assay
