// IF and WHILE: runs of further subgraphs inside of a run.
//
//   IF     inputs: condition, then, else, and what the branch gets. Outputs: what the branch gives.
//   WHILE  inputs: condition subgraph, body, and the first values: m that come out, k that are state only, n that stay
//          as they are. The body gives m + k values, the next iteration's; outputs are the first m of the last ones.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/status.h"
#include "reference/subgraph_run.h"

namespace assay {
namespace {

constexpr size_t kThen = 1, kElse = 2, kFirstOfIf = 3;
constexpr size_t kBody = 1, kFirstOfWhile = 2;

// The truth of a condition, which must be one element.
absl::StatusOr<bool> TruthIn(const Dims* dims, const uint8_t* bytes, absl::string_view what) {
  if (dims == nullptr || bytes == nullptr)
    return MakeStatus(ErrorStatus::GENERAL_FAILURE, absl::StrCat(what, " has no value"));
  if (ElementCount(*dims) != uint64_t{1})
    return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                      absl::StrCat(what, " has dimensions ", ToString(*dims), ", must have one element"));
  return *bytes != 0;
}

// A value that a loop carries from one iteration to the next, in one of two places in turn: the body reads one while
// it writes the other.
struct Carried {
  Buffer place[2];
  Dims dims[2];
  Quantization quantization[2];
};

}  // namespace

// Where a subgraph may write what becomes this operand.
OutputSlot SubgraphRun::Offer(uint32_t operand) {
  OutputSlot offer;
  const LiveTensor& tensor = tensors_[operand];
  if (tensor.dims != nullptr) {
    offer.bytes = tensor.bytes;
    offer.capacity = StorageBytes(subgraph_.operands[operand].type, *tensor.dims).value_or(0);
  } else if (const OutputSlot* slot = SlotOf(operand)) {
    offer.bytes = slot->bytes;
    offer.capacity = slot->capacity;
  }
  return offer;
}

// Makes what a subgraph wrote this operand's value.
absl::Status SubgraphRun::Adopt(uint32_t operand, OutputSlot from) {
  ASSAY_RETURN_IF_ERROR(SetShape(operand, from.dims, from.quantization));
  LiveTensor& tensor = tensors_[operand];
  if (tensor.bytes == from.at) return absl::OkStatus();
  tensor.bytes = from.at;
  if (from.own.size() == 0) return absl::OkStatus();
  OutputSlot* slot = SlotOf(operand);
  (slot != nullptr ? slot->own : own_[operand]) = std::move(from.own);
  return absl::OkStatus();
}

absl::Status SubgraphRun::RunIf(uint32_t index) {
  const Operation& operation = subgraph_.operations[index];
  const LiveTensor& condition = tensors_[operation.inputs[0]];
  ASSAY_ASSIGN_OR_RETURN(bool truth, TruthIn(condition.dims, condition.omitted ? nullptr : condition.bytes,
                                             "if.condition: the condition"));
  if (context_.hooks != nullptr) truth = context_.hooks->ChooseBranch(context_.PlaceAt(index_, index), truth);
  std::vector<LiveTensor> inputs;
  for (size_t i = kFirstOfIf; i < operation.inputs.size(); ++i) inputs.push_back(tensors_[operation.inputs[i]]);
  std::vector<OutputSlot> slots;
  for (uint32_t operand : operation.outputs) slots.push_back(Offer(operand));
  {
    SubgraphRun branch(context_, subgraph_.operands[operation.inputs[truth ? kThen : kElse]].subgraph);
    ASSAY_RETURN_IF_ERROR(branch.Run(inputs, slots));
  }
  for (size_t i = 0; i < slots.size(); ++i) ASSAY_RETURN_IF_ERROR(Adopt(operation.outputs[i], std::move(slots[i])));
  return absl::OkStatus();
}

absl::StatusOr<bool> SubgraphRun::RunCondition(uint32_t subgraph, std::span<const LiveTensor> values) {
  alignas(kMemoryAlignment) uint8_t truth[kMemoryAlignment];
  OutputSlot slot;
  slot.bytes = truth;
  slot.capacity = sizeof truth;
  SubgraphRun run(context_, subgraph);
  ASSAY_RETURN_IF_ERROR(run.Run(values, {&slot, 1}));
  return TruthIn(&slot.dims, slot.at, "while.condition: the condition's output");
}

absl::Status SubgraphRun::RunWhile(uint32_t index) {
  using Clock = std::chrono::steady_clock;
  const Operation& operation = subgraph_.operations[index];
  const uint32_t condition = subgraph_.operands[operation.inputs[0]].subgraph;
  const uint32_t body = subgraph_.operands[operation.inputs[kBody]].subgraph;
  std::vector<LiveTensor> values;
  for (size_t i = kFirstOfWhile; i < operation.inputs.size(); ++i) values.push_back(tensors_[operation.inputs[i]]);
  std::vector<Carried> carried(context_.state.model.subgraphs[body].outputs.size());
  std::vector<LiveTensor> before_last;  // the values before the last iteration: the body has not overwritten them
  const std::chrono::nanoseconds timeout =
      std::min<std::chrono::nanoseconds>(context_.options.loop_timeout, kMostLoopTimeout);
  const Clock::time_point start = Clock::now();

  for (uint64_t iteration = 0;; ++iteration) {
    context_.iterations.push_back(iteration);
    ASSAY_ASSIGN_OR_RETURN(bool go_on, RunCondition(condition, values));
    context_.iterations.pop_back();
    if (context_.hooks != nullptr)
      go_on = context_.hooks->ContinueLoop(context_.PlaceAt(index_, index), iteration, go_on);
    if (!go_on) break;
    if (Clock::now() - start > timeout)
      return MakeStatus(
          ErrorStatus::MISSED_DEADLINE_TRANSIENT,
          absl::StrCat("the loop timeout of ", std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count(),
                       " ms has passed after ", iteration, " iterations"));
    if (context_.hooks != nullptr) before_last = values;
    const size_t side = iteration % 2;
    std::vector<OutputSlot> slots(carried.size());
    for (size_t i = 0; i < carried.size(); ++i) {
      slots[i].bytes = carried[i].place[side].data();
      slots[i].capacity = carried[i].place[side].size();
    }
    context_.iterations.push_back(iteration);
    SubgraphRun run(context_, body);
    ASSAY_RETURN_IF_ERROR(run.Run(values, slots));
    context_.iterations.pop_back();
    for (size_t i = 0; i < carried.size(); ++i) {
      Carried& c = carried[i];
      if (slots[i].own.size() != 0) c.place[side] = std::move(slots[i].own);
      c.dims[side] = std::move(slots[i].dims);
      c.quantization[side] = std::move(slots[i].quantization);
      values[i] = {&c.quantization[side], &c.dims[side], slots[i].at, false};
    }
  }

  if (context_.hooks != nullptr && !before_last.empty() &&
      context_.hooks->ForgetLastIteration(context_.PlaceAt(index_, index)))
    values = std::move(before_last);
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const uint32_t operand = operation.outputs[i];
    if (values[i].omitted || values[i].bytes == nullptr)
      return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                        absl::StrCat("while.value: loop value ", i, " has no value and is an output"));
    ASSAY_RETURN_IF_ERROR(Place(operand, *values[i].dims, *values[i].quantization));
    const uint32_t bytes = StorageBytes(subgraph_.operands[operand].type, *values[i].dims).value_or(0);
    if (bytes != 0) std::memcpy(tensors_[operand].bytes, values[i].bytes, bytes);
  }
  return absl::OkStatus();
}

}  // namespace assay
