#include "randomgraph/draft.h"

#include <cstring>

namespace assay {

absl::string_view NameOf(Reason reason) {
  switch (reason) {
    case Reason::kFault:
      return "fault";
    case Reason::kLevel:
      return "level";
    case Reason::kSize:
      return "size";
    case Reason::kRange:
      return "range";
    case Reason::kMatch:
      return "match";
    case Reason::kApart:
      return "apart";
  }
  return "unknown";
}

void Session::DrawRelaxed() {
  const bool possible = options.relaxed != RelaxedPolicy::kNever && options.feature_level >= 2;
  relaxed = choices.Chance(possible ? options.relaxed == RelaxedPolicy::kAlways ? 6 : 1 : 0, 6);
}

uint32_t Draft::Add(Operand operand, Lifetime lifetime, Plan plan, SharedBytes data) {
  operand.lifetime = lifetime;
  graph_.operands.push_back(std::move(operand));
  plans_.push_back(plan);
  data_.push_back(std::move(data));
  return static_cast<uint32_t>(graph_.operands.size() - 1);
}

uint32_t Draft::AddConstant(Operand operand, Bytes value, bool reference, Plan plan) {
  operand.value = std::make_shared<const Bytes>(std::move(value));
  return Add(std::move(operand), reference ? Lifetime::CONSTANT_REFERENCE : Lifetime::CONSTANT_COPY, plan);
}

uint32_t Draft::AddInput(Operand operand, Bytes value, Plan plan) {
  const uint32_t index = Add(std::move(operand), Lifetime::SUBGRAPH_INPUT, plan,
                             is_main_ ? std::make_shared<const Bytes>(std::move(value)) : nullptr);
  graph_.inputs.push_back(index);
  return index;
}

uint32_t Draft::AddTemporary(Operand operand, Plan plan) {
  return Add(std::move(operand), Lifetime::TEMPORARY_VARIABLE, plan);
}

uint32_t Draft::AddOmitted(Operand operand) { return Add(std::move(operand), Lifetime::NO_VALUE, {.readable = false}); }

uint32_t Draft::AddOmittedInput(Operand operand) {
  return AddInput(std::move(operand), {}, {.readable = false, .omitted = true});
}

uint32_t Draft::AddSubgraphOperand(uint32_t subgraph) {
  Operand operand;
  operand.type = OperandType::SUBGRAPH;
  operand.subgraph = subgraph;
  return Add(std::move(operand), Lifetime::SUBGRAPH, {.readable = false});
}

uint32_t Draft::AddInt32Constant(int32_t value) {
  Operand operand;
  operand.type = OperandType::INT32;
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return AddConstant(std::move(operand), std::move(bytes), false, {.readable = false});
}

void Draft::RollBack(const Mark& mark) {
  graph_.operands.resize(mark.operands);
  plans_.resize(mark.operands);
  data_.resize(mark.operands);
  graph_.operations.resize(mark.operations);
  graph_.inputs.resize(mark.inputs);
}

bool Draft::IsSource(uint32_t operand, bool half) const {
  const Operand& o = graph_.operands[operand];
  const Plan& plan = plans_[operand];
  return plan.readable && !IsScalar(o.type) && !IsConstant(o.lifetime) && o.shape().IsKnown() &&
         IsGoodSource(o, plan, half);
}

std::vector<bool> Draft::Read() const {
  std::vector<bool> read(graph_.operands.size(), false);
  for (const Operation& operation : graph_.operations)
    for (uint32_t input : operation.inputs) read[input] = true;
  return read;
}

}  // namespace assay
