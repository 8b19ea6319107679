#include "randomgraph/place.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "ops/registry.h"

namespace assay {
namespace {

using enum OperandType;

bool Allows(const Options& options, const TypeRow& row) {
  if (row.since > options.feature_level) return false;
  if (options.types.empty()) return true;
  const auto allowed = [&](OperandType type) {
    return std::find(options.types.begin(), options.types.end(), type) != options.types.end();
  };
  const auto aside = [](OperandType t) { return t == TENSOR_INT32 || t == TENSOR_QUANT8_SYMM_PER_CHANNEL; };
  for (size_t i = 0; i < row.inputs.count; ++i) {
    const OperandType type = row.inputs.types[i];
    if (!allowed(type) && !(i > 0 && aside(type))) return false;
  }
  for (size_t i = 0; i < row.outputs.count; ++i)
    if (!allowed(row.outputs.types[i]) && row.outputs.types[i] != TENSOR_INT32) return false;
  return true;
}

// One call on its way into the draft.
class Placing {
 public:
  Placing(Session& session, Draft& draft, const RowChoice& choice, bool connected, const Target* target)
      : session_(session),
        draft_(draft),
        info_(*choice.info),
        target_(target),
        drawing_(session, draft, *choice.row, connected, target) {}

  bool Run() {
    const Draft::Mark mark = draft_.mark();
    const std::unique_ptr<DrawnCall> drawn = info_.draw(drawing_);
    if (Add(*drawn)) return true;
    draft_.RollBack(mark);
    return false;
  }

 private:
  bool Reject(Reason reason, std::string message) {
    session_.rejected.push_back({info_.code, reason, std::move(message)});
    return false;
  }

  bool Add(const DrawnCall& drawn) {
    if (!Arrange(drawn)) return false;
    Violations violations;
    const std::unique_ptr<Call> call = info_.decode(inputs_, outputs_, violations);
    if (call != nullptr && violations.empty()) {
      call->Check(Stage::kModel, violations);
      call->Check(Stage::kExecution, violations);
    }
    if (call == nullptr || !violations.empty())
      return Reject(target_ != nullptr ? Reason::kMatch : Reason::kFault, std::string(ToStatus(violations).message()));
    if (call->level() > session_.options.feature_level)
      return Reject(Reason::kLevel, absl::StrCat("needs level ", call->level()));
    const std::vector<Result> results = call->Infer();
    if (results.size() != outputs_.size())
      return Reject(Reason::kFault, absl::StrCat(results.size(), " results inferred, ", outputs_.size(), " drawn"));
    for (size_t i = 0; i < results.size(); ++i)
      if (!Fits(*call, i, results[i])) return false;
    AddOperation(drawn, results);
    return true;
  }

  // The arguments as decode wants them. Scalars and omitted operands are not in the draft yet.
  bool Arrange(const DrawnCall& drawn) {
    for (const EncodedOperand& o : drawn.inputs()) {
      Argument argument = o.argument;
      if (o.tensor == nullptr && argument.type != SUBGRAPH) argument.value = o.bytes, argument.value_known = true;
      const bool is_bound = o.tensor == nullptr || drawing_.BoundTo(*o.tensor) != nullptr;
      if (!argument.omitted && !is_bound)
        return Reject(Reason::kFault, absl::StrCat("input ", inputs_.size(), " was not drawn"));
      inputs_.push_back(std::move(argument));
    }
    for (const EncodedOperand& o : drawn.outputs()) {
      if (o.tensor->argument() == nullptr || drawing_.BoundTo(*o.tensor) == nullptr)
        return Reject(Reason::kFault, absl::StrCat("output ", outputs_.size(), " was not drawn"));
      ranges_.push_back(drawing_.BoundTo(*o.tensor)->range);
      outputs_.push_back(o.argument);
    }
    return true;
  }

  bool Fits(const Call& call, size_t i, const Result& result) {
    Argument& output = outputs_[i];
    if (result.quantization) {
      if (!(output.quantization == *result.quantization))
        return Reject(target_ != nullptr ? Reason::kMatch : Reason::kFault,
                      absl::StrCat("output ", i, " must have scale ", result.quantization->scale, ", was drawn with ",
                                   output.quantization.scale));
    }
    output.shape = result.shape;
    Range& range = ranges_[i];
    range = Activated(range, static_cast<int32_t>(call.activation()));
    if (!KeepsLimits(output.type, range, session_.IsHalf(output.type)))
      return Reject(Reason::kRange, absl::StrCat("output ", i, " may reach ", range.magnitude()));
    if (result.shape.IsKnown()) {
      const std::optional<uint64_t> count = ElementCount(result.shape.dims);
      if (!count || *count == 0 || *count > session_.options.most_elements)
        return Reject(Reason::kSize, absl::StrCat("output ", i, " would be ", ToString(result.shape)));
    }
    if (target_ != nullptr && i == 0 &&
        (output.type != target_->type || !(result.shape == Shape::Of(target_->dims)) ||
         !(output.quantization == target_->quantization)))
      return Reject(Reason::kMatch, absl::StrCat("gives ", NameOf(output.type), " ", ToString(result.shape)));
    return true;
  }

  void AddOperation(const DrawnCall& drawn, const std::vector<Result>& results) {
    Operation operation;
    operation.code = info_.code;
    for (size_t i = 0; i < inputs_.size(); ++i) operation.inputs.push_back(InputOperand(drawn.inputs()[i], inputs_[i]));
    const bool movement = info_.evaluation == Evaluation::kMovement;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      Operand operand;
      operand.type = outputs_[i].type;
      operand.dims = outputs_[i].shape.ToModel();
      operand.quantization = outputs_[i].quantization;
      Plan plan{.range = ranges_[i]};
      plan.unspecified = results[i].unspecified;
      plan.readable = results[i].shape.IsKnown() && !plan.unspecified;
      const bool half = session_.IsHalf(operand.type);
      plan.width = PredictWidth(operand, plan.range, drawing_.input_width(), drawing_.growth(), half, movement);
      if (Exposes(plan)) {
        plan.exposed = true;
        plan.width = AnchoredWidth(operand, plan.range, half);
      }
      operation.outputs.push_back(draft_.AddTemporary(std::move(operand), plan));
    }
    draft_.graph().operations.push_back(std::move(operation));
  }

  bool Exposes(const Plan& plan) {
    if (!draft_.is_main() || plan.unspecified) return false;
    switch (session_.options.expose) {
      case ExposePolicy::kNone:
        return false;
      case ExposePolicy::kAll:
        return true;
      default:
        return session_.choices.Chance(1, 8) || NeedsAnchor(plan.width, plan.range);
    }
  }

  uint32_t InputOperand(const EncodedOperand& drawn, const Argument& argument) {
    if (argument.omitted) return OmittedOperand(argument.type);
    if (drawn.tensor != nullptr) return drawing_.BoundTo(*drawn.tensor)->operand;
    Operand operand;
    operand.type = argument.type;
    const Plan plan{.readable = false};
    if (draft_.is_main() && session_.options.late_values && session_.choices.Chance(1, 24))
      return draft_.AddInput(std::move(operand), drawn.bytes, plan);
    return draft_.AddConstant(std::move(operand), drawn.bytes, session_.choices.Chance(1, 8), plan);
  }

  // Also an operand without a value must be a legal one of its type.
  uint32_t OmittedOperand(OperandType type) {
    Operand operand;
    operand.type = type;
    if (!IsScalar(type)) operand.dims = {1};
    if (InfoOf(type).has_scale) operand.quantization.scale = 1;
    if (type == TENSOR_QUANT8_SYMM_PER_CHANNEL) {
      PerChannel channels;
      channels.scales = {1};
      operand.quantization.per_channel = std::make_shared<const PerChannel>(std::move(channels));
    }
    const bool by_request = draft_.is_main() && session_.choices.Chance(1, 4);
    return by_request ? draft_.AddOmittedInput(std::move(operand)) : draft_.AddOmitted(std::move(operand));
  }

  Session& session_;
  Draft& draft_;
  const OperationInfo& info_;
  const Target* target_;
  CallDrawing drawing_;
  std::vector<Argument> inputs_, outputs_;
  std::vector<Range> ranges_;  // of the outputs
};

}  // namespace

std::vector<RowChoice> RowsFor(const Options& options) {
  std::vector<RowChoice> rows;
  for (const OperationInfo* info : AllOperations()) {
    const auto& wanted = options.operations;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), info->code) == wanted.end()) continue;
    if (info->draw == nullptr) continue;
    for (const TypeRow& row : info->rows)
      if (Allows(options, row)) rows.push_back({info, &row});
  }
  return rows;
}

bool PlaceCall(Session& session, Draft& draft, const RowChoice& choice, bool connected, const Target* target) {
  return Placing(session, draft, choice, connected, target).Run();
}

bool PlaceAny(Session& session, Draft& draft, const std::vector<RowChoice>& rows) {
  std::set<OperandType> live;
  for (uint32_t i = 0; i < draft.graph().operands.size(); ++i) {
    const Operand& o = draft.operand(i);
    if (draft.plan(i).readable && !IsConstant(o.lifetime) && o.shape().IsKnown()) live.insert(o.type);
  }
  const bool connected = !session.choices.Chance(1, 8);
  std::vector<RowChoice> usable;
  if (connected) {
    for (const RowChoice& c : rows)
      if (c.row->inputs.count > 0 && live.count(c.row->inputs.types[0]) > 0) usable.push_back(c);
  }
  if (usable.empty()) usable = rows;
  // First the operation, so that one with many rows is not drawn more often.
  std::vector<size_t> firsts;
  for (size_t i = 0; i < usable.size(); ++i)
    if (i == 0 || usable[i].info != usable[i - 1].info) firsts.push_back(i);
  const auto chosen = static_cast<size_t>(session.choices.Below(firsts.size()));
  const size_t begin = firsts[chosen], end = chosen + 1 < firsts.size() ? firsts[chosen + 1] : usable.size();
  const size_t row = begin + static_cast<size_t>(session.choices.Below(end - begin));
  return PlaceCall(session, draft, usable[row], connected);
}

}  // namespace assay
