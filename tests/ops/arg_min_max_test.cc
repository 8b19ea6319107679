// ARGMAX and ARGMIN against their formulas.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall ArgMax(Given input, int32_t axis) {
  return {OperationCode::ARGMAX, {std::move(input), Int(axis)}, {Output(TENSOR_INT32)}};
}

TEST(ArgMax, ByHand) {
  const std::vector<double> x{1, 2, 0, 4, 3, 5};
  for (const Given& in : {Float32({2, 3}, x), Float16({2, 3}, x)}) {
    EXPECT_EQ(ArgMax(in, 1).dims(), Dims({2}));
    EXPECT_THAT(ArgMax(in, 1).GoldenCodes(), ElementsAre(1, 2));
    EXPECT_THAT(ArgMax(in, 0).FastCodes(), ElementsAre(1, 1, 1));
    EXPECT_EQ(ArgMax(in, 0).Widest(), 0);
    ArgMax(in, 0).ExpectInside();
  }
  EXPECT_EQ(ArgMax(Float32({3}, {1, 3, 2}), 0).dims(), Dims({1}));
  EXPECT_THAT(ArgMax(Float32({3}, {1, 3, 2}), -1).GoldenCodes(), ElementsAre(1));
}

TEST(ArgMax, TheFirstOfEqualOnesAndNan) {
  EXPECT_THAT(ArgMax(Quant8({2, 4}, {7, 9, 9, 1, 5, 5, 5, 5}, 0.5, 3), 1).GoldenCodes(), ElementsAre(1, 0));
  EXPECT_THAT(ArgMax(Quant8Signed({1, 3}, {-128, 0, -1}, 0.5, 3), -1).GoldenCodes(), ElementsAre(1));
  // Not to be told apart in float32.
  EXPECT_THAT(ArgMax(Int32({3}, {INT32_MAX - 1, INT32_MAX, INT32_MAX - 2}), 0).FastCodes(), ElementsAre(1));
  EXPECT_THAT(ArgMax(Float32({2, 3}, {NAN, 1, 2, 1, NAN, 2}), 1).GoldenCodes(), ElementsAre(0, 2));
  ArgMax(Float32({2, 3}, {NAN, 1, 2, 1, NAN, 2}), 1).ExpectInside();
}

TEST(ArgMax, EveryAxisOfBothSigns) {
  const std::vector<double> x = Noise(2 * 3 * 4 * 5, 4);
  const size_t outer[] = {1, 2, 6, 24}, size[] = {2, 3, 4, 5}, inner[] = {60, 20, 5, 1};
  const Dims dims[] = {{3, 4, 5}, {2, 4, 5}, {2, 3, 5}, {2, 3, 4}};
  for (int32_t axis = -4; axis < 4; ++axis) {
    const size_t a = static_cast<size_t>(axis < 0 ? axis + 4 : axis);
    std::vector<int64_t> expected;
    for (size_t o = 0; o < outer[a]; ++o)
      for (size_t i = 0; i < inner[a]; ++i) {
        size_t best = 0;
        for (size_t k = 0; k < size[a]; ++k)
          if (x[(o * size[a] + k) * inner[a] + i] > x[(o * size[a] + best) * inner[a] + i]) best = k;
        expected.push_back(static_cast<int64_t>(best));
      }
    const OneCall call = ArgMax(Float32({2, 3, 4, 5}, x), axis);
    EXPECT_EQ(call.dims(), dims[a]);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
    call.ExpectHullHolds(0.1, 0, 20);
  }
}

TEST(ArgMax, HullIsOfThoseThatMayWin) {
  const OneCall call = ArgMax(Float32({5}, {0, 3, 3.5, 1, 2.5}), 0);
  // 1, 2 and 4 may win; 0 and 3 surely lose.
  const std::vector<Interval> in{{-1, 1, 0}, {2, 4, 3}, {2.5, 4.5, 3.5}, {0, 2, 1}, {1.5, 3.5, 2.5}};
  const std::vector<Interval> bound = call.Bound(0, {}, {in});
  EXPECT_EQ(bound[0].lo, 1);
  EXPECT_EQ(bound[0].hi, 4);
  EXPECT_EQ(bound[0].value, 2);
}

TEST(ArgMax, AcceptsWhatMayBeTheGreatest) {
  using enum Verdict;
  ASSERT_TRUE(ArgMax(Float32({5}, {0, 3, 3.5, 1, 2.5}), 0).call()->HasAccept());
  const OneCall call = ArgMax(Float32({5}, {0, 3, 3.5, 1, 2.5}), 0);
  const std::vector<Interval> in{{-1, 1, 0}, {2, 4, 3}, {2.5, 4.5, 3.5}, {0, 2, 1}, {1.5, 3.5, 2.5}};
  const Verdict expected[] = {kOutside, kInside, kInside, kOutside, kInside, kOutside};
  for (int i = 0; i < 6; ++i) EXPECT_THAT(call.Accept({double(i)}, 0, {}, {in}), ElementsAre(expected[i])) << i;
  EXPECT_THAT(call.Accept({-1}, 0, {}, {in}), ElementsAre(kOutside));
  EXPECT_THAT(call.Accept({NAN}, 0, {}, {in}), ElementsAre(kOutside));
  // Exact ties: only the first.
  const OneCall ties = ArgMax(Quant8({2, 3}, {5, 9, 9, 1, 1, 1}, 1, 0), 1);
  EXPECT_THAT(ties.Accept({1, 0}), ElementsAre(kInside, kInside));
  EXPECT_THAT(ties.Accept({2, 2}), ElementsAre(kOutside, kOutside));
  // An unknown element leaves the line open, but not the range of the index, nor another line.
  std::vector<Interval> open{5, 9, Interval::Unknown(), 1, 3, 2};
  EXPECT_THAT(ties.Accept({0, 1}, 0, {}, {open}), ElementsAre(kUnknown, kInside));
  EXPECT_THAT(ties.Accept({3, 0}, 0, {}, {open}), ElementsAre(kOutside, kOutside));
}

OneCall ArgMin(Given input, int32_t axis) {
  return {OperationCode::ARGMIN, {std::move(input), Int(axis)}, {Output(TENSOR_INT32)}};
}

TEST(ArgMin, ByHand) {
  const std::vector<double> x{1, -2, 0, 4, 3, -5};
  for (const Given& in : {Float32({2, 3}, x), Float16({2, 3}, x)}) {
    EXPECT_EQ(ArgMin(in, 1).dims(), Dims({2}));
    EXPECT_THAT(ArgMin(in, 1).GoldenCodes(), ElementsAre(1, 2));
    EXPECT_THAT(ArgMin(in, 0).FastCodes(), ElementsAre(0, 0, 1));
    EXPECT_EQ(ArgMin(in, 0).Widest(), 0);
    ArgMin(in, 0).ExpectInside();
  }
  EXPECT_EQ(ArgMin(Float32({3}, {1, 3, -2}), 0).dims(), Dims({1}));
  EXPECT_THAT(ArgMin(Float32({3}, {1, 3, -2}), -1).GoldenCodes(), ElementsAre(2));
  EXPECT_THAT(ArgMin(Quant8({2, 4}, {7, 2, 2, 9, 5, 5, 5, 5}, 0.5, 3), 1).GoldenCodes(), ElementsAre(1, 0));
  EXPECT_THAT(ArgMin(Quant8Signed({1, 3}, {127, 0, -1}, 0.5, 3), -1).GoldenCodes(), ElementsAre(2));
  EXPECT_THAT(ArgMin(Int32({3}, {INT32_MAX - 1, INT32_MAX - 2, INT32_MAX}), 0).FastCodes(), ElementsAre(1));
  EXPECT_THAT(ArgMin(Float32({2, 3}, {NAN, 1, 2, 2, NAN, 1}), 1).GoldenCodes(), ElementsAre(0, 2));
}

TEST(ArgMin, IsArgMaxOfTheNegative) {
  const std::vector<double> x = Noise(3 * 4 * 5, 9);
  std::vector<double> negative;
  for (double v : x) negative.push_back(-v);
  for (int32_t axis = -3; axis < 3; ++axis) {
    const OneCall call = ArgMin(Float32({3, 4, 5}, x), axis);
    EXPECT_EQ(call.GoldenCodes(), ArgMax(Float32({3, 4, 5}, negative), axis).GoldenCodes());
    EXPECT_EQ(call.FastCodes(), call.GoldenCodes());
    call.ExpectInside();
    call.ExpectHullHolds(0.1, 0, 20);
  }
}

TEST(ArgMin, BoundAndRelation) {
  using enum Verdict;
  // 1, 2 and 4 may be the least; 0 and 3 surely are not.
  const OneCall call = ArgMin(Float32({5}, {5, 3, 2.5, 6, 3.5}), 0);
  const std::vector<Interval> in{{4.6, 6, 5}, {2, 4, 3}, {1.5, 4.5, 2.5}, {5, 7, 6}, {3, 5, 3.5}};
  EXPECT_EQ(call.Bound(0, {}, {in})[0].lo, 1);
  EXPECT_EQ(call.Bound(0, {}, {in})[0].hi, 4);
  const Verdict expected[] = {kOutside, kInside, kInside, kOutside, kInside, kOutside};
  for (int i = 0; i < 6; ++i) EXPECT_THAT(call.Accept({double(i)}, 0, {}, {in}), ElementsAre(expected[i])) << i;
  const OneCall ties = ArgMin(Quant8({2, 3}, {9, 5, 5, 1, 1, 1}, 1, 0), 1);
  EXPECT_THAT(ties.Accept({1, 0}), ElementsAre(kInside, kInside));
  EXPECT_THAT(ties.Accept({2, 2}), ElementsAre(kOutside, kOutside));
}

TEST(ArgMin, LevelsAndRules) {
  EXPECT_EQ(ArgMin(Int32({1}, {1}), 0).level(), 3);
  EXPECT_EQ(ArgMin(Quant8Signed({1}, {1}, 1, 0), 0).level(), 4);
  RuleBook rules(OperationCode::ARGMIN);
  rules.Valid(ArgMin(Float32({2, 2}, {1}), 0));
  rules.Breaks("axis", {Float32({2, 2}, {1}), Int(-3)}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

TEST(ArgMax, UnknownShapesLevelsAndRules) {
  EXPECT_EQ(ArgMax(Float32({2, 3, 4}, {1}).UnknownDim(1), -1).inferred().front().shape, Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(ArgMax(Float32({2, 3}, {1}).UnknownRank(), -1).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(ArgMax(Float32({1}, {1}), 0).level(), 3);
  EXPECT_EQ(ArgMax(Int32({1}, {1}), 0).level(), 3);
  EXPECT_EQ(ArgMax(Quant8Signed({1}, {1}, 1, 0), 0).level(), 4);
  RuleBook rules(OperationCode::ARGMAX);
  rules.Valid(ArgMax(Float32({2, 2}, {1}), 0));
  rules.Breaks("axis", {Float32({2, 2}, {1}), Int(2)}, {Output(TENSOR_INT32)});
  rules.Breaks("axis", {Float32({2, 2}, {1}), Int(INT32_MIN)}, {Output(TENSOR_INT32)});
  rules.Breaks("types", {Bool8({2}, {1}), Int(0)}, {Output(TENSOR_INT32)});
  rules.Breaks("empty_input", {Float32({2, 0}, {}), Int(0)}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

// An index has no scale, whatever a model declares.
TEST(ArgMax, SaysThatItsOutputHasNoScale) {
  const OneCall call(OperationCode::ARGMAX, {Float32({3}, {1, 2, 3}), Int(0)}, {Output(TENSOR_INT32)});
  ASSERT_EQ(call.inferred().size(), 1u);
  ASSERT_TRUE(call.inferred()[0].quantization.has_value());
  EXPECT_EQ(call.inferred()[0].quantization->scale, 0);
}

}  // namespace
}  // namespace assay
