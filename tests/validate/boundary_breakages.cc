// Models of IF and WHILE in which an operation and its subgraphs do not fit together.
#include <memory>

#include "tests/validate/breakages.h"
#include "validate/control_flow.h"

namespace assay {
namespace {

using enum OperandType;

// What the boundary check alone says of the first operation.
Breakage Of(Model (*sample)(), std::string rule, std::string how, std::function<void(Model&)> edit) {
  return {std::move(rule), std::move(how), [sample, edit = std::move(edit)] {
            Model model = sample();
            edit(model);
            Report report(kMostViolations);
            Levels levels(kHighestFeatureLevel, report);
            Boundaries(model, report, levels).Check(0, 0);
            return report.Take();
          }};
}

Operand& InputOf(Model& m, size_t s, size_t i) { return m.subgraphs[s].operands[m.subgraphs[s].inputs[i]]; }
Operand& OutputOf(Model& m, size_t s, size_t i) { return m.subgraphs[s].operands[m.subgraphs[s].outputs[i]]; }

void DropInput(Model& m, size_t s) { m.subgraphs[s].inputs.pop_back(); }
void RepeatInput(Model& m, size_t s) { m.subgraphs[s].inputs.push_back(m.subgraphs[s].inputs[0]); }
void DropOutput(Model& m, size_t s) { m.subgraphs[s].outputs.pop_back(); }
void RepeatOutput(Model& m, size_t s) { m.subgraphs[s].outputs.push_back(m.subgraphs[s].outputs[0]); }

// Makes both ends per-channel, with equal scales.
void MakePerChannel(Operand& a, Operand& b) {
  for (Operand* o : {&a, &b}) {
    o->type = TENSOR_QUANT8_SYMM_PER_CHANNEL;
    o->quantization = PerChannelQuant(0, {1, 2});
  }
}

}  // namespace

std::vector<Breakage> BoundaryBreakages() {
  const auto of_if = [](auto... a) { return Of(&IfSample, a...); };
  const auto of_while = [](auto... a) { return Of(&WhileSample, a...); };
  return {
      of_if("if.then_inputs", "fewer", [](Model& m) { DropInput(m, 1); }),
      of_if("if.then_inputs", "more", [](Model& m) { RepeatInput(m, 1); }),
      of_if("if.then_input", "type", [](Model& m) { InputOf(m, 1, 0).type = TENSOR_FLOAT16; }),
      of_if("if.then_input", "rank",
            [](Model& m) {
              InputOf(m, 1, 1).dims = {2, 1};
            }),
      of_if("if.then_input", "dimension", [](Model& m) { InputOf(m, 1, 1).dims = {3}; }),
      of_if("if.then_input", "scale", [](Model& m) { InputOf(m, 1, 0).quantization.scale = 1; }),
      of_if("if.then_input", "zero point", [](Model& m) { InputOf(m, 1, 0).quantization.zero_point = 1; }),
      of_if("if.then_input", "scales of channels",
            [](Model& m) {
              MakePerChannel(InputOf(m, 0, 1), InputOf(m, 1, 0));
              MakePerChannel(InputOf(m, 0, 1), InputOf(m, 2, 0));
              InputOf(m, 1, 0).quantization = PerChannelQuant(0, {1, 3});
            }),
      of_if("if.then_input", "channel dimension",
            [](Model& m) {
              MakePerChannel(InputOf(m, 0, 1), InputOf(m, 1, 0));
              MakePerChannel(InputOf(m, 0, 1), InputOf(m, 2, 0));
              InputOf(m, 1, 0).quantization = PerChannelQuant(1, {1, 2});
            }),
      of_if("if.then_input", "extension parameters, one null",
            [](Model& m) { InputOf(m, 1, 0).extension_parameters = std::make_shared<const Bytes>(3); }),
      of_if("if.then_input", "extension parameters",
            [](Model& m) {
              InputOf(m, 0, 1).extension_parameters = std::make_shared<const Bytes>(3);
              InputOf(m, 1, 0).extension_parameters = std::make_shared<const Bytes>(4);
              InputOf(m, 2, 0).extension_parameters = std::make_shared<const Bytes>(3);
            }),
      of_if("if.then_outputs", "fewer", [](Model& m) { DropOutput(m, 1); }),
      of_if("if.then_outputs", "more", [](Model& m) { RepeatOutput(m, 1); }),
      of_if("if.then_output", "dimension", [](Model& m) { OutputOf(m, 1, 0).dims = {3}; }),
      of_if("if.else_inputs", "fewer", [](Model& m) { DropInput(m, 2); }),
      of_if("if.else_input", "type", [](Model& m) { InputOf(m, 2, 0).type = TENSOR_INT32; }),
      of_if("if.else_outputs", "more", [](Model& m) { RepeatOutput(m, 2); }),
      of_if("if.else_output", "type", [](Model& m) { OutputOf(m, 2, 0).type = TENSOR_INT32; }),
      of_while("while.condition_inputs", "fewer", [](Model& m) { DropInput(m, 1); }),
      of_while("while.condition_inputs", "more", [](Model& m) { RepeatInput(m, 1); }),
      of_while("while.condition_input", "dimension", [](Model& m) { InputOf(m, 1, 2).dims = {3}; }),
      of_while("while.condition_outputs", "none", [](Model& m) { DropOutput(m, 1); }),
      of_while("while.condition_outputs", "two", [](Model& m) { RepeatOutput(m, 1); }),
      of_while("while.condition_output", "type", [](Model& m) { OutputOf(m, 1, 0).type = TENSOR_INT32; }),
      of_while("while.condition_output", "size", [](Model& m) { OutputOf(m, 1, 0).dims = {2}; }),
      of_while("while.condition_output", "rank",
               [](Model& m) {
                 OutputOf(m, 1, 0).dims = {1, 1};
               }),
      of_while("while.condition_output", "unknown", [](Model& m) { OutputOf(m, 1, 0).dims = {0}; }),
      of_while("while.body_inputs", "fewer", [](Model& m) { DropInput(m, 2); }),
      of_while("while.body_input", "dimension of one that goes in only", [](Model& m) { InputOf(m, 2, 2).dims = {3}; }),
      of_while("while.body_outputs", "fewer than of WHILE",
               [](Model& m) {
                 DropOutput(m, 2);
                 DropOutput(m, 2);
               }),
      of_while("while.body_outputs", "more than inputs",
               [](Model& m) {
                 RepeatOutput(m, 2);
                 RepeatOutput(m, 2);
               }),
      // Unknown dimensions fit everything, so one end can be made to differ alone.
      of_while("while.body_output", "dimension",
               [](Model& m) {
                 OutputOf(m, 2, 0).dims = {3};
                 InputOf(m, 2, 0).dims = {0};
               }),
      of_while("while.body_state", "dimension of the state", [](Model& m) { OutputOf(m, 2, 1).dims = {3}; }),
  };
}

}  // namespace assay
