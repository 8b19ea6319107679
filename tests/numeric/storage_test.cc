// Every conversion between stored bytes and numbers, and every rounding on the way.
#include "numeric/storage.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "numeric/half.h"
#include "tests/numeric/adversary.h"

namespace assay {
namespace {

using enum OperandType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Bytes BytesOf(const std::vector<T>& elements) {
  Bytes out(elements.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), elements.data(), out.size());
  return out;
}
template <class T>
std::vector<T> ElementsOf(const Bytes& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}
Dims Flat(size_t count) { return {static_cast<uint32_t>(count)}; }

Quantization Scaled(float scale, int32_t zero_point = 0) { return {scale, zero_point, nullptr}; }
Quantization Channels(uint32_t dim, std::vector<float> scales) {
  return {0, 0, std::make_shared<const PerChannel>(PerChannel{dim, std::move(scales)})};
}

// Loads in every domain, at an odd address too, and checks against the expected real numbers.
void ExpectLoads(OperandType type, const Quantization& quantization, const Dims& dims, const Bytes& bytes,
                 const std::vector<double>& expected) {
  ASSERT_EQ(Count(dims), expected.size());
  Bytes shifted(bytes.size() + 1);
  if (!bytes.empty()) std::memcpy(shifted.data() + 1, bytes.data(), bytes.size());
  for (const uint8_t* data :
       {static_cast<const uint8_t*>(bytes.data()), static_cast<const uint8_t*>(shifted.data() + 1)}) {
    std::vector<double> d(expected.size());
    std::vector<float> f(expected.size());
    std::vector<Bounded<Fp32>> b(expected.size());
    std::vector<Bounded<Fp16>> h(expected.size());
    Load(type, quantization, dims, data, d.data());
    Load(type, quantization, dims, data, f.data());
    Load(type, quantization, dims, data, b.data());
    Load(type, quantization, dims, data, h.data());
    for (size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE(i);
      const double one = ElementAt(type, quantization, dims, data, i);
      if (std::isnan(expected[i])) {
        EXPECT_TRUE(std::isnan(d[i]) && std::isnan(f[i]) && std::isnan(one));
        EXPECT_TRUE(b[i].IsExactNan() && h[i].IsExactNan());
        continue;
      }
      ASSERT_EQ(d[i], expected[i]);
      ASSERT_EQ(one, expected[i]);
      ASSERT_EQ(f[i], static_cast<float>(expected[i]));
      for (double bound : {b[i].lo, b[i].hi, b[i].value, h[i].lo, h[i].hi, h[i].value}) ASSERT_EQ(bound, expected[i]);
      ASSERT_TRUE(b[i].IsSettled() && h[i].IsSettled());
    }
  }
}

TEST(Load, Floats) {
  ExpectLoads(TENSOR_FLOAT32, {}, {2, 2}, BytesOf<float>({0.1f, -2, 1e-40f, std::numeric_limits<float>::infinity()}),
              {static_cast<double>(0.1f), -2, static_cast<double>(1e-40f), kInf});
  ExpectLoads(FLOAT32, {}, {}, BytesOf<float>({std::numeric_limits<float>::quiet_NaN()}), {kNan});
  ExpectLoads(TENSOR_FLOAT16, {}, {4}, BytesOf<uint16_t>({0x3C00, 0x0001, 0xFBFF, 0x7E00}), {1, 0x1p-24, -65504, kNan});
  ExpectLoads(FLOAT16, {}, {}, BytesOf<uint16_t>({0xFC00}), {-kInf});
}

TEST(Load, IntegersAndBools) {
  ExpectLoads(TENSOR_INT32, {}, {3}, BytesOf<int32_t>({INT32_MIN, -1, INT32_MAX}), {-2147483648.0, -1, 2147483647.0});
  ExpectLoads(UINT32, {}, {}, BytesOf<uint32_t>({UINT32_MAX}), {4294967295.0});
  ExpectLoads(TENSOR_INT32, Scaled(0.25f), {2}, BytesOf<int32_t>({-3, 5}), {-0.75, 1.25});
  ExpectLoads(TENSOR_BOOL8, {}, {4}, {0, 1, 2, 255}, {0, 1, 1, 1});
  ExpectLoads(TENSOR_INT32, {}, {0, 5}, {}, {});
}

TEST(Load, EveryCodeOfEveryQuantizedType) {
  const float scale = 0.1f;  // not a short binary fraction, as double(0.1f) shows
  for (const TypeInfo& info : AllTypes()) {
    if (!info.has_scale) continue;
    SCOPED_TRACE(std::string(info.name.data(), info.name.size()));
    const int32_t zero = info.most_zero_point == 0 ? 0 : info.least_zero_point + 3;
    const CodeRange codes = CodesOf(info.storage);
    Bytes bytes;
    std::vector<double> expected;
    for (int64_t code = codes.least; code <= codes.most; ++code) {
      bytes.push_back(static_cast<uint8_t>(code));
      if (info.element_size == 2) bytes.push_back(static_cast<uint8_t>(code >> 8));
      expected.push_back(static_cast<double>(scale) * static_cast<double>(code - zero));
      ASSERT_EQ(ValueOf(info.type, Scaled(scale, zero), 0, code), expected.back());
    }
    ExpectLoads(info.type, Scaled(scale, zero), Flat(expected.size()), bytes, expected);
    // A long tensor of 8-bit codes goes another way.
    bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + info.element_size);
    expected.push_back(expected.front());
    ExpectLoads(info.type, Scaled(scale, zero), Flat(expected.size()), bytes, expected);
  }
}

TEST(Load, PerChannel) {
  const Bytes codes = {1, 2, 3, 0x80, 0x7F, 0xFF, 0, 5, 6, 7, 8, 9};  // 0x80 = -128
  ExpectLoads(TENSOR_QUANT8_SYMM_PER_CHANNEL, Channels(0, {0.5f, 2}), {2, 3, 2}, codes,
              {0.5, 1, 1.5, -64, 63.5, -0.5, 0, 10, 12, 14, 16, 18});
  ExpectLoads(TENSOR_QUANT8_SYMM_PER_CHANNEL, Channels(1, {1, 2, 4}), {2, 3, 2}, codes,
              {1, 2, 6, -256, 508, -4, 0, 5, 12, 14, 32, 36});
  ExpectLoads(TENSOR_QUANT8_SYMM_PER_CHANNEL, Channels(2, {1, 10}), {2, 3, 2}, codes,
              {1, 20, 3, -1280, 127, -10, 0, 50, 6, 70, 8, 90});
}

template <class N>
class StoreTest : public testing::Test {
 protected:
  // Stores the numbers, at an odd address too.
  template <class T>
  std::vector<T> Stored(OperandType type, const Quantization& quantization, const std::vector<double>& numbers,
                        Activation activation = Activation::NONE, Dims dims = {}) {
    std::vector<N> values;
    for (double x : numbers) values.push_back(static_cast<N>(x));
    if (dims.empty()) dims = Flat(values.size());
    Bytes bytes(values.size() * sizeof(T)), shifted(bytes.size() + 2, 0xEE);
    Store(type, quantization, dims, values.data(), bytes.data(), activation);
    Store(type, quantization, dims, values.data(), shifted.data() + 1, activation);
    EXPECT_EQ(Bytes(shifted.begin() + 1, shifted.end() - 1), bytes);
    EXPECT_EQ(shifted.front(), 0xEE);
    EXPECT_EQ(shifted.back(), 0xEE);
    return ElementsOf<T>(bytes);
  }
};
using Plains = testing::Types<float, double>;
TYPED_TEST_SUITE(StoreTest, Plains);

TYPED_TEST(StoreTest, QuantizedRoundsHalfAwayFromZeroBeforeTheZeroPoint) {
  const std::vector<double> x = {0, 0.25, -0.25, 0.75, -0.75, 0.2, -0.2, 1.25, -1.25};  // in steps of 0.5
  EXPECT_EQ(this->template Stored<uint8_t>(TENSOR_QUANT8_ASYMM, Scaled(0.5f, 10), x),
            (std::vector<uint8_t>{10, 11, 9, 12, 8, 10, 10, 13, 7}));
  EXPECT_EQ(this->template Stored<int8_t>(TENSOR_QUANT8_ASYMM_SIGNED, Scaled(0.5f, -10), x),
            (std::vector<int8_t>{-10, -9, -11, -8, -12, -10, -10, -7, -13}));
  EXPECT_EQ(this->template Stored<int8_t>(TENSOR_QUANT8_SYMM, Scaled(0.5f), x),
            (std::vector<int8_t>{0, 1, -1, 2, -2, 0, 0, 3, -3}));
  EXPECT_EQ(this->template Stored<int16_t>(TENSOR_QUANT16_SYMM, Scaled(0.5f), x),
            (std::vector<int16_t>{0, 1, -1, 2, -2, 0, 0, 3, -3}));
  EXPECT_EQ(this->template Stored<uint16_t>(TENSOR_QUANT16_ASYMM, Scaled(0.5f, 1000), x),
            (std::vector<uint16_t>{1000, 1001, 999, 1002, 998, 1000, 1000, 1003, 997}));
}

TYPED_TEST(StoreTest, QuantizedSaturatesAndNanIsZero) {
  const std::vector<double> x = {1e30, -1e30, kInf, -kInf, kNan, 127.5, -128.5};
  EXPECT_EQ(this->template Stored<int8_t>(TENSOR_QUANT8_SYMM, Scaled(1), x),
            (std::vector<int8_t>{127, -128, 127, -128, 0, 127, -128}));
  EXPECT_EQ(this->template Stored<uint8_t>(TENSOR_QUANT8_ASYMM, Scaled(1, 7), x),
            (std::vector<uint8_t>{255, 0, 255, 0, 7, 135, 0}));
  EXPECT_EQ(this->template Stored<uint16_t>(TENSOR_QUANT16_ASYMM, Scaled(1, 7), x),
            (std::vector<uint16_t>{65535, 0, 65535, 0, 7, 135, 0}));
}

TYPED_TEST(StoreTest, DividesByTheScaleInDouble) {
  // 0.35 / 0.1f in double is a little below 3.5 (0.1f is above 0.1); in float it would be 3.5.
  const double ratio = static_cast<double>(static_cast<TypeParam>(0.35)) / static_cast<double>(0.1f);
  EXPECT_LT(ratio, 3.5);
  EXPECT_EQ(this->template Stored<int8_t>(TENSOR_QUANT8_SYMM, Scaled(0.1f), {0.35}),
            (std::vector<int8_t>{ratio < 3.5 ? int8_t{3} : int8_t{4}}));
}

TYPED_TEST(StoreTest, ActivationsClampTheCodes) {
  const std::vector<double> x = {-100, -1, -0.3, 0, 0.3, 1, 5.9, 100};
  const Quantization q = Scaled(0.4f, 100);  // 1 is 2.5 steps, 6 is 15
  const auto stored = [&](Activation a) { return this->template Stored<uint8_t>(TENSOR_QUANT8_ASYMM, q, x, a); };
  EXPECT_EQ(stored(Activation::NONE), (std::vector<uint8_t>{0, 98, 99, 100, 101, 102, 115, 255}));
  EXPECT_EQ(stored(Activation::RELU), (std::vector<uint8_t>{100, 100, 100, 100, 101, 102, 115, 255}));
  EXPECT_EQ(stored(Activation::RELU6), (std::vector<uint8_t>{100, 100, 100, 100, 101, 102, 115, 115}));
  EXPECT_EQ(stored(Activation::RELU1), (std::vector<uint8_t>{98, 98, 99, 100, 101, 102, 102, 102}));
  EXPECT_EQ(this->template Stored<float>(TENSOR_FLOAT32, {}, {-2, 0.5, 7}, Activation::RELU6),
            (std::vector<float>{0, 0.5, 6}));
  EXPECT_EQ(this->template Stored<uint16_t>(TENSOR_FLOAT16, {}, {-2, 0.5, 7}, Activation::RELU1),
            (std::vector<uint16_t>{0xBC00, 0x3800, 0x3C00}));
  EXPECT_EQ(this->template Stored<int32_t>(TENSOR_INT32, {}, {-2, 7}, Activation::RELU), (std::vector<int32_t>{0, 7}));
}

TYPED_TEST(StoreTest, IntegersAndBools) {
  EXPECT_EQ(this->template Stored<int32_t>(TENSOR_INT32, {}, {0.5, -0.5, 2.5, -2.5, 0.4, 1e20, -1e20, kNan}),
            (std::vector<int32_t>{1, -1, 3, -3, 0, INT32_MAX, INT32_MIN, 0}));
  EXPECT_EQ(this->template Stored<uint32_t>(UINT32, {}, {-1, 1e20}, Activation::NONE, {2}),
            (std::vector<uint32_t>{0, UINT32_MAX}));
  EXPECT_EQ(this->template Stored<int32_t>(TENSOR_INT32, Scaled(0.25f), {1, -0.375}), (std::vector<int32_t>{4, -2}));
  EXPECT_EQ(this->template Stored<uint8_t>(TENSOR_BOOL8, {}, {0, -0.0, 1, 0.25, -3, kNan}),
            (std::vector<uint8_t>{0, 0, 1, 1, 1, 1}));
}

TYPED_TEST(StoreTest, PerChannel) {
  EXPECT_EQ(this->template Stored<int8_t>(TENSOR_QUANT8_SYMM_PER_CHANNEL, Channels(1, {1, 0.5f}),
                                          {1.5, 1.25, -900, kNan}, Activation::NONE, {2, 2}),
            (std::vector<int8_t>{2, 3, -128, 0}));
}

TEST(Store, FloatsRoundOnceHalfToEven) {
  const std::vector<double> x = {1 + 0x1p-24, 1 + 0x3p-24, 1 + 0x1p-24 + 0x1p-50, 1e300, -0.0};
  Bytes bytes(x.size() * 4);
  Store(TENSOR_FLOAT32, {}, Flat(x.size()), x.data(), bytes.data());
  const auto f = ElementsOf<float>(bytes);
  EXPECT_EQ(f[0], 1.0f);
  EXPECT_EQ(f[1], 1.0f + 0x2p-23f);
  EXPECT_EQ(f[2], 1.0f + 0x1p-23f);
  EXPECT_EQ(f[3], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::signbit(f[4]));
  // A double just above the tie of two halves is not rounded to float, the tie, before.
  const std::vector<double> h = {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 65520, kNan};
  Bytes halves(h.size() * 2);
  Store(TENSOR_FLOAT16, {}, Flat(h.size()), h.data(), halves.data());
  EXPECT_EQ(ElementsOf<uint16_t>(halves), (std::vector<uint16_t>{0x3C00, 0x3C01, 0x7C00, 0x7E00}));
}

TEST(Store, LoadedCodesComeBack) {
  test::Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Quantization q =
        Scaled(static_cast<float>(std::ldexp(1 + random.Unit(), -static_cast<int>(random.Below(20)))),
               static_cast<int32_t>(random.Below(256)));
    Bytes codes(256), back(256);
    for (size_t c = 0; c < 256; ++c) codes[c] = static_cast<uint8_t>(c);
    std::vector<float> f(256);
    std::vector<double> d(256);
    Load(TENSOR_QUANT8_ASYMM, q, {256}, codes.data(), f.data());
    Store(TENSOR_QUANT8_ASYMM, q, {256}, f.data(), back.data());
    ASSERT_EQ(back, codes);
    Load(TENSOR_QUANT8_ASYMM, q, {256}, codes.data(), d.data());
    Store(TENSOR_QUANT8_ASYMM, q, {256}, d.data(), back.data());
    ASSERT_EQ(back, codes);
  }
}

TEST(ActivationCodes, Limits) {
  const auto codes = [](Activation a, float scale, int32_t zero, OperandType type) {
    const CodeRange range = ActivationCodes(a, Scaled(scale, zero), type);
    return std::pair<int64_t, int64_t>(range.least, range.most);
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(codes(Activation::NONE, 0.5f, 3, TENSOR_QUANT8_ASYMM), Pair(0, 255));
  EXPECT_EQ(codes(Activation::RELU, 0.5f, 3, TENSOR_QUANT8_ASYMM), Pair(3, 255));
  EXPECT_EQ(codes(Activation::RELU6, 0.5f, 3, TENSOR_QUANT8_ASYMM), Pair(3, 15));
  EXPECT_EQ(codes(Activation::RELU1, 0.5f, 1, TENSOR_QUANT8_ASYMM), Pair(0, 3));
  EXPECT_EQ(codes(Activation::RELU1, 0.4f, 10, TENSOR_QUANT8_ASYMM), Pair(8, 12)) << "2.4999 steps";
  EXPECT_EQ(codes(Activation::RELU1, 2, 10, TENSOR_QUANT8_ASYMM), Pair(9, 11)) << "half a step, away from zero";
  EXPECT_EQ(codes(Activation::RELU6, 1e-30f, -128, TENSOR_QUANT8_ASYMM_SIGNED), Pair(-128, 127));
  EXPECT_EQ(codes(Activation::RELU6, 1e30f, 127, TENSOR_QUANT8_ASYMM_SIGNED), Pair(127, 127));
}

TEST(Activate, EveryDomain) {
  EXPECT_EQ(Activate(Activation::RELU, -1.0f), 0);
  EXPECT_EQ(Activate(Activation::RELU6, 7.0), 6);
  EXPECT_EQ(Activate(Activation::RELU1, -7.0), -1);
  EXPECT_EQ(Activate(Activation::NONE, -7.0), -7);
  EXPECT_TRUE(std::isnan(Activate(Activation::RELU, kNan)));
  const auto x = Activate(Activation::RELU, Bounded<Fp32>(-1, 2, 0.5, 0.25, 0.25));
  EXPECT_EQ(x.lo, 0);
  EXPECT_EQ(x.Lo(), 0);
  EXPECT_EQ(x.hi, 2);
  EXPECT_EQ(x.Hi(), 2.25);
  double many[] = {-3, 3, 9};
  Activate(Activation::RELU6, many, 3);
  EXPECT_EQ(std::vector<double>(many, many + 3), (std::vector<double>{0, 3, 6}));
}

TEST(FormatElement, ForPeople) {
  const Bytes codes = {17, 0};
  EXPECT_EQ(FormatElement(TENSOR_QUANT8_ASYMM, Scaled(0.25f, 16), {2}, codes.data(), 0), "17 (0.25)");
  EXPECT_EQ(FormatElement(TENSOR_QUANT8_ASYMM, Scaled(0.25f, 16), {2}, codes.data(), 1), "0 (-4)");
  EXPECT_EQ(FormatElement(TENSOR_BOOL8, {}, {2}, codes.data(), 0), "true (17)");
  EXPECT_EQ(FormatElement(TENSOR_BOOL8, {}, {2}, codes.data(), 1), "false");
  EXPECT_EQ(FormatElement(TENSOR_FLOAT32, {}, {1}, BytesOf<float>({0.1f}).data(), 0), "0.100000001");
  EXPECT_EQ(FormatElement(TENSOR_FLOAT16, {}, {1}, BytesOf<uint16_t>({0x3C01}).data(), 0), "1.001");
  EXPECT_EQ(FormatElement(TENSOR_INT32, {}, {1}, BytesOf<int32_t>({-7}).data(), 0), "-7");
  EXPECT_EQ(FormatElement(TENSOR_QUANT8_SYMM_PER_CHANNEL, Channels(0, {1, 0.5f}), {2}, Bytes{1, 0xFE}.data(), 1),
            "-2 (-1)");
}

TEST(CodeAt, IsTheStoredCode) {
  EXPECT_EQ(CodeAt(TENSOR_QUANT8_SYMM, Bytes{0, 0x80}.data(), 1), -128);
  EXPECT_EQ(CodeAt(TENSOR_QUANT16_ASYMM, BytesOf<uint16_t>({1, 65535}).data(), 1), 65535);
  EXPECT_EQ(CodeAt(TENSOR_FLOAT32, BytesOf<float>({-0.0f}).data(), 0), 0x80000000);
}

}  // namespace
}  // namespace assay
