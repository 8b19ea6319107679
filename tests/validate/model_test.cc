// What valid models look like, what is said of broken ones, and that hostile ones are answered.
#include "validate/model.h"

#include <chrono>
#include <memory>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model_builder.h"
#include "tests/validate/breakages.h"
#include "validate/argument.h"
#include "validate/calls.h"
#include "validate/control_flow.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::Eq;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using enum OperandType;

std::string Text(const Violations& violations) { return ToStatus(violations).ToString(); }

TEST(ArgumentOfTest, TellsWhatTheModelKnows) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {0, 3}, Quant(0.5f, 7));
  const auto unranked = b.Input(TENSOR_FLOAT32, {});
  const auto five = b.Int(5), omitted = b.Omitted(TENSOR_FLOAT16, {0}), reference = b.Reference(3);

  const Argument tensor = ArgumentOf(b.operand(x));
  EXPECT_EQ(tensor.type, TENSOR_QUANT8_ASYMM);
  EXPECT_EQ(tensor.shape, Shape::Of({kUnknownDim, 3}));
  EXPECT_EQ(tensor.quantization, Quant(0.5f, 7));
  EXPECT_FALSE(tensor.value_known);
  EXPECT_FALSE(tensor.omitted);
  EXPECT_EQ(ArgumentOf(b.operand(unranked)).shape, Shape::Unranked());

  const Argument scalar = ArgumentOf(b.operand(five));
  EXPECT_EQ(scalar.shape, Shape::Of({}));
  EXPECT_TRUE(scalar.value_known);
  EXPECT_EQ(Bytes(scalar.value.begin(), scalar.value.end()), BytesOf<int32_t>({5}));

  EXPECT_TRUE(ArgumentOf(b.operand(omitted)).omitted);
  EXPECT_FALSE(ArgumentOf(b.operand(omitted)).value_known);
  EXPECT_EQ(ArgumentOf(b.operand(reference)).subgraph, 3u);
}

// Each of many operations that share it would copy it.
TEST(ArgumentOfTest, CallsGetNoLongValues) {
  ModelBuilder b;
  const auto longest = b.Ints(std::vector<int32_t>(kMostValueBytes / 4, 7));
  const auto longer = b.Ints(std::vector<int32_t>(kMostValueBytes / 4 + 1, 7));
  EXPECT_TRUE(CallArgument(b.operand(longest)).value_known);
  EXPECT_FALSE(CallArgument(b.operand(longer)).value_known);
  EXPECT_THAT(CallArgument(b.operand(longer)).value, IsEmpty());
  EXPECT_TRUE(ArgumentOf(b.operand(longer)).value_known);
}

// What facts call legal although it looks odd.
TEST(ValidateModelTest, TakesOddModels) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2, 2});
  b.Input(TENSOR_FLOAT32, {2});                    // nothing reads it
  b.Constant<float>(TENSOR_FLOAT32, {2}, {1, 2});  // nor this
  b.Constant<int32_t>(TENSOR_INT32, {2}, {1, 2}, Quant(0.5f));
  b.Omitted(TENSOR_FLOAT32, {0, 0});
  b.Omitted(TENSOR_QUANT8_SYMM_PER_CHANNEL, {2}, PerChannelQuant(0, {1, 2}));
  b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2, 2});  // nothing reads its output
  const auto activation = b.Input(INT32, {});             // a scalar known at execution only
  b.Output(b.Op("ADD", {x, x, activation}, TENSOR_FLOAT32, {}));
  EXPECT_THAT(ValidateModel(b.Build()), IsEmpty()) << Text(ValidateModel(b.Build()));
  EXPECT_THAT(ExecutionViolations(b.Build()), IsEmpty());
}

TEST(ValidateModelTest, TakesASubgraphWithoutInputsAndOutputs) {
  ModelBuilder b;
  const auto x = b.Constant<float>(TENSOR_FLOAT32, {2}, {1, 2});
  b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2});
  EXPECT_THAT(ValidateModel(b.Build(), 1), IsEmpty());
}

TEST(ValidateModelTest, TakesExtensionsThatTheModelDeclares) {
  Model model = Sample().Build();
  model.extensions = {{"com.vendor", 0x1234}, {"com.other", 0x8000}};
  Operand vendor;
  vendor.type = OperandType{0x80000007};
  vendor.lifetime = Lifetime::CONSTANT_REFERENCE;
  vendor.value = std::make_shared<const Bytes>(17);
  vendor.extension_parameters = std::make_shared<const Bytes>(3);
  model.main().operands.push_back(vendor);
  Operand result = vendor;
  result.lifetime = Lifetime::TEMPORARY_VARIABLE;
  result.value = nullptr;
  model.main().operands.push_back(result);
  model.main().operations.push_back({OperationCode{0x12340001}, {5, 0}, {6}});
  EXPECT_THAT(ValidateModel(model), IsEmpty()) << Text(ValidateModel(model));
  EXPECT_EQ(LowestLevel(model).level, 3);
  EXPECT_TRUE(LowestLevel(model).valid);
}

TEST(ValidateModelTest, TellsPlaceAndBothValues) {
  Sample s;
  s.operand(s.x).quantization.zero_point = 5;
  s.operand(s.x).name = std::string(1000, 'n') + "\n";
  const Violations violations = ValidateModel(s.Build());
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_EQ(violations[0].rule, "operand.zero_point");
  EXPECT_EQ(violations[0].message, absl::StrCat("subgraph 0 `main`, operand 0 `", std::string(60, 'n'),
                                                "...`: zero point of TENSOR_FLOAT32 is 5, must be 0 to 0"));
}

TEST(ValidateModelTest, TellsThePlaceOfWhatAnOperationFinds) {
  Sample s;
  s.operation(1).inputs.pop_back();
  const Violations violations = ValidateModel(s.Build());
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_EQ(ToString(violations[0]),
            "add.operand_count: subgraph 0 `main`, operation 1 ADD: there are 2 inputs, `activation` is missing");
}

TEST(ValidateModelTest, ReportsEverythingThatIsBroken) {
  Sample s;
  s.operand(s.x).quantization.zero_point = 5;
  s.operand(s.y).value = nullptr;
  s.builder.Temporary(TENSOR_FLOAT32, {1});
  s.builder.OpInto("ADD", {s.activation}, {s.temporary});
  std::vector<std::string> rules;
  for (const Violation& v : ValidateModel(s.Build())) rules.push_back(v.rule);
  EXPECT_THAT(rules, testing::UnorderedElementsAre("operand.zero_point", "operand.value", "graph.unwritten",
                                                   "graph.written_twice", "add.operand_count"));
}

TEST(ValidateModelTest, CapsTheReport) {
  Model model = Sample().Build();
  for (int i = 0; i < 250; ++i) model.main().operands.emplace_back();  // temporaries without a writer
  const Violations violations = ValidateModel(model);
  ASSERT_THAT(violations, SizeIs(kMostViolations + 1));
  EXPECT_THAT(ToString(violations.back()), Eq("model.more: 100 broken rules are reported, 150 more were found"));
}

// Each of these would take hours, or all of the memory, if the cost were a square or an exponential.
class HostileTest : public testing::Test {
 protected:
  void TearDown() override {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    EXPECT_LT(took.count(), 60) << "seconds";
  }
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

TEST_F(HostileTest, DeepReferences) {
  Model model = Sample().Build();
  constexpr uint32_t kDepth = 50'000;
  const auto refer = [&](Subgraph& from, uint32_t to) {
    Operand reference;
    reference.type = SUBGRAPH;
    reference.lifetime = Lifetime::SUBGRAPH;
    reference.subgraph = to;
    from.operands.insert(from.operands.end(), 2, reference);  // 2^50000 ways
  };
  const Subgraph leaf = model.main();
  model.subgraphs.resize(kDepth, leaf);
  for (uint32_t s = 0; s + 1 < kDepth; ++s) refer(model.subgraphs[s], s + 1);
  EXPECT_THAT(ValidateModel(model), IsEmpty());
  refer(model.subgraphs.back(), 1);
  EXPECT_THAT(ValidateModel(model),
              testing::ElementsAre(AllOf(Field(&Violation::rule, "subgraph.cycle"),
                                         Field(&Violation::message, HasSubstr("through 49998 other subgraphs")))));
}

TEST_F(HostileTest, OneOperandOfManyDimensionsInManyPlaces) {
  Sample s;
  for (const auto i : {s.x, s.temporary, s.output}) s.operand(i).dims = Dims(1'000'000, 1);
  s.operation(0).inputs[1] = s.x;
  for (int i = 0; i < 10'000; ++i) s.builder.Op("ADD", {s.x, s.x, s.activation}, TENSOR_FLOAT32, {});
  EXPECT_THAT(ValidateModel(s.Build()), testing::Each(Field(&Violation::rule, "operand.rank")));
}

TEST_F(HostileTest, ManyInputsAndOutputsOfOneOperation) {
  Sample inputs, outputs;
  inputs.operation(0).inputs.assign(300'000, inputs.x);
  EXPECT_THAT(Text(ValidateModel(inputs.Build())), HasSubstr("there are 300000 inputs and 1 outputs, expected 3"));
  outputs.operation(1).outputs.resize(300'000, outputs.output);
  EXPECT_THAT(Text(ValidateModel(outputs.Build())),
              AllOf(HasSubstr("graph.written_twice"), HasSubstr("299900 more were found")));
  EXPECT_LT(Text(ValidateModel(outputs.Build())).size(), 20'000u);
}

TEST_F(HostileTest, OutOfRangeEverywhere) {
  Model model;
  Subgraph& main = model.main();
  main.inputs = main.outputs = {0, 0xFFFFFFFF, 0x80000000};
  main.operations = {{OperationCode{0xFFFFFFFF}, {0xFFFFFFFF}, {0xFFFFFFFF}}, {OperationCode::IF, {0, 1, 2}, {3}}};
  EXPECT_THAT(Text(ValidateModel(model)), HasSubstr("graph.index"));
  EXPECT_FALSE(LowestLevel(model).valid);
  EXPECT_THAT(ExecutionViolations(model), IsEmpty());
}

// All boundaries compare the same long scales: 10^10 of them if each pair were compared by itself.
TEST_F(HostileTest, LongScalesAtManyBoundaries) {
  constexpr uint32_t kChannels = 1'000'000;
  Model model = IfSample();
  const auto scales = [] { return PerChannelQuant(0, std::vector<float>(kChannels, 1)); };
  const auto make = [&](size_t s) {
    Operand& o = model.subgraphs[s].operands[model.subgraphs[s].inputs[s == 0 ? 1 : 0]];
    o.type = TENSOR_QUANT8_SYMM_PER_CHANNEL;
    o.dims = {kChannels};
    o.quantization = scales();
  };
  for (size_t s = 0; s < 3; ++s) make(s);
  const Operation operation = model.main().operations[0];
  model.main().operations.resize(10'000, operation);
  Report report(kMostViolations);
  Levels levels(kHighestFeatureLevel, report);
  Boundaries boundaries(model, report, levels);
  for (size_t i = 0; i < model.main().operations.size(); ++i) boundaries.Check(0, i);
  EXPECT_TRUE(report.clean()) << Text(report.Take());
}

TEST_F(HostileTest, LongChain) {
  ModelBuilder b;
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {1}, {1}), none = b.Int(0);
  auto at = b.Input(TENSOR_FLOAT32, {1});
  for (int i = 0; i < 100'000; ++i) at = b.Op("ADD", {at, one, none}, TENSOR_FLOAT32, {});
  b.Output(at);
  const Model model = b.Build();
  EXPECT_THAT(ValidateModel(model), IsEmpty());
  EXPECT_THAT(ExecutionViolations(model), IsEmpty());
}

}  // namespace
}  // namespace assay
