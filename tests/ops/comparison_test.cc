// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS and LESS_EQUAL against their formulas.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Compare(OperationCode code, Given x, Given y) {
  return {code, {std::move(x), std::move(y)}, {Output(TENSOR_BOOL8)}};
}
OneCall Less(Given x, Given y) { return Compare(OperationCode::LESS, std::move(x), std::move(y)); }
OneCall Equal(Given x, Given y) { return Compare(OperationCode::EQUAL, std::move(x), std::move(y)); }

constexpr OperationCode kAllSix[] = {OperationCode::EQUAL,         OperationCode::NOT_EQUAL, OperationCode::GREATER,
                                     OperationCode::GREATER_EQUAL, OperationCode::LESS,      OperationCode::LESS_EQUAL};

bool Holds(OperationCode code, double x, double y) {
  switch (code) {
    case OperationCode::EQUAL:
      return x == y;
    case OperationCode::NOT_EQUAL:
      return x != y;
    case OperationCode::GREATER:
      return x > y;
    case OperationCode::GREATER_EQUAL:
      return x >= y;
    case OperationCode::LESS:
      return x < y;
    default:
      return x <= y;
  }
}

// Whole numbers, so that many are equal; unequal shapes; two parameter sets whose products are exact.
TEST(Comparison, EveryRelationOfEveryType) {
  const std::vector<int64_t> a = NoiseCodes(2 * 3 * 5, 1, 0, 4), b = NoiseCodes(5, 2, 0, 4);
  const std::vector<int64_t> p = NoiseCodes(2 * 3 * 5, 3, 0, 1), q = NoiseCodes(5, 4, 0, 1);
  const auto reals = [](const std::vector<int64_t>& v) { return std::vector<double>(v.begin(), v.end()); };
  const Dims x{2, 3, 5}, y{5};
  const struct {
    Given x, y;
    double x_scale, x_zero, y_scale, y_zero;
    bool is_bool;
  } cases[] = {
      {Float32(x, reals(a)), Float32(y, reals(b)), 1, 0, 1, 0, false},
      {Float16(x, reals(a)), Float16(y, reals(b)), 1, 0, 1, 0, false},
      {Int32(x, a), Int32(y, b), 1, 0, 1, 0, false},
      {Quant8(x, a, 0.5, 1), Quant8(y, b, 0.25, 3), 0.5, 1, 0.25, 3, false},
      {Quant8Signed(x, a, 0.5, 2), Quant8Signed(y, b, 1, -1), 0.5, 2, 1, -1, false},
      {Bool8(x, p), Bool8(y, q), 1, 0, 1, 0, true},
  };
  for (const OperationCode code : kAllSix)
    for (const auto& c : cases) {
      const std::vector<int64_t>&left = c.is_bool ? p : a, &right = c.is_bool ? q : b;
      std::vector<int64_t> expected, exchanged;
      for (size_t i = 0; i < left.size(); ++i) {
        const double u = c.x_scale * (static_cast<double>(left[i]) - c.x_zero);
        const double v = c.y_scale * (static_cast<double>(right[i % 5]) - c.y_zero);
        expected.push_back(Holds(code, u, v));
        exchanged.push_back(Holds(code, v, u));
      }
      const OneCall call = Compare(code, c.x, c.y);
      EXPECT_EQ(call.GoldenCodes(), expected) << NameOf(code);
      EXPECT_EQ(call.FastCodes(), expected) << NameOf(code);
      EXPECT_EQ(Compare(code, c.y, c.x).GoldenCodes(), exchanged) << NameOf(code);
      call.ExpectInside();
      EXPECT_EQ(call.Widest(), 0) << NameOf(code);
    }
}

TEST(Comparison, EveryType) {
  const auto check = [](const Given& x, const Given& y) {
    for (const OneCall& less : {Less(x, y)}) {
      EXPECT_THAT(less.GoldenCodes(), ElementsAre(1, 0, 0));
      EXPECT_THAT(less.FastCodes(), ElementsAre(1, 0, 0));
      less.ExpectInside();
      EXPECT_EQ(less.Widest(), 0);
    }
    EXPECT_THAT(Equal(x, y).GoldenCodes(), ElementsAre(0, 1, 0));
    EXPECT_THAT(Equal(x, y).FastCodes(), ElementsAre(0, 1, 0));
    Equal(x, y).ExpectInside();
  };
  check(Float32({3}, {-1, 0.5, 2}), Float32({3}, {0, 0.5, -2}));
  check(Float16({3}, {-1, 0.5, 2}), Float16({3}, {0, 0.5, -2}));
  // Not to be told apart in float32.
  check(Int32({3}, {INT32_MAX - 1, INT32_MIN, 1}), Int32({3}, {INT32_MAX, INT32_MIN, 0}));
  check(Quant8({3}, {10, 20, 30}, 0.5, 0), Quant8({3}, {11, 20, 29}, 0.5, 0));
  check(Quant8Signed({3}, {-128, 0, 127}, 0.5, 3), Quant8Signed({3}, {-127, 0, 126}, 0.5, 3));
  check(Bool8({3}, {0, 1, 1}), Bool8({3}, {1, 1, 0}));
}

// Real numbers by each side's own parameters: 0.5 * (20 - 10) == 0.25 * (20 - 0).
TEST(Comparison, QuantizedByTheirOwnParameters) {
  const Given x = Quant8({3}, {20, 20, 20}, 0.5, 10), y = Quant8({3}, {20, 21, 19}, 0.25, 0);
  EXPECT_THAT(Less(x, y).GoldenCodes(), ElementsAre(0, 1, 0));
  EXPECT_THAT(Equal(x, y).GoldenCodes(), ElementsAre(1, 0, 0));
  EXPECT_EQ(Equal(x, y).Widest(), 0);  // exact in float32
  Less(x, y).ExpectHullHolds(0, 2, 30);
}

// Integers are what is stored: a scale on a TENSOR_INT32 means nothing here.
TEST(Comparison, Int32IgnoresScales) {
  EXPECT_THAT(Less(Int32({2}, {3, 1}, 0.5f), Int32({2}, {2, 2})).GoldenCodes(), ElementsAre(0, 1));
  const OneCall equal = Equal(Int32({2}, {3, 1700298934}, 0.1f), Int32({2}, {3, 1700298934}, 0.7f));
  EXPECT_THAT(equal.GoldenCodes(), ElementsAre(1, 1));
  EXPECT_THAT(equal.FastCodes(), ElementsAre(1, 1));
  EXPECT_EQ(equal.Widest(), 0);
  equal.ExpectInside();
}

// As float32 numbers: 1.2f rounds to the same number as 3 * 0.4f, which is another real number.
TEST(Comparison, QuantizedAreRoundedToFloat32) {
  const Given x = Quant8({1}, {3}, 0.4f, 0), y = Quant8({1}, {1}, 1.2f, 0);
  ASSERT_NE(3.0 * double{0.4f}, double{1.2f});
  ASSERT_EQ(3.0f * 0.4f, 1.2f);
  EXPECT_THAT(Equal(x, y).GoldenCodes(), ElementsAre(1));
  EXPECT_THAT(Equal(x, y).FastCodes(), ElementsAre(1));
  EXPECT_EQ(Equal(x, y).Widest(), 1);  // another faithful rounding is not equal
}

TEST(Comparison, BroadcastsBothWays) {
  const std::vector<double> a = Noise(2 * 3, 1), b = Noise(4 * 3, 2);
  // [2, 1, 3] and [4, 1] -> [2, 4, 3]
  const OneCall less = Less(Float32({2, 1, 3}, a), Float32({4, 1}, {b.begin(), b.begin() + 4}));
  EXPECT_EQ(less.dims(), Dims({2, 4, 3}));
  std::vector<int64_t> expected;
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 4; ++j)
      for (size_t k = 0; k < 3; ++k) expected.push_back(static_cast<float>(a[i * 3 + k]) < static_cast<float>(b[j]));
  EXPECT_EQ(less.GoldenCodes(), expected);
  less.ExpectInside();
  EXPECT_EQ(Less(Float32({1, 1, 1, 1, 2}, {1}), Float32({1}, {1})).dims(), Dims({1, 1, 1, 1, 2}));
}

TEST(Comparison, OverlappingIntervalsMayBeEither) {
  const OneCall less = Less(Float32({3}, {0, 0, 5}), Float32({3}, {1, 3, 1}));
  const std::vector<Interval> x{{-1, 1.5, 0}, {-1, 1.5, 0}, {4, 6, 5}};
  const std::vector<Interval> bound = less.Bound(0, {}, {x});
  EXPECT_EQ(bound[0].lo, 0);
  EXPECT_EQ(bound[0].hi, 1);
  EXPECT_EQ(bound[1].lo, 1);
  EXPECT_EQ(bound[2].hi, 0);
  less.ExpectHullHolds(1.5, 0, 50);
  const OneCall equal = Equal(Float32({2}, {0, 4}), Float32({2}, {1, 9}));
  EXPECT_EQ(equal.Bound(0, {}, {{{-1, 1.5, 0}, {3, 5, 4}}})[0].hi, 1);
  EXPECT_EQ(equal.Bound(0, {}, {{{-1, 1.5, 0}, {3, 5, 4}}})[1].hi, 0);
  equal.ExpectHullHolds(3, 0, 50);
}

// [0, 2] against [2, 3] and against [1, 1]; the points 2 and 2.
TEST(Comparison, BoundsOfEveryRelation) {
  const std::vector<Interval> x{{0, 2, 1}, {0, 2, 1}, {2, 2, 2}}, y{{2, 3, 2}, {1, 1, 1}, {2, 2, 2}};
  const auto bound = [&](OperationCode code) {
    std::string out;
    for (const Interval& e : Compare(code, Float32({3}, {1, 1, 2}), Float32({3}, {2, 1, 2})).Bound(0, {}, {x, y}))
      out += e.lo == e.hi ? (e.lo == 1 ? "1" : "0") : "?";
    return out;
  };
  EXPECT_EQ(bound(OperationCode::EQUAL), "??1");
  EXPECT_EQ(bound(OperationCode::NOT_EQUAL), "??0");
  EXPECT_EQ(bound(OperationCode::GREATER), "0?0");
  EXPECT_EQ(bound(OperationCode::GREATER_EQUAL), "??1");
  EXPECT_EQ(bound(OperationCode::LESS), "??0");
  EXPECT_EQ(bound(OperationCode::LESS_EQUAL), "1?1");
  for (const OperationCode code : kAllSix)
    Compare(code, Float32({3}, {1, 1, 2}), Float32({1}, {2})).ExpectHullHolds(1, 0, 60);
}

TEST(Comparison, NanIsFalseAndUnequal) {
  for (const OperationCode code : kAllSix) {
    const OneCall call = Compare(code, Float32({3}, {NAN, 1, NAN}), Float32({3}, {1, NAN, NAN}));
    const int64_t expected = code == OperationCode::NOT_EQUAL;
    EXPECT_THAT(call.GoldenCodes(), ElementsAre(expected, expected, expected)) << NameOf(code);
    call.ExpectInside();
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(Less(Float32({2}, {nan, 1}), Float32({2}, {1, nan})).GoldenCodes(), ElementsAre(0, 0));
  EXPECT_THAT(Equal(Float32({1}, {nan}), Float32({1}, {nan})).GoldenCodes(), ElementsAre(0));
  Equal(Float32({1}, {nan}), Float32({1}, {nan})).ExpectInside();
}

TEST(Comparison, LevelsAndRules) {
  for (OperationCode code : kAllSix) {
    EXPECT_EQ(Compare(code, Float32({1}, {1}), Float32({1}, {1})).level(), 3);
    EXPECT_EQ(Compare(code, Bool8({1}, {1}), Bool8({1}, {1})).level(), 3);
    EXPECT_EQ(Compare(code, Quant8Signed({1}, {1}, 1, 0), Quant8Signed({1}, {1}, 1, 0)).level(), 4);
    RuleBook rules(code);
    rules.Valid(Compare(code, Float32({2}, {1}), Float32({2}, {1})));
    rules.Breaks("broadcast", {Float32({2, 3}, {1}), Float32({2}, {1})}, {Output(TENSOR_BOOL8)});
    rules.Breaks("types", {Float32({1}, {1}), Float16({1}, {1})}, {Output(TENSOR_BOOL8)});
    rules.Breaks("types", {Float32({1}, {1}), Float32({1}, {1})}, {Output(TENSOR_FLOAT32)});
    rules.Breaks("empty_input", {Float32({0}, {}), Float32({1}, {1})}, {Output(TENSOR_BOOL8)});
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
