// ADD and MUL.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/ops/harness.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

OneCall Binary(OperationCode code, Given a, Given b, Given out, int32_t activation = 0) {
  return {code, {std::move(a), std::move(b), Int(activation)}, {std::move(out)}};
}
OneCall Add(Given a, Given b, Given out, int32_t activation = 0) {
  return Binary(OperationCode::ADD, std::move(a), std::move(b), std::move(out), activation);
}
OneCall Mul(Given a, Given b, Given out, int32_t activation = 0) {
  return Binary(OperationCode::MUL, std::move(a), std::move(b), std::move(out), activation);
}

TEST(ArithmeticTest, Activations) {
  const Given a = Float32({4}, {-9, -0.5, 0.5, 4}), b = Float32({4}, {0, 0, 0, 4});
  EXPECT_THAT(Add(a, b, Output(TENSOR_FLOAT32), 0).Golden(), ElementsAre(-9, -0.5, 0.5, 8));
  EXPECT_THAT(Add(a, b, Output(TENSOR_FLOAT32), 1).Golden(), ElementsAre(0, 0, 0.5, 8));
  EXPECT_THAT(Add(a, b, Output(TENSOR_FLOAT32), 2).Golden(), ElementsAre(-1, -0.5, 0.5, 1));
  EXPECT_THAT(Add(a, b, Output(TENSOR_FLOAT32), 3).Golden(), ElementsAre(0, 0, 0.5, 6));
  EXPECT_THAT(Mul(a, a, Output(TENSOR_FLOAT32), 3).Golden(), ElementsAre(6, 0.25, 0.25, 6));
  for (int32_t activation : {0, 1, 2, 3}) Mul(a, b, Output(TENSOR_FLOAT32), activation).ExpectInside();
}

TEST(ArithmeticTest, BroadcastsFromTheLast) {
  // [2, 1, 3] and [2, 1]: the second counts as [1, 2, 1].
  const OneCall add = Add(Float32({2, 1, 3}, {1, 2, 3, 4, 5, 6}), Float32({2, 1}, {10, 20}), Output(TENSOR_FLOAT32));
  EXPECT_EQ(add.dims(), Dims({2, 2, 3}));
  EXPECT_THAT(add.Golden(), ElementsAre(11, 12, 13, 21, 22, 23, 14, 15, 16, 24, 25, 26));
  const OneCall mul = Mul(Float32({1}, {2}), Float32({2, 2}, {1, 2, 3, 4}), Output(TENSOR_FLOAT32));
  EXPECT_THAT(mul.Golden(), ElementsAre(2, 4, 6, 8));
  mul.ExpectInside();
}

// Every pair of shapes in a small box, against an index computed from the definition.
TEST(ArithmeticTest, BroadcastsAsDefined) {
  const std::vector<Dims> shapes = {{1},       {3},       {2, 3},       {2, 1},       {1, 3},      {4, 2, 3},
                                    {4, 1, 1}, {1, 2, 1}, {5, 4, 2, 3}, {5, 1, 2, 1}, {1, 4, 1, 3}};
  const auto from_last = [](const Dims& d, size_t i) { return i < d.size() ? d[d.size() - 1 - i] : 1u; };
  int seen = 0;
  for (const Dims& p : shapes)
    for (const Dims& q : shapes) {
      Dims out(std::max(p.size(), q.size()));
      bool fits = true;
      for (size_t i = 0; i < out.size(); ++i) {
        const uint32_t a = from_last(p, i), b = from_last(q, i);
        fits &= a == b || a == 1 || b == 1;
        out[out.size() - 1 - i] = a == 1 ? b : a;
      }
      const auto a = Noise(Count(p), 1), b = Noise(Count(q), 2);
      const OneCall add = Add(Float32(p, a), Float32(q, b), Output(TENSOR_FLOAT32));
      ASSERT_EQ(add.valid(), fits) << ToString(p) << ToString(q);
      if (!fits) continue;
      ++seen;
      ASSERT_EQ(add.dims(), out);
      std::vector<double> expected;
      for (size_t e = 0; e < Count(out); ++e) {
        const auto index = [&](const Dims& d) {
          size_t rest = e, at = 0, stride = 1;
          for (size_t i = 0; i < out.size(); ++i) {
            const size_t coordinate = rest % from_last(out, i);
            rest /= from_last(out, i);
            if (from_last(d, i) != 1) at += coordinate * stride;
            stride *= from_last(d, i);
          }
          return at;
        };
        const float x = static_cast<float>(a[index(p)]), y = static_cast<float>(b[index(q)]);
        expected.push_back(double{static_cast<float>(double{x} + double{y})});
      }
      ASSERT_THAT(add.Golden(), ElementsAreArray(expected)) << ToString(p) << ToString(q);
    }
  EXPECT_GT(seen, 60);
}

TEST(ArithmeticTest, QuantizedByTheFormula) {
  const struct {
    OperandType type;
    int32_t least, most;
  } types[] = {{TENSOR_QUANT8_ASYMM, 0, 255}, {TENSOR_QUANT8_ASYMM_SIGNED, -128, 127}};
  for (const auto& t : types)
    for (int32_t activation : {0, 1, 2, 3})
      for (OperationCode code : {OperationCode::ADD, OperationCode::MUL}) {
        const Quantization qa{0.05f, t.least + 100, nullptr}, qb{0.5f, t.least + 3, nullptr};
        const Quantization qo{code == OperationCode::ADD ? 0.3f : 0.8f, t.least + 60, nullptr};
        const auto a = NoiseCodes(200, 7, t.least, t.most), b = NoiseCodes(200, 8, t.least, t.most);
        const OneCall call =
            Binary(code, Codes(t.type, {200}, a, qa), Codes(t.type, {200}, b, qb), Output(t.type, qo), activation);
        const std::vector<int64_t> golden = call.GoldenCodes(), fast = call.FastCodes();
        ASSERT_EQ(golden.size(), 200u);
        const double lo = activation == 0 ? -1e9 : activation == 2 ? -1 : 0;
        const double hi = activation == 2 ? 1 : activation == 3 ? 6 : 1e9;
        const auto quantized = [&](double real) {
          return static_cast<int64_t>(qo.zero_point + std::round(real / double{qo.scale}));
        };
        for (size_t i = 0; i < golden.size(); ++i) {
          const double x = double{qa.scale} * static_cast<double>(a[i] - qa.zero_point);
          const double y = double{qb.scale} * static_cast<double>(b[i] - qb.zero_point);
          const int64_t exact = quantized(code == OperationCode::ADD ? x + y : x * y);
          const int64_t expected = std::clamp<int64_t>(exact, std::max<int64_t>(t.least, quantized(lo)),
                                                       std::min<int64_t>(t.most, quantized(hi)));
          ASSERT_EQ(golden[i], expected) << i;
          ASSERT_NEAR(static_cast<double>(fast[i]), static_cast<double>(expected), 1) << i;
        }
        call.ExpectInside();
        call.ExpectHullHolds(0, 2, 6);
        EXPECT_LE(call.Widest(), 3.001 * double{qo.scale});
      }
}

TEST(ArithmeticTest, Int32IsExact) {
  const int64_t big = 2000000001;
  const OneCall add = Add(Int32({3}, {big, -big, 7}), Int32({3}, {100000003, 1, -7}), Output(TENSOR_INT32));
  EXPECT_THAT(add.GoldenCodes(), ElementsAre(2100000004, -2000000000, 0));
  EXPECT_THAT(add.FastCodes(), ElementsAre(2100000004, -2000000000, 0));
  EXPECT_EQ(add.Widest(), 0);
  const OneCall mul = Mul(Int32({2}, {46341, -65535}), Int32({2}, {46339, 32767}), Output(TENSOR_INT32));
  EXPECT_THAT(mul.FastCodes(), ElementsAre(46341 * 46339, -65535LL * 32767));
  EXPECT_EQ(mul.Widest(), 0);
  // Overflow is unspecified, so the judge does not know.
  EXPECT_TRUE(Add(Int32({1}, {big}), Int32({1}, {big}), Output(TENSOR_INT32)).Bound().front().IsUnknown());
  EXPECT_TRUE(Mul(Int32({1}, {big}), Int32({1}, {big}), Output(TENSOR_INT32)).Bound().front().IsUnknown());
  // A scale means nothing here.
  const OneCall scaled = Add(Int32({1}, {5}, 0.5), Int32({1}, {6}, 0.25), Output(TENSOR_INT32, {2, 0, nullptr}));
  EXPECT_THAT(scaled.GoldenCodes(), ElementsAre(11));
  scaled.ExpectInside();
}

TEST(ArithmeticTest, BoundsOfFloats) {
  const auto a = Noise(50, 1, -3, 3), b = Noise(50, 2, -3, 3);
  for (OperationCode code : {OperationCode::ADD, OperationCode::MUL}) {
    const OneCall single = Binary(code, Float32({50}, a), Float32({50}, b), Output(TENSOR_FLOAT32));
    single.ExpectInside();
    single.ExpectHullHolds(0.25, 0, 40);
    EXPECT_LT(single.Widest(0, {.strict = true}), 10 * 2 * 0x1p-22);  // |result| <= 9, one ulp to either side
    const OneCall half = Binary(code, Float16({50}, a), Float16({50}, b), Output(TENSOR_FLOAT16), 1);
    half.ExpectInside();
    half.ExpectHullHolds(0.25, 0, 40);
  }
  // An interval of a factor that crosses zero: the true hull.
  const OneCall mul = Mul(Float32({1}, {0}), Float32({1}, {3}), Output(TENSOR_FLOAT32));
  const Interval hull = mul.Bound(0, {.strict = true}, {{Interval(-1, 2, 0)}, {Interval(3, 4, 3)}}).front();
  EXPECT_NEAR(hull.lo, -4, 1e-5);
  EXPECT_NEAR(hull.hi, 8, 1e-5);
}

TEST(ArithmeticTest, EmptyTensors) {
  const OneCall add = Add(Float32({0, 3}, {}), Float32({1, 3}, {1}), Output(TENSOR_FLOAT32));
  EXPECT_EQ(add.dims(), Dims({0, 3}));
  EXPECT_TRUE(add.Golden().empty());
  EXPECT_TRUE(add.valid());
  EXPECT_EQ(Add(Float32({0}, {}), Float32({2}, {1}), Output(TENSOR_FLOAT32)).broken(),
            std::set<std::string>{"broadcast"});
}

TEST(ArithmeticTest, InfersWhatIsKnown) {
  const auto shape = [](Given a, Given b) {
    return Add(std::move(a), std::move(b), Output(TENSOR_FLOAT32)).inferred().at(0).shape;
  };
  const Given a = Float32({2, 3}, {0}), b = Float32({1, 3}, {0}), ones = Float32({1, 1}, {0});
  EXPECT_EQ(shape(a.UnknownRank(), b), Shape::Unranked());
  EXPECT_EQ(shape(a.UnknownDim(0), b), Shape::Of({kUnknownDim, 3}));
  EXPECT_EQ(shape(ones.UnknownDim(0), a), Shape::Of({2, 3}));  // 1 or 2: the result is 2
  EXPECT_EQ(shape(a.UnknownDim(1), ones), Shape::Of({2, kUnknownDim}));
}

TEST(ArithmeticTest, Levels) {
  EXPECT_EQ(Add(Float32({1}, {1}), Float32({1}, {1}), Output(TENSOR_FLOAT32)).level(), 1);
  EXPECT_EQ(Add(Float16({1}, {1}), Float16({1}, {1}), Output(TENSOR_FLOAT16)).level(), 3);
  EXPECT_EQ(Add(Int32({1}, {1}), Int32({1}, {1}), Output(TENSOR_INT32)).level(), 4);
  const Given q = Quant8Signed({1}, {1}, 1, 0);
  EXPECT_EQ(Add(q, q, Output(TENSOR_QUANT8_ASYMM_SIGNED, {1, 0, nullptr})).level(), 4);
}

TEST(ArithmeticTest, Rules) {
  for (OperationCode code : {OperationCode::ADD, OperationCode::MUL}) {
    RuleBook rules(code);
    const Given out = Output(TENSOR_FLOAT32);
    rules.Valid(Binary(code, Float32({2}, {1}), Float32({2}, {1}), out));
    rules.Breaks("rank", {Float32({1, 1, 1, 1, 2}, {1}), Float32({2}, {1}), Int(0)}, {out});
    // The model's rule waits until both ranks are known.
    rules.Breaks("rank", {Float32({2}, {1}), Float32({1, 1, 1, 1, 2}, {1}), Int(0)}, {out});
    rules.Breaks("broadcast", {Float32({2, 3}, {1}), Float32({2}, {1}), Int(0)}, {out});
    rules.Breaks("int32_activation", {Int32({2}, {1}), Int32({2}, {1}), Int(1)}, {Output(TENSOR_INT32)});
    if (code == OperationCode::MUL) {
      const Given a = Quant8({1}, {1}, 0.5, 0), s = Quant8Signed({1}, {1}, 0.5, 0);
      rules.Breaks("output_scale", {a, a, Int(0)}, {Output(TENSOR_QUANT8_ASYMM, {0.25, 0, nullptr})});
      rules.Breaks("output_scale", {s, s, Int(0)}, {Output(TENSOR_QUANT8_ASYMM_SIGNED, {0.25, 0, nullptr})});
      EXPECT_TRUE(Mul(a, a, Output(TENSOR_QUANT8_ASYMM, {0.2501f, 0, nullptr})).valid());
    }
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
