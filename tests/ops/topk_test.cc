// TOPK_V2: order, ties, bounds and the relation.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall TopK(Given input, int32_t k) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::TOPK_V2, {std::move(input), Int(k)}, {out, Output(TENSOR_INT32)}};
}

TEST(TopK, ByHand) {
  const OneCall call = TopK(Float32({2, 4}, {1, 4, 2, 3, -1, -4, -2, -3}), 3);
  EXPECT_EQ(call.dims(0), Dims({2, 3}));
  EXPECT_EQ(call.dims(1), Dims({2, 3}));
  EXPECT_THAT(call.Golden(0), ElementsAre(4, 3, 2, -1, -2, -3));
  EXPECT_THAT(call.GoldenCodes(1), ElementsAre(1, 3, 2, 0, 2, 3));
  EXPECT_THAT(call.FastCodes(1), ElementsAre(1, 3, 2, 0, 2, 3));
  EXPECT_EQ(call.Widest(0), 0);
  EXPECT_EQ(call.Widest(1), 0);
  call.ExpectInside();
}

TEST(TopK, OfEqualOnesTheLastComesFirst) {
  EXPECT_THAT(TopK(Quant8({5}, {7, 9, 9, 1, 9}, 0.5, 3), 4).GoldenCodes(1), ElementsAre(4, 2, 1, 0));
  EXPECT_THAT(TopK(Quant8Signed({3}, {-1, -1, -1}, 0.5, 3), 2).FastCodes(1), ElementsAre(2, 1));
  EXPECT_THAT(TopK(Float16({3}, {2, 2, 3}), 3).GoldenCodes(1), ElementsAre(2, 1, 0));
  // Not to be told apart in float32.
  const OneCall large = TopK(Int32({3}, {INT32_MAX - 1, INT32_MAX, INT32_MAX - 2}), 3);
  EXPECT_THAT(large.FastCodes(0), ElementsAre(INT32_MAX, INT32_MAX - 1, INT32_MAX - 2));
  EXPECT_THAT(large.FastCodes(1), ElementsAre(1, 0, 2));
}

TEST(TopK, InfinitiesAndNan) {
  const OneCall call = TopK(Float32({2, 3}, {1, INFINITY, -INFINITY, NAN, 2, 3}), 2);
  EXPECT_THAT(call.GoldenCodes(1), ElementsAre(1, 0, 0, 2));
  EXPECT_TRUE(call.Bound(0)[0].IsExactInfinity());
  EXPECT_TRUE(call.Bound(0)[2].IsUnknown());
  call.ExpectInside();
}

TEST(TopK, AgainstARepeatedSearch) {
  const Dims dims{3, 4, 7};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 5, 0, 9);  // with many ties
  const OneCall call = TopK(Quant8(dims, x, 0.5, 3), 5);
  std::vector<int64_t> values, indices;
  for (size_t row = 0; row < 12; ++row) {
    std::vector<bool> taken(7, false);
    for (int j = 0; j < 5; ++j) {
      size_t best = 7;
      for (size_t i = 0; i < 7; ++i)
        if (!taken[i] && (best == 7 || x[row * 7 + i] >= x[row * 7 + best])) best = i;
      taken[best] = true;
      values.push_back(x[row * 7 + best]);
      indices.push_back(static_cast<int64_t>(best));
    }
  }
  EXPECT_EQ(call.GoldenCodes(0), values);
  EXPECT_EQ(call.GoldenCodes(1), indices);
  call.ExpectHullHolds(0, 2, 50);
}

const std::vector<Interval> kWide{{-1, 1, 0}, {2, 4, 3}, {2.5, 4.5, 3.5}, {0, 2, 1}, {5, 6, 5.5}};

TEST(TopK, BoundsOfWhatMayBe) {
  const OneCall call = TopK(Float32({5}, {0, 3, 3.5, 1, 5.5}), 4);
  const std::vector<Interval> values = call.Bound(0, {}, {kWide}), indices = call.Bound(1, {}, {kWide});
  const double lo[] = {5, 2.5, 2, 0}, hi[] = {6, 4.5, 4, 2}, first[] = {4, 1, 1, 0}, last[] = {4, 2, 3, 3};
  for (size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(values[j].lo, lo[j]) << j;
    EXPECT_EQ(values[j].hi, hi[j]) << j;
    EXPECT_EQ(indices[j].lo, first[j]) << j;
    EXPECT_EQ(indices[j].hi, last[j]) << j;
  }
  call.ExpectHullHolds(1.5, 0, 200);
}

TEST(TopK, AcceptsWhatMayBe) {
  using enum Verdict;
  const OneCall call = TopK(Float32({5}, {0, 3, 3.5, 1, 5.5}), 3);
  ASSERT_TRUE(call.call()->HasAccept());
  const auto indices = [&](const std::vector<double>& answer) { return call.Accept(answer, 1, {}, {kWide}); };
  EXPECT_THAT(indices({4, 2, 1}), ElementsAre(kInside, kInside, kInside));
  EXPECT_THAT(indices({4, 1, 2}), ElementsAre(kInside, kInside, kInside));
  EXPECT_THAT(indices({2, 4, 1}), ElementsAre(kOutside, kInside, kInside));
  // 1 and 3 may be equal, and then the later one comes first.
  EXPECT_THAT(indices({4, 2, 3}), ElementsAre(kInside, kInside, kInside));
  EXPECT_THAT(indices({4, 2, 0}), ElementsAre(kInside, kInside, kOutside));
  EXPECT_THAT(indices({4, 4, 1}), ElementsAre(kInside, kOutside, kInside));
  EXPECT_THAT(indices({4, 2.5, 5}), ElementsAre(kInside, kOutside, kOutside));
  const auto values = [&](const std::vector<double>& answer) { return call.Accept(answer, 0, {}, {kWide}); };
  EXPECT_THAT(values({5, 4, 3}), ElementsAre(kInside, kInside, kInside));
  EXPECT_THAT(values({5, 3, 3.5}), ElementsAre(kInside, kInside, kOutside));
  EXPECT_THAT(values({7, 2, NAN}), ElementsAre(kOutside, kOutside, kOutside));
}

TEST(TopK, AcceptsExactTiesInTheirOrderOnly) {
  using enum Verdict;
  const OneCall ties = TopK(Quant8({1, 3}, {5, 9, 9}, 1, 0), 2);
  EXPECT_THAT(ties.Accept({2, 1}, 1), ElementsAre(kInside, kInside));
  EXPECT_THAT(ties.Accept({1, 2}, 1), ElementsAre(kOutside, kInside));
  const std::vector<Interval> open{5, Interval::Unknown(), 9};
  EXPECT_THAT(ties.Accept({0, 1}, 1, {}, {open}), ElementsAre(kUnknown, kUnknown));
  EXPECT_THAT(ties.Accept({0, 0}, 1, {}, {open}), ElementsAre(kUnknown, kOutside));
  EXPECT_THAT(ties.Accept({0, 1}, 0, {}, {open}), ElementsAre(kUnknown, kUnknown));
}

TEST(TopK, UnknownShapesLevelsAndRules) {
  const Given x = Float32({2, 3}, {1});
  EXPECT_EQ(TopK(x.UnknownDim(1), 2).inferred()[1].shape, Shape::Of({2, 2}));
  EXPECT_EQ(TopK(x.UnknownRank(), 2).inferred()[0].shape, Shape::Unranked());
  EXPECT_EQ(TopK(x, 2).level(), 3);
  EXPECT_EQ(TopK(Quant8Signed({2}, {1}, 1, 0), 2).level(), 4);
  RuleBook rules(OperationCode::TOPK_V2);
  rules.Valid(TopK(x, 2));
  rules.Breaks("k", {x, Int(4)}, {Output(TENSOR_FLOAT32), Output(TENSOR_INT32)});
  rules.Breaks("k.range", {x, Int(0)}, {Output(TENSOR_FLOAT32), Output(TENSOR_INT32)});
  rules.Breaks("empty_input", {Float32({0, 3}, {}), Int(1)}, {Output(TENSOR_FLOAT32), Output(TENSOR_INT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
