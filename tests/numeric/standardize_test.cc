// Standardized numbers, against exact results over boxes and devices that round as badly as they may.
#include "numeric/standardize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "numeric/functions.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Device;
using test::Random;

constexpr Epsilon kNone{0, 1e-8};

// By the definition, in 64 bits.
std::vector<long double> Exactly(const std::vector<double>& x, double epsilon) {
  const auto n = static_cast<long double>(x.size());
  long double mean = 0, variance = 0;
  for (double v : x) mean += v / n;
  for (double v : x) variance += (v - mean) * (v - mean) / n;
  std::vector<long double> out;
  for (double v : x) out.push_back((v - mean) / std::sqrt(variance + epsilon));
  return out;
}

// In two passes, sums in random order, with a root and a division or a reciprocal root and a product.
template <class F>
std::vector<double> OnDevice(const std::vector<double>& x, double epsilon, Random& random) {
  Device<F> device(random);
  const auto n = static_cast<double>(x.size());
  const auto sum = [&](std::vector<double> parts) {
    while (parts.size() > 1) {
      std::swap(parts[random.Below(parts.size())], parts.back());
      const double last = parts.back();
      parts.pop_back();
      double& other = parts[random.Below(parts.size())];
      other = device.Add(other, last);
    }
    return parts.front();
  };
  const double mean = device.Divide(sum(x), n);
  std::vector<double> d, squares;
  for (double v : x) {
    d.push_back(device.Subtract(v, mean));
    squares.push_back(device.Multiply(d.back(), d.back()));
  }
  double radicand = device.Divide(sum(squares), n);
  if (epsilon > 0) radicand = device.Add(radicand, device.Round(epsilon));
  const bool reciprocal = random.OneIn(2);
  for (double& v : d)
    v = reciprocal ? device.Multiply(v, device.Rsqrt(radicand)) : device.Divide(v, device.Sqrt(radicand));
  return d;
}

TEST(StandardizeTest, PlainByHand) {
  double x[] = {1, 99, 3, 99, 1, 99, 3, 99};  // every second: mean 2, variance 1
  Standardize(x, 4, 2, {0, 0});
  EXPECT_EQ(x[0], -1);
  EXPECT_EQ(x[1], 99);
  EXPECT_EQ(x[2], 1);
  EXPECT_EQ(x[6], 1);
  float equal[] = {5, 5, 5};
  Standardize(equal, 3, 1, {0, 1e-8});
  EXPECT_EQ(equal[1], 0);
  float wide[] = {1, 2};
  Standardize(wide, 2, 1, {0.75, 0.75});
  EXPECT_FLOAT_EQ(wide[1], 0.5);  // 0.5 / sqrt(0.25 + 0.75)
}

template <class F>
class BoundedStandardizeTest : public testing::Test {};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(BoundedStandardizeTest, Formats);

TYPED_TEST(BoundedStandardizeTest, HoldsOnAnyDevice) {
  using F = TypeParam;
  Random random(3);
  size_t judged = 0;
  double fullest = 0;
  for (int i = 0; i < 400; ++i) {
    const size_t n = 2 + random.Below(i % 8 == 0 ? 60 : 6);
    const double mean = random.OneIn(3) ? random.Between(-8, 8) : 0, spread = std::ldexp(1.0, int(random.Below(8)) - 4);
    const double width = random.OneIn(3) ? 0 : spread * std::ldexp(1.0, -1 - int(random.Below(12)));
    const Epsilon epsilon = random.OneIn(2) ? kNone : Epsilon{0.01, 0.01};
    std::vector<Bounded<F>> x;
    for (size_t k = 0; k < n; ++k) {
      const double value = test::Near<F>(mean + random.Between(-spread, spread));
      const double err = random.OneIn(4) ? spread * F::kUlp : 0;
      x.push_back({value - width * random.Unit(), value + width * random.Unit(), value, err, err});
    }
    std::vector<Bounded<F>> y = x;
    Standardize(y.data(), n, 1, epsilon);
    if (y[0].IsUnknown()) continue;
    ++judged;
    for (int sample = 0; sample < 12; ++sample) {
      std::vector<double> inside, stored;
      for (const Bounded<F>& b : x) {
        inside.push_back(random.Pick(b.lo, b.hi));
        stored.push_back(random.Pick(b.Lo(), b.Hi()));
      }
      const double used = random.Pick(epsilon.least, epsilon.most);
      const std::vector<long double> exact = Exactly(inside, used);
      const std::vector<double> device = OnDevice<F>(stored, used, random);
      for (size_t k = 0; k < n; ++k) {
        ASSERT_GE(exact[k], y[k].lo - 1e-15) << "n " << n;
        ASSERT_LE(exact[k], y[k].hi + 1e-15) << "n " << n;
        ASSERT_GE(device[k], y[k].Lo()) << "n " << n;
        ASSERT_LE(device[k], y[k].Hi()) << "n " << n;
        ASSERT_LE(std::max(y[k].hi, -y[k].lo), std::sqrt(double(n) - 1) * (1 + 1e-12));
        fullest = std::max(fullest, test::Used(y[k], device[k]));
      }
    }
  }
  EXPECT_GT(judged, 200u);
  EXPECT_GT(fullest, 0.05);  // the errors allowed are really made
}

// For narrow inputs the hull is nearly what the derivatives say: d y_i / d x_k = ((i == k) - 1/n - y_i y_k / n) /
// sigma.
TEST(StandardizeTest, HullIsTight) {
  using F = Fp32;
  Random random(5);
  for (size_t n : {3, 4, 8, 50}) {
    double worst = 0;
    for (int i = 0; i < 20; ++i) {
      std::vector<double> x;
      for (size_t k = 0; k < n; ++k) x.push_back(random.Between(-1, 1));
      const std::vector<long double> y = Exactly(x, 0);
      const auto sigma = static_cast<double>((x[0] - x[1]) / (y[0] - y[1]));
      const double radius = 1e-5 * sigma;
      std::vector<Bounded<F>> b;
      for (double v : x) b.push_back({v - radius, v + radius, v});
      Standardize(b.data(), n, 1, {0, 0});
      for (size_t k = 0; k < n; ++k) {
        double width = 0;
        for (size_t j = 0; j < n; ++j)
          width += 2 * radius * std::fabs((k == j ? 1 : 0) - (1 + double(y[k] * y[j])) / double(n)) / sigma;
        // No sharper than to a share of the radius: an element that counts for nothing has a true width near 0.
        worst = std::max(worst, (b[k].hi - b[k].lo) / (width + radius / sigma));
      }
    }
    EXPECT_LT(worst, n == 3 ? 2.6 : 2.0) << "n " << n;
  }
}

TYPED_TEST(BoundedStandardizeTest, UnknownWhereNothingCanBeSaid) {
  using F = TypeParam;
  using B = Bounded<F>;
  const auto unknown = [](std::vector<B> x, Epsilon epsilon) {
    Standardize(x.data(), x.size(), 1, epsilon);
    size_t count = 0;
    for (const B& b : x) count += b.IsUnknown() ? 1 : 0;
    return count;
  };
  EXPECT_EQ(unknown({1, 2, B::Unknown()}, kNone), 3u);
  EXPECT_EQ(unknown({1, 2, B(std::numeric_limits<double>::infinity())}, kNone), 3u);
  EXPECT_EQ(unknown({2, 2, 2}, kNone), 3u);  // a device that adds nothing divides by 0
  EXPECT_EQ(unknown({B(0, 1, 0.5), B(0, 1, 0.25)}, kNone), 2u);
  EXPECT_EQ(unknown({B(0, 1, 0.5), B(0, 1, 0.25)}, {0.5, 0.5}), 0u);
  EXPECT_EQ(unknown({2, 2, 2}, {0.5, 0.5}), 0u);
  EXPECT_EQ(unknown({1, 2, 4}, kNone), 0u);
  EXPECT_EQ(unknown({-F::kMax / 2, F::kMax / 2, 1}, kNone), 3u);  // the squares overflow
}

}  // namespace
}  // namespace assay
