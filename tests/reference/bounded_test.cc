// Tests of bounded runs: intervals, anchors and verdicts by hand.
#include "reference/bounded.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "tests/reference/bounded_judging.h"

namespace assay {
namespace {

using enum OperandType;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kUlp = 0x1p-23;

// Doubles three times, at scale 1: operands x = 0, y = 2, z = 3, out = 4.
Model Doubling() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  const auto none = b.Int(0);
  const auto y = b.Op("ADD", {x, x, none}, TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  const auto z = b.Op("ADD", {y, y, none}, TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  b.Output(b.Op("ADD", {z, z, none}, TENSOR_QUANT8_ASYMM, {1}, Quant(1)));
  return b.Build();
}

TEST(RunBounded, IntervalsWidenFromOperationToOperation) {
  // x = 3 exactly. y = 6 +- 1.5. z = 12 +- (3 + 1.5). out = 24 +- (9 + 1.5).
  const BoundedRun run = Judge(Doubling(), {Give<uint8_t>({3})}, {Code(4, 34)});
  ASSERT_EQ(run.judged.size(), 1u);
  const JudgedTensor& out = run.judged[0];
  EXPECT_EQ(out.operand, 4u);
  EXPECT_EQ(out.operation, 2u);
  EXPECT_EQ(out.output, 0u);
  ASSERT_EQ(out.intervals.size(), 1u);
  ExpectInterval(out.intervals[0], 13.5, 34.5);
  EXPECT_EQ(out.intervals[0].value, 24);
  EXPECT_THAT(out.sound, ElementsAre(Verdict::kInside));
  EXPECT_TRUE(out.sharp.empty());  // z was not observed
  EXPECT_EQ(out.not_anchored, 0u);
  EXPECT_THAT(Judge(Doubling(), {Give<uint8_t>({3})}, {Code(4, 35)}).judged[0].sound, ElementsAre(Verdict::kOutside));
  EXPECT_THAT(Judge(Doubling(), {Give<uint8_t>({3})}, {Code(4, 13)}).judged[0].sound, ElementsAre(Verdict::kOutside));

  ASSERT_EQ(run.computed.size(), 3u);
  EXPECT_EQ(run.computed[1].operand, 3u);
  EXPECT_EQ(run.computed[1].operation, 1u);
  EXPECT_NEAR(run.computed[1].widths.median, 9. / 255, 1e-9);
  EXPECT_EQ(run.computed[1].widths.narrow, 1u);
}

TEST(RunBounded, AnObservedTensorRestartsTheInterval) {
  // y may be 4.5 ... 7.5; 7 was seen, so what the device used lies within 6 ... 7.5. z = 12 - 1.5 ... 15 + 1.5.
  const BoundedRun run = Judge(Doubling(), {Give<uint8_t>({3})}, {Code(2, 7), Code(3, 16), Code(4, 30)});
  ASSERT_EQ(run.judged.size(), 3u);
  ExpectInterval(run.judged[0].intervals[0], 4.5, 7.5);
  ExpectInterval(run.judged[1].intervals[0], 10.5, 16.5);
  // z was seen as 16: 15 ... 16.5. out = 30 - 1.5 ... 33 + 1.5.
  ExpectInterval(run.judged[2].intervals[0], 28.5, 34.5);
  // Sharply: y = 7 exactly gives z = 14 +- 1.5, so that 16 is a suspect, though no failure.
  EXPECT_THAT(run.judged[1].sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(run.judged[1].sharp, ElementsAre(Verdict::kOutside));
  // The first operation's inputs are exact anyway; the last one's 16 gives 32 +- 1.5.
  EXPECT_THAT(run.judged[0].sharp, ElementsAre(Verdict::kInside));
  EXPECT_THAT(run.judged[2].sound, ElementsAre(Verdict::kInside));
  EXPECT_THAT(run.judged[2].sharp, ElementsAre(Verdict::kOutside));
}

TEST(RunBounded, WithoutAnchorsNothingRestarts) {
  BoundedOptions options;
  options.anchor = false;
  options.sharp = false;
  const BoundedRun run = Judge(Doubling(), {Give<uint8_t>({3})}, {Code(2, 99), Code(4, 13)}, options);
  ASSERT_EQ(run.judged.size(), 2u);
  EXPECT_THAT(run.judged[0].sound, ElementsAre(Verdict::kOutside));
  EXPECT_EQ(run.judged[0].not_anchored, 0u);
  EXPECT_TRUE(run.judged[0].sharp.empty());
  ExpectInterval(run.judged[1].intervals[0], 13.5, 34.5);
}

TEST(RunBounded, AWrongValueIsJudgedOnceAndThenUsed) {
  // y = 20 is far outside of 4.5 ... 7.5; what follows is judged on what it had: z = 2 * (19 ... 21) +- 1.5.
  const BoundedRun run = Judge(Doubling(), {Give<uint8_t>({3})}, {Code(2, 20), Code(4, 80)});
  EXPECT_THAT(run.judged[0].sound, ElementsAre(Verdict::kOutside));
  EXPECT_EQ(run.judged[0].not_anchored, 1u);
  ExpectInterval(run.judged[1].intervals[0], 2 * 36.5 - 1.5, 2 * 43.5 + 1.5);
  EXPECT_THAT(run.judged[1].sound, ElementsAre(Verdict::kInside));
}

TEST(RunBounded, FloatsAreAnchoredToOneUlp) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  const auto y = b.Op("ADD", {x, one, b.Int(0)}, TENSOR_FLOAT32, {1});
  const auto z = b.Op("ADD", {y, one, b.Int(0)}, TENSOR_FLOAT32, {1});
  b.Output(z);
  const double cts = 1e-5 + 5 * kUlp * 4;
  const BoundedRun run =
      Judge(b.Build(), {Give<float>({3})}, {{y, {1}, BytesOf<float>({4})}, {z, {1}, BytesOf<float>({5})}});
  const Interval first = run.judged[0].intervals[0], second = run.judged[1].intervals[0];
  EXPECT_NEAR(first.Lo(), 4 - cts, 1e-12);
  EXPECT_NEAR(first.Hi(), 4 + cts, 1e-12);
  // y +- one ulp of 4 (or less), plus the criterion at 5.
  EXPECT_NEAR(second.Lo(), 5 - 4 * kUlp - (1e-5 + 5 * kUlp * 5), 1e-11);
  EXPECT_THAT(run.judged[1].sharp, ElementsAre(Verdict::kInside));
}

TEST(RunBounded, ARelaxedModelMayRoundToFloat16) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {1}));
  const Seen half{2, {1}, BytesOf<float>({2.01f})};
  EXPECT_THAT(Judge(b.Build(), {Give<float>({1})}, {half}).judged[0].sound, ElementsAre(Verdict::kOutside));
  EXPECT_THAT(Judge(b.Build(), {Give<float>({1})}, {half}, {}, {.relaxed = true}).judged[0].sound,
              ElementsAre(Verdict::kInside));
  b.Relaxed();
  EXPECT_THAT(Judge(b.Build(), {Give<float>({1})}, {half}).judged[0].sound, ElementsAre(Verdict::kInside));
}

TEST(RunBounded, Float16HasItsOwnCriterion) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {1});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT16, {1}));
  const Given one = Give(HalvesOf({1}));
  EXPECT_THAT(Judge(b.Build(), {one}, {{2, {1}, BytesOf(HalvesOf({2.008f}))}}).judged[0].sound,
              ElementsAre(Verdict::kInside));
  EXPECT_THAT(Judge(b.Build(), {one}, {{2, {1}, BytesOf(HalvesOf({2.1f}))}}).judged[0].sound,
              ElementsAre(Verdict::kOutside));
}

TEST(RunBounded, NaNAndInfinityAreOutsideOfFiniteBounds) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {y, y, b.Int(0)}, TENSOR_FLOAT32, {2}));
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const BoundedRun run = Judge(b.Build(), {Give<float>({1, 2})},
                               {{y, {2}, BytesOf<float>({nan, inf})}, {4, {2}, BytesOf<float>({nan, inf})}});
  EXPECT_THAT(run.judged[0].sound, Each(Verdict::kOutside));
  EXPECT_EQ(run.judged[0].not_anchored, 2u);
  EXPECT_THAT(run.judged[1].sound, Each(Verdict::kUnknown));  // what the device had is no number
}

TEST(RunBounded, AWrongShapeIsOutsideAndWhatFollowsHadIt) {
  // Operands: x 0, y 2, out 4. The driver gave y with two elements.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_INT32, {1});
  const auto y = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_INT32, {0});
  b.Output(b.Op("ADD", {y, y, b.Int(0)}, TENSOR_INT32, {0}));
  const BoundedRun run = Judge(b.Build(), {Give<int32_t>({4})},
                               {{y, {2}, BytesOf<int32_t>({8, 9})}, {4, {2}, BytesOf<int32_t>({16, 19})}});
  EXPECT_TRUE(run.judged[0].wrong_shape);
  EXPECT_THAT(run.judged[0].sound, Each(Verdict::kOutside));
  EXPECT_FALSE(run.judged[1].wrong_shape);
  EXPECT_THAT(run.judged[1].sound, ElementsAre(Verdict::kInside, Verdict::kOutside));
}

TEST(RunBounded, InvalidObservationsAreRefused) {
  const auto error = [](const Seen& seen) {
    return std::string(Paths(Doubling(), {Give<uint8_t>({3})}, {seen}).status().message());
  };
  EXPECT_THAT(error({99, {1}, {1}}), HasSubstr("observed operand 99 is not among the 5"));
  EXPECT_THAT(error({0, {1}, {1}}), HasSubstr("is SUBGRAPH_INPUT, which no operation writes"));
  EXPECT_THAT(error({4, {1}, {1, 2}}), HasSubstr("has 2 bytes, [1] of TENSOR_QUANT8_ASYMM takes 1"));
  EXPECT_THAT(error({4, {70000, 70000}, {1}}), HasSubstr("more than 2^32 - 1"));
  EXPECT_EQ(ErrorStatusOf(Paths(Doubling(), {}, {}).status()), ErrorStatus::INVALID_ARGUMENT);
}

TEST(RunBounded, LimitsHold) {
  BoundedOptions options;
  options.most_operations = 2;
  EXPECT_EQ(ErrorStatusOf(Paths(Doubling(), {Give<uint8_t>({3})}, {}, options).status()),
            ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  options = {};
  options.most_bytes = 100;
  EXPECT_EQ(ErrorStatusOf(Paths(Doubling(), {Give<uint8_t>({3})}, {}, options).status()),
            ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  std::stop_source source;
  source.request_stop();
  options = {};
  options.stop = source.get_token();
  EXPECT_THAT(std::string(Paths(Doubling(), {Give<uint8_t>({3})}, {}, options).status().message()),
              HasSubstr("cancelled"));
}

TEST(RunBounded, ABrokenRuleIsAnError) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), y = b.Input(TENSOR_FLOAT32, {3});
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {3}));
  const auto run = Paths(b.Build(), {Give<float>({1, 2}), Give<float>({1, 2, 3})}, {});
  EXPECT_EQ(ErrorStatusOf(run.status()), ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(std::string(run.status().message()), HasSubstr("add.broadcast"));
}

TEST(MeasureWidths, CountsSharesOfTheRange) {
  const std::vector<Interval> elements = {{0, 1, 0.5}, {2, 2, 2}, {-1, 3, 1}, Interval::Unknown()};
  const WidthStatistics w = MeasureWidths(TENSOR_FLOAT32, {}, elements);
  EXPECT_EQ(w.elements, 4u);
  EXPECT_EQ(w.unknown, 1u);
  EXPECT_DOUBLE_EQ(w.median, 0.5);  // widths 0, 1, 4 over the greatest magnitude, 2
  EXPECT_EQ(w.narrow, 1u);
  const WidthStatistics q = MeasureWidths(TENSOR_QUANT8_ASYMM, Quant(2), elements);
  EXPECT_DOUBLE_EQ(q.median, 1. / 510);
  EXPECT_EQ(q.narrow, 3u);
  EXPECT_EQ(MeasureWidths(TENSOR_FLOAT32, {}, {}).median, 0);
}

}  // namespace
}  // namespace assay
