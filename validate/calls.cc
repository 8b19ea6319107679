#include "validate/calls.h"

#include <algorithm>
#include <memory>

#include "ops/registry.h"
#include "validate/argument.h"
#include "validate/graph.h"
#include "validate/trailing_defaults.h"

namespace assay {
namespace {

constexpr Stage kModel = Stage::kModel;
constexpr Rule kOem{"operation.oem", kModel, "OEM_OPERATION is refused"};
constexpr Rule kUnknown{"operation.unknown", kModel, "the operation is one that NNAPI has"};
constexpr Rule kExtension{"operation.extension", kModel, "an extension operation has a prefix that the model declares"};
constexpr Rule kLevel{"level.operation", kModel, "the level has the operation with these operands"};
constexpr Rule kAll[] = {kOem, kUnknown, kExtension, kLevel};

std::vector<Argument> ArgumentsOf(const Subgraph& subgraph, const std::vector<uint32_t>& list) {
  std::vector<Argument> arguments;
  arguments.reserve(list.size());
  for (uint32_t index : list) arguments.push_back(CallArgument(subgraph.operands[index]));
  return arguments;
}

}  // namespace

std::span<const Rule> CallRules() { return kAll; }

Argument CallArgument(const Operand& operand) {
  Argument argument = ArgumentOf(operand);
  argument.may_be_omitted = operand.lifetime == Lifetime::SUBGRAPH_INPUT;
  if (argument.value.size() > kMostValueBytes) {
    argument.value_known = false;
    argument.value = {};
  }
  return argument;
}

void Calls::Check(size_t s, const std::vector<bool>& sound) {
  const Subgraph& subgraph = model_.subgraphs[s];
  const auto is_sound = [&](uint32_t i) { return sound[i]; };
  std::vector<bool> kept(subgraph.operands.size(), false);
  const auto keep = [&](std::span<const uint32_t> list) {
    for (uint32_t i : list)
      if (i < kept.size()) kept[i] = true;
  };
  keep(subgraph.inputs);
  keep(subgraph.outputs);
  for (size_t i = 0; i < subgraph.operations.size(); ++i) {
    const Operation& operation = subgraph.operations[i];
    const bool readable = IndicesInRange(subgraph, operation) &&
                          std::all_of(operation.inputs.begin(), operation.inputs.end(), is_sound) &&
                          std::all_of(operation.outputs.begin(), operation.outputs.end(), is_sound);
    const size_t inputs = readable ? CheckOperation(s, i) : operation.inputs.size();
    keep(std::span(operation.inputs).first(inputs));
    keep(operation.outputs);
  }
  for (size_t i = 0; i < kept.size(); ++i)
    if (kept[i] && sound[i]) levels_.NeedOperand(model_, s, i);
}

size_t Calls::CheckOperation(size_t s, size_t i) {
  const Operation& operation = model_.subgraphs[s].operations[i];
  const Place place = Place::OfOperation(model_, s, i);
  const auto code = static_cast<uint32_t>(operation.code);
  if (IsExtension(operation.code)) {
    report_.That(extensions_.Declares(code), kExtension, place, "has prefix ", code >> 16,
                 ", which the model does not declare");
    return operation.inputs.size();
  }
  if (!report_.That(operation.code != OperationCode::OEM_OPERATION, kOem, place,
                    "OEM operations are deprecated and mean something to their vendor only; no device here takes one"))
    return operation.inputs.size();
  const OperationInfo* info = FindOperationInfo(operation.code);
  if (!report_.That(info != nullptr, kUnknown, place, "no operation has code ", code)) return operation.inputs.size();
  return Decode(s, i, *info);
}

size_t Calls::Decode(size_t s, size_t i, const OperationInfo& info) {
  const Subgraph& subgraph = model_.subgraphs[s];
  const Operation& operation = subgraph.operations[i];
  const Place place = Place::OfOperation(model_, s, i);
  const std::vector<Argument> inputs = ArgumentsOf(subgraph, operation.inputs);
  const std::vector<Argument> outputs = ArgumentsOf(subgraph, operation.outputs);

  Violations violations;
  std::unique_ptr<Call> call = info.decode(inputs, outputs, violations);
  std::erase_if(violations, [](const Violation& v) { return v.stage != Stage::kModel; });
  // Rules of the family take for granted that the operands are of the right types.
  if (call != nullptr && violations.empty()) call->Check(Stage::kModel, violations);
  for (const Violation& v : violations) report_.Add(v, place);
  if (call == nullptr || !violations.empty()) return inputs.size();
  boundaries_.Check(s, i);

  size_t left = inputs.size();
  if (call->level() > kLowestFeatureLevel) {
    left = InputsWithoutDefaults(subgraph, operation, info, inputs, outputs);
    if (left < inputs.size()) call = info.decode(std::span(inputs).first(left), outputs, violations);
  }
  levels_.Need(call->level(), kLevel, place, left < inputs.size() ? "this call without its defaults" : "this call");
  return left;
}

}  // namespace assay
