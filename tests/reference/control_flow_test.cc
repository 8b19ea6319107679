// Tests of IF, WHILE and values that decide shapes at execution.
#include <atomic>
#include <thread>

#include "gmock/gmock.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// IF condition: x + x, else x * x; both on `dims` of float32.
ModelBuilder Choice(Dims dims, Dims output_dims) {
  ModelBuilder b;
  SubgraphBuilder& sum = b.AddSubgraph("sum");
  const auto a = sum.Input(TENSOR_FLOAT32, dims);
  sum.Output(sum.Op("ADD", {a, a, sum.Int(0)}, TENSOR_FLOAT32, output_dims));
  SubgraphBuilder& product = b.AddSubgraph("product");
  const auto p = product.Input(TENSOR_FLOAT32, dims);
  const auto one = product.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  const auto same = product.Op("MUL", {p, one, product.Int(0)}, TENSOR_FLOAT32, output_dims);
  product.Output(product.Op("MUL", {same, p, product.Int(0)}, TENSOR_FLOAT32, output_dims));
  const auto condition = b.Input(TENSOR_BOOL8, {1});
  const auto x = b.Input(TENSOR_FLOAT32, dims);
  const auto chosen = b.Op("IF", {condition, b.Reference(1), b.Reference(2), x}, TENSOR_FLOAT32, output_dims);
  b.Output(b.Op("ADD", {chosen, x, b.Int(0)}, TENSOR_FLOAT32, output_dims));
  b.Output(chosen);
  return b;
}

TEST(If, RunsTheBranchThatTheConditionChooses) {
  const auto prepared = PrepareOrDie(Choice({2}, {2}).Build());
  const Ran yes = Execute(*prepared, {Give<uint8_t>({1}), Give<float>({3, 5})});
  EXPECT_THAT(yes.As<float>(1), ElementsAre(6, 10)) << yes.result.message;
  EXPECT_THAT(yes.As<float>(0), ElementsAre(9, 15));
  const Ran no = Execute(*prepared, {Give<uint8_t>({0}), Give<float>({3, 5})});
  EXPECT_THAT(no.As<float>(1), ElementsAre(9, 25));
  EXPECT_THAT(no.As<float>(0), ElementsAre(12, 30));
  const Ran any_byte = Execute(*prepared, {Give<uint8_t>({128}), Give<float>({3, 5})});
  EXPECT_THAT(any_byte.As<float>(1), ElementsAre(6, 10));
}

TEST(If, ShapesFlowInAndOut) {
  for (const Dims& dims : {Dims{0}, Dims{}}) {
    const auto prepared = PrepareOrDie(Choice(dims, dims).Build());
    for (const uint8_t condition : {uint8_t{0}, uint8_t{1}}) {
      const Ran ran = Execute(*prepared, {Give<uint8_t>({condition}), Give<float>({3, 5, 7}, {3})});
      ASSERT_TRUE(ran.result.ok()) << ran.result.message;
      EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({3}));
      EXPECT_EQ(ran.As<float>(1), condition ? std::vector<float>({6, 10, 14}) : std::vector<float>({9, 25, 49}));
    }
    const Ran small = Execute(*prepared, {Give<uint8_t>({0}), Give<float>({3, 5, 7}, {3})}, {}, {12, 11});
    EXPECT_EQ(small.result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    ASSERT_EQ(small.result.outputs.size(), 2u);
    EXPECT_TRUE(small.result.outputs[0].sufficient);
    EXPECT_FALSE(small.result.outputs[1].sufficient);
    EXPECT_EQ(small.result.outputs[1].shape, Shape::Of({3}));
  }
}

TEST(If, AConditionWithoutAValueFails) {
  const auto prepared = PrepareOrDie(Choice({2}, {2}).Build());
  const Ran ran = Execute(*prepared, {Omit(), Give<float>({3, 5})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("operation 0 (IF) of subgraph 0 (main): if.condition"));
}

TEST(If, ErrorsInsideNameBothPlaces) {
  const auto prepared = PrepareOrDie(Choice({0}, {2}).Build());
  const Ran ran = Execute(*prepared, {Give<uint8_t>({0}), Give<float>({3, 5, 7}, {3})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message,
              AllOf(HasSubstr("operation 0 (IF) of subgraph 0 (main): operation 0 (MUL) of subgraph "
                              "2 (product): mul.output_shape"),
                    HasSubstr("declared is [2]")));
}

// x = start; WHILE x < limit: x = x + step. Outputs x; `dims` of int32. With a first operation before.
ModelBuilder Counting(Dims condition_dims = {1}) {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  {
    const auto x = condition.Input(TENSOR_INT32, {1}), limit = condition.Input(TENSOR_INT32, {1});
    condition.Output(condition.Op("LESS", {x, limit}, TENSOR_BOOL8, std::move(condition_dims)));
  }
  SubgraphBuilder& body = b.AddSubgraph("body");
  {
    const auto x = body.Input(TENSOR_INT32, {1});
    body.Input(TENSOR_INT32, {1});
    const auto one = body.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto next = body.Op("ADD", {x, one, body.Int(0)}, TENSOR_INT32, {1});
    body.Output(next);
  }
  const auto start = b.Input(TENSOR_INT32, {1}), limit = b.Input(TENSOR_INT32, {1});
  b.Output(b.Op("WHILE", {b.Reference(1), b.Reference(2), start, limit}, TENSOR_INT32, {1}));
  return b;
}

TEST(While, RepeatsUntilTheConditionIsFalse) {
  const auto prepared = PrepareOrDie(Counting().Build());
  EXPECT_THAT(Execute(*prepared, {Give<int32_t>({3}), Give<int32_t>({10})}).As<int32_t>(), ElementsAre(10));
  EXPECT_THAT(Execute(*prepared, {Give<int32_t>({3}), Give<int32_t>({4})}).As<int32_t>(), ElementsAre(4));
  // No iteration: the first value comes out.
  EXPECT_THAT(Execute(*prepared, {Give<int32_t>({3}), Give<int32_t>({-7})}).As<int32_t>(), ElementsAre(3));
}

TEST(While, AFirstValueWithoutAValueCannotComeOut) {
  const auto prepared = PrepareOrDie(Counting().Build());
  const Ran ran = Execute(*prepared, {Omit(), Give<int32_t>({10})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("less.x.omitted"));
}

// Values that come out (x, the product), state only (the count), and those that stay (factor, limit): factor^limit.
Model Power(uint32_t width) {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  {
    condition.Input(TENSOR_FLOAT32, {width});
    const auto count = condition.Input(TENSOR_INT32, {1});
    condition.Input(TENSOR_FLOAT32, {width});
    const auto limit = condition.Input(TENSOR_INT32, {1});
    condition.Output(condition.Op("LESS", {count, limit}, TENSOR_BOOL8, {1}));
  }
  {
    const auto x = body.Input(TENSOR_FLOAT32, {width});
    const auto count = body.Input(TENSOR_INT32, {1});
    const auto factor = body.Input(TENSOR_FLOAT32, {width});
    body.Input(TENSOR_INT32, {1});
    const auto one = body.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    body.Output(body.Op("MUL", {x, factor, body.Int(0)}, TENSOR_FLOAT32, {width}));
    body.Output(body.Op("ADD", {count, one, body.Int(0)}, TENSOR_INT32, {1}));
  }
  const auto factor = b.Input(TENSOR_FLOAT32, {width});
  const auto limit = b.Input(TENSOR_INT32, {1});
  const auto first = b.Constant<float>(TENSOR_FLOAT32, {width}, std::vector<float>(width, 1));
  const auto zero = b.Constant<int32_t>(TENSOR_INT32, {1}, {0});
  b.Output(b.Op("WHILE", {b.Reference(1), b.Reference(2), first, zero, factor, limit}, TENSOR_FLOAT32, {width}));
  return b.Build();
}

TEST(While, CarriesStateAndKeepsWhatIsInputOnly) {
  for (const Mode mode : {Mode::kGolden, Mode::kFast}) {
    EXPECT_THAT(Execute(Power(2), {Give<float>({2, -3}), Give<int32_t>({5})}, mode).As<float>(), ElementsAre(32, -243));
    EXPECT_THAT(Execute(Power(2), {Give<float>({2, -3}), Give<int32_t>({0})}, mode).As<float>(), ElementsAre(1, 1));
    EXPECT_THAT(Execute(Power(2), {Give<float>({2, -3}), Give<int32_t>({1})}, mode).As<float>(), ElementsAre(2, -3));
  }
}

TEST(While, MemoryDoesNotGrowWithIterations) {
  const auto prepared = PrepareOrDie(Power(1000));
  const auto peak = [&](int32_t limit) {
    const Ran ran = Execute(*prepared, {Give(std::vector<float>(1000, 1)), Give<int32_t>({limit})});
    EXPECT_EQ(ran.As<float>(), std::vector<float>(1000, 1)) << ran.result.message;
    return ran.result.peak_bytes;
  };
  EXPECT_EQ(peak(3), peak(200));
}

TEST(While, AnEndlessLoopEndsAtItsTimeout) {
  ModelBuilder b = Counting();
  const auto prepared = PrepareOrDie(b.Build());
  class Endless : public ExecutionHooks {
   public:
    bool ContinueLoop(const OperationPlace&, uint64_t, bool) const override { return true; }
  };
  PrepareOptions options;
  options.hooks = std::make_shared<Endless>();
  const auto endless = PrepareOrDie(b.Build(), options);
  ExecuteOptions execute;
  execute.loop_timeout = std::chrono::milliseconds(50);
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = Execute(*endless, {Give<int32_t>({0}), Give<int32_t>({1})}, execute);
  EXPECT_EQ(ran.result.status, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
  EXPECT_THAT(ran.result.message, HasSubstr("the loop timeout of 50 ms has passed"));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
  // A deadline ends it too.
  execute.loop_timeout = std::chrono::hours(1);
  execute.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(Execute(*endless, {Give<int32_t>({0}), Give<int32_t>({1})}, execute).result.status,
            ErrorStatus::MISSED_DEADLINE_TRANSIENT);
}

TEST(While, TheConditionsOutputMustHaveOneElement) { EXPECT_FALSE(Prepare(Counting({2}).Build()).ok()); }

// WHILE count < limit: x = pad(x, one more at the end). The boundary has unknown dims, so each iteration has its shape.
Model Growing() {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  {
    condition.Input(TENSOR_FLOAT32, {0});
    const auto count = condition.Input(TENSOR_INT32, {1}), limit = condition.Input(TENSOR_INT32, {1});
    condition.Output(condition.Op("LESS", {count, limit}, TENSOR_BOOL8, {1}));
  }
  {
    const auto x = body.Input(TENSOR_FLOAT32, {0});
    const auto count = body.Input(TENSOR_INT32, {1});
    body.Input(TENSOR_INT32, {1});
    const auto one = body.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto paddings = body.Constant<int32_t>(TENSOR_INT32, {1, 2}, {0, 1});
    const auto twice = body.Op("ADD", {x, x, body.Int(0)}, TENSOR_FLOAT32, {0});
    body.Output(body.Op("PAD", {twice, paddings}, TENSOR_FLOAT32, {0}));
    body.Output(body.Op("ADD", {count, one, body.Int(0)}, TENSOR_INT32, {1}));
  }
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto limit = b.Input(TENSOR_INT32, {1});
  const auto zero = b.Constant<int32_t>(TENSOR_INT32, {1}, {0});
  b.Output(b.Op("WHILE", {b.Reference(1), b.Reference(2), x, zero, limit}, TENSOR_FLOAT32, {0}));
  return b.Build();
}

TEST(While, ShapesMayChangeFromIterationToIteration) {
  const auto prepared = PrepareOrDie(Growing());
  const Ran ran = Execute(*prepared, {Give<float>({3}), Give<int32_t>({3})});
  EXPECT_THAT(ran.As<float>(), ElementsAre(24, 0, 0, 0)) << ran.result.message;
  EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({4}));
  // More shapes than plans are kept.
  std::vector<float> expected(31, 0);
  expected[0] = 1073741824;  // 2^30
  EXPECT_EQ(Execute(*prepared, {Give<float>({1}), Give<int32_t>({30})}).As<float>(), expected);
  const Ran small = Execute(*prepared, {Give<float>({3}), Give<int32_t>({3})}, {}, {15});
  EXPECT_EQ(small.result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_EQ(small.result.outputs[0].shape, Shape::Of({4}));
}

TEST(While, AHookMayForgetTheLastIteration) {
  struct Forgetful : ExecutionHooks {
    bool ForgetLastIteration(const OperationPlace&) const override { return true; }
  };
  const auto prepared = PrepareOrDie(Growing(), {.hooks = std::make_shared<Forgetful>()});
  const std::vector<std::vector<float>> after = {{3}, {3}, {6, 0}, {12, 0, 0}};
  for (int32_t i = 0; i < 4; ++i)
    EXPECT_EQ(Execute(*prepared, {Give<float>({3}), Give<int32_t>({i})}).As<float>(), after[static_cast<size_t>(i)]);
}

TEST(ControlFlow, NestsAndTellsTheObserverWhere) {
  // WHILE x < limit: x = (IF x < limit: x + 1, else x + x)
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  SubgraphBuilder& one_more = b.AddSubgraph("one_more");
  SubgraphBuilder& twice = b.AddSubgraph("twice");
  {
    const auto x = condition.Input(TENSOR_INT32, {1}), limit = condition.Input(TENSOR_INT32, {1});
    condition.Output(condition.Op("LESS", {x, limit}, TENSOR_BOOL8, {1}));
  }
  {
    const auto x = body.Input(TENSOR_INT32, {1}), limit = body.Input(TENSOR_INT32, {1});
    const auto is_less = body.Op("LESS", {x, limit}, TENSOR_BOOL8, {1});
    body.Output(body.Op("IF", {is_less, body.Reference(3), body.Reference(4), x}, TENSOR_INT32, {1}));
  }
  {
    const auto x = one_more.Input(TENSOR_INT32, {1});
    const auto one = one_more.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    one_more.Output(one_more.Op("ADD", {x, one, one_more.Int(0)}, TENSOR_INT32, {1}));
  }
  {
    const auto x = twice.Input(TENSOR_INT32, {1});
    twice.Output(twice.Op("ADD", {x, x, twice.Int(0)}, TENSOR_INT32, {1}));
  }
  const auto x = b.Input(TENSOR_INT32, {1}), limit = b.Input(TENSOR_INT32, {1});
  b.Output(b.Op("WHILE", {b.Reference(1), b.Reference(2), x, limit}, TENSOR_INT32, {1}));

  class Places : public ExecutionObserver {
   public:
    void AfterOperation(const ObservedOperation& o) override {
      text.push_back(absl::StrCat(o.place.subgraph, "/", o.place.operation));
      for (uint64_t iteration : o.place.iterations) absl::StrAppend(&text.back(), " i", iteration);
    }
    std::vector<std::string> text;
  } places;
  const auto prepared = PrepareOrDie(b.Build());
  ExecuteOptions options;
  options.observer = &places;
  EXPECT_THAT(Execute(*prepared, {Give<int32_t>({4}), Give<int32_t>({6})}, options).As<int32_t>(), ElementsAre(6));
  EXPECT_THAT(places.text, ElementsAre("1/0 i0", "2/0 i0", "3/0 i0", "2/1 i0", "1/0 i1", "2/0 i1", "3/0 i1", "2/1 i1",
                                       "1/0 i2", "0/0"));

  class Wrong : public ExecutionHooks {
   public:
    bool ChooseBranch(const OperationPlace& place, bool condition) const override {
      return place.iterations[0] == 1 ? !condition : condition;
    }
    bool ContinueLoop(const OperationPlace& place, uint64_t iteration, bool condition) const override {
      EXPECT_TRUE(place.iterations.empty());
      return iteration < 2 && condition;
    }
  };
  PrepareOptions prepare;
  prepare.hooks = std::make_shared<Wrong>();
  // 4 -> 5 -> 10 by the wrong branch; and one iteration too few from 0: 0 -> 1 -> 2.
  const auto wrong = PrepareOrDie(b.Build(), prepare);
  EXPECT_THAT(Execute(*wrong, {Give<int32_t>({4}), Give<int32_t>({6})}).As<int32_t>(), ElementsAre(10));
  EXPECT_THAT(Execute(*wrong, {Give<int32_t>({0}), Give<int32_t>({6})}).As<int32_t>(), ElementsAre(2));
}

// `depth` subgraphs, each of which has two IFs on the next one: 2^depth additions.
Model Nested(uint32_t depth) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto yes = b.Constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
  b.Output(b.Op("IF", {yes, b.Reference(1), b.Reference(1), x}, TENSOR_FLOAT32, {1}));
  for (uint32_t i = 1; i <= depth; ++i) {
    SubgraphBuilder& s = b.AddSubgraph(absl::StrCat("s", i));
    const auto in = s.Input(TENSOR_FLOAT32, {1});
    if (i == depth) {
      s.Output(s.Op("ADD", {in, s.Constant<float>(TENSOR_FLOAT32, {1}, {1}), s.Int(0)}, TENSOR_FLOAT32, {1}));
      break;
    }
    const auto always = s.Constant<uint8_t>(TENSOR_BOOL8, {1}, {1});
    const auto once = s.Op("IF", {always, s.Reference(i + 1), s.Reference(i + 1), in}, TENSOR_FLOAT32, {1});
    s.Output(s.Op("IF", {always, s.Reference(i + 1), s.Reference(i + 1), once}, TENSOR_FLOAT32, {1}));
  }
  return b.Build();
}

TEST(ControlFlow, NestingAndWorkAreBounded) {
  EXPECT_THAT(Execute(Nested(6), {Give<float>({0})}).As<float>(), ElementsAre(32));
  EXPECT_EQ(ErrorStatusOf(Prepare(Nested(65)).status()), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  const auto prepared = PrepareOrDie(Nested(64));
  ExecuteOptions options;
  options.most_operations = 10000;
  const Ran ran = Execute(*prepared, {Give<float>({0})}, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  // A chain of thousands is refused without recursion.
  EXPECT_EQ(ErrorStatusOf(Prepare(Nested(20000)).status()), ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
}

TEST(Values, AComputedShapeDecidesTheOutput) {
  // RESHAPE to a shape that is an input plus (0, 0).
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {6}, Quant(0.5, 3));
  const auto shape = b.Input(TENSOR_INT32, {2});
  const auto zeros = b.Constant<int32_t>(TENSOR_INT32, {2}, {0, 0});
  const auto computed = b.Op("ADD", {shape, zeros, b.Int(0)}, TENSOR_INT32, {2});
  // The temporary declares another quantization; it takes the input's.
  const auto reshaped = b.Op("RESHAPE", {x, computed}, TENSOR_QUANT8_ASYMM, {0, 0}, Quant(7, 77));
  b.Output(b.Op("ADD", {reshaped, reshaped, b.Int(0)}, TENSOR_QUANT8_ASYMM, {0, 0}, Quant(1, 0)));
  const auto prepared = PrepareOrDie(b.Build());
  const Given codes = Give<uint8_t>({3, 5, 7, 9, 11, 13});  // real 0, 1, 2, 3, 4, 5
  const Ran ran = Execute(*prepared, {codes, Give<int32_t>({2, 3})});
  EXPECT_THAT(ran.As<uint8_t>(), ElementsAre(0, 2, 4, 6, 8, 10)) << ran.result.message;
  EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({2, 3}));
  EXPECT_EQ(Execute(*prepared, {codes, Give<int32_t>({-1, 2})}).result.outputs[0].shape, Shape::Of({3, 2}));
  const Ran bad = Execute(*prepared, {codes, Give<int32_t>({4, 2})});
  EXPECT_EQ(bad.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(bad.result.message, AllOf(HasSubstr("operation 1 (RESHAPE)"), HasSubstr("reshape.count")));
}

TEST(Values, AQuantizationThatOnlyAnExecutionTellsReachesPlannedCalls) {
  // As above, but all shapes are declared, so that the ADD after the RESHAPE is planned with the declared quantization.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {2}, Quant(0.5, 3));
  const auto shape = b.Input(TENSOR_INT32, {2});
  const auto reshaped = b.Op("RESHAPE", {x, shape}, TENSOR_QUANT8_ASYMM, {1, 2}, Quant(7, 77));
  const auto again = b.Op("RESHAPE", {reshaped, b.Ints({2})}, TENSOR_QUANT8_ASYMM, {2}, Quant(9, 99));
  b.Output(b.Op("ADD", {again, again, b.Int(0)}, TENSOR_QUANT8_ASYMM, {2}, Quant(1, 0)));
  const auto prepared = PrepareOrDie(b.Build());
  EXPECT_THAT(Execute(*prepared, {Give<uint8_t>({3, 5}), Give<int32_t>({1, 2})}).As<uint8_t>(), ElementsAre(0, 2));
}

TEST(Values, AModelOutputMustDeclareTheQuantizationThatIsComputed) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {2}, Quant(0.5, 3));
  b.Output(b.Op("RESHAPE", {x, b.Ints({1, 2})}, TENSOR_QUANT8_ASYMM, {1, 2}, Quant(0.5, 4)));
  const auto prepared = PrepareOrDie(b.Build());
  const Ran ran = Execute(*prepared, {Give<uint8_t>({3, 5})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("reshape.output_quantization"));
}

TEST(ControlFlow, OneModelWithLoopsServesManyThreads) {
  const auto prepared = PrepareOrDie(Growing());
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        const int32_t limit = (t + i) % 9;
        const Ran ran = Execute(*prepared, {Give<float>({1}), Give<int32_t>({limit})});
        std::vector<float> expected(static_cast<size_t>(limit) + 1, 0);
        expected[0] = static_cast<float>(1 << limit);
        if (!ran.result.ok() || ran.As<float>() != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace assay
