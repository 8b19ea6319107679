// IF and WHILE: what can be said of a call alone.
//
//   IF:    outputs = condition ? then_model(inputs) : else_model(inputs)
//   WHILE: values = inputs; while (cond_model(values)) values = body_model(values); outputs = the first values
//
// They are executed by reference/, which knows subgraphs. The rules that look into a subgraph (counts and types at its
// boundary, no cycles) are in validate/; shapes come from inside and are unknown here.
#include <algorithm>

#include "ops/define.h"

namespace assay {
namespace {

using enum OperandType;

std::vector<Result> UnknownResults(const OutList& outputs) {
  return std::vector<Result>(outputs.size(), Result{Shape::Unranked(), {}});
}

struct If {
  static constexpr absl::string_view kProse =
      "Runs one of two subgraphs: outputs = condition ? then_model(inputs) : else_model(inputs).";
  static constexpr Evaluation kEvaluation = Evaluation::kControlFlow;
  static constexpr TypeRow kRows[] = {
      // since, {condition, inputs...}, {outputs...}
      {4, {TENSOR_BOOL8, kAnyType}, {kAnyType}},
  };
  static constexpr Rule kCondition{"condition", Stage::kModel, "condition has the dimensions [1], known"};
  static constexpr Rule kRules[] = {kCondition};
  static constexpr bool kAllowsEmpty = true;

  In condition;
  uint32_t then_model = 0, else_model = 0;
  InList inputs;
  OutList outputs;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(condition, "condition", "[1]; any byte but 0 is true");
    w.Subgraph(then_model, "then_model", "run when the condition is true");
    w.Subgraph(else_model, "else_model", "run when the condition is false");
    w.OptionalTensors(inputs, "inputs", 0, "the chosen subgraph's inputs");
    w.Outputs(outputs, "outputs", 1, "the chosen subgraph's outputs");
  }

  void CheckModel(Checker& check) const {
    check.That(condition.shape() == Shape::Of({1}), kCondition, "condition has dimensions ",
               ToString(condition.shape()), ", must have [1]");
  }
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return UnknownResults(outputs); }
};

struct While {
  static constexpr absl::string_view kProse =
      "Runs a subgraph while another says so: while (cond_model(values)) values = body_model(values).";
  static constexpr Evaluation kEvaluation = Evaluation::kControlFlow;
  static constexpr TypeRow kRows[] = {
      // since, {inputs...}, {outputs...}
      {4, {kAnyType}, {kAnyType}},
  };
  static constexpr Rule kCount{"output_count", Stage::kModel, "there are no more outputs than inputs of the loop"};
  static constexpr Rule kOutput{"output_type", Stage::kModel,
                                "an output has the type and the quantization of the input of the same position"};
  static constexpr Rule kRules[] = {kCount, kOutput};
  static constexpr bool kAllowsEmpty = true;

  uint32_t cond_model = 0, body_model = 0;
  InList inputs;
  OutList outputs;

  template <class Walk>
  void Operands(Walk& w) {
    w.Subgraph(cond_model, "cond_model", "of the values, one TENSOR_BOOL8 [1]: whether to go on");
    w.Subgraph(body_model, "body_model", "of the values, the next values but the input-only ones");
    w.OptionalTensors(inputs, "inputs", 1, "first values: input-output ones, state-only ones, input-only ones");
    w.Outputs(outputs, "outputs", 1, "last values of the input-output ones");
  }

  void CheckModel(Checker& check) const {
    check.That(outputs.size() <= inputs.size(), kCount, "there are ", outputs.size(), " outputs and ", inputs.size(),
               " inputs");
    for (size_t i = 0; i < std::min(inputs.size(), outputs.size()); ++i) {
      const In& in = inputs[i];
      const Out& out = outputs[i];
      check.That(in.type() == out.type(), kOutput, "output ", i, " is ", NameOf(out.type()), ", input ", i, " is ",
                 NameOf(in.type()));
      check.SameQuantization(kOutput, absl::StrCat("output ", i), out, absl::StrCat("input ", i), in);
    }
  }
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return UnknownResults(outputs); }
};

}  // namespace

extern const OperationInfo kIf, kWhile;
constinit const OperationInfo kIf = Define<If, kIf>(OperationCode::IF, "IF");
constinit const OperationInfo kWhile = Define<While, kWhile>(OperationCode::WHILE, "WHILE");

}  // namespace assay
