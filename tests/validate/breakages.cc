#include "tests/validate/breakages.h"

#include <utility>

namespace assay {
namespace {

using enum OperandType;

}  // namespace

Sample::Sample() {
  x = builder.Input(TENSOR_FLOAT32, {2, 3});
  y = builder.Constant<float>(TENSOR_FLOAT32, {2, 3}, {1, 2, 3, 4, 5, 6});
  activation = builder.Int(0);
  temporary = builder.Op("ADD", {x, y, activation}, TENSOR_FLOAT32, {2, 3});
  output = builder.Op("ADD", {temporary, x, activation}, TENSOR_FLOAT32, {2, 3});
  builder.Output(output);
}

Breakage OfSample(std::string rule, std::string how, std::function<void(Sample&)> edit, FeatureLevel level) {
  return {std::move(rule), std::move(how), [edit = std::move(edit), level] {
            Sample sample;
            edit(sample);
            return ValidateModel(sample.Build(), level);
          }};
}

Breakage OfModel(std::string rule, std::string how, std::function<void(Model&)> edit, FeatureLevel level) {
  return {std::move(rule), std::move(how), [edit = std::move(edit), level] {
            Model model = Sample().Build();
            edit(model);
            return ValidateModel(model, level);
          }};
}

Model IfSample() {
  ModelBuilder b;
  const auto condition = b.Input(TENSOR_BOOL8, {1});
  const auto x = b.Input(TENSOR_FLOAT32, {2}), y = b.Input(TENSOR_FLOAT32, {2});
  const auto then = b.Reference(1), otherwise = b.Reference(2);
  b.Output(b.Op("IF", {condition, then, otherwise, x, y}, TENSOR_FLOAT32, {2}));
  for (const char* operation : {"ADD", "MUL"}) {
    SubgraphBuilder& s = b.AddSubgraph(operation);
    const auto p = s.Input(TENSOR_FLOAT32, {2}), q = s.Input(TENSOR_FLOAT32, {2});
    s.Output(s.Op(operation, {p, q, s.Int(0)}, TENSOR_FLOAT32, {2}));
  }
  return b.Build();
}

// One operand goes round and comes out, one is state only, one goes in only.
Model WhileSample() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), state = b.Input(TENSOR_FLOAT32, {2}), in = b.Input(TENSOR_FLOAT32, {2});
  const auto condition = b.Reference(1), body = b.Reference(2);
  b.Output(b.Op("WHILE", {condition, body, x, state, in}, TENSOR_FLOAT32, {2}));
  SubgraphBuilder& asks = b.AddSubgraph("condition");
  for (int i = 0; i < 3; ++i) asks.Input(TENSOR_FLOAT32, {2});
  const auto one = asks.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  asks.Output(asks.Op("LESS", {one, one}, TENSOR_BOOL8, {1}));
  SubgraphBuilder& does = b.AddSubgraph("body");
  const auto p = does.Input(TENSOR_FLOAT32, {2}), q = does.Input(TENSOR_FLOAT32, {2}),
             r = does.Input(TENSOR_FLOAT32, {2});
  does.Output(does.Op("ADD", {p, r, does.Int(0)}, TENSOR_FLOAT32, {2}));
  does.Output(does.Op("MUL", {q, r, does.Int(0)}, TENSOR_FLOAT32, {2}));
  return b.Build();
}

std::vector<Breakage> AllBreakages() {
  std::vector<Breakage> all;
  for (std::vector<Breakage> part :
       {OperandBreakages(), GraphBreakages(), CallBreakages(), BoundaryBreakages(), RequestBreakages()})
    for (Breakage& b : part) all.push_back(std::move(b));
  return all;
}

}  // namespace assay
