#include "randomgraph/place.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "ops/registry.h"

namespace assay {
namespace {

using enum OperandType;

constexpr size_t kAttempts = 3;       // to draw an operation that is not dropped and reads what is there
constexpr uint64_t kRowAnswers = 64;  // more than any operation has rows

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
  Placing(Session& session, Draft& draft, const RowChoice& choice, Join join, const Target* target)
      : session_(session),
        draft_(draft),
        info_(*choice.info),
        target_(target),
        drawing_(session, draft, *choice.row, join != Join::kFree, target),
        join_(join) {}

  bool Run() {
    const Draft::Mark mark = draft_.mark();
    before_ = mark.operands;
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
    if (join_ == Join::kDemand && !ReadsWhatWasThere(drawn)) return Reject(Reason::kApart, "reads fresh tensors only");
    AddOperation(drawn, results);
    return true;
  }

  bool ReadsWhatWasThere(const DrawnCall& drawn) const {
    for (const EncodedOperand& o : drawn.inputs()) {
      if (o.tensor == nullptr || o.argument.omitted) continue;
      const uint32_t operand = drawing_.BoundTo(*o.tensor)->operand;
      if (operand < before_ && !IsConstant(draft_.operand(operand).lifetime)) return true;
    }
    return false;
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
      DecideExposure(session_, draft_, operand, plan);
      operation.outputs.push_back(draft_.AddTemporary(std::move(operand), plan));
    }
    draft_.graph().operations.push_back(std::move(operation));
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
    // Of an omitted input nothing is known, and that can be said of most types from level 3 on.
    const bool possible = draft_.is_main() && session_.options.feature_level >= 3 && !operand.quantization.per_channel;
    if (!session_.choices.Chance(possible ? 1 : 0, 4)) return draft_.AddOmitted(std::move(operand));
    operand.dims.clear();
    return draft_.AddOmittedInput(std::move(operand));
  }

  Session& session_;
  Draft& draft_;
  const OperationInfo& info_;
  const Target* target_;
  CallDrawing drawing_;
  Join join_;
  std::vector<Argument> inputs_, outputs_;
  std::vector<Range> ranges_;  // of the outputs
  size_t before_ = 0;          // operands of the draft before the call
};

// First the operation, so that one with many rows is not drawn more often, then the row: the chosen ones or the next
// ones whose first tensor is of a live type (of any, if none is). So the answers mean the same whatever the draft
// holds, as far as possible, and the shrinker can take away what was drawn before.
const RowChoice& Choose(Choices& choices, const std::vector<RowChoice>& rows, const std::set<OperandType>& live) {
  std::vector<size_t> firsts;
  for (size_t i = 0; i < rows.size(); ++i)
    if (i == 0 || rows[i].info != rows[i - 1].info) firsts.push_back(i);
  const size_t operations = firsts.size();
  firsts.push_back(rows.size());
  const auto operation = static_cast<size_t>(choices.Below(operations));
  const auto row = static_cast<size_t>(choices.Below(kRowAnswers));
  for (size_t i = 0; i < operations; ++i) {
    const size_t at = (operation + i) % operations, begin = firsts[at], count = firsts[at + 1] - begin;
    for (size_t k = 0; k < count; ++k) {
      const RowChoice& choice = rows[begin + (row + k) % count];
      const TypeList& inputs = choice.row->inputs;
      // One that starts from a scalar can be drawn at any time.
      const bool from_scalar = inputs.count > 0 && IsScalar(inputs.types[0]);
      if (live.empty() || from_scalar || (inputs.count > 0 && live.count(inputs.types[0]) > 0)) return choice;
    }
  }
  return rows[firsts[operation]];
}

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

void DecideExposure(Session& session, const Draft& draft, const Operand& operand, Plan& plan) {
  const ExposePolicy policy = session.options.expose;
  if (!draft.is_main() || plan.unspecified || policy == ExposePolicy::kNone) return;
  const bool chosen = session.choices.Chance(policy == ExposePolicy::kAll ? 8 : 1, 8);
  if (!chosen && !NeedsAnchor(plan.width, plan.range)) return;
  plan.exposed = true;
  plan.width = AnchoredWidth(operand, plan.range, session.IsHalf(operand.type));
}

bool PlaceCall(Session& session, Draft& draft, const RowChoice& choice, Join join, const Target* target) {
  return Placing(session, draft, choice, join, target).Run();
}

bool PlaceAny(Session& session, Draft& draft, const std::vector<RowChoice>& rows) {
  std::set<OperandType> live;
  for (uint32_t i = 0; i < draft.graph().operands.size(); ++i)
    if (draft.IsSource(i, session.IsHalf(draft.operand(i).type))) live.insert(draft.operand(i).type);
  const bool apart = session.choices.Chance(1, 16) || live.empty();
  if (apart) live.clear();
  for (size_t attempt = 1; attempt <= kAttempts; ++attempt) {
    Choices::Scope scope(session.choices, "attempt");
    const RowChoice& row = Choose(session.choices, rows, live);
    const Join join = apart ? Join::kFree : attempt < kAttempts ? Join::kDemand : Join::kPrefer;
    if (PlaceCall(session, draft, row, join)) return true;
  }
  return false;
}

}  // namespace assay
