// Tests of bounded runs where something uncertain decides: relations, values, shapes, branches and loops.
#include "gmock/gmock.h"
#include "tests/reference/bounded_judging.h"

namespace assay {
namespace {

using enum OperandType;
using testing::Each;
using testing::ElementsAre;

// ---- Values and relations ---------------------------------------------------------------------------------------

TEST(RunBounded, DiscontinuousOperationsAreJudgedByTheirRelation) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1, 3}, Quant(1));
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1, 3}, Quant(1));
  const auto largest = b.Op("ARGMAX", {y, b.Int(1)}, TENSOR_INT32, {1});
  b.Output(largest);
  // y = 10, 11, 30 each +- 1.5: only 2 may be the largest.
  const auto verdict = [&](std::vector<uint8_t> codes, int32_t answer, std::vector<Seen> seen = {}) {
    seen.push_back({largest, {1}, BytesOf<int32_t>({answer})});
    const BoundedRun run = Judge(b.Build(), {Give<uint8_t>(codes)}, seen);
    EXPECT_TRUE(run.judged.back().by_relation);
    return run.judged.back();
  };
  EXPECT_THAT(verdict({5, 6, 15}, 2).sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(verdict({5, 6, 15}, 1).sound, ElementsAre(Verdict::kOutside));
  // 28, 26, 10: the first two are closer than 3, so either may be; the third may not.
  EXPECT_THAT(verdict({14, 13, 5}, 0).sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(verdict({14, 13, 5}, 1).sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(verdict({14, 13, 5}, 2).sound, ElementsAre(Verdict::kOutside));
  // Seen as 28, 27, 10, answered 1: soundly possible, sharply not.
  const JudgedTensor seen = verdict({14, 13, 5}, 1, {{y, {1, 3}, {28, 27, 10}}});
  EXPECT_THAT(seen.sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(seen.sharp, ElementsAre(Verdict::kOutside));
}

TEST(RunBounded, UncertainShapesAreUnknownUntilTheyAreSeen) {
  // RESHAPE to a shape that ARGMAX gives (plus one): uncertain where the largest is.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1, 3}, Quant(1));
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1, 3}, Quant(1));
  const auto largest = b.Op("ARGMAX", {y, b.Int(1)}, TENSOR_INT32, {1});
  const auto one = b.Constant<int32_t>(TENSOR_INT32, {1}, {1});
  const auto rows = b.Op("ADD", {largest, one, b.Int(0)}, TENSOR_INT32, {1});
  const auto first_only = b.Constant<int32_t>(TENSOR_INT32, {2}, {1, 0}), rest = b.Ints({0, -1});
  const auto spread = b.Op("MUL", {rows, first_only, b.Int(0)}, TENSOR_INT32, {2});
  const auto shape = b.Op("ADD", {spread, rest, b.Int(0)}, TENSOR_INT32, {2});
  const auto values = b.Constant<float>(TENSOR_FLOAT32, {6}, {1, 2, 3, 4, 5, 6});
  const auto reshaped = b.Op("RESHAPE", {values, shape}, TENSOR_FLOAT32, {0, 0});
  const auto sum = b.Op("ADD", {reshaped, reshaped, b.Int(0)}, TENSOR_FLOAT32, {0, 0});
  b.Output(sum);
  const Model model = b.Build();
  const Bytes doubled = BytesOf<float>({2, 4, 6, 8, 10, 12});

  // Certain: the third is the largest, so there are three rows.
  const BoundedRun certain = Judge(model, {Give<uint8_t>({5, 6, 15})}, {{sum, {3, 2}, doubled}});
  EXPECT_THAT(certain.judged[0].sound, Each(Verdict::kInside));
  EXPECT_EQ(certain.computed.back().shape, Shape::Of({3, 2}));
  EXPECT_TRUE(Judge(model, {Give<uint8_t>({5, 6, 15})}, {{sum, {2, 3}, doubled}}).judged[0].wrong_shape);

  // Uncertain: nothing is said of shape and values, whatever the answer.
  const BoundedRun uncertain = Judge(model, {Give<uint8_t>({14, 13, 5})}, {{sum, {2, 3}, doubled}});
  EXPECT_EQ(uncertain.computed.back().shape, Shape::Of({kUnknownDim, kUnknownDim}));
  EXPECT_FALSE(uncertain.judged[0].wrong_shape);
  EXPECT_THAT(uncertain.judged[0].sound, ElementsAre(Verdict::kUnknown, Verdict::kUnknown, Verdict::kUnknown,
                                                     Verdict::kUnknown, Verdict::kUnknown, Verdict::kUnknown));
  // Once the choice was seen, all is certain again: integers are anchored exactly.
  const Seen second{largest, {1}, BytesOf<int32_t>({1})};
  const BoundedRun anchored = Judge(model, {Give<uint8_t>({14, 13, 5})}, {second, {sum, {2, 3}, doubled}});
  EXPECT_THAT(anchored.judged[1].sound, Each(Verdict::kInside));
  EXPECT_TRUE(Judge(model, {Give<uint8_t>({14, 13, 5})}, {second, {sum, {1, 6}, doubled}}).judged[1].wrong_shape);
  // Or once the reshaped tensor was seen.
  const Seen rows_seen{reshaped, {2, 3}, BytesOf<float>({1, 2, 3, 4, 5, 7})};
  const BoundedRun later = Judge(model, {Give<uint8_t>({14, 13, 5})}, {rows_seen, {sum, {2, 3}, doubled}});
  EXPECT_THAT(later.judged[0].sound, Each(Verdict::kUnknown));
  EXPECT_THAT(later.judged[1].sound, ElementsAre(Verdict::kInside, Verdict::kInside, Verdict::kInside, Verdict::kInside,
                                                 Verdict::kInside, Verdict::kOutside));
}

// ---- Control flow ------------------------------------------------------------------------------------------------

// y = x + x (quantized); IF y < limit: 10 else 20, as y * 0 + constant. Operands: x, limit, y, condition, result.
struct Branching {
  Model model;
  uint32_t y, result;
};
Branching Branch() {
  ModelBuilder b;
  for (const float constant : {10.f, 20.f}) {
    SubgraphBuilder& s = b.AddSubgraph(absl::StrCat("branch", constant));
    const auto f = s.Input(TENSOR_FLOAT32, {1});
    const auto c = s.Constant<float>(TENSOR_FLOAT32, {1}, {constant});
    s.Output(s.Op("ADD", {f, c, s.Int(0)}, TENSOR_FLOAT32, {1}));
  }
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1)), limit = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  const auto zero = b.Constant<float>(TENSOR_FLOAT32, {1}, {0});
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  const auto condition = b.Op("LESS", {y, limit}, TENSOR_BOOL8, {1});
  const auto result = b.Op("IF", {condition, b.Reference(1), b.Reference(2), zero}, TENSOR_FLOAT32, {1});
  b.Output(result);
  return {b.Build(), y, result};
}

TEST(RunBounded, ACertainConditionChoosesItsBranch) {
  const Branching b = Branch();
  // y = 10 +- 1.5 < 30.
  const BoundedRun run =
      Judge(b.model, {Give<uint8_t>({5}), Give<uint8_t>({30})}, {{b.result, {1}, BytesOf<float>({10})}});
  EXPECT_THAT(run.judged[0].sound, ElementsAre(Verdict::kInside));
  EXPECT_TRUE(run.judged[0].sharp.empty());
  EXPECT_EQ(run.judged[0].operation, 2u);
  EXPECT_EQ(run.undecided, 0u);
  EXPECT_THAT(Judge(b.model, {Give<uint8_t>({5}), Give<uint8_t>({30})}, {{b.result, {1}, BytesOf<float>({20})}})
                  .judged[0]
                  .sound,
              ElementsAre(Verdict::kOutside));
}

TEST(RunBounded, AnUncertainConditionGoesEitherWay) {
  const Branching b = Branch();
  const std::vector<Given> inputs = {Give<uint8_t>({5}), Give<uint8_t>({11})};
  const auto verdicts = [&](float answer) {
    const auto runs = Paths(b.model, inputs, {{b.result, {1}, BytesOf<float>({answer})}});
    EXPECT_EQ(runs->size(), 2u);
    std::vector<Verdict> all;
    for (const BoundedRun& run : *runs) {
      EXPECT_EQ(run.undecided, 0u);
      EXPECT_EQ(run.decided, 1u);
      all.push_back(run.judged[0].sound[0]);
    }
    return all;
  };
  EXPECT_THAT(verdicts(10), ElementsAre(Verdict::kInside, Verdict::kOutside));
  EXPECT_THAT(verdicts(20), ElementsAre(Verdict::kOutside, Verdict::kInside));
  EXPECT_THAT(verdicts(15), ElementsAre(Verdict::kOutside, Verdict::kOutside));
  // Seen as 12, so at least 11: it may not be less than 11.
  const BoundedRun seen = Judge(b.model, inputs, {Code(b.y, 12), {b.result, {1}, BytesOf<float>({10})}});
  EXPECT_THAT(seen.judged[1].sound, ElementsAre(Verdict::kOutside));
}

TEST(RunBounded, WithoutADecisionWhatDependsIsUnknown) {
  const Branching b = Branch();
  std::vector<InputBuffer> in;
  const std::vector<Given> inputs = {Give<uint8_t>({5}), Give<uint8_t>({11})};
  for (const Given& g : inputs) in.push_back({g.bytes});
  const Bytes answer = BytesOf<float>({77});
  const Observations observations = {{b.result, {{1}, answer}}};
  const auto run = RunBounded(b.model, in, observations, {});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->undecided, 1u);
  EXPECT_THAT(run->judged[0].sound, ElementsAre(Verdict::kUnknown));
  const auto one = RunBoundedPaths(b.model, in, observations, {}, {}, 1);
  ASSERT_EQ(one->size(), 1u);
  EXPECT_EQ(one->front().undecided, 1u);
}

// count = start; WHILE y < limit: y = y + 4 (quantized, so uncertain), count = count + 1. Outputs y, count.
Model Looping() {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  {
    const auto y = condition.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
    condition.Input(TENSOR_INT32, {1});
    const auto limit = condition.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
    condition.Output(condition.Op("LESS", {y, limit}, TENSOR_BOOL8, {1}));
  }
  {
    const auto y = body.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
    const auto count = body.Input(TENSOR_INT32, {1});
    body.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
    const auto four = body.Constant<uint8_t>(TENSOR_QUANT8_ASYMM, {1}, {4}, Quant(1));
    const auto one = body.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    body.Output(body.Op("ADD", {y, four, body.Int(0)}, TENSOR_QUANT8_ASYMM, {1}, Quant(1)));
    body.Output(body.Op("ADD", {count, one, body.Int(0)}, TENSOR_INT32, {1}));
  }
  const auto y = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1)), limit = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  const auto zero = b.Constant<int32_t>(TENSOR_INT32, {1}, {0});
  const auto outputs = b.Op("WHILE", {b.Reference(1), b.Reference(2), y, zero, limit},
                            {{TENSOR_QUANT8_ASYMM, {1}, Quant(1)}, {TENSOR_INT32, {1}}});
  b.Output(outputs[0]);
  b.Output(outputs[1]);
  return b.Build();
}
constexpr uint32_t kLoopY = 5, kLoopCount = 6;

TEST(RunBounded, ALoopWithCertainConditionsRunsAsOften) {
  // y = 2, 6 +- 1.5, 10 +- 3: less than 3 once, so one iteration.
  const BoundedRun run = Judge(Looping(), {Give<uint8_t>({2}), Give<uint8_t>({3})},
                               {Code(kLoopY, 7), {kLoopCount, {1}, BytesOf<int32_t>({1})}});
  EXPECT_THAT(run.judged[0].sound, ElementsAre(Verdict::kInside));
  ExpectInterval(run.judged[0].intervals[0], 4.5, 7.5);
  EXPECT_THAT(run.judged[1].sound, ElementsAre(Verdict::kInside));
  // None.
  const BoundedRun none = Judge(Looping(), {Give<uint8_t>({2}), Give<uint8_t>({2})},
                                {Code(kLoopY, 2), {kLoopCount, {1}, BytesOf<int32_t>({0})}});
  ExpectInterval(none.judged[0].intervals[0], 2, 2);
  EXPECT_THAT(none.judged[1].sound, ElementsAre(Verdict::kInside));
}

TEST(RunBounded, AnUncertainLoopIsFollowedUpToFourWays) {
  // 6 +- 1.5 < 7 is uncertain, 10 +- 3 < 7 is uncertain at its edge, 14 +- 4.5 is not less.
  const std::vector<Given> inputs = {Give<uint8_t>({2}), Give<uint8_t>({7})};
  const auto accepted = [&](uint8_t y, int32_t count) {
    const auto runs = Paths(Looping(), inputs, {Code(kLoopY, y), {kLoopCount, {1}, BytesOf<int32_t>({count})}});
    EXPECT_LE(runs->size(), 4u);
    size_t inside = 0;
    for (const BoundedRun& run : *runs)
      inside += run.judged[0].sound[0] == Verdict::kInside && run.judged[1].sound[0] == Verdict::kInside;
    return inside;
  };
  EXPECT_EQ(accepted(7, 1), 1u);
  EXPECT_EQ(accepted(10, 2), 1u);
  EXPECT_EQ(accepted(10, 1), 0u);
  EXPECT_EQ(accepted(7, 2), 1u);  // 6 -> 5 or less twice is 7 at least
  EXPECT_EQ(accepted(7, 0), 0u);
}

TEST(RunBounded, AnEndlessLoopIsUnknown) {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  for (SubgraphBuilder* s : {&condition, &body}) {
    const auto x = s->Input(TENSOR_INT32, {1});
    const auto zero = s->Constant<int32_t>(TENSOR_INT32, {1}, {0});
    if (s == &condition) {
      s->Output(s->Op("EQUAL", {x, x}, TENSOR_BOOL8, {1}));
    } else {
      s->Output(s->Op("ADD", {x, zero, s->Int(0)}, TENSOR_INT32, {1}));
    }
  }
  const auto x = b.Input(TENSOR_INT32, {1});
  const auto out = b.Op("WHILE", {b.Reference(1), b.Reference(2), x}, TENSOR_INT32, {1});
  b.Output(out);
  const BoundedRun run = Judge(b.Build(), {Give<int32_t>({4})}, {{out, {1}, BytesOf<int32_t>({4})}});
  EXPECT_THAT(run.judged[0].sound, ElementsAre(Verdict::kUnknown));
}

}  // namespace
}  // namespace assay
