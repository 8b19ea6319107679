// Every kind of breach fires, each from a device that does just this one thing wrong; a clean device fires none.
#include "driver/guarded.h"

#include <functional>
#include <set>

#include "driver/built_in.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::IsEmpty;
using Inputs = std::span<const InputBuffer>;
using Outputs = std::span<const OutputBuffer>;

// Adds nothing and no one: does what the test says.
class Scripted final : public PreparedDeviceModel {
 public:
  using Script = std::function<void(Inputs, Outputs, DeviceResult&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  DeviceResult Execute(Inputs inputs, Outputs outputs, const DeviceExecuteOptions&) override {
    DeviceResult result;
    for (const OutputBuffer& o : outputs) {
      std::fill(o.bytes.begin(), o.bytes.end(), uint8_t{0});
      result.outputs.push_back({Shape::Of(o.dims), true});
    }
    script_(inputs, outputs, result);
    return result;
  }

 private:
  Script script_;
};

// x + {1, 2, 3}, and the same once more as a second output.
Model TwoSums() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {3});
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {3}, {1, 2, 3});
  b.Output(b.Op("ADD", {x, one, b.Int(0)}, TENSOR_FLOAT32, {3}));
  b.Output(b.Op("ADD", {x, one, b.Int(0)}, TENSOR_FLOAT32, {3}));
  return b.Build();
}

class Guarded : public testing::Test {
 protected:
  GuardedAnswer Run(Scripted::Script script, const GuardOptions& options = {}) {
    Scripted device(std::move(script));
    return GuardedExecution(model, inputs, dims, options).Run(device, {});
  }
  static std::vector<BreachKind> KindsOf(const std::vector<Breach>& breaches) {
    std::vector<BreachKind> out;
    for (const Breach& b : breaches) out.push_back(b.kind);
    return out;
  }
  void ExpectOne(Scripted::Script script, BreachKind kind, size_t index, absl::string_view message) {
    for (uint64_t alignment : {0, 1, 2, 3}) {
      const GuardedAnswer answer = Run(script, {.alignment_seed = alignment});
      ASSERT_THAT(KindsOf(answer.breaches), ElementsAre(kind)) << message;
      EXPECT_EQ(answer.breaches[0].index, index);
      EXPECT_EQ(answer.breaches[0].message, message);
    }
  }

  Model model = TwoSums();
  std::vector<ExampleValue> inputs = {{false, {3}, BytesOf<float>({10, 20, 30})}};
  std::vector<Dims> dims = {{3}, {3}};
};

uint8_t* Begin(const InputBuffer& b) { return const_cast<uint8_t*>(b.bytes.data()); }

TEST_F(Guarded, ACleanDeviceBreaksNothing) {
  const auto fast = MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
  const ConstantWatch constants(model);
  const auto prepared = fast->Prepare(model, {});
  ASSERT_TRUE(prepared.ok()) << prepared.status();
  for (uint64_t alignment = 0; alignment < 20; ++alignment) {
    GuardedExecution execution(model, inputs, dims, {.alignment_seed = alignment});
    const GuardedAnswer answer = execution.Run(**prepared, {});
    EXPECT_TRUE(answer.result.ok()) << answer.result.message;
    EXPECT_THAT(answer.breaches, IsEmpty());
    ASSERT_EQ(answer.outputs.size(), 2u);
    for (const ExampleValue& output : answer.outputs) {
      EXPECT_EQ(output.dims, Dims({3}));
      EXPECT_EQ(output.bytes, BytesOf<float>({11, 22, 33}));
    }
    EXPECT_THAT(execution.LateWrites(), IsEmpty());
  }
  EXPECT_THAT(constants.Changed(), IsEmpty());
}

TEST_F(Guarded, BuffersAreAlignedToTheirElementsAndOftenToNothingMore) {
  std::set<size_t> places;
  for (uint64_t alignment = 1; alignment < 100; ++alignment)
    Run(
        [&](Inputs in, Outputs out, DeviceResult&) {
          for (const auto* p : {in[0].bytes.data(), static_cast<const uint8_t*>(out[0].bytes.data())}) {
            const size_t place = reinterpret_cast<uintptr_t>(p) % 64;
            EXPECT_EQ(place % sizeof(float), 0u);
            places.insert(place);
          }
        },
        {.alignment_seed = alignment});
  EXPECT_EQ(places.size(), 16u);
}

TEST_F(Guarded, OutputsHoldThePoison) {
  Run([&](Inputs, Outputs, DeviceResult&) {},
      {.poison = 0x11});  // what the script sees was filled with zeros already: look before that
  class Looking final : public PreparedDeviceModel {
   public:
    DeviceResult Execute(Inputs, Outputs outputs, const DeviceExecuteOptions&) override {
      for (const OutputBuffer& o : outputs) EXPECT_THAT(o.bytes, testing::Each(0x11));
      return {.status = ErrorStatus::GENERAL_FAILURE};
    }
  } looking;
  EXPECT_THAT(GuardedExecution(model, inputs, dims, {.poison = 0x11}).Run(looking, {}).breaches, IsEmpty());
}

TEST_F(Guarded, OutputOverrun) {
  ExpectOne([](Inputs, Outputs out, DeviceResult&) { out[1].bytes.data()[12] = 0; }, BreachKind::kOutputOverrun, 1,
            "byte 12 of output 1 was written; the buffer has 12 bytes");
  ExpectOne([](Inputs, Outputs out, DeviceResult&) { out[0].bytes.data()[-1] = 0; }, BreachKind::kOutputOverrun, 0,
            "byte -1 of output 0 was written; the buffer has 12 bytes");
  ExpectOne([](Inputs, Outputs out, DeviceResult&) { out[0].bytes.data()[12 + 63] = 0; }, BreachKind::kOutputOverrun, 0,
            "byte 75 of output 0 was written; the buffer has 12 bytes");
}

TEST_F(Guarded, InputOverrun) {
  ExpectOne([](Inputs in, Outputs, DeviceResult&) { Begin(in[0])[12] = 0; }, BreachKind::kInputOverrun, 0,
            "byte 12 of input 0 was written; the buffer has 12 bytes");
  ExpectOne([](Inputs in, Outputs, DeviceResult&) { Begin(in[0])[-64] = 0; }, BreachKind::kInputOverrun, 0,
            "byte -64 of input 0 was written; the buffer has 12 bytes");
}

TEST_F(Guarded, InputWritten) {
  // 20.0f is 00 00 a0 41.
  ExpectOne([](Inputs in, Outputs, DeviceResult&) { Begin(in[0])[7] = 0x40; }, BreachKind::kInputWritten, 0,
            "byte 7 of input 0 was 65, is now 64");
}

TEST_F(Guarded, ConstantWritten) {
  const ConstantWatch constants(model);
  Run([&](Inputs, Outputs, DeviceResult&) { const_cast<uint8_t&>((*model.main().operands[1].value)[3]) ^= 1; });
  const std::vector<Breach> changed = constants.Changed();
  ASSERT_THAT(KindsOf(changed), ElementsAre(BreachKind::kConstantWritten));
  EXPECT_EQ(changed[0].index, 1u);
  EXPECT_EQ(changed[0].message, "constant operand 1 (op1) was changed");
}

TEST_F(Guarded, ConstantThatTheDeviceSawWritten) {
  ExpectOne(
      [](Inputs, Outputs, DeviceResult& r) {
        r.written_constant = {1, "byte 2 of it"};
      },
      BreachKind::kConstantWritten, 1, "byte 2 of it");
}

TEST_F(Guarded, ElementUnwritten) {
  class Lazy final : public PreparedDeviceModel {
   public:
    DeviceResult Execute(Inputs, Outputs outputs, const DeviceExecuteOptions&) override {
      std::fill(outputs[0].bytes.begin(), outputs[0].bytes.end(), uint8_t{1});
      std::fill_n(outputs[1].bytes.begin(), 7, uint8_t{1});  // a byte of element 1 is missing, element 2 wholly
      return {.outputs = {{Shape::Of({3}), true}, {Shape::Of({3}), true}}};
    }
  } lazy;
  const GuardedAnswer first = GuardedExecution(model, inputs, dims, {.poison = 0xA5}).Run(lazy, {});
  const GuardedAnswer second = GuardedExecution(model, inputs, dims, {.poison = 0x5A}).Run(lazy, {});
  EXPECT_THAT(first.breaches, IsEmpty());
  const std::vector<Breach> unwritten = UnwrittenElements(model, first, 0xA5, second, 0x5A);
  ASSERT_THAT(KindsOf(unwritten), ElementsAre(BreachKind::kElementUnwritten));
  EXPECT_EQ(unwritten[0].index, 1u);
  EXPECT_EQ(unwritten[0].message, "1 elements of output 1 were never written, the first is element 2");
}

TEST_F(Guarded, AnElementThatIsThePoisonByChanceIsWritten) {
  const auto poison = [](Inputs, Outputs out, DeviceResult&) {
    std::fill(out[0].bytes.begin(), out[0].bytes.end(), uint8_t{0xA5});
  };
  const GuardedAnswer first = Run(poison, {.poison = 0xA5}), second = Run(poison, {.poison = 0x5A});
  EXPECT_THAT(UnwrittenElements(model, first, 0xA5, second, 0x5A), IsEmpty());
}

TEST_F(Guarded, LateWrite) {
  std::function<void()> later;
  for (const auto& [late, message] : std::vector<std::pair<std::function<void(Inputs, Outputs)>, std::string>>{
           {[](Inputs, Outputs out) { out[1].bytes[0] ^= 1; }, "output 1 was written after the execution had ended"},
           {[](Inputs, Outputs out) { out[0].bytes.data()[12] ^= 1; },
            "output 0 was written after the execution had ended"},
           {[](Inputs in, Outputs) { Begin(in[0])[5] ^= 1; }, "input 0 was written after the execution had ended"}}) {
    Scripted device([&, late = late](Inputs in, Outputs out, DeviceResult&) {
      later = [late, i = std::vector(in.begin(), in.end()), o = std::vector(out.begin(), out.end())] { late(i, o); };
    });
    GuardedExecution execution(model, inputs, dims, {});
    EXPECT_THAT(execution.Run(device, {}).breaches, IsEmpty());
    EXPECT_THAT(execution.LateWrites(), IsEmpty());
    later();
    const std::vector<Breach> writes = execution.LateWrites();
    ASSERT_THAT(KindsOf(writes), ElementsAre(BreachKind::kLateWrite));
    EXPECT_EQ(writes[0].message, message);
  }
}

TEST_F(Guarded, ResultShape) {
  const auto expect = [&](std::function<void(DeviceResult&)> change, size_t index, absl::string_view message) {
    ExpectOne([=](Inputs, Outputs, DeviceResult& r) { change(r); }, BreachKind::kResultShape, index, message);
  };
  expect([](DeviceResult& r) { r.outputs[1].shape = Shape::Of({4}); }, 1,
         "output 1 came out as [4], the model declares [3]");
  expect(
      [](DeviceResult& r) {
        r.outputs[0].shape = Shape::Of({3, 1});
      },
      0, "output 0 came out as [3, 1], the model declares [3]");
  expect([](DeviceResult& r) { r.outputs[0].shape = Shape::Unranked(); }, 0,
         "output 0 is reported as unknown rank, its buffer has 12 bytes");
  expect([](DeviceResult& r) { r.outputs.pop_back(); }, 0, "there are 1 output shapes for 2 outputs");
  expect([](DeviceResult& r) { r.outputs[1].sufficient = false; }, 1,
         "status NONE, but output 1 is said to be insufficient");
  expect([](DeviceResult& r) { r.status = ErrorStatus::GENERAL_FAILURE; }, 0,
         "status GENERAL_FAILURE comes with 2 output shapes, expected none");
  expect([](DeviceResult& r) { r.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE; }, 0,
         "status OUTPUT_INSUFFICIENT_SIZE, but no output is said to be insufficient");
  // A buffer is never too small for what it was made for, whatever the model leaves open.
  model.main().operands[model.main().outputs[0]].dims = {0};
  expect([](DeviceResult& r) { r.outputs[0].shape = Shape::Of({5}); }, 0,
         "output 0 is reported as [5], its buffer has 12 bytes");
}

TEST_F(Guarded, AnHonestErrorIsNoBreach) {
  const GuardedAnswer failed =
      Run([](Inputs, Outputs, DeviceResult& r) { r = {.status = ErrorStatus::GENERAL_FAILURE, .message = "tired"}; });
  EXPECT_THAT(failed.breaches, IsEmpty());
  EXPECT_THAT(failed.outputs, IsEmpty());
  EXPECT_EQ(failed.result.message, "tired");
  const GuardedAnswer insufficient = Run([](Inputs, Outputs, DeviceResult& r) {
    r.status = ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, r.outputs[0].sufficient = false;
  });
  EXPECT_THAT(insufficient.breaches, IsEmpty());
}

TEST_F(Guarded, OutputsAreAsLongAsTheDeviceSays) {
  model.main().operands[model.main().outputs[1]].dims = {0};
  const GuardedAnswer answer = Run([](Inputs, Outputs, DeviceResult& r) { r.outputs[1].shape = Shape::Of({2}); });
  EXPECT_THAT(answer.breaches, IsEmpty());
  EXPECT_EQ(answer.outputs[0].bytes.size(), 12u);
  EXPECT_EQ(answer.outputs[1].dims, Dims({2}));
  EXPECT_EQ(answer.outputs[1].bytes.size(), 8u);
}

TEST(BreachKinds, HaveNamesOfTheirOwn) {
  using enum BreachKind;
  std::set<absl::string_view> names;
  for (BreachKind kind :
       {kOutputOverrun, kInputOverrun, kInputWritten, kConstantWritten, kElementUnwritten, kLateWrite, kResultShape})
    names.insert(NameOf(kind));
  EXPECT_EQ(names.size(), 7u);
}

}  // namespace
}  // namespace assay
