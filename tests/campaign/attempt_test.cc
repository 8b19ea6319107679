// One attempt: each verdict, and each kind of failure with its signature.
#include "campaign/attempt.h"

#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "driver/faults.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/campaign/scripted_device.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using enum AttemptVerdict;
using testing::HasSubstr;
using testing::IsEmpty;

// A hand-made model with its data.
struct Given {
  Model model;
  std::vector<ExampleValue> inputs;
};

// relu(x + {1, -20, 3}), and twice that as a second output.
Given Sums() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {3});
  const auto sum = b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {3}, {1, -20, 3}), b.Int(1)}, TENSOR_FLOAT32, {3});
  const auto twice = b.Op("MUL", {sum, b.Constant<float>(TENSOR_FLOAT32, {1}, {2}), b.Int(0)}, TENSOR_FLOAT32, {3});
  b.Output(sum);
  b.Output(twice);
  return {b.Build(), {{false, {3}, BytesOf<float>({10, 11, 12})}}};
}

Attempt Try(Device& device, const Given& given, const AttemptOptions& options = {}) {
  return TryOn(device, given.model, given.inputs, options);
}
Attempt TryFaulty(absl::string_view fault, const Given& given = Sums(), const AttemptOptions& options = {}) {
  const auto device = OpenFaulty(fault);
  EXPECT_TRUE(device.ok()) << device.status();
  return Try(**device, given, options);
}

void ExpectFailed(const Attempt& attempt, absl::string_view signature, const std::string& reason) {
  ASSERT_EQ(NameOf(attempt.verdict), NameOf(kFailed)) << attempt.reason;
  ASSERT_TRUE(attempt.failure.has_value());
  EXPECT_EQ(attempt.failure->Signature(), signature);
  EXPECT_THAT(attempt.failure->message, HasSubstr(reason));
  EXPECT_EQ(attempt.reason, attempt.failure->message);
}

TEST(TryOn, AConformingDevicePasses) {
  ScriptedDevice device;
  for (uint64_t alignment : {0, 7}) {
    const Attempt attempt = Try(device, Sums(), {.alignment_seed = alignment});
    EXPECT_EQ(NameOf(attempt.verdict), NameOf(kPassed)) << attempt.reason;
    EXPECT_FALSE(attempt.failure.has_value());
    EXPECT_EQ(attempt.inside, 6u);  // the second execution gave the same, and is not judged again
    EXPECT_EQ(attempt.outside + attempt.unknown, 0u);
    EXPECT_EQ(attempt.widths.elements(), 6u);
    ASSERT_EQ(attempt.golden.size(), 2u);
    EXPECT_EQ(attempt.golden[0].bytes, BytesOf<float>({11, 0, 15}));
    EXPECT_EQ(attempt.answer, attempt.golden);
  }
}

TEST(TryOn, AWrongValueNamesTheOperationThatWroteIt) {
  const Attempt attempt = TryFaulty("relu-dropped");
  ExpectFailed(attempt, "value ADD TENSOR_FLOAT32",
               "ADD (operation 0): output 0 has 1 of 3 elements outside; [1] is -9, expected 0, allowed [0, ");
  EXPECT_EQ(attempt.failure->operand, Sums().model.main().outputs[0]);
  EXPECT_EQ(attempt.failure->account.outside, 1u);
  EXPECT_EQ(attempt.failure->account.inside, 2u);
  ASSERT_EQ(attempt.failure->allowed.size(), 3u);
  EXPECT_EQ(attempt.failure->allowed[1].value, 0);
  EXPECT_EQ(attempt.answer.at(0).bytes, BytesOf<float>({11, -9, 15}));
  EXPECT_EQ(attempt.golden.at(0).bytes, BytesOf<float>({11, 0, 15}));
  EXPECT_GE(attempt.outside, 1u);
}

TEST(TryOn, AWrongSecondExecutionIsSeen) {
  ExpectFailed(TryFaulty("second-execution-wrong"), "value ADD TENSOR_FLOAT32 execution 2", "ADD (operation 0)");
  const Attempt once = TryFaulty("second-execution-wrong", Sums(), {.executions = 1});
  EXPECT_EQ(NameOf(once.verdict), NameOf(kPassed)) << once.reason;
  ExpectFailed(TryFaulty("stale-second-output"), "value MUL TENSOR_FLOAT32 execution 2", "MUL (operation 1): output 1");
}

TEST(TryOn, ABreachIsAFailure) {
  ExpectFailed(TryFaulty("output-overrun"), "breach (output overrun) MUL TENSOR_FLOAT32", "byte 12 of output 1");
  ExpectFailed(TryFaulty("last-element-unwritten"), "breach (element unwritten) ADD TENSOR_FLOAT32 execution 2",
               "1 elements of output 0");
  ExpectFailed(TryFaulty("input-written"), "breach (input written)", "byte 0 of input 0");
  ExpectFailed(TryFaulty("constant-written"), "breach (constant written)", "constant operand 1 (op1)");
}

TEST(TryOn, ALateWriteIsSeen) {
  ScriptedDevice device;
  std::span<uint8_t> first;
  device.executed = [&](auto&, auto, std::span<const OutputBuffer> out, uint64_t execution, DeviceResult&) {
    if (execution == 0) first = out[0].bytes;
    if (execution == 1) first[5] ^= 1;
  };
  ExpectFailed(Try(device, Sums()), "breach (late write)", "output 0 was written after the execution had ended");
}

TEST(TryOn, AWrongShapeIsSeen) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0});
  b.Output(b.Op("RELU", {x}, TENSOR_FLOAT32, {0}));
  const Given given{b.Build(), {{false, {3}, BytesOf<float>({1, 2, 3})}}};
  ScriptedDevice device;
  EXPECT_EQ(NameOf(Try(device, given).verdict), NameOf(kPassed));
  device.executed = [](auto&, auto, auto, uint64_t, DeviceResult& r) { r.outputs[0].shape = Shape::Of({2}); };
  ExpectFailed(Try(device, given), "shape RELU TENSOR_FLOAT32",
               "RELU (operation 0): output 0 came out as [2], expected [3]");
  device.executed = [](auto&, auto, auto, uint64_t, DeviceResult& r) { r.outputs[0].shape = Shape::Of({4}); };
  ExpectFailed(Try(device, given), "breach (result shape) RELU TENSOR_FLOAT32", "output 0 is reported as [4]");
}

TEST(TryOn, AnErrorAfterAClaimIsAFailure) {
  ScriptedDevice device;
  device.executed = [](auto&, auto, auto, uint64_t execution, DeviceResult& r) {
    if (execution == 1) r = {.status = ErrorStatus::GENERAL_FAILURE, .message = "tired"};
  };
  ExpectFailed(Try(device, Sums()), "execute execution 2", "execute answered GENERAL_FAILURE: tired");
  device.executed = [](auto&, auto, auto, uint64_t, DeviceResult& r) {
    r.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, r.outputs[0].sufficient = false;
  };
  ExpectFailed(Try(device, Sums()), "execute", "execute answered OUTPUT_INSUFFICIENT_SIZE");
  device.prepared = [](auto&, auto) { return MakeStatus(ErrorStatus::INVALID_ARGUMENT, "do not like it"); };
  ExpectFailed(Try(device, Sums()), "prepare", "prepare answered INVALID_ARGUMENT: do not like it");
  device.prepared = [](auto&, auto) { return std::unique_ptr<PreparedDeviceModel>(); };
  ExpectFailed(Try(device, Sums()), "prepare", "prepare gave nothing");
  device.supported = [](auto&, auto) { return std::vector<bool>{true}; };
  ExpectFailed(Try(device, Sums()), "prepare", "SupportedOperations gave 1 answers for 2 operations");
  device.supported = [](auto&, auto) { return MakeStatus(ErrorStatus::GENERAL_FAILURE, "what?"); };
  ExpectFailed(Try(device, Sums()), "prepare", "SupportedOperations: what?");
}

TEST(TryOn, ASingleOperationIsNamedEvenIfItsExecutionFails) {
  ModelBuilder b;
  b.Output(b.Op("RELU", {b.Input(TENSOR_FLOAT32, {1})}, TENSOR_FLOAT32, {1}));
  ScriptedDevice device;
  device.executed = [](auto&, auto, auto, uint64_t, DeviceResult& r) { r = {.status = ErrorStatus::GENERAL_FAILURE}; };
  ExpectFailed(Try(device, {b.Build(), {{false, {1}, BytesOf<float>({1})}}}), "execute RELU TENSOR_FLOAT32",
               "execute answered GENERAL_FAILURE");
}

TEST(TryOn, WhatIsNotSupportedIsNotRun) {
  ScriptedDevice device;
  device.supported = [](auto&, auto) { return std::vector<bool>{true, false}; };
  const Attempt attempt = Try(device, Sums());
  EXPECT_EQ(NameOf(attempt.verdict), NameOf(kNotRun));
  EXPECT_EQ(attempt.reason, "operation 1 (MUL) is not supported");
  EXPECT_EQ(attempt.excuse, "MUL is not supported");
  EXPECT_FALSE(attempt.failure.has_value());
}

TEST(TryOn, AnExcuseIsNoFailure) {
  using enum ErrorStatus;
  for (ErrorStatus status : {DEVICE_UNAVAILABLE, MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT,
                             RESOURCE_EXHAUSTED_TRANSIENT, RESOURCE_EXHAUSTED_PERSISTENT}) {
    ScriptedDevice device;
    device.executed = [=](auto&, auto, auto, uint64_t, DeviceResult& r) { r = {.status = status}; };
    const Attempt executed = Try(device, Sums());
    EXPECT_EQ(NameOf(executed.verdict), NameOf(kNotRun));
    EXPECT_EQ(executed.reason, absl::StrCat("execute answered ", NameOf(status)));
    device.prepared = [=](auto&, auto) { return MakeStatus(status, "sorry"); };
    const Attempt prepared = Try(device, Sums());
    EXPECT_EQ(prepared.reason, absl::StrCat("prepare answered ", NameOf(status), ": sorry"));
    EXPECT_EQ(prepared.excuse, absl::StrCat("prepare answered ", NameOf(status)));
    EXPECT_FALSE(executed.failure.has_value());
  }
}

TEST(TryOn, WhatCannotBeJudgedIsSaidSo) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {1}));
  ScriptedDevice device;
  const Attempt attempt = Try(device, {b.Build(), {{false, {1}, BytesOf<float>({3e38f})}}});
  EXPECT_EQ(NameOf(attempt.verdict), NameOf(kAllUnknown)) << attempt.reason;
  EXPECT_EQ(attempt.unknown, 1u);
}

TEST(TryOn, AModelThatTheReferenceCannotExecuteIsOurFault) {
  Given given = Sums();
  given.model.main().operations[0].inputs.pop_back();
  ScriptedDevice device;
  const Attempt attempt = Try(device, given);
  EXPECT_EQ(NameOf(attempt.verdict), NameOf(kOurFault));
  EXPECT_THAT(attempt.reason, HasSubstr("the reference failed: "));
}

TEST(TryOn, AnIgnoredOutputIsNotJudged) {
  Given given = Sums();
  for (uint32_t o : given.model.main().outputs) given.model.main().operands[o].ignored = true;
  const Attempt attempt = TryFaulty("relu-dropped", given);
  EXPECT_EQ(NameOf(attempt.verdict), NameOf(kPassed)) << attempt.reason;
  EXPECT_EQ(attempt.inside + attempt.outside + attempt.unknown, 0u);
}

TEST(TryOn, GivesTheDeviceTheTimeLimitAndTheLoopTimeout) {
  class Looking final : public PreparedDeviceModel {
   public:
    DeviceResult Execute(std::span<const InputBuffer>, std::span<const OutputBuffer>,
                         const DeviceExecuteOptions& options) override {
      EXPECT_EQ(options.loop_timeout, std::chrono::milliseconds(70));
      EXPECT_TRUE(options.deadline && *options.deadline <= std::chrono::steady_clock::now() + std::chrono::hours(1));
      return {.status = ErrorStatus::MISSED_DEADLINE_TRANSIENT};
    }
  };
  ScriptedDevice device;
  device.prepared = [](auto&, auto) { return std::make_unique<Looking>(); };
  const Attempt attempt =
      Try(device, Sums(), {.loop_timeout = std::chrono::milliseconds(70), .time_limit = std::chrono::hours(1)});
  EXPECT_EQ(NameOf(attempt.verdict), NameOf(kNotRun));
}

TEST(ReferenceOutputs, FindTheSizeOfOutputsThatTheModelLeavesOpen) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0, 2});
  b.Output(b.Op("RELU", {x}, TENSOR_FLOAT32, {}));
  const std::vector<ExampleValue> inputs = {{false, {2, 2}, BytesOf<float>({1, -2, 3, 4})}};
  for (Mode mode : {Mode::kGolden, Mode::kFast}) {
    const auto outputs = ReferenceOutputs(b.Build(), inputs, mode, kDefaultLoopTimeout);
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    ASSERT_EQ(outputs->size(), 1u);
    EXPECT_EQ(outputs->at(0).dims, Dims({2, 2}));
    EXPECT_EQ(outputs->at(0).bytes, BytesOf<float>({1, 0, 3, 4}));
  }
}

TEST(Names, AreDifferent) {
  std::set<absl::string_view> names;
  using enum FailureKind;
  for (FailureKind kind : {kPrepare, kExecute, kBreach, kShape, kValue, kDeath}) names.insert(NameOf(kind));
  for (AttemptVerdict verdict : {kPassed, kFailed, kNotRun, kAllUnknown, kOurFault}) names.insert(NameOf(verdict));
  EXPECT_EQ(names.size(), 11u);
}

}  // namespace
}  // namespace assay
