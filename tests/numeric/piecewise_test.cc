// Functions of several pieces: bounds against exact results and devices that round every step.
#include "numeric/piecewise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Device;
using test::Exact;
using test::Random;

template <class F>
class PiecewiseTest : public testing::Test {
 protected:
  using B = Bounded<F>;
  Random random{7};

  // Every exact and every device's result lies inside; the hull is the true one (`turns`: where it may be).
  template <class OfBounded, class OfExact, class OfDevice>
  void Check(double least, double most, std::vector<double> turns, double used, OfBounded bounded, OfExact exact,
             OfDevice on_device) {
    int judged = 0;
    double fullest = 0;
    for (int i = 0; i < 2000; ++i) {
      const B x = test::Drawn<F>(random, random.Between(least, most));
      const B y = bounded(x);
      if (y.IsUnknown()) continue;
      ++judged;
      std::vector<double> points = {x.lo, x.hi};
      for (double t : turns)
        if (x.lo <= t && t <= x.hi) points.push_back(t);
      for (int k = 0; k < 10; ++k) points.push_back(random.Between(x.lo, x.hi));
      long double lowest = exact(static_cast<long double>(x.lo)), highest = lowest, size = 0;
      for (double p : points) {
        const long double e = exact(static_cast<long double>(p));
        ASSERT_GE(e, static_cast<long double>(y.lo)) << p;
        ASSERT_LE(e, static_cast<long double>(y.hi)) << p;
        lowest = std::min(lowest, e), highest = std::max(highest, e);
        size = std::max(size, 4 + std::fabs(static_cast<long double>(p)) + std::fabs(e));
        Device<F> device(random);
        const double argument = random.Pick(x.Lo(), x.Hi()), got = on_device(device, argument);
        ASSERT_GE(got, y.Lo()) << argument;
        ASSERT_LE(got, y.Hi()) << argument;
        fullest = std::max(fullest, test::Used(y, got));
      }
      // Where a device may get the sign wrong, the bound is moved just across zero.
      const long double room = size * 0x1p-44L;
      if (std::fabs(y.lo) > 1e-300) {
        ASSERT_LE(lowest - static_cast<long double>(y.lo), room) << x.lo << " " << x.hi;
      }
      if (std::fabs(y.hi) > 1e-300) {
        ASSERT_LE(static_cast<long double>(y.hi) - highest, room) << x.lo << " " << x.hi;
      }
    }
    EXPECT_GT(judged, 1800);
    EXPECT_GT(fullest, used);
  }
};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(PiecewiseTest, Formats);

TYPED_TEST(PiecewiseTest, HardSwishHoldsEveryExactAndEveryDeviceResult) {
  using D = Device<TypeParam>;
  const auto exact = [](long double x) { return x * std::min(6.0L, std::max(0.0L, x + 3)) / 6; };
  this->Check(
      -8, 8, {-1.5, -3, 3}, 0.3, [](const auto& x) { return HardSwish(x); }, exact,
      [this](D& d, double x) {
        const double factor = std::min(6.0, std::max(0.0, d.Add(x, 3)));
        if (this->random.OneIn(2)) return d.Divide(d.Multiply(x, factor), 6);
        return d.Multiply(x, d.Multiply(factor, d.Round(Exact(1) / Exact(6))));
      });
}

TYPED_TEST(PiecewiseTest, EluHoldsEveryExactAndEveryDeviceResult) {
  using D = Device<TypeParam>;
  for (const double alpha : {1.0, 0.25, 2.0, 0.0, -0.25, -0.5, -1.0, -1.75}) {
    SCOPED_TRACE(alpha);
    const auto exact = [alpha](long double x) {
      return std::max(0.0L, x) + std::min(0.0L, static_cast<long double>(alpha) * std::expm1(x));
    };
    const double turn = alpha < 0 && alpha > -1 ? -std::log(-alpha) : 0;
    this->Check(
        -5, 5, {0, turn}, 0.05, [alpha](const auto& x) { return Elu(x, alpha); }, exact,
        [&](D& d, double x) {
          const double power = d.Subtract(d.Exp(x), 1);
          return d.Add(std::max(0.0, x), std::min(0.0, d.Multiply(alpha, power)));
        });
  }
}

TYPED_TEST(PiecewiseTest, ByHand) {
  using B = Bounded<TypeParam>;
  EXPECT_EQ(HardSwish(-3.5), 0);
  EXPECT_EQ(HardSwish(-1.5f), -0.375f);
  EXPECT_EQ(HardSwish(3.0), 3);
  EXPECT_EQ(HardSwish(100.0), 100);
  EXPECT_EQ(HardSwish(B(-3, 0, -1)).lo, -0.375);
  EXPECT_EQ(HardSwish(B(-3, 0, -1)).hi, 0);
  EXPECT_NEAR(HardSwish(B(-1, 0, -1)).lo, -1.0 / 3, 1e-12);
  EXPECT_EQ(Elu(2.0, 0.5), 2);
  EXPECT_DOUBLE_EQ(Elu(-1.0, 0.5), 0.5 * (std::exp(-1.0) - 1));
  EXPECT_EQ(Elu(-1.0, -0.5), 0);
  EXPECT_DOUBLE_EQ(Elu(1.0, -0.5), 1 - 0.5 * (std::exp(1.0) - 1));
  EXPECT_EQ(Elu(1e9, 0), 1e9);  // nothing is multiplied by an overflow
  EXPECT_EQ(Elu(1e9f, 1), 1e9f);
}

TYPED_TEST(PiecewiseTest, UnknownWhereAnExponentialMayOverflow) {
  using B = Bounded<TypeParam>;
  EXPECT_FALSE(Elu(B(1000), 1).IsUnknown());
  EXPECT_TRUE(Elu(B(1000), 0).IsUnknown());
  EXPECT_TRUE(Elu(B(1000), -0.25).IsUnknown());
  EXPECT_TRUE(Elu(B(-1, 1000, 0), 0).IsUnknown());
  for (const B& x : {B::Unknown(), B(HUGE_VAL), B(NAN)}) {
    EXPECT_TRUE(HardSwish(x).IsUnknown());
    EXPECT_TRUE(Elu(x, 1).IsUnknown());
  }
}

}  // namespace
}  // namespace assay
