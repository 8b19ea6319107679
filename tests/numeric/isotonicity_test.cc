// Bounds of wider arguments hold the bounds of narrower ones. Without this a device would be reported for being judged
// by what its copies show instead of by what it had.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "numeric/functions.h"
#include "numeric/piecewise.h"
#include "numeric/settle.h"
#include "numeric/standardize.h"
#include "numeric/sums.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using test::Random;

template <class F>
using Values = std::vector<Bounded<F>>;

// Arguments, and wider ones around them.
template <class F>
struct Nested {
  Values<F> narrow, wide;
};

template <class F>
Nested<F> DrawNested(Random& random, size_t count, double least, double most) {
  Nested<F> out;
  const bool points = random.OneIn(4), settled = random.OneIn(2);
  for (size_t i = 0; i < count; ++i) {
    const double center = test::Near<F>(random.Between(least, most));
    const double unit = std::ldexp(std::fabs(center) + 0x1p-8, -static_cast<int>(random.Below(16)));
    Bounded<F> x(center), y(center);
    if (!points) x.lo -= unit * random.Unit(), x.hi += unit * random.Unit();
    if (!settled) x.below = unit * random.Unit(), x.above = unit * random.Unit();
    // The wide one trades its roundings for its hull, and grows a little besides.
    const double more = random.OneIn(3) ? 0 : std::fabs(center) * F::kUlp * random.Unit();
    const bool trades = random.OneIn(2);
    y.lo = trades ? x.Lo() : x.lo - more, y.hi = trades ? x.Hi() : x.hi + more;
    y.below = std::max(y.lo - x.Lo() + more, 0.0), y.above = std::max(x.Hi() - y.hi + more, 0.0);
    out.narrow.push_back(x);
    out.wide.push_back(y);
  }
  return out;
}

// Bounds whose last bits differ are as good: what a device stores differs by far more.
template <class F>
void ExpectInside(const Bounded<F>& narrow, const Bounded<F>& wide, const std::string& what) {
  if (wide.IsUnknown()) return;
  ASSERT_FALSE(narrow.IsUnknown()) << what;
  const double room = 0x1p-44 * (wide.Magnitude() + F::kTiny);
  ASSERT_LE(wide.lo, narrow.lo + room) << what;
  ASSERT_GE(wide.hi, narrow.hi - room) << what;
  ASSERT_LE(wide.Lo(), narrow.Lo() + room) << what;
  ASSERT_GE(wide.Hi(), narrow.Hi() - room) << what;
}

template <class F>
class IsotonicityTest : public testing::Test {
 protected:
  using B = Bounded<F>;
  using Function = std::function<B(const Values<F>&)>;

  // Of `count` arguments drawn from [least, most].
  void Check(const std::string& name, size_t count, double least, double most, const Function& f) {
    size_t judged = 0;
    for (int i = 0; i < 3000; ++i) {
      const Nested<F> x = DrawNested<F>(random, count, least, most);
      const B narrow = f(x.narrow), wide = f(x.wide);
      judged += !wide.IsUnknown();
      ExpectInside(narrow, wide, name);
      if (this->HasFatalFailure()) return;
      for (const bool strict : {false, true}) {
        B settled[] = {narrow, wide};
        const auto type = std::is_same_v<F, Fp16> ? OperandType::TENSOR_FLOAT16 : OperandType::TENSOR_FLOAT32;
        Settle(type, {}, {}, Activation::NONE, strict, settled, 2);
        ExpectInside(settled[0], settled[1], name + ", settled");
        if (this->HasFatalFailure()) return;
      }
    }
    EXPECT_GT(judged, 600u) << name;
  }
  Random random{11};
};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(IsotonicityTest, Formats);

TYPED_TEST(IsotonicityTest, Operators) {
  using V = Values<TypeParam>;
  this->Check("+", 2, -4, 4, [](const V& x) { return x[0] + x[1]; });
  this->Check("-", 2, -4, 4, [](const V& x) { return x[0] - x[1]; });
  this->Check("*", 2, -4, 4, [](const V& x) { return x[0] * x[1]; });
  this->Check("/", 2, -4, 4, [](const V& x) { return x[0] / x[1]; });
  this->Check("near 0", 2, -0x1p-10, 0x1p-10, [](const V& x) { return x[0] * x[1]; });
  this->Check("(a - b) * c + d / e", 5, -4, 4, [](const V& x) { return (x[0] - x[1]) * x[2] + x[3] / x[4]; });
}

TYPED_TEST(IsotonicityTest, Functions) {
  using V = Values<TypeParam>;
  this->Check("Exp", 1, -4, 4, [](const V& x) { return Exp(x[0]); });
  this->Check("Log", 1, 0.125, 4, [](const V& x) { return Log(x[0]); });
  this->Check("Sqrt", 1, 0, 4, [](const V& x) { return Sqrt(x[0]); });
  this->Check("Rsqrt", 1, 0.125, 4, [](const V& x) { return Rsqrt(x[0]); });
  this->Check("Sin", 1, -8, 8, [](const V& x) { return Sin(x[0]); });
  this->Check("Tanh", 1, -4, 4, [](const V& x) { return Tanh(x[0]); });
  this->Check("Logistic", 1, -8, 8, [](const V& x) { return Logistic(x[0]); });
  this->Check("Pow", 2, 0.125, 3, [](const V& x) { return Pow(x[0], x[1]); });
  this->Check("Square", 1, -4, 4, [](const V& x) { return Square(x[0]); });
  this->Check("Reciprocal", 1, -4, 4, [](const V& x) { return Reciprocal(x[0]); });
  this->Check("Abs", 1, -1, 1, [](const V& x) { return Abs(x[0]); });
  this->Check("Floor", 1, -4, 4, [](const V& x) { return Floor(x[0]); });
  this->Check("Max", 2, -1, 1, [](const V& x) { return Max(x[0], x[1]); });
  this->Check("Min", 2, -1, 1, [](const V& x) { return Min(x[0], x[1]); });
  this->Check("Clamp", 1, -2, 2, [](const V& x) { return Clamp(x[0], -1, 1); });
  this->Check("Inexact", 1, -2, 2, [](const V& x) { return Inexact(x[0], 2); });
  this->Check("HardSwish", 1, -5, 5, [](const V& x) { return HardSwish(x[0]); });
  for (const double alpha : {1.0, 0.25, 0.0, -0.25, -2.0})
    this->Check("Elu", 1, -4, 4, [alpha](const V& x) { return Elu(x[0], alpha); });
  this->Check("Logistic(a) * Tanh(b) + c", 3, -2, 2, [](const V& x) { return Logistic(x[0]) * Tanh(x[1]) + x[2]; });
}

TYPED_TEST(IsotonicityTest, Sums) {
  using B = Bounded<TypeParam>;
  using V = Values<TypeParam>;
  for (const size_t n : {2, 5, 13}) {
    this->Check("Sum", n, -2, 2, [n](const V& x) { return Sum(x.data(), n); });
    this->Check("Mean", n, -2, 2, [n](const V& x) { return Mean(x.data(), n); });
    this->Check("SumOfSquares", n, -2, 2, [n](const V& x) { return SumOfSquares(x.data(), n); });
    this->Check("Dot", 2 * n + 1, -2, 2, [n](const V& x) {
      B out;
      Dot<B>({x.data(), 1, n, n}, {x.data() + n, 1, n, n}, x.data() + 2 * n, Matrix<B>{&out, 1, 1, 1});
      return out;
    });
    const V weights(n, B(0.75));
    this->Check("Dot with points", n, -2, 2, [n, &weights](const V& x) {
      B out;
      Dot<B>({x.data(), 1, n, n}, {weights.data(), 1, n, n}, nullptr, Matrix<B>{&out, 1, 1, 1});
      return out;
    });
    this->Check("ChannelDot", 2 * n, -2, 2, [n](const V& x) {
      std::vector<const B*> taps;
      for (size_t i = 0; i < n; ++i) taps.push_back(&x[i]);
      B out;
      ChannelDot<B>(taps, x.data() + n, 1, 1, nullptr, &out);
      return out;
    });
  }
}

// Also where the variance nearly vanishes, so that rounding decides.
TYPED_TEST(IsotonicityTest, Standardize) {
  using V = Values<TypeParam>;
  for (const double spread : {2.0, 0.25, 0.0625})
    for (const size_t n : {2, 4, 8})
      for (const Epsilon epsilon : {Epsilon{0, 1e-8}, Epsilon{0.5, 0.5}})
        this->Check("Standardize", n, 1 - spread, 1 + spread, [n, epsilon](V x) {
          Standardize(x.data(), n, 1, epsilon);
          return x[n / 2];
        });
}

}  // namespace
}  // namespace assay
