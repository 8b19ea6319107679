// What a valid model will surely break when it is executed.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model_builder.h"
#include "tests/validate/breakages.h"
#include "validate/model.h"

namespace assay {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using enum OperandType;

// The one violation of a valid model.
std::string Told(const Model& model) {
  EXPECT_THAT(ValidateModel(model), IsEmpty());
  const Violations violations = ExecutionViolations(model);
  for (const Violation& v : violations) EXPECT_EQ(v.stage, Stage::kExecution);
  return violations.size() == 1 ? ToString(violations[0]) : ToStatus(violations).ToString();
}

TEST(ExecutionViolationsTest, NoneOfTheSample) { EXPECT_EQ(Told(Sample().Build()), "OK"); }

TEST(ExecutionViolationsTest, NoneOfAnInvalidModel) {
  Sample s;
  s.operand(s.temporary).dims = {7};
  s.operand(s.x).quantization.scale = 1;
  EXPECT_THAT(ExecutionViolations(s.Build()), IsEmpty());
}

TEST(ExecutionViolationsTest, ScalarOutOfRange) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {});
  b.Output(b.Op("ADD", {x, x, b.Int(4)}, TENSOR_FLOAT32, {}));
  EXPECT_EQ(Told(b.Build()),
            "add.activation.range: subgraph 0 `main`, operation 0 ADD: `activation` is 4, must be 0 NONE, 1 RELU, 2 "
            "RELU1 or 3 RELU6");
}

TEST(ExecutionViolationsTest, OmittedInput) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), none = b.Omitted(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, none, b.Int(0)}, TENSOR_FLOAT32, {2}));
  EXPECT_THAT(Told(b.Build()), testing::StartsWith("add.input1.omitted: subgraph 0 `main`, operation 0 ADD: "));
}

// The shape of the temporary is unknown to the model; it follows from the first operation.
TEST(ExecutionViolationsTest, ShapesAreInferredAlongTheGraph) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {4, 1}), y = b.Input(TENSOR_FLOAT32, {3}), z = b.Input(TENSOR_FLOAT32, {4, 2});
  const auto none = b.Int(0);
  const auto t = b.Op("ADD", {x, y, none}, TENSOR_FLOAT32, {});
  b.Output(b.Op("MUL", {t, z, none}, TENSOR_FLOAT32, {}));
  EXPECT_THAT(Told(b.Build()), testing::StartsWith("mul.broadcast: subgraph 0 `main`, operation 1 MUL: "));
}

TEST(ExecutionViolationsTest, WhatIsUnknownBreaksNothing) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {4, 1}), y = b.Input(TENSOR_FLOAT32, {0}), z = b.Input(TENSOR_FLOAT32, {4, 2});
  const auto activation = b.Input(INT32, {});
  const auto t = b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {});
  const auto u = b.Op("MUL", {t, z, b.Int(0)}, TENSOR_FLOAT32, {});
  b.Output(b.Op("MUL", {u, z, activation}, TENSOR_FLOAT32, {7, 7}));
  EXPECT_EQ(Told(b.Build()), "OK");
}

TEST(ExecutionViolationsTest, DeclaredShapeOfAnOutput) {
  Sample s;
  s.operand(s.output).dims = {2, 4};
  EXPECT_EQ(Told(s.Build()),
            "add.output_shape: subgraph 0 `main`, operation 1 ADD: output 0 has shape [2, 3], declared is [2, 4]");
}

TEST(ExecutionViolationsTest, OutputOfTooManyBytes) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1u << 16, 1}), y = b.Input(TENSOR_FLOAT32, {1, 1u << 14});
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {0, 0}));
  EXPECT_EQ(Told(b.Build()),
            "add.output_bytes: subgraph 0 `main`, operation 0 ADD: output 0 has shape [65536, 16384], more than "
            "4294967295 bytes");
}

// The branch may not be taken.
TEST(ExecutionViolationsTest, SubgraphsThatMayNotRunSayNothing) {
  Model model = Sample().Build();
  Sample other;
  other.operand(other.output).dims = {2, 4};
  model.subgraphs.push_back(other.Build().main());
  EXPECT_EQ(Told(model), "OK");
}

// The condition of a WHILE is asked at least once, its body may never run.
TEST(ExecutionViolationsTest, TheConditionOfALoopSurelyRuns) {
  Model model = WhileSample();
  const auto spoil = [&](size_t s) {
    SubgraphBuilder b("spoilt");
    b.subgraph() = model.subgraphs[s];
    const auto x = b.subgraph().inputs[0];
    b.Op("ADD", {x, x, b.Int(9)}, TENSOR_FLOAT32, {2});
    model.subgraphs[s] = b.subgraph();
  };
  spoil(2);
  EXPECT_EQ(Told(model), "OK");
  spoil(1);
  EXPECT_THAT(Told(model), testing::StartsWith("add.activation.range: subgraph 1 `condition`, operation 1 ADD: "));
}

TEST(ExecutionViolationsTest, ASubgraphIsLookedIntoOnce) {
  Model model = WhileSample();
  SubgraphBuilder b("condition");
  b.subgraph() = model.subgraphs[1];
  const auto x = b.subgraph().inputs[0];
  b.Op("ADD", {x, x, b.Int(9)}, TENSOR_FLOAT32, {2});
  model.subgraphs[1] = b.subgraph();
  Operand output = model.main().operands[model.main().outputs[0]];
  output.lifetime = Lifetime::TEMPORARY_VARIABLE;
  model.main().operands.push_back(output);
  Operation again = model.main().operations[0];
  again.outputs = {static_cast<uint32_t>(model.main().operands.size() - 1)};
  model.main().operations.push_back(again);
  EXPECT_THAT(Told(model), testing::StartsWith("add.activation.range: subgraph 1 `condition`, operation 1 ADD: "));
}

// Or else a chain of operations that each add a dimension would cost the square of its length.
TEST(ExecutionViolationsTest, RanksPastTheLimitAreUnknown) {
  const auto model = [](size_t rank) {
    ModelBuilder b;
    const auto shape = b.Ints(std::vector<int32_t>(rank, 1)), none = b.Int(0);
    const auto reshaped = b.Op("RESHAPE", {b.Input(TENSOR_FLOAT32, {1}), shape}, TENSOR_FLOAT32, {});
    b.Output(b.Op("ADD", {reshaped, reshaped, none}, TENSOR_FLOAT32, {}));
    return b.Build();
  };
  EXPECT_THAT(Told(model(kMostDims)), testing::HasSubstr("add.rank"));
  EXPECT_EQ(Told(model(kMostDims + 1)), "OK");
}

TEST(ExecutionViolationsTest, AreCapped) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), four = b.Int(4);
  for (int i = 0; i < 120; ++i) b.Op("ADD", {x, x, four}, TENSOR_FLOAT32, {2});
  EXPECT_THAT(ExecutionViolations(b.Build()), SizeIs(kMostViolations + 1));
}

}  // namespace
}  // namespace assay
