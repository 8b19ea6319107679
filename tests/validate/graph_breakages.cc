// Models that break a rule of the graph, of a call, or of a level.
#include "tests/validate/breakages.h"

namespace assay {
namespace {

using enum OperandType;

// A subgraph that may be referred to.
Subgraph Referenced() { return Sample().Build().main(); }

void AddReference(Subgraph& from, uint32_t to) {
  Operand operand;
  operand.type = SUBGRAPH;
  operand.lifetime = Lifetime::SUBGRAPH;
  operand.subgraph = to;
  from.operands.push_back(operand);
}

}  // namespace

std::vector<Breakage> GraphBreakages() {
  return {
      OfModel("model.subgraphs", "none", [](Model& m) { m.subgraphs.clear(); }),
      OfModel("subgraph.cycle", "of one",
              [](Model& m) {
                m.subgraphs.push_back(Referenced());
                AddReference(m.subgraphs[1], 1);
              }),
      OfModel("subgraph.cycle", "of three, with others before and behind",
              [](Model& m) {
                for (int i = 1; i <= 5; ++i) m.subgraphs.push_back(Referenced());
                AddReference(m.subgraphs[0], 1);
                AddReference(m.subgraphs[1], 2);
                AddReference(m.subgraphs[2], 3);
                AddReference(m.subgraphs[3], 4);
                AddReference(m.subgraphs[4], 2);
                AddReference(m.subgraphs[4], 5);
              }),
      OfModel("subgraph.operands", "none, in a subgraph with an operation without operands",
              [](Model& m) {
                m.extensions.push_back({"com.vendor", 0x1234});
                m.main() = {};
                m.main().operations.push_back({OperationCode{0x12340001}, {}, {}});
              }),
      OfModel("subgraph.operations", "none",
              [](Model& m) {
                m.subgraphs.emplace_back();
                m.subgraphs[1].operands.push_back({});
                m.subgraphs[1].operands[0].lifetime = Lifetime::NO_VALUE;
              }),
      OfSample("graph.index", "of an input", [](Sample& s) { s.operation(1).inputs[2] = 99; }),
      OfSample("graph.index", "the greatest", [](Sample& s) { s.operation(1).inputs[1] = 0xFFFFFFFF; }),
      OfSample("graph.index", "of a further output", [](Sample& s) { s.operation(1).outputs.push_back(5); }),
      OfModel("graph.index", "in the inputs", [](Model& m) { m.main().inputs.push_back(5); }),
      OfModel("graph.index", "in the outputs", [](Model& m) { m.main().outputs.push_back(5); }),
      OfModel("graph.listed_twice", "input", [](Model& m) { m.main().inputs.push_back(m.main().inputs[0]); }),
      OfModel("graph.listed_twice", "output", [](Model& m) { m.main().outputs.push_back(m.main().outputs[0]); }),
      OfModel("graph.listed_lifetime", "constant as input", [](Model& m) { m.main().inputs.push_back(1); }),
      OfModel("graph.listed_lifetime", "temporary as output", [](Model& m) { m.main().outputs.push_back(3); }),
      OfModel("graph.listed_lifetime", "input as output",
              [](Model& m) { m.main().outputs.push_back(m.main().inputs[0]); }),
      OfModel("graph.unlisted", "input", [](Model& m) { m.main().inputs.clear(); }),
      OfModel("graph.unlisted", "output", [](Model& m) { m.main().outputs.clear(); }),
      OfModel("graph.read_before_write", "order",
              [](Model& m) { std::swap(m.main().operations[0], m.main().operations[1]); }),
      OfSample("graph.read_before_write", "its own output", [](Sample& s) { s.operation(1).inputs[0] = s.output; }),
      OfSample("graph.read_before_write", "a cycle", [](Sample& s) { s.operation(0).inputs[1] = s.output; }),
      OfSample("graph.not_writable", "a constant",
               [](Sample& s) {
                 s.builder.OpInto("ADD", {s.x, s.x, s.activation}, {s.y});
               }),
      OfSample("graph.not_writable", "an input",
               [](Sample& s) {
                 s.builder.OpInto("ADD", {s.y, s.y, s.activation}, {s.x});
               }),
      OfSample("graph.not_writable", "an omitted operand",
               [](Sample& s) {
                 const auto omitted = s.builder.Omitted(TENSOR_FLOAT32, {2, 3});
                 s.builder.OpInto("ADD", {s.x, s.x, s.activation}, {omitted});
               }),
      OfSample("graph.written_twice", "by two operations",
               [](Sample& s) {
                 s.builder.OpInto("ADD", {s.x, s.x, s.activation}, {s.temporary});
               }),
      OfSample("graph.unwritten", "temporary that is not read",
               [](Sample& s) {
                 s.builder.Temporary(TENSOR_FLOAT32, {2, 3});
               }),
      OfSample("graph.unwritten", "temporary that is read",
               [](Sample& s) {
                 s.operation(1).inputs[0] = s.builder.Temporary(TENSOR_FLOAT32, {2, 3});
               }),
      OfSample("graph.unwritten", "output",
               [](Sample& s) {
                 s.builder.Output(s.builder.Temporary(TENSOR_FLOAT32, {2, 3}));
               }),
  };
}

std::vector<Breakage> CallBreakages() {
  return {
      OfSample("operation.oem", "OEM_OPERATION", [](Sample& s) { s.operation(0).code = OperationCode::OEM_OPERATION; }),
      OfSample("operation.unknown", "106", [](Sample& s) { s.operation(0).code = OperationCode{106}; }),
      OfSample("operation.unknown", "65535", [](Sample& s) { s.operation(0).code = OperationCode{65535}; }),
      OfSample("operation.extension", "not declared",
               [](Sample& s) { s.operation(0).code = OperationCode{0x12340001}; }),
      OfSample("add.operand_count", "a rule of ops/", [](Sample& s) { s.operation(0).inputs.pop_back(); }),
      OfSample("add.types", "a rule of ops/", [](Sample& s) { s.operand(s.y).type = TENSOR_INT32; }),
      OfSample(
          "level.operation", "TENSOR_INT32 at level 3",
          [](Sample& s) {
            for (const auto i : {s.x, s.y, s.temporary, s.output}) s.operand(i).type = TENSOR_INT32;
          },
          3),
      OfSample(
          "level.operand_type", "an input that nothing reads", [](Sample& s) { s.builder.Input(TENSOR_FLOAT16, {1}); },
          2),
      OfSample(
          "level.operand_type", "TENSOR_QUANT8_ASYMM_SIGNED at level 3",
          [](Sample& s) { s.builder.Input(TENSOR_QUANT8_ASYMM_SIGNED, {1}, Quant(1)); }, 3),
      OfSample(
          "level.unknown_rank", "at level 2", [](Sample& s) { s.operand(s.temporary).dims = {}; }, 2),
      OfModel(
          "level.subgraphs", "at level 3", [](Model& m) { m.subgraphs.push_back(Referenced()); }, 3),
      OfModel(
          "level.extensions", "at level 2",
          [](Model& m) {
            m.extensions.push_back({"com.vendor", 0x1234});
          },
          2),
  };
}

}  // namespace assay
