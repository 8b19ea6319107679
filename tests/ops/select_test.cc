// SELECT against its formula.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Choose(Given condition, Given a, Given b, Quantization declared = {}) {
  const OperandType type = a.argument.type;
  return {OperationCode::SELECT, {std::move(condition), std::move(a), std::move(b)}, {Output(type, declared)}};
}

const Given kWhich = Bool8({2, 2}, {1, 0, 0, 1});

TEST(SelectTest, EveryType) {
  const auto check = [](const OneCall& call) {
    EXPECT_EQ(call.dims(), Dims({2, 2}));
    EXPECT_THAT(call.Golden(), ElementsAre(1, -6, 7, 4));
    EXPECT_THAT(call.Fast(), ElementsAre(1, -6, 7, 4));
    EXPECT_EQ(call.Widest(), 0);  // nothing is computed
    call.ExpectInside();
  };
  check(Choose(kWhich, Float32({2, 2}, {1, 2, 3, 4}), Float32({2, 2}, {5, -6, 7, 8})));
  check(Choose(kWhich, Float16({2, 2}, {1, 2, 3, 4}), Float16({2, 2}, {5, -6, 7, 8})));
  check(Choose(kWhich, Int32({2, 2}, {1, 2, 3, 4}), Int32({2, 2}, {5, -6, 7, 8})));
  const Quantization q{0.5, 30, nullptr};
  check(Choose(kWhich, Quant8({2, 2}, {32, 0, 0, 38}, 0.5, 30), Quant8({2, 2}, {0, 18, 44, 0}, 0.5, 30), q));
  check(
      Choose(kWhich, Quant8Signed({2, 2}, {32, 0, 0, 38}, 0.5, 30), Quant8Signed({2, 2}, {0, 18, 44, 0}, 0.5, 30), q));
}

TEST(SelectTest, IntegersAndSpecialValuesAreMoved) {
  const int64_t big = INT32_MAX;
  EXPECT_THAT(Choose(kWhich, Int32({2, 2}, {big, 0, 0, -big}), Int32({2, 2}, {0, big - 1, 7, 0})).FastCodes(),
              ElementsAre(big, big - 1, 7, -big));
  // A scale means nothing.
  EXPECT_THAT(
      Choose(kWhich, Int32({2, 2}, {5, 0, 0, 6}, 0.5), Int32({2, 2}, {0, 7, 8, 0}, 2), {3, 0, nullptr}).GoldenCodes(),
      ElementsAre(5, 7, 8, 6));
  const double inf = HUGE_VAL;
  for (const auto& make : {Float32, Float16}) {
    const OneCall call = Choose(kWhich, make({2, 2}, {inf, 1, 2, NAN}), make({2, 2}, {3, -inf, 4, 5}));
    const std::vector<double> golden = call.Golden();
    EXPECT_EQ(golden[0], inf);
    EXPECT_EQ(golden[1], -inf);
    EXPECT_EQ(golden[2], 4);
    EXPECT_TRUE(std::isnan(golden[3]));
    call.ExpectInside();
    EXPECT_TRUE(call.Bound()[0].IsExactInfinity());
    EXPECT_TRUE(call.Bound()[3].IsExactNan());
  }
}

// Three quantizations: the element by its own, rounded half away from zero and saturated by the output's.
TEST(SelectTest, RequantizesTheChosen) {
  const struct {
    OperandType type;
    int64_t least, most;
  } types[] = {{TENSOR_QUANT8_ASYMM, 0, 255}, {TENSOR_QUANT8_ASYMM_SIGNED, -128, 127}};
  for (const auto& t : types) {
    const auto least = static_cast<int32_t>(t.least);
    const Quantization qa{0.375f, least + 90, nullptr}, qb{0.0625f, least + 128, nullptr},
        qo{0.25f, least + 100, nullptr};
    const auto a = NoiseCodes(120, 1, t.least, t.most), b = NoiseCodes(120, 2, t.least, t.most),
               c = NoiseCodes(120, 3, 0, 1);
    const OneCall call = Choose(Bool8({120}, c), Codes(t.type, {120}, a, qa), Codes(t.type, {120}, b, qb), qo);
    std::vector<int64_t> expected;
    for (size_t i = 0; i < 120; ++i) {
      const double real = c[i] != 0 ? 0.375 * static_cast<double>(a[i] - qa.zero_point)
                                    : 0.0625 * static_cast<double>(b[i] - qb.zero_point);
      expected.push_back(std::clamp<int64_t>(std::lround(real / 0.25) + qo.zero_point, t.least, t.most));
    }
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
    call.ExpectHullHolds(0, 2, 10);
    EXPECT_LE(call.Widest(), 3.001 * 0.25);
    // Only where the parameters are all the same nothing is computed.
    EXPECT_EQ(Choose(Bool8({120}, c), Codes(t.type, {120}, a, qa), Codes(t.type, {120}, b, qa), qa).Widest(), 0);
  }
}

TEST(SelectTest, HullOfBothWhereTheConditionIsOpen) {
  const OneCall call = Choose(Bool8({3}, {1, 0, 1}), Float32({3}, {1, 1, 1}), Float32({3}, {5, 5, 5}));
  const std::vector<Interval> bound = call.Bound(0, {}, {{{0, 1, 1}, Interval::Unknown(), 1.0}});
  EXPECT_EQ(bound[0].lo, 1);
  EXPECT_EQ(bound[0].hi, 5);
  EXPECT_EQ(bound[0].value, 1);
  EXPECT_EQ(bound[1].hi, 5);
  EXPECT_EQ(bound[2].hi, 1);
}

TEST(SelectTest, InfersFromWhateverIsKnown) {
  const Given c = Bool8({2, 3}, {1}), a = Float32({2, 3}, {1}), b = Float32({2, 3}, {2});
  EXPECT_EQ(Choose(c.UnknownRank(), a.UnknownDim(0), b.UnknownRank()).inferred().front().shape,
            Shape::Of({kUnknownDim, 3}));
  EXPECT_EQ(Choose(c.UnknownDim(1), a.UnknownDim(0), b.UnknownRank()).inferred().front().shape, Shape::Of({2, 3}));
  EXPECT_EQ(Choose(c.UnknownRank(), a.UnknownRank(), b.UnknownRank()).inferred().front().shape, Shape::Unranked());
}

TEST(SelectTest, LevelsAndRules) {
  const Given c = Bool8({2}, {1}), f = Float32({2}, {1});
  EXPECT_EQ(Choose(c, f, f).level(), 3);
  EXPECT_EQ(Choose(c, Int32({2}, {1}), Int32({2}, {1})).level(), 3);
  const Given s = Quant8Signed({2}, {1}, 1, 0);
  EXPECT_EQ(Choose(c, s, s, {1, 0, nullptr}).level(), 4);
  RuleBook rules(OperationCode::SELECT);
  const Given out = Output(TENSOR_FLOAT32);
  rules.Valid(Choose(c, f, f));
  rules.Breaks("dims", {c, f, Float32({3}, {1})}, {out});
  rules.Breaks("dims", {c, Float32({3}, {1}), f}, {out});
  rules.Breaks("dims", {Bool8({1}, {1}), f, f}, {out});  // no broadcasting
  rules.Breaks("dims", {c, Float32({1, 2}, {1}), f}, {out});
  rules.Breaks("dims", {c.UnknownRank(), f, Float32({3}, {1})}, {out});
  rules.Breaks("types", {c, f, Float16({2}, {1})}, {out});
  rules.Breaks("types", {c, c, c}, {Output(TENSOR_BOOL8)});
  rules.Breaks("empty_input", {Bool8({0}, {}), Float32({0}, {}), Float32({0}, {})}, {out});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
