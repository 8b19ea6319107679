// The operators: every number that a device may get lies inside of the bounds, and the bounds are not wider than that.
#include "numeric/bounded.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Device;
using test::Exact;
using test::Random;

constexpr double kInf = std::numeric_limits<double>::infinity();
// Where lo or hi is moved to when a device's number may have another sign than the exact one.
constexpr double kMark = std::numeric_limits<double>::denorm_min();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

static_assert(std::is_trivially_copyable_v<Bounded<Fp32>> && sizeof(Bounded<Fp32>) == 5 * sizeof(double));
static_assert(std::is_convertible_v<double, Bounded<Fp32>>);

enum Operator { kPlus, kMinus, kTimes, kOver, kOperators };
constexpr const char* kNames[] = {"+", "-", "*", "/"};

template <class T>
T Apply(Operator op, T a, T b) {
  switch (op) {
    case kPlus:
      return a + b;
    case kMinus:
      return a - b;
    case kTimes:
      return a * b;
    default:
      return a / b;
  }
}
template <class F>
double OnDevice(Operator op, Device<F>& device, double a, double b) {
  switch (op) {
    case kPlus:
      return device.Add(a, b);
    case kMinus:
      return device.Subtract(a, b);
    case kTimes:
      return device.Multiply(a, b);
    default:
      return device.Divide(a, b);
  }
}

template <class F>
class BoundedTest : public testing::Test {};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(BoundedTest, Formats);

TYPED_TEST(BoundedTest, OperatorsHoldEveryExactAndEveryDeviceResult) {
  using F = TypeParam;
  const int range = std::is_same_v<F, Fp32> ? 40 : 6;
  Random random(2);
  for (int o = 0; o < kOperators; ++o) {
    const auto op = static_cast<Operator>(o);
    int judged = 0;
    double fullest = 0;  // how much of err a device used, at most
    for (int i = 0; i < 4000; ++i) {
      // Now and then so small that results are subnormal and may be flushed.
      const double small = random.OneIn(6) ? std::sqrt(F::kTiny) * 0x1p-2 : 1;
      const auto a = test::Drawn<F>(random, small * random.Spread(-range / 2, range));
      auto b = test::Drawn<F>(
          random, random.OneIn(2) ? -a.value * (1 + random.Unit() / 64) : small * random.Spread(-range, range));
      const auto y = Apply(op, a, b);
      ASSERT_TRUE(y.IsFinite() || y.IsUnknown());
      if (y.IsUnknown()) continue;
      ++judged;
      ASSERT_LE(y.lo, y.value);
      ASSERT_LE(y.value, y.hi);
      Exact least = kInf, most = -kInf;
      for (int j = 0; j < 16; ++j) {
        // The corners come first, then anything.
        const double p = j < 4 ? (j & 1 ? a.lo : a.hi) : random.Pick(a.lo, a.hi);
        const double q = j < 4 ? (j & 2 ? b.lo : b.hi) : random.Pick(b.lo, b.hi);
        const Exact exact = Apply(op, Exact(p), Exact(q));
        ASSERT_GE(exact, Exact(y.lo)) << p << kNames[o] << q;
        ASSERT_LE(exact, Exact(y.hi)) << p << kNames[o] << q;
        least = std::min(least, exact);
        most = std::max(most, exact);
        Device<F> device(random);
        const double got = OnDevice(op, device, random.Pick(a.Lo(), a.Hi()), random.Pick(b.Lo(), b.Hi()));
        ASSERT_GE(got, y.Lo()) << p << kNames[o] << q;
        ASSERT_LE(got, y.Hi()) << p << kNames[o] << q;
        fullest = std::max(fullest, test::Used(y, got));
      }
      // The hull is the hull of the corners, up to a few roundings of double and the mark of a lost sign.
      const double size = std::max(std::fabs(y.lo), std::fabs(y.hi)) * 0x1p-50;
      ASSERT_LE(static_cast<double>(least - Exact(y.lo)), y.lo == -kMark ? static_cast<double>(least) + kMark : size);
      ASSERT_LE(static_cast<double>(Exact(y.hi) - most), y.hi == kMark ? static_cast<double>(-most) + kMark : size);
    }
    EXPECT_GT(judged, 2000) << kNames[o];
    EXPECT_GT(fullest, op == kOver ? 0.5 : 0.8) << kNames[o];
  }
}

// Straight-line programs of operators: roundings of many steps add up inside the bounds.
TYPED_TEST(BoundedTest, ProgramsOfManySteps) {
  using F = TypeParam;
  Random random(3);
  int judged = 0;
  for (int i = 0; i < 2000; ++i) {
    struct Step {
      Operator op;
      size_t a, b;
    };
    std::vector<Bounded<F>> values;
    for (int j = 0; j < 4; ++j) values.push_back(test::Drawn<F>(random, random.Spread(-2, 2)));
    std::vector<Step> steps;
    for (int j = 0; j < 8; ++j) {
      const Step s{static_cast<Operator>(random.Below(kOperators)), random.Below(values.size()),
                   random.Below(values.size())};
      steps.push_back(s);
      values.push_back(Apply(s.op, values[s.a], values[s.b]));
    }
    for (int run = 0; run < 8; ++run) {
      Device<F> device(random);
      std::vector<double> exact, got;
      for (size_t j = 0; j < values.size(); ++j) {
        const Bounded<F>& bound = values[j];
        if (j < 4) {
          exact.push_back(random.Pick(bound.lo, bound.hi));
          got.push_back(random.OneIn(2) ? exact.back() : random.Pick(bound.Lo(), bound.Hi()));
          continue;
        }
        const Step s = steps[j - 4];
        exact.push_back(Apply(s.op, exact[s.a], exact[s.b]));
        got.push_back(OnDevice(s.op, device, got[s.a], got[s.b]));
        if (bound.IsUnknown()) {
          ASSERT_TRUE(bound.Contains(got.back()));
          continue;
        }
        ++judged;
        // `exact` is kept in double: a few roundings of it.
        const double room = 0x1p-45 * (bound.Magnitude() + 1);
        ASSERT_GE(exact.back(), bound.lo - room);
        ASSERT_LE(exact.back(), bound.hi + room);
        ASSERT_GE(got.back(), bound.Lo());
        ASSERT_LE(got.back(), bound.Hi());
      }
    }
  }
  EXPECT_GT(judged, 20000);
}

TYPED_TEST(BoundedTest, ExactResultsStayPointsAndZeroIsExact) {
  using B = Bounded<TypeParam>;
  const B sum = B(1.5) + B(2.25);
  EXPECT_EQ(sum.lo, 3.75);
  EXPECT_EQ(sum.hi, 3.75);
  EXPECT_GT(sum.below, 0);
  EXPECT_GT(sum.above, 0);
  EXPECT_TRUE((B(1.5) - B(1.5)).IsPoint());
  EXPECT_TRUE((B(0) * B(1.5)).IsPoint());
  EXPECT_EQ((B(6) / B(3)).lo, 2);
  EXPECT_EQ((B(6) / B(3)).hi, 2);
  const B third = B(1) / B(3);
  EXPECT_LT(third.lo, third.hi);
  EXPECT_LE(third.hi - third.lo, 0x1p-53);
  const B minus = -B(1, 3, 2, 0.5, 0.25);
  EXPECT_EQ(minus.lo, -3);
  EXPECT_EQ(minus.hi, -1);
  EXPECT_EQ(minus.value, -2);
  EXPECT_EQ(minus.below, 0.25);
  EXPECT_EQ(minus.above, 0.5);
}

TYPED_TEST(BoundedTest, RoundingKeepsTheSign) {
  using B = Bounded<TypeParam>;
  const B positive(0, 1, 0.5, 0.25, 0.25);
  EXPECT_EQ(positive.Lo(), 0);
  EXPECT_EQ(positive.Hi(), 1.25);
  EXPECT_EQ((-positive).Hi(), 0);
  // Two positive numbers with roundings of their own: their difference may come out negative though exactly it is not.
  const B difference = B(1, 1, 1, 0.1, 0.1) - B(1, 1, 1, 0.1, 0.1);
  EXPECT_LT(difference.Lo(), -0.19);
  EXPECT_GT(difference.Hi(), 0.19);
  EXPECT_EQ(difference.lo, -kMark);
  EXPECT_EQ(difference.hi, kMark);
}

TYPED_TEST(BoundedTest, UnknownAbsorbs) {
  using B = Bounded<TypeParam>;
  const B unknown = B::Unknown();
  const B specials[] = {unknown, B(kInf), B(-kInf), B(kNan)};
  for (const B& x : specials) {
    for (const B& y : {B(0), B(1), B(-1, 1, 0), unknown, B(kInf), B(kNan)}) {
      for (int o = 0; o < kOperators; ++o) {
        EXPECT_TRUE(Apply(static_cast<Operator>(o), x, y).IsUnknown()) << o;
        EXPECT_TRUE(Apply(static_cast<Operator>(o), y, x).IsUnknown()) << o;
      }
    }
    EXPECT_TRUE((-x).IsUnknown());
  }
  EXPECT_TRUE(unknown.Contains(kNan));
  EXPECT_TRUE(unknown.Contains(kInf));
  EXPECT_FALSE(B(1, 2, 1.5).Contains(kNan));
  EXPECT_TRUE(B(kNan).IsExactNan());
  EXPECT_FALSE(B(kNan).IsFinite());
  EXPECT_FALSE(B(kNan).IsUnknown());
  EXPECT_FALSE(B(kNan).IsPoint());
  EXPECT_TRUE(B(-kInf).IsExactInfinity());
  EXPECT_FALSE(unknown.IsExactInfinity());
}

TYPED_TEST(BoundedTest, PolesAndOverflowAreUnknown) {
  using F = TypeParam;
  using B = Bounded<F>;
  EXPECT_TRUE((B(1) / B(0)).IsUnknown());
  EXPECT_TRUE((B(1) / B(-1, 2, 0.5)).IsUnknown());
  EXPECT_TRUE((B(1) / B(0.25, 2, 0.5, 0.5, 0.5)).IsUnknown()) << "its roundings may have made it zero";
  EXPECT_FALSE((B(1) / B(0.25, 2, 0.5, 0.125, 0.125)).IsUnknown());
  EXPECT_TRUE((B(1) / B(F::kTiny / 2)).IsUnknown()) << "may be flushed to zero";
  EXPECT_TRUE((B(F::kMax) + B(F::kMax)).IsUnknown());
  EXPECT_TRUE((B(-F::kMax) * B(2)).IsUnknown());
  EXPECT_FALSE((B(F::kMax / 4) + B(F::kMax / 4)).IsUnknown());
  EXPECT_TRUE((B(F::kMax) / B(0.5)).IsUnknown());
  // One divided by a huge number is subnormal, and may be flushed before it is multiplied.
  const B lost = B(F::kMax / 2) / B(F::kMax / 2);
  EXPECT_LE(lost.Lo(), 0.5);
}

TYPED_TEST(BoundedTest, HullHoldsBoth) {
  using B = Bounded<TypeParam>;
  const B hull = Hull(B(1, 2, 1.5, 0.25, 0.25), B(5, 6, 5, 0.5, 0.5));
  EXPECT_EQ(hull.lo, 1);
  EXPECT_EQ(hull.hi, 6);
  EXPECT_EQ(hull.value, 1.5);
  EXPECT_LE(hull.Lo(), 0.75);
  EXPECT_EQ(hull.Hi(), 6.5);
  EXPECT_TRUE(Hull(B(1), B::Unknown()).IsUnknown());
  EXPECT_TRUE(Hull(B(1), B(kNan)).IsUnknown());
  EXPECT_TRUE(Hull(B(kNan), B(kNan)).IsExactNan());
  EXPECT_TRUE(Hull(B(kInf), B(kInf)).IsExactInfinity());
  EXPECT_TRUE(Hull(B(kInf), B(-kInf)).IsUnknown());
}

}  // namespace
}  // namespace assay
