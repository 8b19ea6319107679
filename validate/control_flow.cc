#include "validate/control_flow.h"

#include <algorithm>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace assay {
namespace {

constexpr Stage kModel = Stage::kModel;
constexpr Rule kThenInputs{"if.then_inputs", kModel, "the then branch has as many inputs as IF hands on"};
constexpr Rule kThenInput{"if.then_input", kModel, "an input of the then branch fits the operand handed on"};
constexpr Rule kThenOutputs{"if.then_outputs", kModel, "the then branch has as many outputs as IF"};
constexpr Rule kThenOutput{"if.then_output", kModel, "an output of the then branch fits that of IF"};
constexpr Rule kElseInputs{"if.else_inputs", kModel, "the else branch has as many inputs as IF hands on"};
constexpr Rule kElseInput{"if.else_input", kModel, "an input of the else branch fits the operand handed on"};
constexpr Rule kElseOutputs{"if.else_outputs", kModel, "the else branch has as many outputs as IF"};
constexpr Rule kElseOutput{"if.else_output", kModel, "an output of the else branch fits that of IF"};
constexpr Rule kConditionInputs{"while.condition_inputs", kModel, "the condition has as many inputs as WHILE hands on"};
constexpr Rule kConditionInput{"while.condition_input", kModel, "an input of the condition fits the operand handed on"};
constexpr Rule kConditionOutputs{"while.condition_outputs", kModel, "the condition has one output"};
constexpr Rule kConditionOutput{"while.condition_output", kModel,
                                "the condition's output is TENSOR_BOOL8 of shape [1]"};
constexpr Rule kBodyInputs{"while.body_inputs", kModel, "the body has as many inputs as WHILE hands on"};
constexpr Rule kBodyInput{"while.body_input", kModel, "an input of the body fits the operand handed on"};
constexpr Rule kBodyOutputs{"while.body_outputs", kModel,
                            "the body has at least as many outputs as WHILE and at most as many as inputs"};
constexpr Rule kBodyOutput{"while.body_output", kModel, "an output of the body fits that of WHILE"};
constexpr Rule kBodyState{"while.body_state", kModel, "an output of the body fits the body's input that it becomes"};
constexpr Rule kAll[] = {kThenInputs,       kThenInput,       kThenOutputs, kThenOutput,      kElseInputs,
                         kElseInput,        kElseOutputs,     kElseOutput,  kConditionInputs, kConditionInput,
                         kConditionOutputs, kConditionOutput, kBodyInputs,  kBodyInput,       kBodyOutputs,
                         kBodyOutput,       kBodyState};

// The operands of IF and WHILE by position, and nowhere else.
constexpr size_t kThen = 1, kElse = 2, kIfHandsOnFrom = 3;
constexpr size_t kCondition = 0, kBody = 1, kWhileHandsOnFrom = 2;

// Does input `at` of the operation refer to a subgraph?
bool RefersToSubgraph(const Model& model, const Subgraph& subgraph, const Operation& operation, size_t at) {
  if (at >= operation.inputs.size()) return false;
  const Operand& operand = subgraph.operands[operation.inputs[at]];
  return operand.lifetime == Lifetime::SUBGRAPH && operand.subgraph < model.subgraphs.size();
}

bool HasUnknownSize(const Operand& operand) {
  if (IsScalar(operand.type)) return false;
  if (operand.dims.empty()) return !IsExtension(operand.type);  // which may be a scalar
  return std::find(operand.dims.begin(), operand.dims.end(), 0u) != operand.dims.end();
}

bool Fit(const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) return true;
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0 && b[i] != 0 && a[i] != b[i]) return false;
  return true;
}

absl::string_view BytesOf(const void* data, size_t size) { return {static_cast<const char*>(data), size}; }

// One of all that are equal to `p`.
template <class T, class Map, class Set>
const T* Representative(const T* p, Map& known, Set& distinct) {
  const auto [at, added] = known.try_emplace(p, nullptr);
  if (added) at->second = *distinct.insert(p).first;
  return at->second;
}

}  // namespace

// One end of a boundary: operands of a subgraph, in order.
struct Boundaries::Ends {
  const Subgraph& subgraph;
  std::span<const uint32_t> list;
  absl::string_view name;

  // Null if the index is out of range, which is told elsewhere.
  const Operand* operator[](size_t i) const {
    return list[i] < subgraph.operands.size() ? &subgraph.operands[list[i]] : nullptr;
  }
  bool HasUnknownSize() const {
    for (size_t i = 0; i < list.size(); ++i)
      if ((*this)[i] != nullptr && assay::HasUnknownSize(*(*this)[i])) return true;
    return false;
  }
};

size_t Boundaries::HashOfScales::operator()(const PerChannel* p) const {
  return absl::HashOf(BytesOf(p->scales.data(), p->scales.size() * sizeof(float)), p->channel_dim);
}

size_t Boundaries::HashOfBytes::operator()(const Bytes* b) const { return absl::HashOf(BytesOf(b->data(), b->size())); }

std::span<const Rule> BoundaryRules() { return kAll; }

bool Boundaries::SameParameters(const Operand& a, const Operand& b) {
  const PerChannel *p = a.quantization.per_channel.get(), *q = b.quantization.per_channel.get();
  const Bytes *x = a.extension_parameters.get(), *y = b.extension_parameters.get();
  if ((p == nullptr) != (q == nullptr) || (x == nullptr) != (y == nullptr)) return false;
  return (p == q || Representative(p, scales_, distinct_scales_) == Representative(q, scales_, distinct_scales_)) &&
         (x == y || Representative(x, bytes_, distinct_bytes_) == Representative(y, bytes_, distinct_bytes_));
}

std::string Boundaries::Difference(const Operand& a, const Operand& b) {
  const auto tell = [](absl::string_view what, const auto& left, const auto& right) {
    return absl::StrCat(what, " ", left, " and ", right);
  };
  if (a.type != b.type) return tell("types", TypeText(a.type), TypeText(b.type));
  const Quantization &p = a.quantization, &q = b.quantization;
  if (p.scale != q.scale) return tell("scales", p.scale, q.scale);
  if (p.zero_point != q.zero_point) return tell("zero points", p.zero_point, q.zero_point);
  if (!SameParameters(a, b)) return "different per-channel or extension parameters";
  if (!Fit(a.dims, b.dims)) return tell("dimensions", ToString(a.dims), ToString(b.dims));
  return "";
}

void Boundaries::Pairs(const Rule& rule, const Place& place, const Ends& outer, const Ends& inner) {
  for (size_t i = 0; i < std::min(outer.list.size(), inner.list.size()); ++i) {
    const Operand *a = outer[i], *b = inner[i];
    if (a == nullptr || b == nullptr) continue;
    const std::string difference = Difference(*a, *b);
    report_.That(difference.empty(), rule, place, outer.name, " ", i, " and ", inner.name, " ", i, " have ",
                 difference);
  }
}

void Boundaries::CheckIf(size_t s, size_t i) {
  const Subgraph& outer = model_.subgraphs[s];
  const Operation& operation = outer.operations[i];
  const Place place = Place::OfOperation(model_, s, i);
  struct Branch {
    size_t at;
    absl::string_view input_name, output_name;
    const Rule &inputs, &input, &outputs, &output;
  };
  const Branch branches[] = {{kThen, "input of the then branch", "output of the then branch", kThenInputs, kThenInput,
                              kThenOutputs, kThenOutput},
                             {kElse, "input of the else branch", "output of the else branch", kElseInputs, kElseInput,
                              kElseOutputs, kElseOutput}};
  for (const Branch& branch : branches) {
    if (!RefersToSubgraph(model_, outer, operation, branch.at) || operation.inputs.size() < kIfHandsOnFrom) continue;
    const Subgraph& inner = model_.subgraphs[outer.operands[operation.inputs[branch.at]].subgraph];
    const Ends handed_on{outer, std::span(operation.inputs).subspan(kIfHandsOnFrom), "operand handed on"};
    const Ends results{outer, operation.outputs, "output of IF"};
    const Ends inputs{inner, inner.inputs, branch.input_name}, outputs{inner, inner.outputs, branch.output_name};
    if (report_.That(inputs.list.size() == handed_on.list.size(), branch.inputs, place, "hands on ",
                     handed_on.list.size(), " operands, the branch has ", inputs.list.size(), " inputs"))
      Pairs(branch.input, place, handed_on, inputs);
    if (report_.That(outputs.list.size() == results.list.size(), branch.outputs, place, "has ", results.list.size(),
                     " outputs, the branch has ", outputs.list.size()))
      Pairs(branch.output, place, results, outputs);
  }
}

void Boundaries::CheckWhile(size_t s, size_t i) {
  const Subgraph& outer = model_.subgraphs[s];
  const Operation& operation = outer.operations[i];
  const Place place = Place::OfOperation(model_, s, i);
  if (!RefersToSubgraph(model_, outer, operation, kCondition) || !RefersToSubgraph(model_, outer, operation, kBody))
    return;
  const Subgraph& condition = model_.subgraphs[outer.operands[operation.inputs[kCondition]].subgraph];
  const Subgraph& body = model_.subgraphs[outer.operands[operation.inputs[kBody]].subgraph];
  const Ends handed_on{outer, std::span(operation.inputs).subspan(kWhileHandsOnFrom), "operand handed on"};
  const Ends results{outer, operation.outputs, "output of WHILE"};
  const Ends asked{condition, condition.inputs, "input of the condition"};
  const Ends inputs{body, body.inputs, "input of the body"}, outputs{body, body.outputs, "output of the body"};

  bool counts = report_.That(asked.list.size() == handed_on.list.size(), kConditionInputs, place, "hands on ",
                             handed_on.list.size(), " operands, the condition has ", asked.list.size(), " inputs");
  if (counts) Pairs(kConditionInput, place, handed_on, asked);
  if (report_.That(condition.outputs.size() == 1, kConditionOutputs, place, "the condition has ",
                   condition.outputs.size(), " outputs, expected 1")) {
    const Operand* answer = Ends{condition, condition.outputs, ""}[0];
    report_.That(answer == nullptr || (answer->type == OperandType::TENSOR_BOOL8 && answer->dims == Dims{1}),
                 kConditionOutput, place, "the condition's output is ", answer != nullptr ? TypeText(answer->type) : "",
                 " ", answer != nullptr ? answer->shape() : Shape{}, ", expected TENSOR_BOOL8 [1]");
  }
  if (report_.That(inputs.list.size() == handed_on.list.size(), kBodyInputs, place, "hands on ", handed_on.list.size(),
                   " operands, the body has ", inputs.list.size(), " inputs"))
    Pairs(kBodyInput, place, handed_on, inputs);
  else
    counts = false;
  if (report_.That(outputs.list.size() >= results.list.size() && outputs.list.size() <= inputs.list.size(),
                   kBodyOutputs, place, "has ", results.list.size(), " outputs, the body has ", outputs.list.size(),
                   " outputs and ", inputs.list.size(), " inputs")) {
    Pairs(kBodyOutput, place, results, outputs);
    if (counts) Pairs(kBodyState, place, inputs, outputs);
  }
  // Lists of other lengths may be far longer than the operation.
  if (counts && (handed_on.HasUnknownSize() || results.HasUnknownSize() || asked.HasUnknownSize() ||
                 inputs.HasUnknownSize() || outputs.HasUnknownSize()))
    levels_.NeedRuntime();
}

void Boundaries::Check(size_t subgraph, size_t operation) {
  const OperationCode code = model_.subgraphs[subgraph].operations[operation].code;
  if (code == OperationCode::IF) CheckIf(subgraph, operation);
  if (code == OperationCode::WHILE) CheckWhile(subgraph, operation);
}

void AppendSurelyRun(const Subgraph& subgraph, const Operation& operation, std::vector<uint32_t>& subgraphs) {
  if (operation.code == OperationCode::WHILE)
    subgraphs.push_back(subgraph.operands[operation.inputs[kCondition]].subgraph);
}

}  // namespace assay
