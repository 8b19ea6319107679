// Sums and sums of products, against exact hulls and devices that add in any order.
#include "numeric/sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Device;
using test::Exact;
using test::Random;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class F>
using Values = std::vector<Bounded<F>>;

// One product of a sum, or one summand (b = 1).
template <class F>
struct Term {
  Bounded<F> a, b = 1;
  bool square = false;
};

// Over the corners of all terms: exact, since a sum is least where each term is.
template <class F>
std::pair<Exact, Exact> HullOfTerms(const std::vector<Term<F>>& terms) {
  Exact lo = 0, hi = 0;
  for (const Term<F>& t : terms) {
    Exact least, most;
    if (t.square) {
      const Exact p = Exact(t.a.lo) * t.a.lo, q = Exact(t.a.hi) * t.a.hi;
      least = t.a.lo <= 0 && t.a.hi >= 0 ? Exact(0) : std::min(p, q);
      most = std::max(p, q);
    } else {
      const Exact corners[] = {Exact(t.a.lo) * t.b.lo, Exact(t.a.lo) * t.b.hi, Exact(t.a.hi) * t.b.lo,
                               Exact(t.a.hi) * t.b.hi};
      least = *std::min_element(corners, corners + 4);
      most = *std::max_element(corners, corners + 4);
    }
    lo += least;
    hi += most;
  }
  return {lo, hi};
}

// A device's sum: products rounded or fused, added one after another or as a tree, in random order.
template <class F>
double SumOnDevice(const std::vector<Term<F>>& terms, Random& random, Device<F>& device) {
  std::vector<double> parts;
  const bool fused = random.OneIn(2);
  double running = 0;
  std::vector<Term<F>> left = terms;
  while (!left.empty()) {
    std::swap(left[random.Below(left.size())], left.back());
    const Term<F> t = left.back();
    left.pop_back();
    const double a = random.Pick(t.a.Lo(), t.a.Hi());
    const double b = t.square ? a : random.Pick(t.b.Lo(), t.b.Hi());
    if (fused)
      running = device.Round(Exact(a) * Exact(b) + Exact(running));
    else
      parts.push_back(t.b.IsPoint() && b == 1 && !t.square ? a : device.Multiply(a, b));
  }
  if (fused) return running;
  const bool tree = random.OneIn(2);
  while (parts.size() > 1) {
    if (tree) std::swap(parts[random.Below(parts.size())], parts.back());
    const double last = parts.back();
    parts.pop_back();
    double& other = tree ? parts[random.Below(parts.size())] : parts.back();
    other = device.Add(other, last);
  }
  return parts.empty() ? 0 : parts[0];
}

// What every bounded sum must satisfy. Returns how much of err a device used.
template <class F>
double Judge(const Bounded<F>& y, const std::vector<Term<F>>& terms, Random& random, double divisor = 1) {
  if (y.IsUnknown()) return 0;
  EXPECT_TRUE(y.IsFinite());
  EXPECT_LE(y.lo, y.value);
  EXPECT_LE(y.value, y.hi);
  auto [lo, hi] = HullOfTerms(terms);
  lo /= Exact(divisor);
  hi /= Exact(divisor);
  double size = 0, carried = 0;
  for (const Term<F>& t : terms) {
    const double a = std::max(std::fabs(t.a.lo), std::fabs(t.a.hi)) + test::Room(t.a);
    const double b = t.square ? a : std::max(std::fabs(t.b.lo), std::fabs(t.b.hi)) + test::Room(t.b);
    size += a * b;
    carried += test::Room(t.a) * b + (t.square ? test::Room(t.a) * a : test::Room(t.b) * a);
  }
  size /= divisor;
  carried /= divisor;
  EXPECT_GE(lo, Exact(y.lo));
  EXPECT_LE(hi, Exact(y.hi));
  // Tight: a few roundings of our doubles, except where a sign may be lost.
  const double room = size * static_cast<double>(terms.size() + 8) * 0x1p-51;
  const Exact at_low_mark = std::fabs(y.lo) < 1e-300 ? lo : 0, at_high_mark = std::fabs(y.hi) < 1e-300 ? -hi : 0;
  EXPECT_LE(static_cast<double>(lo - Exact(y.lo) - at_low_mark), room);
  EXPECT_LE(static_cast<double>(Exact(y.hi) - hi - at_high_mark), room);
  // The formula of the header; how much the errors carry is bounded from above only.
  const auto n = static_cast<double>(terms.size());
  const double k = (n + 3) * F::kUlp;
  EXPECT_LE(test::Room(y), (k / (1 - k) * size + (n + 1) * F::kTiny + 2 * carried) * (1 + 1e-5));
  EXPECT_GE(test::Room(y) * (1 + 1e-9), size == 0 ? 0 : k / (1 - k) * size + n * F::kTiny / divisor);
  double fullest = 0;
  for (int i = 0; i < 6; ++i) {
    Device<F> device(random);
    double got = SumOnDevice(terms, random, device);
    if (divisor != 1) got = device.Divide(got, divisor);
    EXPECT_GE(got, y.Lo()) << "n " << n;
    EXPECT_LE(got, y.Hi()) << "n " << n;
    fullest = std::max(fullest, test::Used(y, got));
  }
  return fullest;
}

// Numbers of a kind: points, intervals, or either with err; of either sign or positive.
enum Kind { kPoints, kIntervals, kErrors, kKinds };
template <class F>
Bounded<F> DrawnOf(Random& random, Kind kind, bool positive) {
  const double scale = std::is_same_v<F, Fp32> ? 100 : 4;
  Bounded<F> x = test::Drawn<F>(random, random.Between(positive ? 0 : -scale, scale));
  if (kind == kPoints) return Bounded<F>(test::Near<F>(x.value));
  if (kind == kIntervals) x.below = x.above = 0;
  if (positive && x.lo < 0) x.lo = 0, x.value = std::max(x.value, 0.0), x.hi = std::max(x.hi, 0.0);
  return x;
}

template <class F>
class SumsTest : public testing::Test {
 protected:
  Random random{6};
  Values<F> DrawMany(size_t count, Kind kind, bool positive = false) {
    Values<F> out;
    for (size_t i = 0; i < count; ++i) out.push_back(DrawnOf<F>(random, kind, positive));
    return out;
  }
  Kind DrawKind() { return static_cast<Kind>(random.Below(kKinds)); }
};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(SumsTest, Formats);

TYPED_TEST(SumsTest, SumMeanAndSumOfSquares) {
  using F = TypeParam;
  double fullest = 0, fullest_mean = 0, fullest_squares = 0;
  int judged = 0;
  for (int i = 0; i < 600; ++i) {
    const size_t count = 1 + this->random.Below(this->random.OneIn(4) ? 60 : 6), stride = 1 + this->random.Below(3);
    const Values<F> x = this->DrawMany(count * stride, this->DrawKind(), this->random.OneIn(3));
    std::vector<Term<F>> terms, squares;
    for (size_t j = 0; j < count; ++j) terms.push_back({x[j * stride]}), squares.push_back({x[j * stride], 1, true});
    const auto step = static_cast<ptrdiff_t>(stride);
    const Bounded<F> sum = Sum(x.data(), count, step);
    judged += !sum.IsUnknown();
    fullest = std::max(fullest, Judge(sum, terms, this->random));
    fullest_mean =
        std::max(fullest_mean, Judge(Mean(x.data(), count, step), terms, this->random, static_cast<double>(count)));
    fullest_squares = std::max(fullest_squares, Judge(SumOfSquares(x.data(), count, step), squares, this->random));
  }
  EXPECT_GT(judged, 500);
  EXPECT_GT(fullest, 0.15);
  EXPECT_GT(fullest_mean, 0.15);
  EXPECT_GT(fullest_squares, 0.15);
}

TYPED_TEST(SumsTest, BackwardsIsAStrideToo) {
  using F = TypeParam;
  const Values<F> x = {1, 2, 4, 8, 16};
  EXPECT_EQ(Sum(&x[4], 3, -2).value, 21);
  EXPECT_EQ(Sum(&x[4], 2, -3).value, 18);
  const double plain[] = {1, 2, 4, 8, 16};
  EXPECT_EQ(Sum(plain + 4, 3, -2), 21);
}

TYPED_TEST(SumsTest, ExactSumsArePointsAndZerosAreExact) {
  using F = TypeParam;
  using B = Bounded<F>;
  const Values<F> x = {1, 2.5, -3.25}, zeros(7, B(0));
  const B sum = Sum(x.data(), 3);
  EXPECT_EQ(sum.lo, 0.25);
  EXPECT_EQ(sum.hi, 0.25);
  EXPECT_GT(sum.below, 0);
  EXPECT_GT(sum.above, 0);
  EXPECT_TRUE(Sum(zeros.data(), 7).IsPoint());
  EXPECT_TRUE(Mean(zeros.data(), 7).IsPoint());
  EXPECT_TRUE(Sum(x.data(), 0).IsPoint());
  B out;
  Dot<B>({zeros.data(), 1, 3, 3}, {x.data(), 1, 3, 3}, nullptr, Matrix<B>{&out, 1, 1, 1});
  EXPECT_TRUE(out.IsPoint());
  // A mean of three values that is not a double.
  const Values<F> third = {1, 0, 0};
  const B mean = Mean(third.data(), 3);
  EXPECT_LT(mean.lo, mean.hi);
  EXPECT_EQ(mean.value, 1.0 / 3);
}

TYPED_TEST(SumsTest, ChannelDotSumAndMean) {
  using F = TypeParam;
  using B = Bounded<F>;
  double fullest = 0;
  for (int i = 0; i < 100; ++i) {
    const size_t taps = this->random.Below(10), channels = 1 + this->random.Below(40);
    const size_t stride = channels + this->random.Below(3);
    const Values<F> x = this->DrawMany(taps * channels, this->DrawKind());
    const Values<F> w = this->DrawMany(taps * stride, this->DrawKind());
    const Values<F> bias = this->DrawMany(channels, this->DrawKind());
    const bool has_bias = this->random.OneIn(2);
    std::vector<const B*> rows;
    size_t present = 0;
    for (size_t k = 0; k < taps; ++k) {
      rows.push_back(this->random.OneIn(4) ? nullptr : &x[k * channels]);
      present += rows.back() ? 1 : 0;
    }
    Values<F> products(channels), sums(channels), means(channels);
    ChannelDot(rows, w.data(), stride, channels, has_bias ? bias.data() : nullptr, products.data());
    ChannelSum(rows, channels, sums.data());
    ChannelMean(rows, 7, channels, means.data());
    for (size_t c = 0; c < channels; ++c) {
      std::vector<Term<F>> dot, sum;
      for (size_t k = 0; k < taps; ++k) {
        dot.push_back({rows[k] ? rows[k][c] : B(0), w[k * stride + c]});
        if (rows[k]) sum.push_back({rows[k][c]});
      }
      if (has_bias) dot.push_back({bias[c]});
      fullest = std::max(fullest, Judge(products[c], dot, this->random));
      Judge(sums[c], sum, this->random);
      if (present > 0) Judge(means[c], sum, this->random, 7);
    }
  }
  EXPECT_GT(fullest, 0.15);
}

TYPED_TEST(SumsTest, DotOnEveryPath) {
  using F = TypeParam;
  using B = Bounded<F>;
  for (Kind row_kind : {kPoints, kIntervals, kErrors}) {
    for (Kind weight_kind : {kPoints, kIntervals, kErrors}) {
      SCOPED_TRACE(std::to_string(row_kind) + " " + std::to_string(weight_kind));
      double fullest = 0;
      for (int i = 0; i < 24; ++i) {
        const size_t r = i == 0 ? 130 : 1 + this->random.Below(6), c = 1 + this->random.Below(4);
        const size_t k = this->random.Below(i == 0 ? 4 : 24);
        const size_t row_stride = k + this->random.Below(3), weight_stride = k + this->random.Below(3);
        const Values<F> x = this->DrawMany(r * row_stride + 1, row_kind);
        const Values<F> w = this->DrawMany(c * weight_stride + 1, weight_kind);
        const Values<F> bias = this->DrawMany(c, this->DrawKind());
        const bool has_bias = this->random.OneIn(2);
        const size_t out_stride = c + this->random.Below(2);
        Values<F> out(r * out_stride);
        Dot<B>({x.data(), r, k, row_stride}, {w.data(), c, k, weight_stride}, has_bias ? bias.data() : nullptr,
               Matrix<B>{out.data(), r, c, out_stride});
        for (size_t a = 0; a < r; ++a) {
          for (size_t b = 0; b < c; ++b) {
            std::vector<Term<F>> terms;
            for (size_t j = 0; j < k; ++j) terms.push_back({x[a * row_stride + j], w[b * weight_stride + j]});
            if (has_bias) terms.push_back({bias[b]});
            fullest = std::max(fullest, Judge(out[a * out_stride + b], terms, this->random));
          }
        }
      }
      EXPECT_GT(fullest, 0.1);
    }
  }
}

TYPED_TEST(SumsTest, UnknownAbsorbsEvenTimesZero) {
  using F = TypeParam;
  using B = Bounded<F>;
  for (const B& bad : {B::Unknown(), B(kInf), B(kNan)}) {
    for (size_t r : {size_t{1}, size_t{5}}) {  // loops, planes
      Values<F> x(r * 3, B(0)), w(2 * 3, B(0)), bias(2, B(0)), out(r * 2);
      const auto dot = [&] {
        Dot<B>({x.data(), r, 3, 3}, {w.data(), 2, 3, 3}, bias.data(), Matrix<B>{out.data(), r, 2, 2});
      };
      x[1] = bad;
      dot();
      for (size_t i = 0; i < r * 2; ++i) EXPECT_EQ(out[i].IsUnknown(), i < 2);
      x[1] = 0;
      w[4] = bad;
      dot();
      for (size_t i = 0; i < r * 2; ++i) EXPECT_EQ(out[i].IsUnknown(), i % 2 == 1);
      w[4] = 0;
      bias[0] = bad;
      dot();
      for (size_t i = 0; i < r * 2; ++i) EXPECT_EQ(out[i].IsUnknown(), i % 2 == 0);
    }
    const Values<F> x = {0, bad};
    EXPECT_TRUE(Sum(x.data(), 2).IsUnknown());
    EXPECT_TRUE(Mean(x.data(), 2).IsUnknown());
    EXPECT_TRUE(SumOfSquares(x.data(), 2).IsUnknown());
    const B* taps[] = {nullptr, x.data()};
    Values<F> out(2), w = {bad, 0, 0, 0};
    ChannelSum(taps, 2, out.data());
    EXPECT_FALSE(out[0].IsUnknown());
    EXPECT_TRUE(out[1].IsUnknown());
    ChannelDot(taps, w.data(), 2, 2, nullptr, out.data());
    EXPECT_TRUE(out[0].IsUnknown()) << "a zero row times an unknown weight";
    EXPECT_TRUE(out[1].IsUnknown());
  }
}

TEST(Sums, Float16OverflowsAndLosesEverything) {
  using B = Bounded<Fp16>;
  const Values<Fp16> big = {40000, -40000}, many(1021, B(1)), fewer(1020, B(1));
  EXPECT_TRUE(Sum(big.data(), 2).IsUnknown()) << "added to others first, a partial sum may overflow";
  EXPECT_TRUE(Sum(many.data(), many.size()).IsUnknown()) << "1024 ulps";
  EXPECT_EQ(Sum(fewer.data(), 60).value, 60);
  EXPECT_FALSE(Sum(fewer.data(), 60).IsUnknown());
  EXPECT_EQ(Gamma<Fp16>(1024), kInf);
  EXPECT_DOUBLE_EQ(Gamma<Fp16>(512), 1);
}

template <class N>
class PlainSumsTest : public testing::Test {};
using Plains = testing::Types<float, double>;
TYPED_TEST_SUITE(PlainSumsTest, Plains);

// Small integers: every order of summation gives the same, exact result.
TYPED_TEST(PlainSumsTest, AgreeWithLoops) {
  using N = TypeParam;
  Random random(7);
  const auto draw = [&](size_t count) {
    std::vector<N> out(count);
    for (N& x : out) x = static_cast<N>(static_cast<int>(random.Below(17)) - 8);
    return out;
  };
  for (int i = 0; i < 200; ++i) {
    const size_t r = random.Below(20), c = random.Below(20), k = random.Below(50);
    const size_t rs = k + random.Below(3), ws = k + random.Below(3), os = c + random.Below(3);
    const auto x = draw(r * rs + 1), w = draw(c * ws + 1), bias = draw(c + 1);
    const bool has_bias = random.OneIn(2);
    std::vector<N> out(r * os + 1, N(99));
    Dot<N>({x.data(), r, k, rs}, {w.data(), c, k, ws}, has_bias ? bias.data() : nullptr,
           Matrix<N>{out.data(), r, c, os});
    for (size_t a = 0; a < r; ++a) {
      for (size_t b = 0; b < os; ++b) {
        N expected = b < c ? has_bias ? bias[b] : N(0) : N(99);  // gaps between rows are not touched
        for (size_t j = 0; b < c && j < k; ++j) expected += x[a * rs + j] * w[b * ws + j];
        ASSERT_EQ(out[a * os + b], expected);
      }
    }

    const size_t taps = random.Below(6), stride = c + random.Below(3);
    const auto rows = draw(taps * c + 1), weights = draw(taps * stride + 1);
    std::vector<const N*> pointers;
    for (size_t t = 0; t < taps; ++t) pointers.push_back(random.OneIn(3) ? nullptr : &rows[t * c]);
    std::vector<N> products(c), sums(c), means(c);
    ChannelDot(pointers, weights.data(), stride, c, has_bias ? bias.data() : nullptr, products.data());
    ChannelSum(pointers, c, sums.data());
    ChannelMean(pointers, 4, c, means.data());
    for (size_t ch = 0; ch < c; ++ch) {
      N product = has_bias ? bias[ch] : N(0), sum = 0;
      for (size_t t = 0; t < taps; ++t) {
        if (!pointers[t]) continue;
        product += pointers[t][ch] * weights[t * stride + ch];
        sum += pointers[t][ch];
      }
      ASSERT_EQ(products[ch], product);
      ASSERT_EQ(sums[ch], sum);
      ASSERT_EQ(means[ch], sum / 4);
    }

    const size_t count = 1 + random.Below(40), step = 1 + random.Below(3);
    const auto values = draw(count * step);
    N sum = 0, squares = 0;
    for (size_t j = 0; j < count; ++j) sum += values[j * step], squares += values[j * step] * values[j * step];
    const auto jump = static_cast<ptrdiff_t>(step);
    ASSERT_EQ(Sum(values.data(), count, jump), sum);
    ASSERT_EQ(Mean(values.data(), count, jump), sum / static_cast<N>(count));
    ASSERT_EQ(SumOfSquares(values.data(), count, jump), squares);
  }
}

}  // namespace
}  // namespace assay
