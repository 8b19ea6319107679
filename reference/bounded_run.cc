#include "reference/bounded_run.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "numeric/functions.h"
#include "ops/registry.h"
#include "reference/resolve.h"
#include "reference/status.h"
#include "reference/subgraph_plan.h"
#include "reference/tensor_judge.h"
#include "validate/argument.h"

namespace assay {
namespace {

const Dims kNoDims;

std::vector<Argument> ArgumentsOf(const Subgraph& subgraph, const Operation& operation,
                                  std::span<const IntervalTensor> inputs) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Argument& a = arguments.emplace_back(ArgumentOf(subgraph.operands[operation.inputs[i]]));
    a.shape = inputs[i].shape;
    a.quantization = inputs[i].quantization;
    a.omitted = inputs[i].omitted;
    a.value_known = inputs[i].exact;
    a.value = inputs[i].bytes;
  }
  return arguments;
}

// Gives the arguments that a call needs the values of, if these are points.
void GiveValues(const Subgraph& subgraph, const Operation& operation, const std::vector<bool>& needed,
                EvaluatedCall& evaluated, std::vector<Argument>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!needed[i] || arguments[i].value_known) continue;
    std::optional<Bytes> bytes = PointBytes(subgraph.operands[operation.inputs[i]].type, evaluated.inputs[i]);
    if (!bytes) continue;
    arguments[i].value = evaluated.values.emplace_back(*std::move(bytes));
    arguments[i].value_known = true;
  }
}

}  // namespace

BoundedContext::BoundedContext(const Model& m, const Assumptions& a, const BoundedOptions& o)
    : model(m), options(o), assumptions(a), memory(o.most_bytes, blocks) {
  assumptions.relaxed |= model.relaxed;
}

absl::Status BoundedContext::BeforeOperation() {
  if (options.stop.stop_requested()) return MakeStatus(ErrorStatus::GENERAL_FAILURE, "cancelled");
  if (++operations_ > options.most_operations)
    return MakeStatus(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                      absl::StrCat("more than ", options.most_operations, " operations were executed"));
  return absl::OkStatus();
}

std::optional<bool> BoundedContext::Decide(const IntervalTensor& condition) {
  const bool is_single = condition.elements != nullptr && condition.elements->span().size() == 1;
  const Truth truth = is_single ? IsTrue(condition.elements->span()[0]) : Truth::kMaybe;
  if (truth != Truth::kMaybe) return truth == Truth::kYes;
  if (undecided == 0 && decided < options.decisions.size()) return options.decisions[decided++];
  ++undecided;
  return std::nullopt;
}

absl::StatusOr<std::unique_ptr<EvaluatedCall>> EvaluateBounded(BoundedContext& context, const Subgraph& subgraph,
                                                               uint32_t index, std::vector<IntervalTensor> inputs) {
  const Operation& operation = subgraph.operations[index];
  const OperationInfo& info = *FindOperationInfo(operation.code);
  auto evaluated = std::make_unique<EvaluatedCall>();
  evaluated->inputs = std::move(inputs);
  std::vector<Argument> arguments = ArgumentsOf(subgraph, operation, evaluated->inputs);
  const std::vector<DeclaredOutput> declared = DeclaredOutputs(subgraph, operation);
  absl::StatusOr<ResolvedCall> resolved = Resolve(info, arguments, declared);
  if (resolved.ok() && !resolved->call->values_known()) {
    GiveValues(subgraph, operation, resolved->call->needs_value(), *evaluated, arguments);
    resolved = Resolve(info, arguments, declared);
  }
  if (!resolved.ok() && !context.uncertain_shapes) return resolved.status();

  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const Argument& known = resolved.ok() ? resolved->outputs[i] : declared[i].argument;
    IntervalTensor& output = evaluated->outputs.emplace_back();
    output.shape = known.shape;
    output.quantization = known.quantization;
    ASSAY_RETURN_IF_ERROR(MakeUnknown(known.type, output, context.memory));
  }
  if (!resolved.ok() || !resolved->ready) return evaluated;

  evaluated->call = std::move(resolved->call);
  const std::vector<bool>& needs_value = evaluated->call->needs_value();
  for (size_t i = 0; i < evaluated->inputs.size(); ++i) {
    IntervalTensor& input = evaluated->inputs[i];
    const bool is_read = !input.omitted && !needs_value[i];
    if (is_read) ASSAY_RETURN_IF_ERROR(LoadElements(arguments[i].type, input, context.memory));
    evaluated->input_refs.push_back({arguments[i].type, &input.quantization,
                                     input.shape.ranked ? &input.shape.dims : &kNoDims,
                                     is_read ? input.elements->span().data() : nullptr});
  }
  std::vector<IntervalRef> outputs;
  for (size_t i = 0; i < evaluated->outputs.size(); ++i) {
    IntervalTensor& output = evaluated->outputs[i];
    outputs.push_back(
        {declared[i].argument.type, &output.quantization, &output.shape.dims, output.elements->span().data()});
  }
  ASSAY_ASSIGN_OR_RETURN(const Buffer scratch, context.memory.Allocate(evaluated->call->BoundedScratchBytes()));
  evaluated->call->RunBounded(context.assumptions, evaluated->input_refs, outputs, {scratch.data(), scratch.size()});
  return evaluated;
}

BoundedSubgraph::BoundedSubgraph(BoundedContext& context, uint32_t subgraph, TensorJudge* judge)
    : context_(context), index_(subgraph), subgraph_(context.model.subgraphs[subgraph]), judge_(judge) {
  last_uses_.resize(subgraph_.operations.size());
  std::vector<bool> used(subgraph_.operands.size());
  for (uint32_t operand : subgraph_.outputs) used[operand] = true;
  for (size_t i = subgraph_.operations.size(); i-- > 0;)
    for (const auto* operands : {&subgraph_.operations[i].outputs, &subgraph_.operations[i].inputs})
      for (uint32_t operand : *operands) {
        if (used[operand]) continue;
        used[operand] = true;
        last_uses_[i].push_back(operand);
      }
}

absl::StatusOr<std::vector<IntervalTensor>> BoundedSubgraph::Run(std::vector<IntervalTensor> inputs) {
  for (const Operand& operand : subgraph_.operands) {
    IntervalTensor& tensor = tensors_.emplace_back();
    tensor.omitted = operand.lifetime == Lifetime::NO_VALUE;
    tensor.shape = operand.shape();
    tensor.quantization = operand.quantization;
    tensor.exact = IsConstant(operand.lifetime) && operand.value != nullptr;
    if (tensor.exact) tensor.bytes = *operand.value;
  }
  for (size_t i = 0; i < inputs.size(); ++i) tensors_[subgraph_.inputs[i]] = std::move(inputs[i]);
  for (uint32_t i = 0; i < subgraph_.operations.size(); ++i) {
    if (absl::Status status = RunOperation(i); !status.ok())
      return WithPlace(PlaceOf(context_.model, index_, i), status);
    for (uint32_t operand : last_uses_[i]) tensors_[operand].elements = nullptr;
  }
  std::vector<IntervalTensor> outputs;
  for (uint32_t operand : subgraph_.outputs) outputs.push_back(std::move(tensors_[operand]));
  return outputs;
}

std::vector<IntervalTensor> BoundedSubgraph::InputsOf(const Operation& operation, size_t first) const {
  std::vector<IntervalTensor> inputs;
  for (size_t i = first; i < operation.inputs.size(); ++i) inputs.push_back(tensors_[operation.inputs[i]]);
  return inputs;
}

absl::Status BoundedSubgraph::RunOperation(uint32_t index) {
  ASSAY_RETURN_IF_ERROR(context_.BeforeOperation());
  const Operation& operation = subgraph_.operations[index];
  std::unique_ptr<EvaluatedCall> evaluated;
  if (operation.code == OperationCode::IF) {
    ASSAY_RETURN_IF_ERROR(RunIf(operation));
  } else if (operation.code == OperationCode::WHILE) {
    ASSAY_RETURN_IF_ERROR(RunWhile(operation));
  } else {
    ASSAY_ASSIGN_OR_RETURN(evaluated, EvaluateBounded(context_, subgraph_, index, InputsOf(operation, 0)));
    for (size_t i = 0; i < operation.outputs.size(); ++i) tensors_[operation.outputs[i]] = evaluated->outputs[i];
  }
  return judge_ != nullptr ? judge_->AfterOperation(index, evaluated.get(), tensors_) : absl::OkStatus();
}

absl::Status BoundedSubgraph::LoseOutputs(const Operation& operation) {
  for (uint32_t operand : operation.outputs)
    ASSAY_RETURN_IF_ERROR(MakeUnknown(subgraph_.operands[operand].type, tensors_[operand], context_.memory));
  return absl::OkStatus();
}

}  // namespace assay
