// LOGICAL_AND, LOGICAL_OR and LOGICAL_NOT against truth tables of two and of three values.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Connect(OperationCode code, Given x, Given y) {
  return {code, {std::move(x), std::move(y)}, {Output(TENSOR_BOOL8)}};
}
OneCall Not(Given input) { return {OperationCode::LOGICAL_NOT, {std::move(input)}, {Output(TENSOR_BOOL8)}}; }

// 1, 0, or ? for either.
std::string Text(const std::vector<Interval>& bound) {
  std::string out;
  for (const Interval& e : bound) out += e.lo == e.hi ? (e.lo == 1 ? "1" : "0") : "?";
  return out;
}

TEST(Logical, TruthTables) {
  const Given x = Bool8({2, 2}, {0, 0, 1, 1}), y = Bool8({2, 2}, {0, 1, 0, 1});
  for (const OperationCode code : {OperationCode::LOGICAL_AND, OperationCode::LOGICAL_OR}) {
    const OneCall call = Connect(code, x, y);
    const int64_t one = code == OperationCode::LOGICAL_OR;
    EXPECT_EQ(call.dims(), Dims({2, 2}));
    EXPECT_THAT(call.GoldenCodes(), ElementsAre(0, one, one, 1));
    EXPECT_THAT(call.FastCodes(), ElementsAre(0, one, one, 1));
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
  EXPECT_THAT(Not(Bool8({3}, {0, 1, 0})).GoldenCodes(), ElementsAre(1, 0, 1));
  EXPECT_THAT(Not(Bool8({3}, {0, 1, 0})).FastCodes(), ElementsAre(1, 0, 1));
  Not(Bool8({3}, {0, 1, 0})).ExpectInside();
  EXPECT_EQ(Not(Bool8({1, 2, 1, 2, 1, 2}, {1})).dims(), Dims({1, 2, 1, 2, 1, 2}));
}

TEST(Logical, EveryByteAboveZeroIsTrue) {
  const Given x = Bool8({4}, {0, 2, 255, 128}), y = Bool8({4}, {3, 4, 1, 0});
  EXPECT_THAT(Connect(OperationCode::LOGICAL_AND, x, y).GoldenCodes(), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(Connect(OperationCode::LOGICAL_OR, x, y).FastCodes(), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(Not(x).GoldenCodes(), ElementsAre(1, 0, 0, 0));
}

TEST(Logical, BroadcastsBothWays) {
  // [2, 1, 3] and [4, 1] -> [2, 4, 3]
  const std::vector<int64_t> a = NoiseCodes(6, 1, 0, 1), b = NoiseCodes(4, 2, 0, 1);
  const Given x = Bool8({2, 1, 3}, a), y = Bool8({4, 1}, b);
  std::vector<int64_t> both, either;
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 3; ++k) {
        both.push_back(a[i * 3 + k] != 0 && b[j] != 0);
        either.push_back(a[i * 3 + k] != 0 || b[j] != 0);
      }
  EXPECT_EQ(Connect(OperationCode::LOGICAL_AND, x, y).dims(), Dims({2, 4, 3}));
  EXPECT_EQ(Connect(OperationCode::LOGICAL_AND, x, y).GoldenCodes(), both);
  EXPECT_EQ(Connect(OperationCode::LOGICAL_OR, y, x).GoldenCodes(), either);
}

TEST(Logical, WhatIsKnownMayDecide) {
  const Interval maybe{0, 1, 1}, unknown = Interval::Unknown(), no = 0.0, yes = 1.0;
  const std::vector<Interval> x{maybe, maybe, maybe, unknown, unknown}, y{no, yes, maybe, no, yes};
  const Given values = Bool8({5}, {1});
  EXPECT_EQ(Text(Connect(OperationCode::LOGICAL_AND, values, values).Bound(0, {}, {x, y})), "0??0?");
  EXPECT_EQ(Text(Connect(OperationCode::LOGICAL_OR, values, values).Bound(0, {}, {x, y})), "?1??1");
  EXPECT_EQ(Text(Not(values).Bound(0, {}, {x})), "?????");
  EXPECT_EQ(Text(Not(values).Bound(0, {}, {y})), "10?10");
}

TEST(Logical, LevelsAndRules) {
  for (const OperationCode code : {OperationCode::LOGICAL_AND, OperationCode::LOGICAL_OR}) {
    EXPECT_EQ(Connect(code, Bool8({1}, {1}), Bool8({1}, {1})).level(), 3);
    EXPECT_EQ(Connect(code, Bool8({2, 3}, {1}).UnknownDim(0), Bool8({1, 3}, {1})).inferred().front().shape,
              Shape::Of({kUnknownDim, 3}));
    RuleBook rules(code);
    rules.Valid(Connect(code, Bool8({2}, {1}), Bool8({2}, {1})));
    rules.Breaks("broadcast", {Bool8({2, 3}, {1}), Bool8({2}, {1})}, {Output(TENSOR_BOOL8)});
    rules.Breaks("types", {Int32({1}, {1}), Int32({1}, {1})}, {Output(TENSOR_BOOL8)});
    rules.Breaks("empty_input", {Bool8({0}, {}), Bool8({1}, {1})}, {Output(TENSOR_BOOL8)});
    rules.ExpectComplete();
  }
  EXPECT_EQ(Not(Bool8({1}, {1})).level(), 3);
  EXPECT_EQ(Not(Bool8({2, 3}, {1}).UnknownRank()).inferred().front().shape, Shape::Unranked());
  RuleBook rules(OperationCode::LOGICAL_NOT);
  rules.Valid(Not(Bool8({2}, {1})));
  rules.Breaks("types", {Float32({1}, {1})}, {Output(TENSOR_BOOL8)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
