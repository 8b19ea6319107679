// Examples: the files under tests/data/specs, on the reference and on a device; and each way not to pass.
#include "campaign/examples.h"

#include <filesystem>
#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "tests/campaign/scripted_device.h"
#include "tests/model_builder.h"
#include "validate/model.h"

namespace assay {
namespace {

using enum OperandType;
using enum ExampleCheck;
using enum ExampleVerdict;
using testing::HasSubstr;

const std::set<ExampleCheck> kAllChecks = {kGolden, kFast, kBounded};

void ExpectVerdict(const ExampleResult& result, ExampleVerdict verdict, const std::string& reason) {
  EXPECT_EQ(NameOf(result.verdict), NameOf(verdict)) << result.example << ": " << result.reason;
  EXPECT_THAT(result.reason, HasSubstr(reason)) << result.example;
}

// relu(x + {1, 2}) for x = {3, -4}.
TestCase Sum() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {2}, {1, 2}), b.Int(1)}, TENSOR_FLOAT32, {2}));
  Example example{.name = "sum"};
  example.inputs = {{false, {2}, BytesOf<float>({3, -4})}};
  example.outputs = {{false, {2}, BytesOf<float>({4, 0})}};
  return {b.Build(), {example}, std::nullopt};
}
ExampleResult RunFirst(const TestCase& test, const ExampleOptions& options) {
  return RunExample(test, test.examples.at(0), options);
}
void SetOutput(TestCase& test, Dims dims, const std::vector<float>& values) {
  test.examples[0].outputs[0] = {false, std::move(dims), BytesOf(values)};
}

// Not all of them are valid: most are there to be read.
TEST(SpecFiles, PassIfTheyAreValidAndImplemented) {
  ScriptedDevice device;
  std::map<absl::string_view, size_t> verdicts;
  for (const auto& entry : std::filesystem::directory_iterator("tests/data/specs")) {
    const std::string path = entry.path().string();
    const auto file = ReadSpecFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    for (const SpecCase& c : file->cases)
      for (const Example& example : c.test.examples) {
        const bool must_pass = ValidateModel(c.test.model).empty() || example.expect_failure;
        for (const ExampleOptions& options :
             {ExampleOptions{.checks = kAllChecks}, ExampleOptions{.device = &device}}) {
          const ExampleResult result = RunExample(c.test, example, options);
          EXPECT_NE(NameOf(result.verdict), NameOf(must_pass ? kFailed : kPassed))
              << path << " " << example.name << ": " << result.reason;
          ++verdicts[NameOf(result.verdict)];
        }
      }
  }
  // ADD, CONV_2D, WHILE and what must fail of them, twice each.
  EXPECT_GE(verdicts["passed"], 8u);
}

TEST(RunExamples, NameTheFile) {
  ScriptedDevice device;
  const auto file = ReadSpecFile("tests/data/specs/conv_quantized.mod.py");
  ASSERT_TRUE(file.ok()) << file.status();
  const std::vector<ExampleResult> results = RunExamples(*file, "here", {.device = &device});
  EXPECT_EQ(results.size(), 2u);
  for (const ExampleResult& result : results) {
    EXPECT_EQ(result.file, "here");
    ExpectVerdict(result, kPassed, "");
  }
}

TEST(RunExample, EachCheckAccountsForEachOutput) {
  const ExampleResult result = RunFirst(Sum(), {.checks = kAllChecks});
  ExpectVerdict(result, kPassed, "");
  std::vector<std::string> checks;
  for (const OutputAccount& o : result.outputs) {
    EXPECT_EQ(o.name, "op3");
    EXPECT_EQ(o.account.inside, 2u) << o.check;
    checks.push_back(o.check);
  }
  EXPECT_THAT(checks, testing::ElementsAre("golden", "fast", "expected inside the bounds", "fast inside the bounds"));
  EXPECT_EQ(result.operations, std::set{OperationCode::ADD});
}

TEST(RunExample, AWrongExpectedValueFailsEachCheck) {
  TestCase test = Sum();
  SetOutput(test, {2}, {4, 0.125f});
  ExpectVerdict(RunFirst(test, {.checks = {kGolden}}), kFailed,
                "golden: output 0 (op3) 1 elements differ; [1] is 0, expected 0.125");
  ExpectVerdict(RunFirst(test, {.checks = {kFast}}), kFailed, "fast: output 0 (op3) 1 elements differ");
  ExpectVerdict(RunFirst(test, {.checks = {kBounded}}), kFailed,
                "expected inside the bounds: output 0 (op3) 1 elements differ; [1] is 0.125, expected 0");
  ScriptedDevice device;
  ExpectVerdict(RunFirst(test, {.device = &device}), kFailed, "driver: output 0 (op3) 1 elements differ");
}

TEST(RunExample, AnotherShapeFails) {
  TestCase test = Sum();
  SetOutput(test, {2, 1}, {4, 0});
  ExpectVerdict(RunFirst(test, {}), kFailed, "golden: output 0 (op3) has dimensions [2], expected [2, 1]");
}

TEST(RunExample, AMissingValueFails) {
  TestCase test = Sum();
  test.examples[0].outputs.clear();
  ExpectVerdict(RunFirst(test, {.checks = kAllChecks}), kFailed, "the example gives 0 outputs, the model has 1");
  test = Sum();
  test.examples[0].inputs.push_back(test.examples[0].inputs[0]);
  ScriptedDevice device;
  ExpectVerdict(RunFirst(test, {.device = &device}), kFailed, "the example gives 2 inputs, the model has 1");
}

TEST(RunExample, AnIgnoredOutputIsNotCompared) {
  TestCase test = Sum();
  SetOutput(test, {2}, {77, 77});
  test.model.main().operands[test.model.main().outputs[0]].ignored = true;
  ScriptedDevice device;
  ExpectVerdict(RunFirst(test, {.checks = kAllChecks}), kPassed, "");
  ExpectVerdict(RunFirst(test, {.device = &device}), kPassed, "");
}

TEST(RunExample, WhatMustFailAndDoesNotIsAFailure) {
  TestCase test = Sum();
  test.examples[0].expect_failure = true;
  ScriptedDevice device;
  ExpectVerdict(RunFirst(test, {.checks = {kFast}}), kFailed, "fast: this must end in an error, but it gave a result");
  ExpectVerdict(RunFirst(test, {.device = &device}), kFailed,
                "driver: this must end in an error, but it gave a result");
}

TEST(RunExample, WhatMustFailAndDoesPasses) {
  ScriptedDevice device;
  TestCase invalid = Sum();
  invalid.model.main().operations[0].inputs.pop_back();
  TestCase unlike = Sum();  // the model is valid, the request is not
  unlike.examples[0].inputs[0] = {false, {3}, BytesOf<float>({1, 2, 3})};
  TestCase short_of_outputs = Sum();
  short_of_outputs.examples[0].outputs.clear();
  for (TestCase* test : {&invalid, &unlike, &short_of_outputs}) {
    test->examples[0].expect_failure = true;
    ExpectVerdict(RunFirst(*test, {.device = &device}), kPassed, "");
    ExpectVerdict(RunFirst(*test, {.checks = kAllChecks}), kPassed, "");
  }
}

TEST(RunExample, WhatMustNotFailAndDoesIsAFailure) {
  TestCase invalid = Sum();
  invalid.model.main().operations[0].inputs.pop_back();
  ExpectVerdict(RunFirst(invalid, {}), kFailed, "golden: ");
  ScriptedDevice device;
  device.executed = [](auto&, auto, auto, uint64_t, DeviceResult& r) {
    r = {.status = ErrorStatus::GENERAL_FAILURE, .message = "tired"};
  };
  ExpectVerdict(RunFirst(Sum(), {.device = &device}), kFailed, "GENERAL_FAILURE: tired");
  device.prepared = [](auto&, auto) { return MakeStatus(ErrorStatus::GENERAL_FAILURE, "no"); };
  ExpectVerdict(RunFirst(Sum(), {.device = &device}), kFailed, "no");
  device.supported = [](auto&, auto) { return std::vector<bool>(3, true); };
  ExpectVerdict(RunFirst(Sum(), {.device = &device}), kFailed, "SupportedOperations gave 3 answers for 1 operations");
}

TEST(RunExample, ABreachFails) {
  ScriptedDevice device;
  device.executed = [](auto&, auto, std::span<const OutputBuffer> out, uint64_t, DeviceResult&) {
    out[0].bytes.data()[8] = 0;
  };
  ExpectVerdict(RunFirst(Sum(), {.device = &device}), kFailed, "output overrun: byte 8 of output 0");
}

TEST(RunExample, WhatADeviceDoesNotTakeIsNotRun) {
  ScriptedDevice device;
  device.supported = [](auto&, auto) { return std::vector<bool>(1, false); };
  ExpectVerdict(RunFirst(Sum(), {.device = &device}), kNotRun, "operation 0 (ADD) is not supported by the driver");
  ModelBuilder b;
  b.Output(b.Op("RELU", {b.Input(TENSOR_FLOAT16, {1})}, TENSOR_FLOAT16, {1}));
  Example example{.name = "half"};
  example.inputs = example.outputs = {{false, {1}, BytesOf(HalvesOf({1}))}};
  const TestCase half{b.Build(), {example}, std::nullopt};
  ScriptedDevice old;
  old.said.feature_level = 2;
  ExpectVerdict(RunFirst(half, {.device = &old}), kNotRun, "not valid at the driver's feature level: ");
  ScriptedDevice recent;
  ExpectVerdict(RunFirst(half, {.device = &recent}), kPassed, "");
}

TEST(ExampleSummary, CountsByOperation) {
  ExampleSummary summary;
  summary.Add({.verdict = kPassed, .operations = {OperationCode::ADD, OperationCode::MUL}});
  summary.Add({.verdict = kFailed, .operations = {OperationCode::ADD}});
  summary.Add({.verdict = kNotRun, .operations = {OperationCode::MUL}});
  EXPECT_EQ(summary.all.passed, 1u);
  EXPECT_EQ(summary.all.failed, 1u);
  EXPECT_EQ(summary.all.not_run, 1u);
  EXPECT_EQ(summary.by_operation[OperationCode::ADD].passed, 1u);
  EXPECT_EQ(summary.by_operation[OperationCode::ADD].failed, 1u);
  EXPECT_EQ(summary.by_operation[OperationCode::MUL].not_run, 1u);
}

}  // namespace
}  // namespace assay
