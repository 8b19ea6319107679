// STRIDED_SLICE against its formula.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

struct Cut {
  std::vector<int64_t> begin, end, strides;
  int32_t begin_mask = 0, end_mask = 0, shrink = 0;
};
OneCall StridedSlice(Given input, const Cut& c) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  const auto rank = static_cast<uint32_t>(c.begin.size());
  return {OperationCode::STRIDED_SLICE,
          {std::move(input), Int32({rank}, c.begin), Int32({rank}, c.end), Int32({rank}, c.strides), Int(c.begin_mask),
           Int(c.end_mask), Int(c.shrink)},
          {out}};
}
std::vector<double> Of(std::vector<double> x, int64_t begin, int64_t end, int64_t stride, int32_t begin_mask = 0,
                       int32_t end_mask = 0) {
  const auto size = static_cast<uint32_t>(x.size());
  return StridedSlice(Float32({size}, x), {{begin}, {end}, {stride}, begin_mask, end_mask}).Golden();
}

TEST(StridedSlice, ForwardsByHand) {
  const std::vector<double> x{0, 1, 2, 3, 4};
  EXPECT_THAT(Of(x, 1, 4, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(Of(x, 0, 5, 2), ElementsAre(0, 2, 4));
  EXPECT_THAT(Of(x, -3, -1, 1), ElementsAre(2, 3));
  EXPECT_THAT(Of(x, -100, 100, 3), ElementsAre(0, 3));
  EXPECT_THAT(Of(x, 3, 1, 1), ElementsAre());
  EXPECT_THAT(Of(x, 7, 9, 1), ElementsAre());
  EXPECT_THAT(Of(x, 3, 2, 1, 1, 0), ElementsAre(0, 1));
  EXPECT_THAT(Of(x, 3, 2, 1, 0, 1), ElementsAre(3, 4));
}

TEST(StridedSlice, BackwardsByHand) {
  const std::vector<double> x{0, 1, 2, 3, 4};
  EXPECT_THAT(Of(x, 3, 0, -1), ElementsAre(3, 2, 1));
  EXPECT_THAT(Of(x, 100, -6, -2), ElementsAre(4, 2, 0));
  EXPECT_THAT(Of(x, 4, -1, -1), ElementsAre());  // -1 is the last element
  EXPECT_THAT(Of(x, -2, -5, -1), ElementsAre(3, 2, 1));
  EXPECT_THAT(Of(x, 1, 3, -1, 1, 0), ElementsAre(4));
  EXPECT_THAT(Of(x, 2, 3, -1, 0, 1), ElementsAre(2, 1, 0));
  EXPECT_THAT(Of(x, INT32_MAX, INT32_MIN, INT32_MIN), ElementsAre(4));
}

// Each dimension by its own loop, from the words of the specification.
std::vector<int64_t> Chosen(int64_t size, const Cut& c, size_t i) {
  const auto bit = [&](int32_t mask) { return (mask >> i & 1) != 0; };
  const int64_t stride = c.strides[i];
  int64_t at = c.begin[i], end = c.end[i];
  if (at < 0) at += size;
  if (end < 0) end += size;
  if (bit(c.begin_mask)) at = stride > 0 ? 0 : size - 1;
  if (bit(c.end_mask)) end = stride > 0 ? size : -1;
  while (stride > 0 && at < 0) at = 0;
  while (stride < 0 && at > size - 1) at = size - 1;
  std::vector<int64_t> chosen;
  for (; at >= 0 && at < size && (stride > 0 ? at < end : at > end); at += stride) chosen.push_back(at);
  return chosen;
}

TEST(StridedSlice, FourDimensionsWithMasks) {
  const Dims dims{4, 5, 6, 7};
  const std::vector<int64_t> x = NoiseCodes(Count(dims), 3, 0, 255);
  const Cut cuts[] = {{{1, 4, 0, -1}, {4, 0, 6, -8}, {2, -2, 4, -3}},
                      {{1, 4, 9, 2}, {4, 0, 6, 5}, {1, -1, -1, 2}, 8, 6, 0},
                      {{1, -2, 3, 2}, {4, 5, 4, 3}, {1, 1, 1, 1}, 0, 0, 12},
                      {{3, 3, 0, 0}, {2, 2, 6, 7}, {-1, -1, 5, 6}, 3, 3, 0}};
  for (const Cut& c : cuts) {
    std::vector<std::vector<int64_t>> chosen;
    Dims all, kept;
    for (size_t i = 0; i < 4; ++i) {
      chosen.push_back(Chosen(dims[i], c, i));
      all.push_back(static_cast<uint32_t>(chosen[i].size()));
      if ((c.shrink >> i & 1) == 0) kept.push_back(all[i]);
    }
    const auto expected = Taken(x, dims, all, [&](const Index& at) {
      Index from(4);
      for (size_t i = 0; i < 4; ++i) from[i] = chosen[i][static_cast<size_t>(at[i])];
      return from;
    });
    const OneCall call = StridedSlice(Quant8(dims, x, 0.5, 9), c);
    EXPECT_EQ(call.dims(), kept);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
  }
}

TEST(StridedSlice, EveryTypeAllRemovedAndNotKnown) {
  const Cut one{{1, 0}, {2, 1}, {1, 1}, 0, 0, 3};
  EXPECT_EQ(StridedSlice(Float32({2, 2}, {1, 2, 3, 4}), one).dims(), Dims({1}));
  EXPECT_THAT(StridedSlice(Float16({2, 2}, {1, 2, 3, 4}), one).Golden(), ElementsAre(3));
  EXPECT_THAT(StridedSlice(Quant8Signed({2, 2}, {1, 2, -3, 4}, 1, 0), one).GoldenCodes(), ElementsAre(-3));
  const Cut part{{0, 0}, {2, 1}, {1, 1}, 0, 0, 2};
  EXPECT_EQ(StridedSlice(Float32({2, 2}, {1}).UnknownDim(0), part).inferred().front().shape, Shape::Of({kUnknownDim}));
  EXPECT_EQ(StridedSlice(Float32({2, 2}, {1}).UnknownRank(), part).inferred().front().shape, Shape::Of({kUnknownDim}));
}

TEST(StridedSlice, LevelsAndRules) {
  EXPECT_EQ(StridedSlice(Float32({2}, {1}), {{0}, {1}, {1}}).level(), 2);
  EXPECT_EQ(StridedSlice(Float16({2}, {1}), {{0}, {1}, {1}}).level(), 3);
  EXPECT_EQ(StridedSlice(Quant8Signed({2}, {1}, 1, 0), {{0}, {1}, {1}}).level(), 4);
  RuleBook rules(OperationCode::STRIDED_SLICE);
  const auto breaks = [&](const std::string& rule, Given input, const Cut& c) {
    const OneCall call = StridedSlice(std::move(input), c);
    rules.BreaksAmongOthers(rule, call.inputs(), call.outputs());
    EXPECT_EQ(call.broken(), std::set<std::string>{rule});
  };
  rules.Valid(StridedSlice(Float32({2, 2}, {1}), {{0, 0}, {1, 2}, {1, 1}}));
  breaks("rank", Float32({1, 1, 1, 1, 1}, {1}), {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}});
  breaks("vectors", Float32({2, 2}, {1}), {{0}, {1}, {1}});
  breaks("stride", Float32({2}, {1}), {{0}, {1}, {0}});
  breaks("shrink", Float32({3}, {1}), {{0}, {2}, {1}, 0, 0, 1});
  breaks("shrink", Float32({3}, {1}), {{2}, {1}, {-1}, 0, 0, 1});
  breaks("empty_input", Float32({0}, {}), {{0}, {1}, {1}});
  rules.Breaks("vectors",
               {Float32({2}, {1}), Int32({1}, {0}), Int32({1, 1}, {1}), Int32({1}, {1}), Int(0), Int(0), Int(0)},
               {Output(TENSOR_FLOAT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
