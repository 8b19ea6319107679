// ABS, EXP, FLOOR, LOG, NEG, RSQRT, SIN and SQRT against the C library and by hand.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Apply(OperationCode code, Given input, Quantization declared = {}) {
  const OperandType type = input.argument.type;
  return {code, {std::move(input)}, {Output(type, std::move(declared))}};
}

struct Case {
  OperationCode code;
  std::function<double(double)> exact;
  double least, most;  // of the arguments
};
const Case kCases[] = {
    {OperationCode::ABS, [](double x) { return std::fabs(x); }, -5, 5},
    {OperationCode::EXP, [](double x) { return std::exp(x); }, -6, 6},
    {OperationCode::FLOOR, [](double x) { return std::floor(x); }, -5, 5},
    {OperationCode::LOG, [](double x) { return std::log(x); }, 0.02, 20},
    {OperationCode::NEG, [](double x) { return -x; }, -5, 5},
    {OperationCode::RSQRT, [](double x) { return 1 / std::sqrt(x); }, 0.02, 20},
    {OperationCode::SIN, [](double x) { return std::sin(x); }, -20, 20},
    {OperationCode::SQRT, [](double x) { return std::sqrt(x); }, 0.02, 20},
};

TEST(ElementMath, IsTheFormulaOnFloats) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(NameOf(c.code));
    const std::vector<double> x = Noise(60, 1, c.least, c.most);
    const OneCall single = Apply(c.code, Float32({3, 4, 5}, x));
    EXPECT_EQ(single.dims(), Dims({3, 4, 5}));
    const std::vector<double> golden = single.Golden(), fast = single.Fast();
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = c.exact(double{static_cast<float>(x[i])});
      EXPECT_EQ(golden[i], double{static_cast<float>(exact)});
      EXPECT_NEAR(fast[i], exact, 3e-7 * (1 + std::fabs(exact)));
    }
    single.ExpectInside();
    single.ExpectHullHolds(0.01, 0, 30);
    const double most = std::fabs(c.exact(c.most)) + std::fabs(c.exact(c.least));
    EXPECT_LT(single.Widest(), 2 * (1e-5 + 1e-5 * most));
    EXPECT_LT(single.Widest(0, {.strict = true}), 4e-6 * (4 + most));
    const OneCall half = Apply(c.code, Float16({60}, x));
    half.ExpectInside();
    half.ExpectHullHolds(0.01, 0, 30);
    EXPECT_LT(half.Widest(), c.code == OperationCode::SIN ? 0.2 : 0.03 * (1 + most));
  }
}

TEST(ElementMath, IntegersAreExact) {
  const int64_t big = INT32_MAX;
  EXPECT_THAT(Apply(OperationCode::ABS, Int32({4}, {-big, big - 1, 0, -7})).FastCodes(),
              ElementsAre(big, big - 1, 0, 7));
  EXPECT_THAT(Apply(OperationCode::NEG, Int32({4}, {-big, big - 1, 0, -7})).GoldenCodes(),
              ElementsAre(big, -(big - 1), 0, 7));
  for (const OperationCode code : {OperationCode::ABS, OperationCode::NEG}) {
    const OneCall call = Apply(code, Int32({2}, {-big, 5}));
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
    EXPECT_TRUE(Apply(code, Int32({1}, {INT32_MIN})).Bound().front().IsUnknown());
    // As stored: a scale means nothing.
    EXPECT_THAT(Apply(code, Int32({1}, {-5}, 0.5), {2, 0, nullptr}).GoldenCodes(), ElementsAre(5));
  }
}

TEST(ElementMath, EdgesOfDomains) {
  const double inf = HUGE_VAL;
  const auto golden = [](OperationCode code, double x) { return Apply(code, Float32({1}, {x})).Golden().front(); };
  EXPECT_EQ(golden(OperationCode::LOG, 0), -inf);
  EXPECT_TRUE(std::isnan(golden(OperationCode::LOG, -1)));
  EXPECT_EQ(golden(OperationCode::RSQRT, 0), inf);
  EXPECT_TRUE(std::isnan(golden(OperationCode::RSQRT, -1)));
  EXPECT_TRUE(std::isnan(golden(OperationCode::SQRT, -1)));
  EXPECT_EQ(golden(OperationCode::SQRT, 0), 0);
  EXPECT_EQ(golden(OperationCode::EXP, 1000), inf);
  EXPECT_EQ(Apply(OperationCode::EXP, Float16({1}, {12})).Golden().front(), inf);
  for (const auto& [code, x] : {std::pair{OperationCode::LOG, 0.0},
                                {OperationCode::LOG, -1},
                                {OperationCode::RSQRT, 0},
                                {OperationCode::SQRT, -1},
                                {OperationCode::EXP, 1000}})
    EXPECT_TRUE(Apply(code, Float32({1}, {x})).Bound().front().IsUnknown()) << NameOf(code) << x;
  EXPECT_FALSE(Apply(OperationCode::SQRT, Float32({1}, {0})).Bound().front().IsUnknown());
}

TEST(Sin, HullTurns) {
  const OneCall call = Apply(OperationCode::SIN, Float32({1}, {1.5}));
  const Interval bound = call.Bound(0, {.strict = true}, {{Interval(1, 5, 1.5)}}).front();
  EXPECT_NEAR(bound.hi, 1, 1e-5);
  EXPECT_NEAR(bound.lo, -1, 1e-5);
  const Interval rising = call.Bound(0, {.strict = true}, {{Interval(-1, 1.5, 1.5)}}).front();
  EXPECT_NEAR(rising.hi, std::sin(1.5), 1e-5);
  EXPECT_NEAR(rising.lo, -std::sin(1.0), 1e-5);
}

TEST(Floor, AnswersAreWholeNumbersOfTheHull) {
  using enum Verdict;
  const OneCall call = Apply(OperationCode::FLOOR, Float32({3}, {-0.5, 2.9, 3}));
  EXPECT_THAT(call.Golden(), ElementsAre(-1, 2, 3));
  EXPECT_EQ(call.Widest(), 0);
  EXPECT_THAT(call.Accept({-1, 2, 3}), ElementsAre(kInside, kInside, kInside));
  EXPECT_THAT(call.Accept({0, 2.000001, NAN}), ElementsAre(kOutside, kOutside, kOutside));
  const std::vector<Interval> in{{-0.75, 0.25, -0.5}, {2.8, 4.1, 2.9}, Interval::Unknown()};
  EXPECT_EQ(call.Bound(0, {}, {in})[1].lo, 2);
  EXPECT_EQ(call.Bound(0, {}, {in})[1].hi, 4);
  EXPECT_THAT(call.Accept({0, 3, 5}, 0, {}, {in}), ElementsAre(kInside, kInside, kUnknown));
  EXPECT_THAT(call.Accept({-0.5, 3.5, 0.5}, 0, {}, {in}), ElementsAre(kOutside, kOutside, kUnknown));
  EXPECT_THAT(call.Accept({1, 5, 0}, 0, {}, {in}), ElementsAre(kOutside, kOutside, kUnknown));
  ASSERT_FALSE(Apply(OperationCode::ABS, Float32({1}, {1})).call()->HasAccept());
}

TEST(Rsqrt, QuantizedByTheFormula) {
  const struct {
    OperandType type;
    int32_t least, most;
  } types[] = {{TENSOR_QUANT8_ASYMM, 0, 255}, {TENSOR_QUANT8_ASYMM_SIGNED, -128, 127}};
  for (const auto& t : types) {
    const Quantization in{0.0625f, t.least + 20, nullptr}, out{0.03125f, t.least + 7, nullptr};
    std::vector<int64_t> codes, expected, beyond;
    for (int64_t code = t.least + 21; code <= t.most; ++code) {
      codes.push_back(code);
      const double real = 1 / std::sqrt(0.0625 * static_cast<double>(code - in.zero_point));
      expected.push_back(std::min<int64_t>(t.most, std::lround(real / 0.03125) + out.zero_point));
    }
    const auto count = static_cast<uint32_t>(codes.size());
    const OneCall call = Apply(OperationCode::RSQRT, Codes(t.type, {count}, codes, in), out);
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
    EXPECT_LE(call.Widest(), 3.001 * 0.03125);
    const OneCall upper =
        Apply(OperationCode::RSQRT, Codes(t.type, {3}, {t.least + 60, t.least + 99, t.most}, in), out);
    upper.ExpectHullHolds(0, 3, 20);
    // At and below zero.
    const OneCall pole =
        Apply(OperationCode::RSQRT, Codes(t.type, {3}, {t.least + 20, t.least + 19, t.least}, in), out);
    EXPECT_THAT(pole.GoldenCodes(), ElementsAre(t.most, t.most, t.most));
    EXPECT_THAT(pole.FastCodes(), ElementsAre(t.most, t.most, t.most));
    for (const Interval& e : pole.Bound()) EXPECT_TRUE(e.IsUnknown());
  }
}

TEST(ElementMath, LevelsShapesAndRules) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(NameOf(c.code));
    const bool is_floor = c.code == OperationCode::FLOOR;
    EXPECT_EQ(Apply(c.code, Float32({1}, {1})).level(), is_floor ? 1 : 3);
    EXPECT_EQ(Apply(c.code, Float16({1}, {1})).level(), 3);
    EXPECT_EQ(Apply(c.code, Float32({2, 3}, {1}).UnknownDim(1)).inferred().front().shape, Shape::Of({2, kUnknownDim}));
    EXPECT_EQ(Apply(c.code, Float32({2, 3}, {1}).UnknownRank()).inferred().front().shape, Shape::Unranked());
    RuleBook rules(c.code);
    rules.Valid(Apply(c.code, Float32({2}, {1})));
    rules.Breaks("types", {Bool8({1}, {1})}, {Output(TENSOR_BOOL8)});
    rules.Breaks("types", {Float32({1}, {1})}, {Output(TENSOR_FLOAT16)});
    rules.Breaks("empty_input", {Float32({2, 0}, {})}, {Output(TENSOR_FLOAT32)});
    if (is_floor) {
      rules.Breaks("rank", {Float32({1, 1, 1, 1, 2}, {1})}, {Output(TENSOR_FLOAT32)});
    } else {
      EXPECT_TRUE(Apply(c.code, Float32({1, 1, 1, 1, 2}, {1})).valid());
    }
    rules.ExpectComplete();
  }
  EXPECT_EQ(Apply(OperationCode::ABS, Int32({1}, {1})).level(), 4);
  EXPECT_EQ(Apply(OperationCode::NEG, Int32({1}, {1})).level(), 3);
  EXPECT_FALSE(Apply(OperationCode::SQRT, Int32({1}, {1})).valid());
  EXPECT_FALSE(Apply(OperationCode::NEG, Quant8({1}, {1}, 1, 0), {1, 0, nullptr}).valid());
  EXPECT_EQ(Apply(OperationCode::RSQRT, Quant8({1}, {1}, 1, 0), {1, 0, nullptr}).level(), 7);
  EXPECT_EQ(Apply(OperationCode::RSQRT, Quant8Signed({1}, {1}, 1, 0), {1, 0, nullptr}).level(), 7);
}

}  // namespace
}  // namespace assay
