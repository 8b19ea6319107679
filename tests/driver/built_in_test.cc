// The reference as a device: answers, support, errors, time, and the places where something can interfere.
#include "driver/built_in.h"

#include "driver/guarded.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::IsEmpty;

// relu(x + {1, -5}).
Model Sum() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  const auto sum = b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {2}, {1, -5}), b.Int(0)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("RELU", {sum}, TENSOR_FLOAT32, {2}));
  return b.Build();
}

// One input, one output of the same dimensions.
struct Ran {
  DeviceResult result;
  std::vector<float> output;
};
Ran RunOnce(PreparedDeviceModel& prepared, const std::vector<float>& x, const DeviceExecuteOptions& options = {}) {
  const Bytes in = BytesOf(x);
  Bytes out(in.size());
  Ran ran;
  ran.result = prepared.Execute(std::vector<InputBuffer>{{in, {}}}, std::vector<OutputBuffer>{{out, {}}}, options);
  ran.output = ElementsOf<float>(out);
  return ran;
}
std::unique_ptr<PreparedDeviceModel> PreparedOn(const BuiltInOptions& options, const Model& model = Sum()) {
  auto prepared = MakeBuiltIn(options)->Prepare(model, {});
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  return prepared.ok() ? *std::move(prepared) : nullptr;
}

TEST(BuiltIn, BothModesAnswer) {
  for (Mode mode : {Mode::kGolden, Mode::kFast}) {
    const auto prepared = PreparedOn({.mode = mode});
    const Ran ran = RunOnce(*prepared, {2, 3});
    EXPECT_TRUE(ran.result.ok()) << ran.result.message;
    EXPECT_THAT(ran.output, ElementsAre(3, 0));
    ASSERT_EQ(ran.result.outputs.size(), 1u);
    EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({2}));
    EXPECT_TRUE(ran.result.outputs[0].sufficient);
  }
}

TEST(BuiltIn, DescribesItself) {
  const auto device = MakeBuiltIn({.name = "mine", .float16_sums_in_float32 = true});
  const DeviceDescription& d = device->description();
  EXPECT_EQ(d.name, "mine");
  EXPECT_FALSE(d.version.empty());
  EXPECT_EQ(d.feature_level, kHighestFeatureLevel);
  EXPECT_TRUE(d.float16_sums_in_float32);
  EXPECT_FALSE(d.capabilities.empty());
}

TEST(BuiltIn, SupportsWhatItCanExecute) {
  const auto device = MakeBuiltIn({});
  EXPECT_THAT(*device->SupportedOperations(Sum()), ElementsAre(true, true));
  Model broken = Sum();
  broken.main().operations[1].inputs.clear();
  EXPECT_THAT(*device->SupportedOperations(broken), ElementsAre(false, false));
  const auto prepared = device->Prepare(broken, {});
  EXPECT_EQ(ErrorStatusOf(prepared.status()), ErrorStatus::INVALID_ARGUMENT);
}

TEST(BuiltIn, SaysWhatIsWrongWithARequest) {
  const auto prepared = PreparedOn({});
  const Bytes x = BytesOf<float>({1, 2, 3});
  Bytes y(8), small(7);
  const DeviceResult wrong =
      prepared->Execute(std::vector<InputBuffer>{{x, {3}}}, std::vector<OutputBuffer>{{y, {}}}, {});
  EXPECT_EQ(wrong.status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_FALSE(wrong.message.empty());
  EXPECT_THAT(wrong.outputs, IsEmpty());
  const DeviceResult insufficient = prepared->Execute(std::vector<InputBuffer>{{std::span(x).first(8), {}}},
                                                      std::vector<OutputBuffer>{{small, {}}}, {});
  EXPECT_EQ(insufficient.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(insufficient.outputs.size(), 1u);
  EXPECT_FALSE(insufficient.outputs[0].sufficient);
}

TEST(BuiltIn, MeasuresTimeIfAsked) {
  const auto prepared = PreparedOn({});
  EXPECT_EQ(RunOnce(*prepared, {1, 2}).result.timing.on_device, std::nullopt);
  const Timing timing = RunOnce(*prepared, {1, 2}, {.measure_timing = true}).result.timing;
  ASSERT_TRUE(timing.on_device && timing.in_driver);
  EXPECT_GT(timing.on_device->count(), 0);
  EXPECT_LE(*timing.on_device, *timing.in_driver);
}

TEST(BuiltIn, KeepsDeadlinesAndStops) {
  const auto past = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const auto device = MakeBuiltIn({});
  EXPECT_EQ(ErrorStatusOf(device->Prepare(Sum(), {.deadline = past}).status()),
            ErrorStatus::MISSED_DEADLINE_PERSISTENT);
  const auto prepared = PreparedOn({});
  EXPECT_EQ(RunOnce(*prepared, {1, 2}, {.deadline = past}).result.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(RunOnce(*prepared, {1, 2}, {.stop = stop.get_token()}).result.status, ErrorStatus::GENERAL_FAILURE);
}

TEST(BuiltIn, IsInterferedWithAroundExecutions) {
  std::vector<std::string> calls;
  const auto note = [&](const char* what) {
    return [&calls, what](const Model& model, std::span<const InputBuffer> in, std::span<const OutputBuffer> out,
                          uint64_t execution) {
      EXPECT_EQ(model, Sum());
      EXPECT_EQ(in.size(), 1u);
      float first;
      std::memcpy(&first, out[0].bytes.data(), sizeof first);
      calls.push_back(absl::StrCat(what, " ", execution, ": ", first));
    };
  };
  const auto prepared = PreparedOn({.before_execution = note("before"), .after_execution = note("after")});
  RunOnce(*prepared, {2, 3});
  RunOnce(*prepared, {4, 3});
  EXPECT_THAT(calls, ElementsAre("before 0: 0", "after 0: 3", "before 1: 0", "after 1: 5"));
}

TEST(BuiltIn, PreparesAnotherModelIfItIsChanged) {
  const auto prepared =
      PreparedOn({.change_model = [](Model& model) { model.main().operations[0].code = OperationCode::MUL; }});
  EXPECT_THAT(RunOnce(*prepared, {2, 3}).output, ElementsAre(2, 0));
}

// Doubles what every operation computed.
class Doubling final : public ExecutionHooks {
 public:
  void ChangeOutputs(const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) const override {
    float values[2];
    std::memcpy(values, out[0].bytes, sizeof values);
    values[0] *= 2, values[1] *= 2;
    std::memcpy(out[0].bytes, values, sizeof values);
  }
};

TEST(BuiltIn, TakesHooksForEveryModelOrForThisOne) {
  EXPECT_THAT(RunOnce(*PreparedOn({.hooks = std::make_shared<Doubling>()}), {2, 6}).output, ElementsAre(12, 4));
  const auto prepared = PreparedOn({.hooks_for = [](const Model& model) -> std::shared_ptr<const ExecutionHooks> {
    EXPECT_EQ(model, Sum());
    return std::make_shared<Doubling>();
  }});
  EXPECT_THAT(RunOnce(*prepared, {2, 6}).output, ElementsAre(12, 4));
}

TEST(ExecutableOperations, AreNoneOfAModelThatNeedsALaterLevel) {
  EXPECT_THAT(ExecutableOperations(Sum(), 1), ElementsAre(true, true));
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {2});
  b.Output(b.Op("RELU", {x}, TENSOR_FLOAT16, {2}));
  EXPECT_THAT(ExecutableOperations(b.Build(), 2), ElementsAre(false));
  EXPECT_THAT(ExecutableOperations(b.Build(), 3), ElementsAre(true));
}

}  // namespace
}  // namespace assay
