// HASHTABLE_LOOKUP: hits, misses, and what is open.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Lookup(std::vector<int64_t> lookups, std::vector<int64_t> keys, Given values) {
  const Given out = Output(values.argument.type, values.argument.quantization);
  const auto count = static_cast<uint32_t>(lookups.size()), rows = static_cast<uint32_t>(keys.size());
  return {OperationCode::HASHTABLE_LOOKUP,
          {Int32({count}, lookups), Int32({rows}, keys), std::move(values)},
          {out, Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})}};
}

TEST(HashtableLookup, HitsAndMisses) {
  const OneCall call = Lookup({7, -5, 8, 100, -6, -5}, {-5, 0, 7}, Float32({3, 2}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(call.dims(0), Dims({6, 2}));
  EXPECT_EQ(call.dims(1), Dims({6}));
  EXPECT_THAT(call.Golden(0), ElementsAre(5, 6, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2));
  EXPECT_THAT(call.Fast(0), ElementsAre(5, 6, 1, 2, 0, 0, 0, 0, 0, 0, 1, 2));
  EXPECT_THAT(call.GoldenCodes(1), ElementsAre(1, 1, 0, 0, 0, 1));
  EXPECT_EQ(call.Widest(0), 0);
  call.ExpectInside();
  const OneCall ints = Lookup({INT32_MAX}, {INT32_MIN, INT32_MAX}, Int32({2, 1}, {1, INT32_MAX - 1}));
  EXPECT_THAT(ints.FastCodes(0), ElementsAre(INT32_MAX - 1));
}

TEST(HashtableLookup, AMissOfAQuantizedTensorIsTheByteOrTheNumberZero) {
  const OneCall call = Lookup({1, 2}, {1, 3}, Quant8({2, 1}, {9, 200}, 0.5, 4));
  EXPECT_THAT(call.GoldenCodes(0), ElementsAre(9, 0));
  EXPECT_THAT(call.FastCodes(0), ElementsAre(9, 0));
  const std::vector<Interval> bound = call.Bound(0);
  EXPECT_EQ(bound[0].lo, bound[0].hi);
  EXPECT_EQ(bound[1].lo, -2);
  EXPECT_EQ(bound[1].hi, 0);
  call.ExpectInside();
}

TEST(HashtableLookup, AnyByteButZeroIsAHit) {
  const std::vector<Interval> hits = Lookup({1, 2}, {1, 3}, Float32({2, 1}, {1, 2})).Bound(1);
  EXPECT_EQ(hits[0].lo, 1);
  EXPECT_EQ(hits[0].hi, 255);
  EXPECT_EQ(hits[1].lo, 0);
  EXPECT_EQ(hits[1].hi, 0);
}

TEST(HashtableLookup, KeysThatDoNotRiseGiveAnything) {
  for (const auto& keys : {std::vector<int64_t>{3, 1}, {1, 1}}) {
    const OneCall call = Lookup({1}, keys, Float32({2, 1}, {1, 2}));
    EXPECT_TRUE(call.Bound(0)[0].IsUnknown());
    EXPECT_TRUE(call.Bound(1)[0].IsUnknown());
  }
}

TEST(HashtableLookup, UnknownShapesLevelsAndRules) {
  const Given x = Float32({2, 3}, {1});
  EXPECT_EQ(Lookup({1}, {1, 3}, x.UnknownDim(1)).inferred()[0].shape, Shape::Of({1, kUnknownDim}));
  EXPECT_EQ(Lookup({1}, {1, 3}, x.UnknownRank()).inferred()[0].shape, Shape::Unranked());
  EXPECT_EQ(Lookup({1}, {1, 3}, x.UnknownRank()).inferred()[1].shape, Shape::Of({1}));
  EXPECT_EQ(Lookup({1}, {1, 3}, x).inferred()[1].quantization, (Quantization{1, 0, nullptr}));
  EXPECT_EQ(Lookup({1}, {1, 3}, x).level(), 1);
  RuleBook rules(OperationCode::HASHTABLE_LOOKUP);
  const std::vector<Given> out{Output(TENSOR_FLOAT32), Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})};
  const Given keys = Int32({2}, {1, 3}), lookups = Int32({1}, {1});
  rules.Valid(Lookup({1}, {1, 3}, x));
  rules.Breaks("lookups", {Int32({1, 1}, {1}), keys, x}, out);
  rules.Breaks("lookups", {Omitted(TENSOR_INT32), keys, x}, out);
  rules.Breaks("keys", {lookups, Int32({1, 2}, {1, 3}), x}, out);
  rules.Breaks("count", {lookups, Int32({3}, {1, 3, 4}), x}, out);
  rules.Breaks("empty_input", {lookups, keys, Float32({2, 0}, {})}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
