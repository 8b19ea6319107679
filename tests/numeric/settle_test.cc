// What a conforming device may hold in a stored tensor: by hand, and against every code a device could store.
#include "numeric/settle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "numeric/half.h"
#include "numeric/storage.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using enum OperandType;
using test::Random;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Allowance kExact{.exact = true};

Quantization Scaled(float scale, int32_t zero_point = 0) { return {scale, zero_point, nullptr}; }

template <class F>
Bounded<F> Settled(OperandType type, const Quantization& quantization, Bounded<F> x, const Allowance& allowance = {},
                   Activation activation = Activation::NONE, bool strict = false) {
  Settle(type, quantization, allowance, activation, strict, &x, 1);
  EXPECT_EQ(test::Room(x), 0);
  return x;
}

template <class F>
class SettleTest : public testing::Test {};
using Formats = testing::Types<Fp32, Fp16>;
TYPED_TEST_SUITE(SettleTest, Formats);

// "Stored codes round(lo) - steps .. round(hi) + steps" is the hull widened by steps + 0.5, up to ties.
TYPED_TEST(SettleTest, QuantizedIsExactlyTheCodesBesideTheNearest) {
  using F = TypeParam;
  Random random(9);
  for (int i = 0; i < 3000; ++i) {
    const auto scale = static_cast<float>(std::ldexp(1 + random.Unit(), -static_cast<int>(random.Below(12))));
    const Quantization q = Scaled(scale, static_cast<int32_t>(random.Below(256)));
    const double s = static_cast<double>(scale);
    const auto real = [&](double code) { return s * (code - q.zero_point); };
    // Codes of bounds, kept off the ties: those may go either way.
    const auto off_tie = [&](double code) {
      const double fraction = code - std::floor(code);
      return std::fabs(fraction - 0.5) < 1e-3 ? code + 0.01 : code;
    };
    const double a = off_tie(random.Between(-20, 275)), b = off_tie(a + random.Between(0, 1) * random.Between(0, 40));
    const double steps = static_cast<double>(random.Below(4));
    const Activation activation = static_cast<Activation>(random.Below(4));
    // Roundings are ignored: a step is far more.
    const auto settled = Settled<F>(TENSOR_QUANT8_ASYMM, q, {real(a), real(b), real(a), 1e-3 * s, 1e-3 * s},
                                    {.steps = steps}, activation);
    const CodeRange range = ActivationCodes(activation, q, TENSOR_QUANT8_ASYMM);
    const auto clamp = [&](double code) {
      return std::clamp(code, static_cast<double>(range.least), static_cast<double>(range.most));
    };
    const double least = clamp(std::round(a) - steps), most = clamp(std::round(b) + steps);
    for (int code = 0; code < 256; ++code) {
      const auto byte = static_cast<uint8_t>(code);
      ASSERT_EQ(Inside(TENSOR_QUANT8_ASYMM, q, settled, &byte, 0),
                least <= code && code <= most ? Verdict::kInside : Verdict::kOutside)
          << "code " << code << " of " << a << " " << b;
    }
    ASSERT_EQ(settled.value, real(clamp(std::round(a))));
  }
}

TYPED_TEST(SettleTest, ATieConforms) {
  using F = TypeParam;
  Random random(12);
  for (int i = 0; i < 2000; ++i) {
    // n + 1/2 steps: n - 1 and n + 2 are 1.5 steps away, and inside despite the rounding of 1.5 * scale.
    const auto scale = static_cast<float>(random.Unit() + 1e-3);
    const Quantization q = Scaled(scale);
    const int n = static_cast<int>(random.Below(200)) - 100;
    const auto settled = Settled<F>(TENSOR_QUANT8_SYMM, q, Bounded<F>((n + 0.5) * static_cast<double>(scale)));
    for (int code = n - 4; code < n + 5; ++code) {
      const auto byte = static_cast<uint8_t>(code);
      ASSERT_EQ(Inside(TENSOR_QUANT8_SYMM, q, settled, &byte, 0) == Verdict::kInside, n - 1 <= code && code <= n + 2)
          << code << " of " << n << " " << scale;
    }
  }
}

TYPED_TEST(SettleTest, QuantizedActivationsAreExactAndAfterTheAllowance) {
  using F = TypeParam;
  const Quantization q = Scaled(1, 100);
  const auto relu = Settled<F>(TENSOR_QUANT8_ASYMM, q, Bounded<F>(0), {}, Activation::RELU);
  EXPECT_EQ(relu.lo, 0) << "a RELU never yields a negative";
  EXPECT_NEAR(relu.hi, 1.5, 1e-12);
  const auto saturated = Settled<F>(TENSOR_QUANT8_ASYMM, q, Bounded<F>(1000));
  EXPECT_EQ(saturated.lo, 155);
  EXPECT_EQ(saturated.hi, 155);
  EXPECT_EQ(saturated.value, 155);
  const auto extra = Settled<F>(TENSOR_QUANT8_ASYMM, q, Bounded<F>(10), {.steps = 2, .extra_absolute = 0.25});
  EXPECT_NEAR(extra.lo, 7.25, 1e-12);
  EXPECT_NEAR(extra.hi, 12.75, 1e-12);
}

// Where no code stands for an activation's limit, a device that carries the tensor unrounded ends at the limit itself.
TYPED_TEST(SettleTest, ActivationsEndAtTheirCodeOrAtTheirNumber) {
  using F = TypeParam;
  struct Case {
    Quantization q;
    Activation activation;
    double x, lo, hi;
  };
  const Case cases[] = {
      {Scaled(0.75f, 128), Activation::RELU1, 5, 0.75, 1},        // 1.33 codes: 1
      {Scaled(0.75f, 128), Activation::RELU1, -5, -1, -0.75},     //
      {Scaled(0.375f, 0), Activation::RELU1, 5, 1, 1.125},        // 2.67 codes: 3
      {Scaled(0.375f, 9), Activation::RELU1, -5, -1.125, -1},     //
      {Scaled(4, 0), Activation::RELU6, 50, 6, 8},                // 1.5 codes: 2
      {Scaled(0.5f, 0), Activation::RELU6, 50, 6, 6},             // 12 codes
      {Scaled(0.375f, 254), Activation::RELU1, 5, 0.375, 0.375},  // the type ends first
      {Scaled(4, 3), Activation::RELU, -50, 0, 0},
      {Scaled(4, 3), Activation::NONE, -50, -12, -12},
  };
  for (const Case& c : cases) {
    const auto settled = Settled<F>(TENSOR_QUANT8_ASYMM, c.q, Bounded<F>(c.x), {}, c.activation);
    EXPECT_EQ(settled.lo, c.lo) << &c - cases;
    EXPECT_EQ(settled.hi, c.hi) << &c - cases;
  }
}

TYPED_TEST(SettleTest, ExactMovesCodesOnly) {
  using F = TypeParam;
  const Quantization q = Scaled(0.1f, 100);
  const double x = ValueOf(TENSOR_QUANT8_ASYMM, q, 0, 57);
  const auto settled = Settled<F>(TENSOR_QUANT8_ASYMM, q, Bounded<F>(x), kExact);
  EXPECT_TRUE(settled.IsPoint());
  EXPECT_EQ(settled.value, x);
  for (int code = 55; code < 60; ++code) {
    const auto byte = static_cast<uint8_t>(code);
    EXPECT_EQ(Inside(TENSOR_QUANT8_ASYMM, q, settled, &byte, 0) == Verdict::kInside, code == 57);
  }
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(0.1), kExact).IsPoint());
  EXPECT_EQ(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(-0.1), kExact, Activation::RELU).hi, 0);
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(kNan), kExact).IsExactNan());
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(-kInf), kExact).IsExactInfinity());
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(1e6), kExact).IsPoint()) << "moved, not computed with";
}

TEST(Settle, FloatTakesTheGreaterOfRoundingAndTheCtsCriterion) {
  const auto cts = Settled<Fp32>(TENSOR_FLOAT32, {}, {2, 3, 2.5, 1e-7, 1e-7});
  EXPECT_DOUBLE_EQ(cts.lo, 2 - (1e-5 + 2 * 5 * 0x1p-23));
  EXPECT_DOUBLE_EQ(cts.hi, 3 + (1e-5 + 3 * 5 * 0x1p-23));
  const auto rounding = Settled<Fp32>(TENSOR_FLOAT32, {}, {2, 3, 2.5, 1e-3, 1e-3});
  EXPECT_DOUBLE_EQ(rounding.lo, 2 - 1e-3);
  EXPECT_DOUBLE_EQ(rounding.hi, 3 + 1e-3);
  const auto strict = Settled<Fp32>(TENSOR_FLOAT32, {}, {2, 3, 2.5, 1e-7, 1e-7}, {}, Activation::NONE, true);
  EXPECT_DOUBLE_EQ(strict.lo, 2 - 1e-7);
  EXPECT_DOUBLE_EQ(strict.hi, 3 + 1e-7);
  const auto declared = Settled<Fp32>(TENSOR_FLOAT32, {}, {2, 3, 2.5, 1e-3, 1e-3}, {.extra_absolute = 0.5});
  EXPECT_DOUBLE_EQ(declared.lo, 2 - 1e-3 - 0.5);
  const auto half = Settled<Fp16>(TENSOR_FLOAT16, {}, Bounded<Fp16>(-2));
  EXPECT_DOUBLE_EQ(half.lo, -2 - 5 * 0x1p-10 - 10 * 0x1p-10);
  EXPECT_DOUBLE_EQ(half.hi, -2 + 5 * 0x1p-10 + 10 * 0x1p-10);
  const auto relaxed = Settled<Fp16>(TENSOR_FLOAT32, {}, Bounded<Fp16>(-2));
  EXPECT_EQ(relaxed.lo, half.lo);
}

TEST(Settle, ANominalValueIsRoundedToItsType) {
  EXPECT_EQ(Settled<Fp32>(TENSOR_FLOAT32, {}, Bounded<Fp32>(0.1)).value, static_cast<double>(0.1f));
  EXPECT_EQ(Settled<Fp16>(TENSOR_FLOAT16, {}, Bounded<Fp16>(0.1)).value,
            static_cast<double>(FloatFromHalf(HalfFromDouble(0.1))));
  EXPECT_EQ(Settled<Fp32>(TENSOR_INT32, {}, {1, 3, 2.5}).value, 3);
}

TEST(Settle, Float16StoredByAFloat32Device) {
  const auto settled = Settled<Fp32>(TENSOR_FLOAT16, {}, {1, 1, 1, 1e-7, 1e-7});
  EXPECT_DOUBLE_EQ(settled.lo, 1 - 10 * 0x1p-10);
  const auto strict = Settled<Fp32>(TENSOR_FLOAT16, {}, {1, 1, 1, 1e-7, 1e-7}, {}, Activation::NONE, true);
  EXPECT_NEAR(strict.lo, 1 - 1e-7 - 0x1p-10 - 0x1p-14, 1e-9) << "the last rounding is to float16";
  EXPECT_TRUE(Settled<Fp32>(TENSOR_FLOAT16, {}, Bounded<Fp32>(70000)).IsUnknown());
}

TEST(Settle, FloatActivationsAndOverflow) {
  const auto relu = Settled<Fp32>(TENSOR_FLOAT32, {}, {-2, 0, -1}, {}, Activation::RELU);
  EXPECT_EQ(relu.lo, 0);
  EXPECT_DOUBLE_EQ(relu.hi, 1e-5);
  EXPECT_EQ(relu.value, 0);
  const auto relu6 = Settled<Fp32>(TENSOR_FLOAT32, {}, {5, 9, 7}, {}, Activation::RELU6);
  EXPECT_EQ(relu6.hi, 6);
  EXPECT_EQ(relu6.value, 6);
  EXPECT_TRUE(Settled<Fp16>(TENSOR_FLOAT16, {}, {0, 65504, 1}).IsUnknown());
  EXPECT_TRUE(Settled<Fp16>(TENSOR_FLOAT32, {}, {-65504, 0, 0}).IsUnknown());
  EXPECT_TRUE(Settled<Fp32>(TENSOR_FLOAT32, {}, Bounded<Fp32>(0x1.fffffep127)).IsUnknown());
  EXPECT_FALSE(Settled<Fp16>(TENSOR_FLOAT16, {}, {0, 60000, 1}).IsUnknown());
}

TEST(Settle, IntegersAndBoolsAreTheHull) {
  const auto x = Settled<Fp32>(TENSOR_INT32, {}, {-3, 5, 1, 10, 10});
  EXPECT_EQ(x.lo, -3);
  EXPECT_EQ(x.hi, 5);
  EXPECT_TRUE(Settled<Fp32>(TENSOR_INT32, {}, {0, 2147483648.0, 1}).IsUnknown());
  EXPECT_TRUE(Settled<Fp32>(TENSOR_INT32, {}, {-2147483649.0, 0, 0}).IsUnknown());
  EXPECT_FALSE(Settled<Fp32>(TENSOR_INT32, {}, {-2147483648.0, 2147483647.0, 0}).IsUnknown());
  EXPECT_EQ(Settled<Fp32>(TENSOR_INT32, {}, {-5, 5, 0}, {}, Activation::RELU).lo, 0);
  EXPECT_TRUE(Settled<Fp32>(TENSOR_INT32, {}, Bounded<Fp32>(kNan)).IsUnknown());
  const auto maybe = Settled<Fp32>(TENSOR_BOOL8, {}, {0, 1, 1});
  for (uint8_t byte : {uint8_t{0}, uint8_t{1}, uint8_t{2}})
    EXPECT_EQ(Inside(TENSOR_BOOL8, {}, maybe, &byte, 0), Verdict::kInside);
  const uint8_t no = 0;
  EXPECT_EQ(Inside(TENSOR_BOOL8, {}, Settled<Fp32>(TENSOR_BOOL8, {}, Bounded<Fp32>(1)), &no, 0), Verdict::kOutside);
}

TYPED_TEST(SettleTest, UnknownStaysUnknown) {
  using F = TypeParam;
  for (OperandType type : {TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_INT32, TENSOR_QUANT8_ASYMM})
    for (const Allowance& allowance : {Allowance{}, kExact})
      for (Activation activation : {Activation::NONE, Activation::RELU6})
        EXPECT_TRUE(
            Settled<F>(type, Scaled(type == TENSOR_QUANT8_ASYMM ? 1 : 0), Bounded<F>::Unknown(), allowance, activation)
                .IsUnknown());
  EXPECT_TRUE(Settled<F>(TENSOR_QUANT8_ASYMM, Scaled(1), Bounded<F>(kInf)).IsUnknown());
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(kInf)).IsExactInfinity());
  EXPECT_TRUE(Settled<F>(TENSOR_FLOAT32, {}, Bounded<F>(kInf), {}, Activation::RELU6).IsUnknown());
}

TYPED_TEST(SettleTest, Verdicts) {
  using B = Bounded<TypeParam>;
  const B x(1, 2, 1.5);
  EXPECT_EQ(Inside(x, 1), Verdict::kInside);
  EXPECT_EQ(Inside(x, 2), Verdict::kInside);
  EXPECT_EQ(Inside(x, 2.0000001), Verdict::kOutside);
  EXPECT_EQ(Inside(x, 0.9999999), Verdict::kOutside);
  for (double special : {kNan, kInf, -kInf}) EXPECT_EQ(Inside(x, special), Verdict::kOutside);
  for (double any : {kNan, kInf, 0.0}) EXPECT_EQ(Inside(B::Unknown(), any), Verdict::kUnknown);
  EXPECT_EQ(Inside(B(0), -0.0), Verdict::kInside);
  EXPECT_EQ(Inside(B(-0.0), 0.0), Verdict::kInside);
  EXPECT_EQ(Inside(B(kNan), kNan), Verdict::kInside);
  EXPECT_EQ(Inside(B(kNan), 1), Verdict::kOutside);
  EXPECT_EQ(Inside(B(kNan), kInf), Verdict::kOutside);
  EXPECT_EQ(Inside(B(kInf), kInf), Verdict::kInside);
  EXPECT_EQ(Inside(B(kInf), -kInf), Verdict::kOutside);
  EXPECT_EQ(Inside(B(kInf), kNan), Verdict::kOutside);
  EXPECT_EQ(Inside(B(kInf), 1e30), Verdict::kOutside);
  const float stored[] = {0.5f, 1.5f};
  uint8_t bytes[8];
  std::memcpy(bytes, stored, 8);
  EXPECT_EQ(Inside(TENSOR_FLOAT32, {}, x, bytes, 0), Verdict::kOutside);
  EXPECT_EQ(Inside(TENSOR_FLOAT32, {}, x, bytes, 1), Verdict::kInside);
}

TEST(Relax, WidensByOneFloat16UlpAndTheLeastNormal) {
  Bounded<Fp16> x[] = {{1, 2, 1.5}, 0, -3.001, 65024, Bounded<Fp16>(kNan), Bounded<Fp16>::Unknown()};
  Relax(x, 6);
  EXPECT_EQ(x[0].lo, 1 - 0x1p-10 - 0x1p-14);
  EXPECT_EQ(x[0].hi, 2 + 0x1p-9 + 0x1p-14);
  EXPECT_EQ(x[0].value, 1.5);
  EXPECT_TRUE(x[1].IsPoint()) << "zero is a float16";
  EXPECT_EQ(x[2].lo, -3.001 - 3.001 * 0x1p-10 - 0x1p-14);
  EXPECT_TRUE(x[3].IsPoint()) << "so is 65024";
  EXPECT_TRUE(x[4].IsExactNan());
  EXPECT_TRUE(x[5].IsUnknown());
  Bounded<Fp16> big = 65503;
  Relax(&big, 1);
  EXPECT_TRUE(big.IsUnknown());
}

TEST(Relax, HoldsEveryFaithfulRoundingToFloat16) {
  Random random(10);
  for (int i = 0; i < 20000; ++i) {
    const auto x = static_cast<double>(static_cast<float>(random.Spread(-20, 15)));
    Bounded<Fp16> relaxed = x;
    Relax(&relaxed, 1);
    test::Device<Fp16> device(random);
    EXPECT_EQ(Inside(relaxed, device.Round(x)), Verdict::kInside) << x;
  }
}

TYPED_TEST(SettleTest, AnchorsRestartTheIntervalAtWhatWasObserved) {
  using F = TypeParam;
  using B = Bounded<F>;
  const B wide(-100, 100, 0);
  const auto anchor = [](OperandType type, const Quantization& q, bool relaxed, double observed, const B& settled) {
    return Anchor(type, q, relaxed, observed, settled);
  };
  const auto f = anchor(TENSOR_FLOAT32, {}, false, 3, wide);
  ASSERT_TRUE(f.has_value());
  EXPECT_EQ(f->lo, 3 - 3 * 0x1p-23);
  EXPECT_EQ(f->hi, 3 + 3 * 0x1p-23);
  EXPECT_EQ(f->value, 3);
  EXPECT_TRUE(f->IsSettled());
  EXPECT_EQ(anchor(TENSOR_FLOAT32, {}, true, 3, wide)->hi, 3 + 3 * 0x1p-10 + 0x1p-14);
  EXPECT_EQ(anchor(TENSOR_FLOAT16, {}, false, -3, wide)->hi, -3 + 3 * 0x1p-10);
  EXPECT_EQ(anchor(TENSOR_FLOAT16, {}, false, 0, wide)->hi, 0x1p-14) << "it may have been flushed";
  EXPECT_TRUE(anchor(TENSOR_INT32, {}, false, 3, wide)->IsPoint());
  EXPECT_TRUE(anchor(TENSOR_BOOL8, {}, false, 1, wide)->IsPoint());
  const auto q = anchor(TENSOR_QUANT8_ASYMM, Scaled(0.5f, 10), false, 1, wide);
  EXPECT_EQ(q->lo, 0.5);
  EXPECT_EQ(q->hi, 1.5);
  const auto edge = anchor(TENSOR_QUANT8_ASYMM, Scaled(0.5f, 10), false, -5, wide);
  EXPECT_EQ(edge->lo, -5) << "saturation is kept";
  EXPECT_EQ(edge->hi, -4.5);

  // Intersected with what was propagated.
  const auto cut = anchor(TENSOR_QUANT8_ASYMM, Scaled(0.5f, 10), false, 1, B(1.25, 9, 2));
  EXPECT_EQ(cut->lo, 1.25);
  EXPECT_EQ(cut->hi, 1.5);
  EXPECT_EQ(cut->value, 1.25);
  EXPECT_FALSE(anchor(TENSOR_FLOAT32, {}, false, 3, B(3.1, 4, 3.5)).has_value());
  EXPECT_FALSE(anchor(TENSOR_INT32, {}, false, 3, B(4)).has_value());
  EXPECT_EQ(anchor(TENSOR_FLOAT32, {}, false, 3, B::Unknown())->lo, f->lo);

  // Special values.
  EXPECT_FALSE(anchor(TENSOR_FLOAT32, {}, false, kNan, wide).has_value());
  EXPECT_FALSE(anchor(TENSOR_FLOAT32, {}, false, kInf, wide).has_value());
  EXPECT_FALSE(anchor(TENSOR_FLOAT32, {}, false, 3, B(kNan)).has_value());
  EXPECT_FALSE(anchor(TENSOR_FLOAT32, {}, false, 3, B(kInf)).has_value());
  EXPECT_TRUE(anchor(TENSOR_FLOAT32, {}, false, kNan, B(kNan))->IsExactNan());
  EXPECT_TRUE(anchor(TENSOR_FLOAT32, {}, false, kInf, B(kInf))->IsExactInfinity());
  EXPECT_TRUE(anchor(TENSOR_FLOAT32, {}, false, kNan, B::Unknown())->IsExactNan());
  EXPECT_TRUE(anchor(TENSOR_FLOAT32, {}, false, kInf, B::Unknown())->IsUnknown());
}

// What a device computes in float and stores conforms to what was settled, strictly too.
TYPED_TEST(SettleTest, ADevicesStoredResultConforms) {
  using F = TypeParam;
  using B = Bounded<F>;
  Random random(11);
  const OperandType type = std::is_same_v<F, Fp32> ? TENSOR_FLOAT32 : TENSOR_FLOAT16;
  for (int i = 0; i < 20000; ++i) {
    const double a = test::Near<F>(random.Spread(-4, 4)), b = test::Near<F>(random.Spread(-4, 4));
    const auto activation = static_cast<Activation>(random.Below(4));
    test::Device<F> device(random);
    const double product = device.Multiply(a, b);
    const double got = Activate(activation, device.Add(product, a));
    for (bool strict : {false, true}) {
      const B settled = Settled<F>(type, {}, B(a) * B(b) + B(a), {}, activation, strict);
      ASSERT_EQ(Inside(settled, got), Verdict::kInside) << a << " " << b;
      const auto anchored = Anchor(type, {}, false, got, settled);
      ASSERT_TRUE(anchored.has_value());
      ASSERT_LE(anchored->lo, got);
      ASSERT_GE(anchored->hi, got);
    }
  }
}

}  // namespace
}  // namespace assay
