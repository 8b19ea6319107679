// Tests of what acts on an execution from outside: deadlines, cancellation, limits, observers, hooks, threads.
#include <atomic>
#include <cstring>
#include <thread>

#include "gmock/gmock.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;
using testing::ElementsAre;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

// y = x + 1, z = y * y, out = z + x.
Model Chain() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  const auto y = b.Op("ADD", {x, one, b.Int(0)}, TENSOR_FLOAT32, {2});
  const auto z = b.Op("MUL", {y, y, b.Int(0)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {z, x, b.Int(0)}, TENSOR_FLOAT32, {2}));
  return b.Build();
}
const Given kX = Give<float>({1, 3});  // out = 5, 19

class Recorder : public ExecutionObserver {
 public:
  void AfterOperation(const ObservedOperation& o) override {
    text.push_back(
        absl::StrCat(o.place.subgraph, "/", o.place.operation, " ", NameOf(o.place.code), " #", o.place.execution));
    std::vector<float>& values = outputs.emplace_back(Count(*o.outputs[0].dims));
    std::memcpy(values.data(), o.outputs[0].bytes, values.size() * sizeof(float));
    inputs.push_back(o.inputs.size());
    last_input_is_seen &= o.inputs.back().bytes != nullptr;
    EXPECT_GE(o.wall.count(), 0);
    if (then) then();
  }
  std::vector<std::string> text;
  std::vector<std::vector<float>> outputs;
  std::vector<size_t> inputs;
  bool last_input_is_seen = true;
  std::function<void()> then;
};

TEST(Observer, SeesEveryOperationWithItsTensors) {
  const auto prepared = PrepareOrDie(Chain());
  Execute(*prepared, {kX});
  Recorder recorder;
  ExecuteOptions options;
  options.observer = &recorder;
  EXPECT_THAT(Execute(*prepared, {kX}, options).As<float>(), ElementsAre(5, 19));
  EXPECT_THAT(recorder.text, ElementsAre("0/0 ADD #1", "0/1 MUL #1", "0/2 ADD #1"));
  EXPECT_THAT(recorder.outputs, ElementsAre(ElementsAre(2, 4), ElementsAre(4, 16), ElementsAre(5, 19)));
  EXPECT_THAT(recorder.inputs, ElementsAre(3, 3, 3));
  EXPECT_TRUE(recorder.last_input_is_seen);  // the activation, though the evaluation itself does not read it
}

TEST(Deadline, PassedBeforehandIsPersistent) {
  PrepareOptions prepare;
  prepare.deadline = Clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(ErrorStatusOf(Prepare(Chain(), prepare).status()), ErrorStatus::MISSED_DEADLINE_PERSISTENT);
  const auto prepared = PrepareOrDie(Chain());
  ExecuteOptions options;
  options.deadline = Clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(Execute(*prepared, {kX}, options).result.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
  options.deadline = Clock::now() + std::chrono::hours(1);
  EXPECT_TRUE(Execute(*prepared, {kX}, options).result.ok());
}

TEST(Deadline, PassingBetweenOperationsIsTransient) {
  const auto prepared = PrepareOrDie(Chain());
  Recorder recorder;
  ExecuteOptions options;
  options.observer = &recorder;
  options.deadline = Clock::now() + std::chrono::milliseconds(200);
  recorder.then = [&] { std::this_thread::sleep_until(*options.deadline + std::chrono::milliseconds(1)); };
  const Ran ran = Execute(*prepared, {kX}, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
  EXPECT_THAT(ran.result.message, HasSubstr("operation 1 (MUL)"));
  EXPECT_EQ(recorder.text.size(), 1u);
  EXPECT_TRUE(ran.result.outputs.empty());
}

TEST(Cancellation, StopsBetweenOperations) {
  const auto prepared = PrepareOrDie(Chain());
  std::stop_source source;
  Recorder recorder;
  ExecuteOptions options;
  options.observer = &recorder;
  options.stop = source.get_token();
  recorder.then = [&] {
    if (recorder.text.size() == 2) source.request_stop();
  };
  const Ran ran = Execute(*prepared, {kX}, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_TRUE(ran.result.cancelled);
  EXPECT_EQ(recorder.text.size(), 2u);
  EXPECT_FALSE(Execute(*prepared, {kX}).result.cancelled);
}

TEST(Limits, OperationsAreCounted) {
  const auto prepared = PrepareOrDie(Chain());
  ExecuteOptions options;
  options.most_operations = 2;
  const Ran ran = Execute(*prepared, {kX}, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  EXPECT_THAT(ran.result.message, HasSubstr("more than 2 operations"));
  options.most_operations = 3;
  EXPECT_TRUE(Execute(*prepared, {kX}, options).result.ok());
}

std::unique_ptr<PreparedModel> PrepareWith(std::shared_ptr<const ExecutionHooks> hooks, const Model& model) {
  PrepareOptions options;
  options.mode = Mode::kFast;
  options.hooks = std::move(hooks);
  return PrepareOrDie(model, options);
}

// Gives operation 1 (MUL) whatever `rewrite` makes of it.
class Rewriting : public ExecutionHooks {
 public:
  explicit Rewriting(std::function<void(CallRewrite&)> rewrite) : rewrite_(std::move(rewrite)) {}
  bool RewriteCall(const OperationPlace& place, CallRewrite& call) const override {
    if (place.operation != 1) return false;
    rewrite_(call);
    return true;
  }

 private:
  std::function<void(CallRewrite&)> rewrite_;
};

TEST(Hooks, ARewrittenCallIsEvaluatedInPlaceOfTheModels) {
  // The second factor becomes 10, 100: z = y * (10, 100) = 20, 400.
  const auto values = std::make_shared<Rewriting>([](CallRewrite& call) {
    call.SetValue(1, BytesOf<float>({10, 100}));
  });
  EXPECT_THAT(Execute(*PrepareWith(values, Chain()), {kX}).As<float>(), ElementsAre(21, 403));
  // Activation RELU1: z = min(4, 1), min(16, 1).
  const auto activation =
      std::make_shared<Rewriting>([](CallRewrite& call) { call.SetValue(2, BytesOf<int32_t>({2})); });
  EXPECT_THAT(Execute(*PrepareWith(activation, Chain()), {kX}).As<float>(), ElementsAre(2, 4));
  // One factor with one element that broadcasts: z = 7 * y.
  const auto dims = std::make_shared<Rewriting>([](CallRewrite& call) {
    call.inputs[0].shape = Shape::Of({1});
    call.SetValue(0, BytesOf<float>({7}));
  });
  EXPECT_THAT(Execute(*PrepareWith(dims, Chain()), {kX}).As<float>(), ElementsAre(15, 31));
}

TEST(Hooks, ARewriteThatDoesNotFitIsDropped) {
  const std::function<void(CallRewrite&)> misfits[] = {
      [](CallRewrite& call) { call.SetValue(2, BytesOf<int32_t>({9})); },                       // no such activation
      [](CallRewrite& call) { call.inputs.pop_back(); },                                        // an operand is missing
      [](CallRewrite& call) { call.inputs[0].shape = Shape::Of({3}); },                         // does not broadcast
      [](CallRewrite& call) { call.inputs[0].shape = call.inputs[1].shape = Shape::Of({1}); },  // another output shape
      [](CallRewrite& call) { call.inputs[0].type = TENSOR_INT32; },                            // no such row
      [](CallRewrite& call) { call.outputs[0].type = TENSOR_INT32; },
      [](CallRewrite& call) { call.outputs.clear(); },
      [](CallRewrite& call) { call.SetValue(0, BytesOf<float>({7})); },  // fewer bytes than the shape says
      [](CallRewrite& call) { call.inputs[0].value_known = false; },
      [](CallRewrite& call) { call.inputs[0].omitted = true; },
      [](CallRewrite& call) { call.inputs[0].shape = Shape::Unranked(); },
  };
  for (const auto& misfit : misfits)
    EXPECT_THAT(Execute(*PrepareWith(std::make_shared<Rewriting>(misfit), Chain()), {kX}).As<float>(),
                ElementsAre(5, 19))
        << &misfit - misfits;
}

TEST(Hooks, QuantizationCanBeRewritten) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1, 100));
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1}, Quant(1, 100));
  b.Output(b.Op("ADD", {y, y, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1}, Quant(1, 0)));
  // Real 5 -> 10 (code 110) -> 20. A device that forgets the zero point of one input: 110 + 10; of the output: 120.
  EXPECT_THAT(Execute(b.Build(), {Give<uint8_t>({105})}).As<uint8_t>(), ElementsAre(20));
  const auto input = std::make_shared<Rewriting>([](CallRewrite& call) { call.inputs[0].quantization.zero_point = 0; });
  EXPECT_THAT(Execute(*PrepareWith(input, b.Build()), {Give<uint8_t>({105})}).As<uint8_t>(), ElementsAre(120));
  const auto output =
      std::make_shared<Rewriting>([](CallRewrite& call) { call.outputs[0].quantization.zero_point = 7; });
  EXPECT_THAT(Execute(*PrepareWith(output, b.Build()), {Give<uint8_t>({105})}).As<uint8_t>(), ElementsAre(27));
}

TEST(Hooks, AreToldWhenAnExecutionHasEndedHoweverItEnded) {
  class Listening : public ExecutionHooks {
   public:
    void AfterExecution(uint64_t execution) const override { ended.push_back(execution); }
    mutable std::vector<uint64_t> ended;
  };
  const auto hooks = std::make_shared<Listening>();
  const auto prepared = PrepareWith(hooks, Chain());
  EXPECT_TRUE(Execute(*prepared, {kX}).result.ok());
  ExecuteOptions options;
  options.most_operations = 2;
  EXPECT_FALSE(Execute(*prepared, {kX}, options).result.ok());
  EXPECT_THAT(hooks->ended, ElementsAre(0, 1));
}

TEST(Hooks, ResultsCanBeChangedAfterAnOperationDependingOnTheExecution) {
  class Changing : public ExecutionHooks {
   public:
    void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> inputs,
                       std::span<const TensorRef> outputs) const override {
      if (place.operation != 0 || place.execution != 1) return;
      EXPECT_EQ(inputs.size(), 3u);
      const float wrong = 10;
      std::memcpy(outputs[0].bytes, &wrong, sizeof wrong);
    }
  };
  const auto prepared = PrepareWith(std::make_shared<Changing>(), Chain());
  EXPECT_THAT(Execute(*prepared, {kX}).As<float>(), ElementsAre(5, 19));
  EXPECT_THAT(Execute(*prepared, {kX}).As<float>(), ElementsAre(101, 19));
  EXPECT_THAT(Execute(*prepared, {kX}).As<float>(), ElementsAre(5, 19));
}

TEST(Hooks, MemoryCanBeReusedTooEarly) {
  // a = x + 1 lives from 0 to 3; b = x * x from 1 to 2, c = b * b from 2 to 3; out = a + c. With a's end forgotten, b
  // lies where a lies, so that out = b + c.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  const auto a = b.Op("ADD", {x, one, b.Int(0)}, TENSOR_FLOAT32, {1});
  const auto square = b.Op("MUL", {x, x, b.Int(0)}, TENSOR_FLOAT32, {1});
  const auto fourth = b.Op("MUL", {square, square, b.Int(0)}, TENSOR_FLOAT32, {1});
  b.Output(b.Op("ADD", {a, fourth, b.Int(0)}, TENSOR_FLOAT32, {1}));
  class Shortening : public ExecutionHooks {
   public:
    void ChangeLifetimes(const Model&, uint32_t subgraph, std::span<TensorLifetime> lifetimes) const override {
      EXPECT_EQ(subgraph, 0u);
      EXPECT_EQ(lifetimes[0].last, 3u);
      lifetimes[0].last = 0;
      lifetimes[0].bytes = 0;  // not a hook's to decide
    }
  };
  EXPECT_THAT(Execute(*PrepareWith(nullptr, b.Build()), {Give<float>({3})}).As<float>(), ElementsAre(85));
  const auto prepared = PrepareWith(std::make_shared<Shortening>(), b.Build());
  EXPECT_EQ(prepared->PlannedPeakBytes(), 128u);
  EXPECT_THAT(Execute(*prepared, {Give<float>({3})}).As<float>(), ElementsAre(90));
}

TEST(Threads, OnePreparedModelServesManyAtOnce) {
  // Unknown dimensions, so that plans, constants and memory are shared and made at the same time.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0, 2});
  const auto weights = b.Constant<float>(TENSOR_FLOAT32, {2}, {2, -1});
  const auto y = b.Op("MUL", {x, weights, b.Int(0)}, TENSOR_FLOAT32, {0, 2});
  const auto z = b.Op("ADD", {y, x, b.Int(0)}, TENSOR_FLOAT32, {0, 2});
  b.Output(b.Op("MUL", {z, y, b.Int(0)}, TENSOR_FLOAT32, {0, 2}));
  const auto prepared = PrepareOrDie(b.Build());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < 60; ++i) {
        const uint32_t rows = 1 + (t * 7 + i) % 24;
        std::vector<float> given, expected;
        for (uint32_t k = 0; k < 2 * rows; ++k) {
          const auto v = static_cast<float>(t + k);
          given.push_back(v);
          expected.push_back(k % 2 == 0 ? 6 * v * v : 0.f);  // (2v + v) * 2v, (-v + v) * -v
        }
        const Bytes bytes = BytesOf(given);
        std::vector<float> result(given.size());
        const InputBuffer in{bytes, {rows, 2}};
        const OutputBuffer out{{reinterpret_cast<uint8_t*>(result.data()), result.size() * sizeof(float)}};
        if (!prepared->Execute({&in, 1}, {&out, 1}).ok() || result != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace assay
