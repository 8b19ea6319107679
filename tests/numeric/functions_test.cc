// Functions: bounds against exact results and devices that compute them in clumsy but permitted ways.
#include "numeric/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "numeric/ulps.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Device;
using test::Exact;
using test::Random;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class F>
struct Function {
  std::string name;
  std::function<Bounded<F>(const Bounded<F>&)> bounded;
  std::function<long double(long double)> exact;
  std::function<double(Device<F>&, double)> device;
  double least, most;         // where arguments are drawn
  double used;                // of err, a device uses at least so much somewhere
  std::vector<double> turns;  // where it turns, so that the observed hull is the true one
};

std::vector<double> SinTurns() {
  std::vector<double> turns;
  for (int k = -20; k < 20; ++k) turns.push_back((k + 0.5) * std::numbers::pi);
  return turns;
}

template <class F>
std::vector<Function<F>> Functions() {
  using B = Bounded<F>;
  using D = Device<F>;
  const bool half = std::is_same_v<F, Fp16>;
  const auto same = [](long double x) { return x; };
  return {
      {"exp",
       [](const B& x) { return Exp(x); },
       [](long double x) { return std::exp(x); },
       [](D& d, double x) { return d.Exp(x); },
       half ? -9.0 : -80.0,
       half ? 10.0 : 80.0,
       0.2,
       {}},
      {"log",
       [](const B& x) { return Log(x); },
       [](long double x) { return std::log(x); },
       [](D& d, double x) { return d.Log(x); },
       0x1p-6,
       64,
       0.15,
       {}},
      {"sqrt",
       [](const B& x) { return Sqrt(x); },
       [](long double x) { return std::sqrt(x); },
       [](D& d, double x) { return d.Sqrt(x); },
       0,
       64,
       0.3,
       {}},
      {"rsqrt",
       [](const B& x) { return Rsqrt(x); },
       [](long double x) { return 1 / std::sqrt(x); },
       [](D& d, double x) { return d.Rsqrt(x); },
       0x1p-6,
       64,
       0.2,
       {}},
      {"sin", [](const B& x) { return Sin(x); }, [](long double x) { return std::sin(x); },
       [](D& d, double x) { return d.Sin(x); }, -30, 30, 0.1, SinTurns()},
      {"tanh",
       [](const B& x) { return Tanh(x); },
       [](long double x) { return std::tanh(x); },
       [](D& d, double x) { return d.Tanh(x); },
       -8,
       8,
       0.3,
       {}},
      {"logistic",
       [](const B& x) { return Logistic(x); },
       [](long double x) { return 1 / (1 + std::exp(-x)); },
       [](D& d, double x) { return d.Logistic(x); },
       -16,
       16,
       0.3,
       {}},
      {"square",
       [](const B& x) { return Square(x); },
       [](long double x) { return x * x; },
       [](D& d, double x) { return d.Multiply(x, x); },
       -8,
       8,
       0.8,
       {0}},
      {"reciprocal",
       [](const B& x) { return Reciprocal(x); },
       [](long double x) { return 1 / x; },
       [](D& d, double x) { return d.Divide(1, x); },
       0.25,
       8,
       0.3,
       {}},
      {"abs",
       [](const B& x) { return Abs(x); },
       [](long double x) { return std::fabs(x); },
       [](D&, double x) { return std::fabs(x); },
       -4,
       4,
       0.9,
       {0}},
      {"floor",
       [](const B& x) { return Floor(x); },
       [](long double x) { return std::floor(x); },
       [](D&, double x) { return std::floor(x); },
       -4,
       4,
       -1,
       {}},
      {"clamp",
       [](const B& x) { return Clamp(x, -1, 1.5); },
       [](long double x) { return std::clamp(x, -1.0L, 1.5L); },
       [](D&, double x) { return std::clamp(x, -1.0, 1.5); },
       -4,
       4,
       0.9,
       {}},
      {"inexact",
       [](const B& x) { return Inexact(x, 1); },
       same,
       [](D& d, double x) { return d.Round(x); },
       -4,
       4,
       0.8,
       {}},
      {"max",
       [](const B& x) { return Max(x, 0.5); },
       [](long double x) { return std::max(x, 0.5L); },
       [](D&, double x) { return std::max(x, 0.5); },
       -4,
       4,
       0.9,
       {}},
      {"min",
       [](const B& x) { return Min(x, 0.5); },
       [](long double x) { return std::min(x, 0.5L); },
       [](D&, double x) { return std::min(x, 0.5); },
       -4,
       4,
       0.9,
       {}},
  };
}

template <class F>
class FunctionsTest : public testing::Test {};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(FunctionsTest, Formats);

TYPED_TEST(FunctionsTest, HoldEveryExactAndEveryDeviceResult) {
  using F = TypeParam;
  Random random(4);
  for (const Function<F>& f : Functions<F>()) {
    SCOPED_TRACE(f.name);
    int judged = 0;
    double fullest = 0;
    for (int i = 0; i < 1500; ++i) {
      auto x = test::Drawn<F>(random, random.OneIn(3) ? random.Between(std::max(f.least, -1.0), std::min(f.most, 1.5))
                                                      : random.Between(f.least, f.most));
      if (f.least >= 0 && x.lo < 0) continue;
      const Bounded<F> y = f.bounded(x);
      if (y.IsUnknown()) continue;
      ++judged;
      ASSERT_TRUE(y.IsFinite());
      ASSERT_LE(y.lo, y.value);
      ASSERT_LE(y.value, y.hi);
      long double least = kInf, most = -kInf;
      std::vector<double> points = {x.lo, x.hi};
      for (double t : f.turns)
        if (x.lo <= t && t <= x.hi) points.push_back(t);
      for (int j = 0; j < 10; ++j) points.push_back(random.Between(x.lo, x.hi));
      for (double p : points) {
        const long double exact = f.exact(static_cast<long double>(p));
        ASSERT_GE(exact, static_cast<long double>(y.lo)) << p;
        ASSERT_LE(exact, static_cast<long double>(y.hi)) << p;
        least = std::min(least, exact);
        most = std::max(most, exact);
        Device<F> device(random);
        const double argument = random.Pick(x.Lo(), x.Hi());
        const double got = f.device(device, argument);
        ASSERT_GE(got, y.Lo()) << argument;
        ASSERT_LE(got, y.Hi()) << argument;
        fullest = std::max(fullest, test::Used(y, got));
      }
      const auto room = static_cast<long double>((std::max(std::fabs(y.lo), std::fabs(y.hi))) * 0x1p-48);
      // Where a device may get the sign wrong, the bound is moved just across zero.
      const bool low_mark = std::fabs(y.lo) < 1e-300, high_mark = std::fabs(y.hi) < 1e-300;
      ASSERT_LE(least - static_cast<long double>(y.lo), low_mark ? least + room : room) << x.lo << " " << x.hi;
      ASSERT_LE(static_cast<long double>(y.hi) - most, high_mark ? room - most : room) << x.lo << " " << x.hi;
    }
    EXPECT_GT(judged, 900);
    EXPECT_GT(fullest, f.used);
  }
}

TYPED_TEST(FunctionsTest, PowHoldsEveryExactAndEveryDeviceResult) {
  using F = TypeParam;
  Random random(5);
  int judged = 0;
  double fullest = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto x = test::Drawn<F>(random, random.Between(0.1, 6));
    const auto y = test::Drawn<F>(random, random.Between(-3, 3));
    const auto z = Pow(x, y);
    if (z.IsUnknown()) continue;
    ++judged;
    long double least = kInf, most = -kInf;
    for (int j = 0; j < 12; ++j) {
      const double p = j < 4 ? (j & 1 ? x.lo : x.hi) : random.Pick(x.lo, x.hi);
      const double q = j < 4 ? (j & 2 ? y.lo : y.hi) : random.Pick(y.lo, y.hi);
      const long double exact = std::pow(static_cast<long double>(p), static_cast<long double>(q));
      ASSERT_GE(exact, static_cast<long double>(z.lo));
      ASSERT_LE(exact, static_cast<long double>(z.hi));
      least = std::min(least, exact);
      most = std::max(most, exact);
      Device<F> device(random);
      const double got = device.Pow(random.Pick(x.Lo(), x.Hi()), random.Pick(y.Lo(), y.Hi()));
      ASSERT_GE(got, z.Lo());
      ASSERT_LE(got, z.Hi());
      fullest = std::max(fullest, test::Used(z, got));
    }
    const long double room = most * 0x1p-48L;
    ASSERT_LE(least - static_cast<long double>(z.lo), room);
    ASSERT_LE(static_cast<long double>(z.hi) - most, room);
  }
  EXPECT_GT(judged, 2500);
  EXPECT_GT(fullest, 0.05);
}

TYPED_TEST(FunctionsTest, MaxAndMinOfTwoIntervals) {
  using B = Bounded<TypeParam>;
  const B a(1, 4, 2, 0.5, 0.5), b(2, 3, 3, 0.25, 0.25);
  const B most = Max(a, b), least = Min(a, b);
  EXPECT_EQ(most.lo, 2);
  EXPECT_EQ(most.hi, 4);
  EXPECT_EQ(most.value, 3);
  EXPECT_EQ(most.Hi(), 4.5);
  EXPECT_LE(most.Lo(), 1.75);
  EXPECT_EQ(least.lo, 1);
  EXPECT_EQ(least.hi, 3);
  EXPECT_EQ(least.value, 2);
}

TYPED_TEST(FunctionsTest, FloorCountsErrToo) {
  using B = Bounded<TypeParam>;
  const B y = Floor(B(1, 2.5, 1.5, 0.75, 0.75));
  EXPECT_EQ(y.lo, 1);
  EXPECT_EQ(y.hi, 2);
  EXPECT_EQ(y.Lo(), 0);
  EXPECT_EQ(y.Hi(), 3);
}

TYPED_TEST(FunctionsTest, DomainEdgesAndPolesAreUnknown) {
  using F = TypeParam;
  using B = Bounded<F>;
  EXPECT_TRUE(Log(B(0)).IsUnknown());
  EXPECT_TRUE(Log(B(-1)).IsUnknown());
  EXPECT_TRUE(Log(B(F::kTiny / 2)).IsUnknown());
  EXPECT_TRUE(Log(B(1, 2, 1, 1, 1)).IsUnknown());
  EXPECT_TRUE(Rsqrt(B(0, 1, 1)).IsUnknown());
  EXPECT_TRUE(Sqrt(B(-1, 1, 1)).IsUnknown());
  EXPECT_TRUE(Sqrt(B(1) - B(1, 1, 1, 0.5, 0.5)).IsUnknown()) << "its roundings may have made it negative";
  EXPECT_FALSE(Sqrt(B(0, 1, 1, 0.5, 0.5)).IsUnknown()) << "rounding keeps the sign";
  EXPECT_TRUE(Sqrt(B(0)).IsPoint());
  EXPECT_EQ(Sqrt(B(F::kTiny / 2)).Lo(), 0) << "flushed, then its root taken";
  EXPECT_TRUE(Pow(B(0), 2).IsUnknown());
  EXPECT_TRUE(Pow(B(-2), 2).IsUnknown());
  EXPECT_TRUE(Reciprocal(B(-1, 1, 0.5)).IsUnknown());
  EXPECT_TRUE(Exp(B(1000)).IsUnknown());
  const B tail = Exp(B(-1000));
  EXPECT_EQ(tail.Lo(), 0);
  EXPECT_GT(tail.Hi(), 0);
  EXPECT_LE(tail.Hi(), 2 * F::kTiny);
}

TYPED_TEST(FunctionsTest, UnknownAbsorbsAndSpecialsAreNotComputedWith) {
  using F = TypeParam;
  using B = Bounded<F>;
  for (const B& x : {B::Unknown(), B(kInf), B(-kInf), B(kNan)}) {
    for (const Function<F>& f : Functions<F>()) EXPECT_TRUE(f.bounded(x).IsUnknown()) << f.name;
    EXPECT_TRUE(Pow(x, 2).IsUnknown());
    EXPECT_TRUE(Pow(B(2), x).IsUnknown());
    EXPECT_TRUE(Max(B(1), x).IsUnknown());
  }
}

TYPED_TEST(FunctionsTest, ComparisonsAreThreeValued) {
  using B = Bounded<TypeParam>;
  EXPECT_EQ(Greater(B(2), B(1)), Truth::kYes);
  EXPECT_EQ(Greater(B(1), B(1)), Truth::kNo);
  EXPECT_EQ(Greater(B(1, 3, 2), B(2)), Truth::kMaybe);
  EXPECT_EQ(Greater(B(2, 2, 2, 0.5, 0.5), B(1.75)), Truth::kMaybe) << "err counts";
  EXPECT_EQ(Greater(B(2, 2, 2, 0.125, 0.125), B(1.75)), Truth::kYes);
  EXPECT_EQ(Less(B(1), B(2)), Truth::kYes);
  EXPECT_EQ(GreaterOrEqual(B(1), B(1)), Truth::kYes);
  EXPECT_EQ(GreaterOrEqual(B(1), B(1, 2, 1)), Truth::kMaybe);
  EXPECT_EQ(GreaterOrEqual(B(1), B(2)), Truth::kNo);
  EXPECT_EQ(Equal(B(1), B(1)), Truth::kYes);
  EXPECT_EQ(Equal(B(1), B(2)), Truth::kNo);
  EXPECT_EQ(Equal(B(1, 1, 1, 0.5, 0.5), B(1)), Truth::kMaybe);
  for (const B& x : {B::Unknown(), B(kNan)}) {
    for (const B& y : {B(0), B(kInf), B(-kInf), B(kNan), B::Unknown()}) {
      for (Truth t :
           {Greater(x, y), Greater(y, x), Equal(x, y), GreaterOrEqual(x, y), GreaterOrEqual(y, x), Less(x, y)})
        EXPECT_EQ(t, Truth::kMaybe);
    }
  }
}

TYPED_TEST(FunctionsTest, SelectMovesOrTakesTheHull) {
  using B = Bounded<TypeParam>;
  EXPECT_EQ(Select(Truth::kYes, B(1), 2).lo, 1);
  EXPECT_EQ(Select(Truth::kNo, B(1), 2).lo, 2);
  EXPECT_TRUE(Select(Truth::kYes, B(kNan), 2).IsExactNan());
  const B both = Select(Truth::kMaybe, B(1), 2);
  EXPECT_EQ(both.lo, 1);
  EXPECT_EQ(both.hi, 2);
  EXPECT_EQ(FromTruth<B>(Truth::kMaybe).hi, 1);
  EXPECT_EQ(FromTruth<B>(Truth::kMaybe).lo, 0);
  EXPECT_EQ(IsTrue(B(0, 1, 0)), Truth::kMaybe);
  EXPECT_EQ(IsTrue(B(1)), Truth::kYes);
  EXPECT_EQ(IsTrue(B(0)), Truth::kNo);
}

TEST(Truths, Tables) {
  using enum Truth;
  EXPECT_EQ(Not(kMaybe), kMaybe);
  EXPECT_EQ(And(kNo, kMaybe), kNo);
  EXPECT_EQ(And(kYes, kMaybe), kMaybe);
  EXPECT_EQ(And(kYes, kYes), kYes);
  EXPECT_EQ(Or(kYes, kMaybe), kYes);
  EXPECT_EQ(Or(kNo, kMaybe), kMaybe);
  EXPECT_EQ(Or(kNo, kNo), kNo);
}

TEST(PlainFunctions, AreTheLibrarys) {
  EXPECT_DOUBLE_EQ(Logistic(0.0), 0.5);
  EXPECT_DOUBLE_EQ(Logistic(2.0), 1 / (1 + std::exp(-2.0)));
  EXPECT_DOUBLE_EQ(Logistic(-2.0), std::exp(-2.0) / (1 + std::exp(-2.0)));
  EXPECT_EQ(Logistic(-1e4f), 0);
  EXPECT_EQ(Logistic(1e4f), 1);
  EXPECT_GT(Logistic(-80.0f), 0);
  EXPECT_TRUE(std::isnan(Logistic(kNan)));
  EXPECT_EQ(Max(1.0f, 2), 2);
  EXPECT_TRUE(std::isnan(Max(kNan, 1)));
  EXPECT_TRUE(std::isnan(Max(1.0, kNan)));
  EXPECT_TRUE(std::isnan(Min(kNan, 1)));
  EXPECT_TRUE(std::isnan(Min(1.0, kNan)));
  EXPECT_EQ(Clamp(7.0, 0, 6), 6);
  EXPECT_EQ(Clamp(-7.0f, 0, kInf), 0);
  EXPECT_TRUE(std::isnan(Clamp(kNan, 0, 6)));
  EXPECT_EQ(Greater(2.0f, 1), Truth::kYes);
  EXPECT_EQ(Equal(kNan, kNan), Truth::kNo);
  EXPECT_EQ(GreaterOrEqual(1.0, 1), Truth::kYes);
  EXPECT_EQ(Inexact(3.0f), 3);
  EXPECT_EQ(Rsqrt(4.0), 0.5);
  EXPECT_EQ(FromTruth<float>(Truth::kYes), 1);
}

TEST(Ulps, EveryEntryHasAReason) {
  for (const FunctionError& e : kFunctionErrors) {
    EXPECT_FALSE(e.function.empty());
    EXPECT_FALSE(e.reason.empty());
    EXPECT_GT(e.relative + e.absolute + e.by_argument, 0);
  }
}

}  // namespace
}  // namespace assay
