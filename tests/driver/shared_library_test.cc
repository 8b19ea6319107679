// Drivers from shared libraries: the example driver answers right, and each way to misbehave is told as what it is.
#include "driver/shared_library.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include "driver/guarded.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/driver/libraries.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

// relu(x + y) + {100, 200}, where y is x + {-15, 5} without activation; the inner sums are hidden.
Model Sums() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  const auto y = b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {2}, {-15, 5}), b.Int(0)}, TENSOR_FLOAT32, {2});
  const auto z = b.Op("ADD", {x, y, b.Int(1)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {z, b.Constant<float>(TENSOR_FLOAT32, {2}, {100, 200}), b.Int(0)}, TENSOR_FLOAT32, {2}));
  return b.Build();
}

std::unique_ptr<Device> OpenExample() {
  auto device = OpenSharedLibrary(LibraryPath("example_driver"));
  EXPECT_TRUE(device.ok()) << device.status();
  return device.ok() ? *std::move(device) : nullptr;
}

GuardedAnswer RunOn(PreparedDeviceModel& prepared, const Model& model, const std::vector<float>& x) {
  const std::vector<ExampleValue> inputs = {{false, model.main().operands[0].dims, BytesOf(x)}};
  std::vector<Dims> dims;
  for (uint32_t o : model.main().outputs) dims.push_back(model.main().operands[o].dims);
  GuardedExecution execution(model, inputs, dims, {.alignment_seed = 3});
  return execution.Run(prepared, {});
}

TEST(ExampleDriver, DescribesItself) {
  const auto device = OpenExample();
  const DeviceDescription& d = device->description();
  EXPECT_EQ(d.name, "example");
  EXPECT_EQ(d.version, "1");
  EXPECT_EQ(d.type, DeviceType::CPU);
  EXPECT_EQ(d.feature_level, 8);
  EXPECT_TRUE(d.concurrent_executions);
  EXPECT_FALSE(d.float16_sums_in_float32);
  ASSERT_EQ(d.capabilities.size(), 1u);
  EXPECT_EQ(d.capabilities[0].type, TENSOR_FLOAT32);
}

TEST(ExampleDriver, AddsWithAndWithoutRelu) {
  const auto device = OpenExample();
  const Model model = Sums();
  const auto supported = device->SupportedOperations(model);
  ASSERT_TRUE(supported.ok()) << supported.status();
  EXPECT_THAT(*supported, ElementsAre(true, true, true));
  auto prepared = device->Prepare(model, {});
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  for (int i = 0; i < 2; ++i) {
    // 5 + 5 - 15 is cut off at 0; 10 + 10 + 5 is not.
    const GuardedAnswer answer = RunOn(**prepared, model, {5, 10});
    EXPECT_TRUE(answer.result.ok()) << answer.result.message;
    EXPECT_THAT(answer.breaches, IsEmpty());
    EXPECT_EQ(answer.outputs.at(0).bytes, BytesOf<float>({100, 225}));
  }
}

TEST(ExampleDriver, APreparedModelOutlivesItsDeviceAndItsModel) {
  std::unique_ptr<PreparedDeviceModel> prepared;
  {
    const auto model = std::make_unique<Model>(Sums());
    prepared = *OpenExample()->Prepare(*model, {});
  }
  EXPECT_EQ(RunOn(*prepared, Sums(), {0, 1}).outputs.at(0).bytes, BytesOf<float>({100, 207}));
}

TEST(ExampleDriver, SupportsNothingElse) {
  const auto device = OpenExample();
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), open = b.Input(TENSOR_FLOAT32, {0}), codes = b.Input(TENSOR_INT32, {2}),
             wide = b.Input(TENSOR_FLOAT32, {3, 2});
  b.Output(b.Op("RELU", {x}, TENSOR_FLOAT32, {2}));
  b.Output(b.Op("ADD", {x, x, b.Int(2)}, TENSOR_FLOAT32, {2}));        // RELU1
  b.Output(b.Op("ADD", {x, wide, b.Int(0)}, TENSOR_FLOAT32, {3, 2}));  // broadcast
  b.Output(b.Op("ADD", {codes, codes, b.Int(0)}, TENSOR_INT32, {2}));  // another type
  b.Output(b.Op("RELU", {open}, TENSOR_FLOAT32, {0}));                 // an unknown dimension
  b.Output(b.Op("MUL", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2}));        // another operation
  const auto supported = device->SupportedOperations(b.Build());
  ASSERT_TRUE(supported.ok()) << supported.status();
  EXPECT_THAT(*supported, ElementsAre(true, false, false, false, false, false));
  EXPECT_EQ(ErrorStatusOf(device->Prepare(b.Build(), {}).status()), ErrorStatus::INVALID_ARGUMENT);
}

TEST(ExampleDriver, SaysWhatIsInsufficient) {
  const auto device = OpenExample();
  const auto prepared = *device->Prepare(Sums(), {});
  const Bytes x = BytesOf<float>({1, 2});
  Bytes room(7);
  const DeviceResult result =
      prepared->Execute(std::vector<InputBuffer>{{x, {2}}}, std::vector<OutputBuffer>{{room}}, {});
  EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_FALSE(result.outputs[0].sufficient);
  EXPECT_EQ(result.outputs[0].shape, Shape::Of({2}));
}

TEST(OpenSharedLibrary, SaysWhyNot) {
  const auto error = [](const std::string& path) { return OpenSharedLibrary(path).status(); };
  EXPECT_TRUE(absl::IsNotFound(error("nowhere/mine.so")));
  EXPECT_THAT(error("nowhere/mine.so").message(), "nowhere/mine.so: there is no such file");
  EXPECT_TRUE(absl::IsFailedPrecondition(error("tests/driver/libraries.h")));
  EXPECT_THAT(std::string(error("tests/driver/libraries.h").message()),
              testing::StartsWith("tests/driver/libraries.h: cannot be loaded: "));
  EXPECT_TRUE(absl::IsFailedPrecondition(error(LibraryPath("no_driver"))));
  EXPECT_THAT(std::string(error(LibraryPath("no_driver")).message()),
              EndsWith("no_driver.so: does not export `assay_driver` (see driver/assay_driver.h)"));
}

class Misbehaving : public testing::Test {
 protected:
  static absl::StatusOr<std::unique_ptr<Device>> Open(const char* rule) {
    setenv("ASSAY_MISBEHAVE", rule, 1);
    return OpenSharedLibrary(LibraryPath("misbehaving_driver"));
  }
  static std::string OpeningError(const char* rule) {
    const absl::Status status = Open(rule).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return std::string(status.message());
  }
  // x + {1, 2, 3}.
  static Model Sum() {
    ModelBuilder b;
    const auto x = b.Input(TENSOR_FLOAT32, {3});
    const auto activation = b.Int(0);
    b.Output(b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {3}, {1, 2, 3}), activation}, TENSOR_FLOAT32, {3}));
    return b.Build();
  }
  static GuardedAnswer Run(const char* rule) {
    const Model model = Sum();
    const auto device = Open(rule);
    EXPECT_TRUE(device.ok()) << device.status();
    const auto prepared = (*device)->Prepare(model, {});
    EXPECT_TRUE(prepared.ok()) << prepared.status();
    return RunOn(**prepared, model, {10, 20, 30});
  }
  static void ExpectBreach(const char* rule, BreachKind kind, const std::string& message) {
    const GuardedAnswer answer = Run(rule);
    ASSERT_EQ(answer.breaches.size(), 1u) << rule;
    EXPECT_EQ(NameOf(answer.breaches[0].kind), NameOf(kind)) << rule;
    EXPECT_EQ(answer.breaches[0].message, message) << rule;
  }
};

TEST_F(Misbehaving, NotAtAll) {
  const GuardedAnswer answer = Run("");
  EXPECT_TRUE(answer.result.ok()) << answer.result.message;
  EXPECT_THAT(answer.breaches, IsEmpty());
  EXPECT_EQ(answer.outputs.at(0).bytes, BytesOf<float>({0, 0, 0}));
}

TEST_F(Misbehaving, WhenItIsOpened) {
  EXPECT_THAT(OpeningError("null"), EndsWith(".so: assay_driver() gave null: the device cannot be used"));
  EXPECT_THAT(OpeningError("abi"),
              EndsWith(".so: the driver was compiled with ASSAY_DRIVER_ABI 99, this program has 1"));
  EXPECT_THAT(OpeningError("no name"), EndsWith(".so: AssayDriver.name is null"));
  EXPECT_THAT(OpeningError("no execute"), EndsWith(".so: AssayDriver.execute is null"));
  EXPECT_THAT(OpeningError("device type"), EndsWith(".so: AssayDriver.device_type is 9, expected 1 to 4"));
  EXPECT_THAT(OpeningError("feature level"), EndsWith(".so: AssayDriver.feature_level is 0, expected 1 to 8"));
}

TEST_F(Misbehaving, WhenItIsAskedWhatItSupports) {
  const auto error = [](const char* rule) { return (*Open(rule))->SupportedOperations(Sum()).status(); };
  EXPECT_EQ(ErrorStatusOf(error("supported fails")), ErrorStatus::DEVICE_UNAVAILABLE);
  EXPECT_EQ(error("supported fails").message(), "who knows");
  EXPECT_EQ(error("supported unset").message(), "the answer for operation 0 (ADD) was not set");
  EXPECT_EQ(error("supported is 2").message(), "the answer for operation 0 (ADD) is neither 0 nor 1");
}

TEST_F(Misbehaving, WhenItPrepares) {
  const auto error = [](const char* rule) { return (*Open(rule))->Prepare(Sum(), {}).status(); };
  EXPECT_EQ(ErrorStatusOf(error("prepare fails")), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(error("prepare fails").message(), "no prepared models today");
  EXPECT_EQ(error("prepare gives null").message(), "prepare answered NONE, but gave no prepared model");
}

TEST_F(Misbehaving, WhenItExecutes) {
  const DeviceResult failed = Run("execute fails").result;
  EXPECT_EQ(failed.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(failed.message, "the execution went wrong");
  EXPECT_THAT(failed.outputs, IsEmpty());
  EXPECT_EQ(Run("execute lacks memory").result.status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
  const DeviceResult unknown = Run("execute answers 77").result;
  EXPECT_EQ(unknown.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(unknown.message, "execute answered 77, which is no status of NNAPI");
}

TEST_F(Misbehaving, WithMemory) {
  ExpectBreach("writes past an output", BreachKind::kOutputOverrun,
               "byte 12 of output 0 was written; the buffer has 12 bytes");
  ExpectBreach("writes before an output", BreachKind::kOutputOverrun,
               "byte -1 of output 0 was written; the buffer has 12 bytes");
  // 10.0f is 00 00 20 41.
  ExpectBreach("writes to an input", BreachKind::kInputWritten, "byte 0 of input 0 was 0, is now 85");
  ExpectBreach("writes past an input", BreachKind::kInputOverrun,
               "byte 12 of input 0 was written; the buffer has 12 bytes");
  // 1.0f is 00 00 80 3f.
  ExpectBreach("writes to a constant", BreachKind::kConstantWritten,
               "byte 0 of constant operand 2 (op2) was 0, is now 1");
  ExpectBreach("writes past a constant", BreachKind::kConstantWritten,
               "byte 12 of constant operand 2 (op2) was written; it has 12 bytes");
}

TEST_F(Misbehaving, WithShapes) {
  using enum BreachKind;
  ExpectBreach("other rank", kResultShape, "output 0 came out as [3, 1], the model declares [3]");
  ExpectBreach("other dimension", kResultShape, "output 0 came out as [4], the model declares [3]");
  EXPECT_THAT(Run("absurd rank").breaches.at(0).message,
              AllOf(HasSubstr("output 0 came out as [?, ?, "), HasSubstr("the model declares [3]")));
  ExpectBreach("insufficient without status", kResultShape, "status NONE, but output 0 is said to be insufficient");
  ExpectBreach("insufficient status only", kResultShape,
               "status OUTPUT_INSUFFICIENT_SIZE, but no output is said to be insufficient");
  const GuardedAnswer insufficient = Run("says insufficient");
  EXPECT_THAT(insufficient.breaches, IsEmpty());
  EXPECT_EQ(insufficient.result.outputs.at(0).shape, Shape::Of({kUnknownDim}));
}

TEST_F(Misbehaving, ByWritingFromAThreadAfterwards) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the late write is a data race, on purpose";
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the late write is a data race, on purpose";
#endif
#endif
  const Model model = Sum();
  const std::vector<ExampleValue> inputs = {{false, {3}, BytesOf<float>({10, 20, 30})}};
  const std::vector<Dims> dims = {{3}};
  GuardedExecution execution(model, inputs, dims, {});
  const auto prepared = *(*Open("writes late"))->Prepare(model, {});
  EXPECT_TRUE(execution.Run(*prepared, {}).result.ok());
  // The buffers must live until it has written, or it would write into who knows what.
  std::vector<Breach> late;
  for (int i = 0; i < 2000 && late.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    late = execution.LateWrites();
  }
  ASSERT_EQ(late.size(), 1u);
  EXPECT_EQ(late[0].kind, BreachKind::kLateWrite);
  EXPECT_EQ(late[0].index, 0u);
}

TEST_F(Misbehaving, ExecutionsWaitForEachOtherUnlessTheDriverSaysOtherwise) {
  const auto fails = [](const char* rule) {
    const auto device = *Open(rule);
    const auto prepared = *device->Prepare(Sum(), {});
    std::atomic<int> failures = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k < 5; ++k) failures += RunOn(*prepared, Sum(), {1, 2, 3}).result.ok() ? 0 : 1;
      });
    threads.clear();
    return failures.load();
  };
  EXPECT_EQ(fails("one at a time"), 0);
  EXPECT_GT(fails("concurrent"), 0);
}

TEST_F(Misbehaving, TellsTheTimeOfOneClockOnly) {
  const auto prepared = *(*Open("tells the time"))->Prepare(Sum(), {});
  const Bytes x = BytesOf<float>({1, 2, 3});
  Bytes y(12);
  const std::vector<InputBuffer> in = {{x, {}}};
  const std::vector<OutputBuffer> out = {{y, {}}};
  const Timing measured = prepared->Execute(in, out, {.measure_timing = true}).timing;
  EXPECT_EQ(measured.on_device, std::chrono::nanoseconds(5));
  EXPECT_EQ(measured.in_driver, std::nullopt);
  EXPECT_EQ(prepared->Execute(in, out, {}).timing.on_device, std::nullopt);
}

TEST_F(Misbehaving, WhatTheInterfaceHasNoWordsForIsNotOffered) {
  const auto device = *Open("");
  Model model = Sum();
  model.extensions.push_back({"com.example.more", 7});
  EXPECT_THAT(*device->SupportedOperations(model), ElementsAre(false));
  EXPECT_EQ(device->Prepare(model, {}).status().message(),
            "the model uses extension com.example.more; assay_driver.h knows none");
  model = Sum();
  model.main().operands[model.main().outputs[0]].dims = Dims(17, 1);
  EXPECT_EQ(device->Prepare(model, {}).status().message(), "output 0 has rank 17, at most 16 fit assay_driver.h");
}

}  // namespace
}  // namespace assay
