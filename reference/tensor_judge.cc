#include "reference/tensor_judge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "numeric/settle.h"
#include "numeric/storage.h"
#include "reference/resolve.h"
#include "reference/status.h"

namespace assay {

TensorJudge::TensorJudge(BoundedContext& context, const Observations& observations, BoundedRun& run)
    : context_(context), main_(context.model.main()), observations_(observations), run_(run) {}

absl::Status TensorJudge::Check() const {
  for (const auto& [operand, observation] : observations_) {
    const auto invalid = [&, index = operand](const auto&... message) {
      return MakeStatus(ErrorStatus::INVALID_ARGUMENT, absl::StrCat("observed operand ", index, " ", message...));
    };
    if (operand >= main_.operands.size())
      return invalid("is not among the ", main_.operands.size(), " of the main subgraph");
    const Operand& o = main_.operands[operand];
    if (o.lifetime != Lifetime::TEMPORARY_VARIABLE && o.lifetime != Lifetime::SUBGRAPH_OUTPUT)
      return invalid("is ", NameOf(o.lifetime), ", which no operation writes");
    const std::optional<uint32_t> bytes = StorageBytes(o.type, observation.dims);
    if (!bytes || *bytes != observation.bytes.size())
      return invalid("has ", observation.bytes.size(), " bytes, ", ToString(observation.dims), " of ", NameOf(o.type),
                     " takes ", bytes ? absl::StrCat(*bytes) : "more than 2^32 - 1");
  }
  return absl::OkStatus();
}

absl::Status TensorJudge::AfterOperation(uint32_t operation, const EvaluatedCall* evaluated,
                                         std::vector<IntervalTensor>& tensors) {
  const std::vector<uint32_t>& outputs = main_.operations[operation].outputs;
  std::unique_ptr<EvaluatedCall> sharp;
  if (evaluated != nullptr && context_.options.sharp &&
      std::any_of(outputs.begin(), outputs.end(), [&](uint32_t o) { return observations_.count(o) != 0; })) {
    ASSAY_ASSIGN_OR_RETURN(sharp, EvaluateSharp(operation, tensors));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const uint32_t operand = outputs[i];
    IntervalTensor& tensor = tensors[operand];
    const OperandType type = main_.operands[operand].type;
    // A value that came through IF or WHILE as it went in is given its elements here.
    ASSAY_RETURN_IF_ERROR(LoadElements(type, tensor, context_.memory));
    tensor.exact = false;
    BoundedTensor& computed = run_.computed.emplace_back();
    computed.operand = operand;
    computed.operation = operation;
    computed.shape = tensor.shape;
    if (tensor.elements != nullptr) computed.widths = MeasureWidths(type, tensor.quantization, tensor.elements->span());
    const auto observed = observations_.find(operand);
    if (observed != observations_.end())
      ASSAY_RETURN_IF_ERROR(Judge(operation, i, observed->second, evaluated, sharp.get(), tensor));
  }
  return absl::OkStatus();
}

absl::Status TensorJudge::Judge(uint32_t operation, size_t output, const Observation& observation,
                                const EvaluatedCall* evaluated, const EvaluatedCall* sharp, IntervalTensor& tensor) {
  JudgedTensor& judged = run_.judged.emplace_back();
  judged.operation = operation;
  judged.output = output;
  judged.operand = main_.operations[operation].outputs[output];
  judged.dims = observation.dims;
  const OperandType type = main_.operands[judged.operand].type;
  const size_t count = Count(observation.dims);
  judged.wrong_shape = !Merge(tensor.shape, Shape::Of(observation.dims));
  if (judged.wrong_shape) {
    judged.sound.assign(count, Verdict::kOutside);
  } else {
    std::vector<double> answer(count);
    for (size_t i = 0; i < count; ++i)
      answer[i] = ElementAt(type, tensor.quantization, observation.dims, observation.bytes.data(), i);
    if (tensor.elements == nullptr) {  // the shape was not known
      judged.intervals.assign(count, Interval::Unknown());
    } else {
      judged.intervals.assign(tensor.elements->span().begin(), tensor.elements->span().end());
    }
    ASSAY_ASSIGN_OR_RETURN(judged.by_relation, Verdicts(observation, answer, output, evaluated, tensor, judged.sound));
    if (sharp != nullptr)
      ASSAY_RETURN_IF_ERROR(
          Verdicts(observation, answer, output, sharp, sharp->outputs[output], judged.sharp).status());
    if (!context_.options.anchor) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(judged.not_anchored, AnchorTo(type, observation, answer, tensor));
    return absl::OkStatus();
  }
  if (!context_.options.anchor) return absl::OkStatus();
  // What follows had the tensor that the driver gave, whatever its shape.
  context_.uncertain_shapes = true;
  tensor.shape = Shape::Of(observation.dims);
  ASSAY_RETURN_IF_ERROR(MakeUnknown(type, tensor, context_.memory));
  std::vector<double> answer(count);
  for (size_t i = 0; i < count; ++i)
    answer[i] = ElementAt(type, tensor.quantization, observation.dims, observation.bytes.data(), i);
  judged.not_anchored = count;
  return AnchorTo(type, observation, answer, tensor).status();
}

absl::StatusOr<bool> TensorJudge::Verdicts(const Observation& observation, std::span<const double> answer,
                                           size_t output, const EvaluatedCall* evaluated, const IntervalTensor& tensor,
                                           std::vector<Verdict>& verdicts) {
  verdicts.assign(answer.size(), Verdict::kUnknown);
  const bool is_known = tensor.elements != nullptr && tensor.shape.dims == observation.dims;
  if (!is_known) return false;
  if (evaluated != nullptr && evaluated->call != nullptr && evaluated->call->HasAccept()) {
    ASSAY_ASSIGN_OR_RETURN(const Buffer scratch, context_.memory.Allocate(evaluated->call->BoundedScratchBytes()));
    evaluated->call->Accept(context_.assumptions, evaluated->input_refs, output, answer, verdicts,
                            {scratch.data(), scratch.size()});
    return true;
  }
  const std::span<const Interval> intervals = tensor.elements->span();
  for (size_t i = 0; i < answer.size(); ++i) verdicts[i] = Inside(intervals[i], answer[i]);
  return false;
}

bool TensorJudge::IsExact(uint32_t operand) const {
  const Lifetime lifetime = main_.operands[operand].lifetime;
  return lifetime == Lifetime::SUBGRAPH_INPUT || IsConstant(lifetime) || lifetime == Lifetime::NO_VALUE ||
         observations_.count(operand) != 0;
}

// The operation with inputs exactly as observed; null where one was not.
absl::StatusOr<std::unique_ptr<EvaluatedCall>> TensorJudge::EvaluateSharp(uint32_t operation,
                                                                          const std::vector<IntervalTensor>& tensors) {
  std::vector<IntervalTensor> inputs;
  for (uint32_t operand : main_.operations[operation].inputs) {
    if (!IsExact(operand)) return nullptr;
    IntervalTensor& input = inputs.emplace_back(tensors[operand]);
    const auto observed = observations_.find(operand);
    if (observed == observations_.end()) continue;
    input.exact = true;
    input.shape = Shape::Of(observed->second.dims);
    input.bytes = observed->second.bytes;
    input.elements = nullptr;
  }
  absl::StatusOr<std::unique_ptr<EvaluatedCall>> evaluated =
      EvaluateBounded(context_, main_, operation, std::move(inputs));
  // Values that a driver gave may break a rule; the sound verdict decides then.
  if (!evaluated.ok() && ErrorStatusOf(evaluated.status()) == ErrorStatus::GENERAL_FAILURE) return nullptr;
  return evaluated;
}

// Restarts the intervals from what was observed; the number of elements where that does not meet them.
absl::StatusOr<size_t> TensorJudge::AnchorTo(OperandType type, const Observation& observation,
                                             std::span<const double> answer, IntervalTensor& tensor) {
  if (tensor.elements == nullptr) {
    tensor.shape = Shape::Of(observation.dims);
    context_.uncertain_shapes = true;
    ASSAY_RETURN_IF_ERROR(MakeUnknown(type, tensor, context_.memory));
  }
  // The elements may be shared with what went through IF or WHILE.
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Intervals> anchored, Intervals::Unknown(answer.size(), context_.memory));
  const std::span<const Interval> settled = tensor.elements->span();
  const std::span<Interval> to = anchored->span();
  size_t apart = 0;
  const bool relaxed = context_.assumptions.relaxed;
  for (size_t i = 0; i < answer.size(); ++i) {
    std::optional<Interval> anchor = Anchor(type, tensor.quantization, relaxed, answer[i], settled[i]);
    if (!anchor) {
      ++apart;
      anchor = Anchor(type, tensor.quantization, relaxed, answer[i], Interval::Unknown(answer[i]));
    }
    to[i] = anchor.value_or(Interval::Unknown(answer[i]));
  }
  tensor.elements = std::move(anchored);
  return apart;
}

}  // namespace assay
