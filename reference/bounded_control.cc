// IF and WHILE in intervals. A condition that may be either follows the next decision; without one, all that it
// decides is unknown. See control_flow.cc for the operands.
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/bounded_run.h"
#include "reference/status.h"

namespace assay {
namespace {

constexpr size_t kThen = 1, kElse = 2, kFirstOfIf = 3;
constexpr size_t kBody = 1, kFirstOfWhile = 2;

}  // namespace

// Makes what a subgraph gave this operand, which may declare other things.
absl::Status BoundedSubgraph::Adopt(uint32_t operand, IntervalTensor tensor) {
  const Operand& declared = subgraph_.operands[operand];
  if (tensor.omitted) return MakeStatus(ErrorStatus::GENERAL_FAILURE, "an output has no value");
  const std::optional<Shape> merged = Merge(tensor.shape, declared.shape());
  const bool fits =
      merged && (declared.lifetime != Lifetime::SUBGRAPH_OUTPUT || tensor.quantization == declared.quantization);
  if (!fits) {
    if (!context_.uncertain_shapes)
      return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                        absl::StrCat("an output is ", ToString(tensor.shape), ", declared is ",
                                     ToString(declared.shape()), ", or the quantization differs"));
    return MakeUnknown(declared.type, tensors_[operand], context_.memory);
  }
  const bool was_lost = tensor.lost();
  tensors_[operand] = std::move(tensor);
  tensors_[operand].shape = *merged;
  return was_lost ? MakeUnknown(declared.type, tensors_[operand], context_.memory) : absl::OkStatus();
}

absl::Status BoundedSubgraph::RunIf(const Operation& operation) {
  IntervalTensor condition = tensors_[operation.inputs[0]];
  if (condition.omitted) return MakeStatus(ErrorStatus::GENERAL_FAILURE, "if.condition: the condition has no value");
  ASSAY_RETURN_IF_ERROR(LoadElements(OperandType::TENSOR_BOOL8, condition, context_.memory));
  const std::optional<bool> truth = context_.Decide(condition);
  if (!truth) return LoseOutputs(operation);
  BoundedSubgraph branch(context_, subgraph_.operands[operation.inputs[*truth ? kThen : kElse]].subgraph, nullptr);
  ASSAY_ASSIGN_OR_RETURN(std::vector<IntervalTensor> outputs, branch.Run(InputsOf(operation, kFirstOfIf)));
  for (size_t i = 0; i < operation.outputs.size(); ++i)
    ASSAY_RETURN_IF_ERROR(Adopt(operation.outputs[i], std::move(outputs[i])));
  return absl::OkStatus();
}

absl::Status BoundedSubgraph::RunWhile(const Operation& operation) {
  const uint32_t condition = subgraph_.operands[operation.inputs[0]].subgraph;
  const uint32_t body = subgraph_.operands[operation.inputs[kBody]].subgraph;
  std::vector<IntervalTensor> values = InputsOf(operation, kFirstOfWhile);
  for (uint64_t iteration = 0;; ++iteration) {
    BoundedSubgraph test(context_, condition, nullptr);
    ASSAY_ASSIGN_OR_RETURN(const std::vector<IntervalTensor> truths, test.Run(values));
    const std::optional<bool> truth = context_.Decide(truths.front());
    if (!truth) return LoseOutputs(operation);
    if (!*truth) break;
    if (iteration == context_.options.most_iterations) return LoseOutputs(operation);
    BoundedSubgraph run(context_, body, nullptr);
    ASSAY_ASSIGN_OR_RETURN(std::vector<IntervalTensor> carried, run.Run(values));
    for (size_t i = 0; i < carried.size(); ++i) values[i] = std::move(carried[i]);
  }
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    // A first value may come out as it went in.
    ASSAY_RETURN_IF_ERROR(LoadElements(subgraph_.operands[operation.outputs[i]].type, values[i], context_.memory));
    values[i].exact = false;
    ASSAY_RETURN_IF_ERROR(Adopt(operation.outputs[i], std::move(values[i])));
  }
  return absl::OkStatus();
}

}  // namespace assay
