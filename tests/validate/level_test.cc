// The lowest feature level of a model, and what raises it.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model_builder.h"
#include "tests/validate/breakages.h"
#include "validate/control_flow.h"
#include "validate/model.h"

namespace assay {
namespace {

using testing::IsEmpty;
using testing::Not;
using enum OperandType;

// CONV_2D with implicit padding and what stands behind the activation.
struct Convolution {
  ModelBuilder b;
  Model Build(const std::vector<uint32_t>& trailing) {
    const auto x = b.Input(TENSOR_FLOAT32, {1, 3, 3, 1});
    const auto filter = b.Constant<float>(TENSOR_FLOAT32, {1, 1, 1, 1}, {1});
    const auto bias = b.Constant<float>(TENSOR_FLOAT32, {1}, {1});
    const auto one = b.Int(1), none = b.Int(0);
    std::vector<uint32_t> inputs = {x, filter, bias, one, one, one, none};
    inputs.insert(inputs.end(), trailing.begin(), trailing.end());
    b.Output(b.Op("CONV_2D", inputs, TENSOR_FLOAT32, {1, 3, 3, 1}));
    return b.Build();
  }
};

FeatureLevel LevelOf(const Model& model) {
  const LevelReport report = LowestLevel(model);
  EXPECT_TRUE(report.valid);
  // The two entry points agree.
  EXPECT_THAT(ValidateModel(model, report.level), IsEmpty());
  EXPECT_THAT(ValidateModel(model, report.level - 1), Not(IsEmpty()));
  return report.level;
}

TEST(LowestLevelTest, OfTheSampleIsOne) {
  EXPECT_EQ(LevelOf(Sample().Build()), 1);
  EXPECT_EQ(LowestLevel(Sample().Build()).raised_by, "");
  EXPECT_FALSE(LowestLevel(Sample().Build()).runtime_only);
}

TEST(LowestLevelTest, SaysWhatRaisesIt) {
  Sample s;
  s.operand(s.temporary).dims = {};
  EXPECT_EQ(LevelOf(s.Build()), 3);
  EXPECT_EQ(LowestLevel(s.Build()).raised_by, "subgraph 0 `main`, operand 3 `op3`: unknown rank needs level 3");
  for (const auto i : {s.x, s.y, s.temporary, s.output}) s.operand(i).type = TENSOR_INT32;
  EXPECT_EQ(LevelOf(s.Build()), 4);
  EXPECT_EQ(LowestLevel(s.Build()).raised_by, "subgraph 0 `main`, operation 0 ADD: this call needs level 4");
}

TEST(LowestLevelTest, OfAnInvalidModelIsMarked) {
  Sample s;
  s.operation(0).inputs.pop_back();
  EXPECT_FALSE(LowestLevel(s.Build()).valid);
}

TEST(LowestLevelTest, DoesNotCountWhatNothingRefersTo) {
  Sample s;
  s.builder.Bool(false);
  EXPECT_EQ(LevelOf(s.Build()), 1);
  s.builder.Input(TENSOR_BOOL8, {1});
  EXPECT_EQ(LevelOf(s.Build()), 3);
}

TEST(LowestLevelTest, DropsTrailingDefaults) {
  EXPECT_EQ(LevelOf(Convolution().Build({})), 1);
  Convolution layout;
  EXPECT_EQ(LevelOf(layout.Build({layout.b.Bool(false)})), 1);
  Convolution dilations;
  EXPECT_EQ(LevelOf(dilations.Build({dilations.b.Bool(false), dilations.b.Int(1), dilations.b.Int(1)})), 1);
}

TEST(LowestLevelTest, KeepsTrailingInputsThatAreNotAtTheirDefault) {
  Convolution layout;
  EXPECT_EQ(LevelOf(layout.Build({layout.b.Bool(true)})), 3);
  // Dilations go together or not at all.
  for (const auto& [width, height] : {std::pair{1, 2}, {2, 1}, {2, 2}}) {
    Convolution c;
    EXPECT_EQ(LevelOf(c.Build({c.b.Bool(false), c.b.Int(width), c.b.Int(height)})), 3) << width << " " << height;
  }
  // The layout stays, the dilations go: it needs level 3 all the same.
  Convolution nchw;
  EXPECT_EQ(LevelOf(nchw.Build({nchw.b.Bool(true), nchw.b.Int(1), nchw.b.Int(1)})), 3);
}

TEST(LowestLevelTest, KeepsDefaultsThatAreNotCopiedConstants) {
  Convolution input;
  EXPECT_EQ(LevelOf(input.Build({input.b.Input(BOOL, {})})), 3);
  Convolution reference;
  const auto layout = reference.b.Bool(false);
  reference.b.operand(layout).lifetime = Lifetime::CONSTANT_REFERENCE;
  EXPECT_EQ(LevelOf(reference.Build({layout})), 3);
}

TEST(LowestLevelTest, WhileOfUnknownSizeIsForTheRuntimeOnly) {
  const auto runtime_only = [](const Model& model) {
    Report report(1);
    Levels levels(kHighestFeatureLevel, report);
    Boundaries(model, report, levels).Check(0, 0);
    EXPECT_TRUE(report.clean());
    return levels.lowest().runtime_only;
  };
  EXPECT_FALSE(runtime_only(WhileSample()));
  EXPECT_FALSE(runtime_only(IfSample()));
  for (size_t s = 0; s < 3; ++s)
    for (const Dims& unknown : {Dims{}, Dims{0}}) {
      Model model = WhileSample();
      model.subgraphs[s].operands[model.subgraphs[s].inputs[0]].dims = unknown;
      EXPECT_TRUE(runtime_only(model)) << s;
      model = IfSample();
      model.subgraphs[s].operands[model.subgraphs[s].inputs.back()].dims = unknown;
      EXPECT_FALSE(runtime_only(model)) << s;
    }
  Model model = WhileSample();
  model.subgraphs[2].operands[model.subgraphs[2].outputs[1]].dims = {0};
  EXPECT_TRUE(runtime_only(model));
}

}  // namespace
}  // namespace assay
