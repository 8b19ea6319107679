#include "reference/subgraph_run.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "ops/registry.h"
#include "reference/status.h"
#include "validate/argument.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kNoSlot = UINT32_MAX;
const Dims kNoDims;
// Where tensors without elements are: not null, which would mean omitted.
alignas(kMemoryAlignment) uint8_t nowhere[kMemoryAlignment];

}  // namespace

ExecutionContext::ExecutionContext(PreparedState& s, const ExecuteOptions& o)
    : state(s),
      options(o),
      hooks(s.options.hooks.get()),
      memory(o.most_bytes, s.blocks()),
      execution_(s.NextExecution()) {}

ExecutionContext::~ExecutionContext() {
  if (hooks != nullptr) hooks->AfterExecution(execution_);
}

absl::Status ExecutionContext::BeforeOperation() {
  if (options.stop.stop_requested()) {
    cancelled_ = true;
    return MakeStatus(ErrorStatus::GENERAL_FAILURE, "cancelled");
  }
  if (options.deadline && Clock::now() > *options.deadline)
    return MakeStatus(ErrorStatus::MISSED_DEADLINE_TRANSIENT, "the deadline has passed");
  if (++operations_ > options.most_operations)
    return MakeStatus(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                      absl::StrCat("more than ", options.most_operations, " operations were executed"));
  return absl::OkStatus();
}

OperationPlace ExecutionContext::PlaceAt(uint32_t subgraph, uint32_t operation) const {
  return {subgraph, operation, state.model.subgraphs[subgraph].operations[operation].code, iterations, execution_};
}

SubgraphRun::SubgraphRun(ExecutionContext& context, uint32_t subgraph)
    : context_(context), index_(subgraph), subgraph_(context.state.model.subgraphs[subgraph]) {}

absl::Status SubgraphRun::Run(std::span<const LiveTensor> inputs, std::span<OutputSlot> outputs) {
  slots_ = outputs;
  ASSAY_RETURN_IF_ERROR(Bind(inputs));
  for (uint32_t i = 0; i < subgraph_.operations.size(); ++i) {
    if (absl::Status status = RunOperation(i); !status.ok())
      return WithPlace(PlaceOf(context_.state.model, index_, i), status);
    for (uint32_t operand : plan_->operations[i].last_uses) own_.erase(operand);
  }
  for (size_t i = 0; i < slots_.size(); ++i) {
    const LiveTensor& tensor = tensors_[subgraph_.outputs[i]];
    slots_[i].dims = *tensor.dims;
    slots_[i].quantization = *tensor.quantization;
    slots_[i].at = tensor.bytes;
  }
  return absl::OkStatus();
}

absl::Status SubgraphRun::Bind(std::span<const LiveTensor> inputs) {
  std::vector<InputState> states;
  for (const LiveTensor& input : inputs)
    states.push_back({input.omitted, input.omitted ? Shape() : Shape::Of(*input.dims), *input.quantization});
  plan_ = context_.state.PlanFor(index_, std::move(states));
  ASSAY_ASSIGN_OR_RETURN(memory_, context_.memory.Allocate(plan_->bytes));

  const size_t count = subgraph_.operands.size();
  tensors_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const TensorPlan& planned = plan_->tensors[i];
    const Operand& operand = subgraph_.operands[i];
    LiveTensor& tensor = tensors_[i];
    tensor.quantization = &planned.quantization;
    tensor.omitted = planned.omitted;
    if (planned.shape.IsKnown()) tensor.dims = &planned.shape.dims;
    if (IsConstant(operand.lifetime) && operand.value != nullptr)
      tensor.bytes = const_cast<uint8_t*>(operand.value->data());
    if (planned.offset != TensorPlan::kNowhere)
      tensor.bytes = memory_.size() == 0 ? nowhere : memory_.data() + planned.offset;
  }
  for (size_t i = 0; i < inputs.size(); ++i) tensors_[subgraph_.inputs[i]].bytes = inputs[i].bytes;
  slot_index_.assign(count, kNoSlot);
  for (uint32_t i = 0; i < subgraph_.outputs.size(); ++i) slot_index_[subgraph_.outputs[i]] = i;
  for (uint32_t operand : subgraph_.outputs)
    if (tensors_[operand].dims != nullptr) ASSAY_RETURN_IF_ERROR(SetMemory(operand));
  return absl::OkStatus();
}

OutputSlot* SubgraphRun::SlotOf(uint32_t operand) {
  return slot_index_[operand] == kNoSlot ? nullptr : &slots_[slot_index_[operand]];
}

Argument SubgraphRun::ArgumentAt(uint32_t index) const {
  const Operand& operand = subgraph_.operands[index];
  const LiveTensor& tensor = tensors_[index];
  Argument a = ArgumentOf(operand);
  a.quantization = *tensor.quantization;
  a.omitted = tensor.omitted;
  a.shape = tensor.dims != nullptr ? Shape::Of(*tensor.dims) : plan_->tensors[index].shape;
  if (tensor.bytes != nullptr && tensor.dims != nullptr) {
    a.value_known = true;
    a.value = {tensor.bytes, StorageBytes(operand.type, *tensor.dims).value_or(0)};
  }
  return a;
}

TensorRef SubgraphRun::RefTo(uint32_t operand) const {
  const LiveTensor& tensor = tensors_[operand];
  return {subgraph_.operands[operand].type, tensor.quantization, tensor.dims != nullptr ? tensor.dims : &kNoDims,
          tensor.omitted ? nullptr : tensor.bytes, nullptr};
}

std::vector<TensorRef> SubgraphRun::RefsTo(std::span<const uint32_t> operands) const {
  std::vector<TensorRef> refs;
  refs.reserve(operands.size());
  for (uint32_t operand : operands) refs.push_back(RefTo(operand));
  return refs;
}

absl::Status SubgraphRun::Place(uint32_t operand, const Dims& dims, const Quantization& quantization) {
  ASSAY_RETURN_IF_ERROR(SetShape(operand, dims, quantization));
  return tensors_[operand].bytes != nullptr ? absl::OkStatus() : SetMemory(operand);
}

absl::Status SubgraphRun::SetShape(uint32_t operand, const Dims& dims, const Quantization& quantization) {
  LiveTensor& tensor = tensors_[operand];
  const std::optional<Shape> merged = Merge(Shape::Of(dims), plan_->tensors[operand].shape);
  if (!merged)
    return MakeStatus(ErrorStatus::GENERAL_FAILURE, absl::StrCat("an output is ", ToString(dims), ", declared is ",
                                                                 ToString(plan_->tensors[operand].shape)));
  if (tensor.dims == nullptr) tensor.dims = &dims_.emplace_back(dims);
  if (!(quantization == *tensor.quantization)) {
    if (subgraph_.operands[operand].lifetime == Lifetime::SUBGRAPH_OUTPUT)
      return MakeStatus(
          ErrorStatus::GENERAL_FAILURE,
          absl::StrCat("an output has scale ", quantization.scale, " and zero point ", quantization.zero_point,
                       ", declared is ", tensor.quantization->scale, " and ", tensor.quantization->zero_point));
    tensor.quantization = &quantizations_.emplace_back(quantization);
  }
  return absl::OkStatus();
}

// For a tensor of known shape that has no place in memory_.
absl::Status SubgraphRun::SetMemory(uint32_t operand) {
  LiveTensor& tensor = tensors_[operand];
  const OperandType type = subgraph_.operands[operand].type;
  const std::optional<uint32_t> bytes = StorageBytes(type, *tensor.dims);
  if (!bytes)
    return MakeStatus(ErrorStatus::GENERAL_FAILURE, absl::StrCat("an output of ", NameOf(type), " is ",
                                                                 ToString(*tensor.dims), ": more than 2^32 - 1 bytes"));
  OutputSlot* slot = SlotOf(operand);
  if (*bytes == 0) {
    tensor.bytes = nowhere;
  } else if (slot != nullptr && slot->bytes != nullptr && slot->capacity >= *bytes) {
    tensor.bytes = slot->bytes;
  } else {
    Buffer& own = slot != nullptr ? slot->own : own_[operand];
    ASSAY_ASSIGN_OR_RETURN(own, context_.memory.Allocate(*bytes));
    tensor.bytes = own.data();
  }
  return absl::OkStatus();
}

absl::Status SubgraphRun::RunOperation(uint32_t index) {
  ASSAY_RETURN_IF_ERROR(context_.BeforeOperation());
  const OperationCode code = subgraph_.operations[index].code;
  const Clock::time_point start = context_.options.observer != nullptr ? Clock::now() : Clock::time_point();
  if (code == OperationCode::IF) {
    ASSAY_RETURN_IF_ERROR(RunIf(index));
  } else if (code == OperationCode::WHILE) {
    ASSAY_RETURN_IF_ERROR(RunWhile(index));
  } else if (IsAsPlanned(index)) {
    ASSAY_RETURN_IF_ERROR(RunPlanned(index));
  } else {
    ASSAY_RETURN_IF_ERROR(RunResolved(index));
  }
  if (context_.options.observer != nullptr) Report(index, Clock::now() - start);
  return absl::OkStatus();
}

// Whether the planned call still holds: an input may have another quantization than was known at prepare.
bool SubgraphRun::IsAsPlanned(uint32_t index) const {
  if (plan_->operations[index].call == nullptr) return false;
  const Operation& operation = subgraph_.operations[index];
  return std::all_of(operation.inputs.begin(), operation.inputs.end(), [&](uint32_t operand) {
    return tensors_[operand].quantization == &plan_->tensors[operand].quantization;
  });
}

absl::Status SubgraphRun::RunPlanned(uint32_t index) {
  const OperationPlan& planned = plan_->operations[index];
  ASSAY_ASSIGN_OR_RETURN(const bool rewritten, EvaluateRewritten(index));
  if (rewritten) return absl::OkStatus();
  Evaluate(index, *planned.call, planned.converted, {memory_.data() + planned.scratch_offset, planned.scratch_bytes});
  return absl::OkStatus();
}

absl::Status SubgraphRun::RunResolved(uint32_t index) {
  const Operation& operation = subgraph_.operations[index];
  std::vector<Argument> inputs;
  for (uint32_t operand : operation.inputs) inputs.push_back(ArgumentAt(operand));
  ASSAY_ASSIGN_OR_RETURN(const ResolvedCall resolved,
                         Resolve(*FindOperationInfo(operation.code), inputs, DeclaredOutputs(subgraph_, operation)));
  if (!resolved.ready)
    return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                      "a value or a shape is still unknown when the operation is executed");
  for (size_t i = 0; i < operation.outputs.size(); ++i)
    ASSAY_RETURN_IF_ERROR(
        Place(operation.outputs[i], resolved.outputs[i].shape.dims, resolved.outputs[i].quantization));
  ASSAY_ASSIGN_OR_RETURN(const bool rewritten, EvaluateRewritten(index));
  if (rewritten) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const Buffer scratch,
                         context_.memory.Allocate(resolved.call->ScratchBytes(context_.state.options.mode, {})));
  Evaluate(index, *resolved.call, {}, {scratch.data(), scratch.size()});
  return absl::OkStatus();
}

void SubgraphRun::Evaluate(uint32_t index, const Call& call, std::span<const void* const> converted,
                           std::span<uint8_t> scratch) {
  const Operation& operation = subgraph_.operations[index];
  std::vector<TensorRef> inputs = RefsTo(operation.inputs);
  const std::vector<TensorRef> outputs = RefsTo(operation.outputs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (call.needs_value()[i]) inputs[i].bytes = nullptr;
    if (i < converted.size()) inputs[i].converted = converted[i];
  }
  call.Run(context_.state.options.mode, inputs, outputs, scratch);
  if (context_.hooks != nullptr)
    context_.hooks->ChangeOutputs(context_.PlaceAt(index_, index), RefsTo(operation.inputs), outputs);
}

// Lets a hook put another call in place of the model's. False if there is none, or it does not fit.
absl::StatusOr<bool> SubgraphRun::EvaluateRewritten(uint32_t index) {
  if (context_.hooks == nullptr) return false;
  const Operation& operation = subgraph_.operations[index];
  CallRewrite rewrite;
  for (uint32_t operand : operation.inputs) rewrite.inputs.push_back(ArgumentAt(operand));
  for (uint32_t operand : operation.outputs) {
    Argument& output = rewrite.outputs.emplace_back(ArgumentAt(operand));
    output.value_known = false, output.value = {};
  }
  const std::vector<Argument> outputs = rewrite.outputs;
  const OperationPlace place = context_.PlaceAt(index_, index);
  if (!context_.hooks->RewriteCall(place, rewrite) || rewrite.outputs.size() != outputs.size()) return false;

  std::vector<DeclaredOutput> declared;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (rewrite.outputs[i].type != outputs[i].type) return false;
    rewrite.outputs[i].shape = outputs[i].shape;
    declared.push_back({rewrite.outputs[i], false});
  }
  const absl::StatusOr<ResolvedCall> resolved = Resolve(*FindOperationInfo(operation.code), rewrite.inputs, declared);
  if (!resolved.ok() || !resolved->ready) return false;

  const Call& call = *resolved->call;
  std::vector<TensorRef> inputs, to = RefsTo(operation.outputs);
  for (size_t i = 0; i < rewrite.inputs.size(); ++i) {
    const Argument& a = rewrite.inputs[i];
    const std::optional<uint32_t> bytes = a.omitted ? 0 : StorageBytes(a.type, a.shape.dims);
    const bool is_read = !a.omitted && !call.needs_value()[i];
    if (is_read && (!a.value_known || !bytes || a.value.size() < *bytes)) return false;
    inputs.push_back({a.type, &a.quantization, &a.shape.dims,
                      is_read ? const_cast<uint8_t*>(a.value.empty() ? nowhere : a.value.data()) : nullptr, nullptr});
  }
  for (size_t i = 0; i < to.size(); ++i) to[i].quantization = &resolved->outputs[i].quantization;
  ASSAY_ASSIGN_OR_RETURN(const Buffer scratch,
                         context_.memory.Allocate(call.ScratchBytes(context_.state.options.mode, {})));
  call.Run(context_.state.options.mode, inputs, to, {scratch.data(), scratch.size()});
  context_.hooks->ChangeOutputs(place, RefsTo(operation.inputs), RefsTo(operation.outputs));
  return true;
}

void SubgraphRun::Report(uint32_t index, std::chrono::nanoseconds wall) {
  const Operation& operation = subgraph_.operations[index];
  const std::vector<TensorRef> inputs = RefsTo(operation.inputs), outputs = RefsTo(operation.outputs);
  context_.options.observer->AfterOperation({context_.PlaceAt(index_, index), inputs, outputs, wall});
}

}  // namespace assay
