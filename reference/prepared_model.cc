#include "reference/prepared_model.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/prepared_state.h"
#include "reference/request.h"
#include "reference/subgraph_run.h"
#include "reference/support.h"
#include "validate/model.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// An execution of the main subgraph between a caller's buffers.
class MainExecution {
 public:
  MainExecution(PreparedState& state, const ExecuteOptions& options) : context_(state, options) {}

  ExecutionResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) {
    const absl::Status status = Run(inputs, outputs);
    if (!status.ok()) {
      result_.status = ErrorStatusOf(status);
      result_.message = std::string(status.message());
      if (result_.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) result_.outputs.clear();
    }
    result_.peak_bytes = context_.memory.peak();
    result_.cancelled = context_.cancelled();
    return std::move(result_);
  }

 private:
  const Model& model() const { return context_.state.model; }
  const Operand& OutputOperand(size_t i) const { return model().main().operands[model().main().outputs[i]]; }

  absl::Status Run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) {
    const std::optional<Deadline>& deadline = context_.options.deadline;
    if (deadline && Clock::now() > *deadline)
      return MakeStatus(ErrorStatus::MISSED_DEADLINE_PERSISTENT, "the deadline had passed before the execution began");
    ASSAY_RETURN_IF_ERROR(request_.BindInputs(model(), inputs, context_.memory));
    ASSAY_RETURN_IF_ERROR(request_.BindOutputs(model(), inputs, outputs));

    std::vector<LiveTensor> live;
    std::vector<InputState> states;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const BoundInput& input = request_.inputs()[i];
      const Operand& operand = model().main().operands[model().main().inputs[i]];
      live.push_back({&operand.quantization, input.omitted ? nullptr : &input.dims, const_cast<uint8_t*>(input.bytes),
                      input.omitted});
      states.push_back({input.omitted, input.omitted ? Shape() : Shape::Of(input.dims), operand.quantization});
    }
    // Where everything is known before, nothing needs to be computed to tell that a buffer is too small.
    if (AreKnownInsufficient(*context_.state.PlanFor(0, std::move(states)), outputs)) return Insufficient();

    for (size_t i = 0; i < outputs.size(); ++i) {
      OutputSlot& slot = slots_.emplace_back();
      if (!IsAligned(outputs[i].bytes.data(), OutputOperand(i).type)) continue;
      slot.bytes = outputs[i].bytes.data();
      slot.capacity = outputs[i].bytes.size();
    }
    ASSAY_RETURN_IF_ERROR(SubgraphRun(context_, 0).Run(live, slots_));
    return GiveOutputs(outputs);
  }

  // Fills the result's shapes with what is known, and tells whether all of it is, and a buffer too small.
  bool AreKnownInsufficient(const SubgraphPlan& plan, std::span<const OutputBuffer> outputs) {
    bool known = true, sufficient = true;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Shape& shape = plan.tensors[model().main().outputs[i]].shape;
      result_.outputs.push_back({shape, true});
      known &= shape.IsKnown();
      if (shape.IsKnown()) sufficient &= SetSufficient(i, outputs[i]);
    }
    return known && !sufficient;
  }

  bool SetSufficient(size_t i, const OutputBuffer& buffer) {
    OutputShape& output = result_.outputs[i];
    const std::optional<uint32_t> bytes = StorageBytes(OutputOperand(i).type, output.shape.dims);
    return output.sufficient = bytes && *bytes <= buffer.bytes.size();
  }

  absl::Status GiveOutputs(std::span<const OutputBuffer> outputs) {
    bool sufficient = true;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const OutputSlot& slot = slots_[i];
      if (!Merge(Shape::Of(slot.dims), request_.output_shapes()[i]))
        return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                          absl::StrCat("output ", i, " is ", ToString(slot.dims), ", the request has ",
                                       ToString(request_.output_shapes()[i])));
      result_.outputs[i].shape = Shape::Of(slot.dims);
      if (!SetSufficient(i, outputs[i])) {
        sufficient = false;
      } else if (slot.own.size() != 0) {
        std::memcpy(outputs[i].bytes.data(), slot.at, *StorageBytes(OutputOperand(i).type, slot.dims));
      }
    }
    return sufficient ? absl::OkStatus() : Insufficient();
  }

  absl::Status Insufficient() const {
    std::string text = "too small for what is computed:";
    for (size_t i = 0; i < result_.outputs.size(); ++i)
      if (!result_.outputs[i].sufficient)
        absl::StrAppend(&text, " the buffer of output ", i, " of ", ToString(result_.outputs[i].shape), ";");
    text.pop_back();
    return MakeStatus(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, text);
  }

  ExecutionContext context_;  // before what holds its memory
  Request request_;
  std::vector<OutputSlot> slots_;
  ExecutionResult result_;
};

}  // namespace

PreparedModel::PreparedModel(std::unique_ptr<PreparedState> state) : state_(std::move(state)) {}
PreparedModel::~PreparedModel() = default;

ExecutionResult PreparedModel::Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                                       const ExecuteOptions& options) const {
  return MainExecution(*state_, options).Execute(inputs, outputs);
}

const Model& PreparedModel::model() const { return state_->model; }
Mode PreparedModel::mode() const { return state_->options.mode; }

std::vector<Shape> PreparedModel::OutputShapes() const {
  std::vector<Shape> shapes;
  for (uint32_t operand : model().main().outputs) shapes.push_back(state_->declared_plan(0)->tensors[operand].shape);
  return shapes;
}

std::vector<PreparedModel::Placed> PreparedModel::Placements(uint32_t subgraph) const {
  const SubgraphPlan& plan = *state_->declared_plan(subgraph);
  std::vector<Placed> placed;
  for (size_t i = 0; i < plan.lifetimes.size(); ++i) placed.push_back({plan.lifetimes[i], plan.offsets[i]});
  return placed;
}

size_t PreparedModel::PlannedPeakBytes() const { return state_->PlannedPeakBytes(0); }

absl::StatusOr<std::unique_ptr<PreparedModel>> Prepare(const Model& model, const PrepareOptions& options) {
  if (options.deadline && Clock::now() > *options.deadline)
    return MakeStatus(ErrorStatus::MISSED_DEADLINE_PERSISTENT, "the deadline had passed before the model was prepared");
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateModel(model, options.level)));
  ASSAY_RETURN_IF_ERROR(CheckSupported(model));
  auto state = std::make_unique<PreparedState>(model, options);
  ASSAY_RETURN_IF_ERROR(state->Prepare());
  return std::make_unique<PreparedModel>(std::move(state));
}

}  // namespace assay
