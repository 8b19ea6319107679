// CAST against its table.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Cast(Given input, OperandType to, Quantization quantization = {}) {
  return {OperationCode::CAST, {std::move(input)}, {Output(to, std::move(quantization))}};
}
// A legal quantization that must play no role.
Quantization Odd(OperandType type) {
  if (!IsQuantized(type)) return {};
  const bool symmetric = InfoOf(type).least_zero_point == InfoOf(type).most_zero_point;
  return {0.37f, symmetric ? 0 : 77, nullptr};
}
OneCall Odder(Given input, OperandType to) {
  input.argument.quantization = Odd(input.argument.type);
  return Cast(std::move(input), to, Odd(to));
}

TEST(Cast, FromFloats) {
  const std::vector<double> x{0, 0.9, 5.7, -0.9, -5.7, 255.9};
  for (const Given& in : {Float32({6}, x), Float16({6}, x)}) {
    for (const OneCall& cast : {Odder(in, TENSOR_INT32)}) {
      EXPECT_THAT(cast.GoldenCodes(), ElementsAre(0, 0, 5, 0, -5, 255));
      EXPECT_THAT(cast.FastCodes(), ElementsAre(0, 0, 5, 0, -5, 255));
      cast.ExpectInside();
    }
    const OneCall codes = Odder(in, TENSOR_QUANT8_ASYMM);
    EXPECT_THAT(codes.GoldenCodes(), ElementsAre(0, 0, 5, 0, 0, 255));
    EXPECT_THAT(codes.FastCodes(), ElementsAre(0, 0, 5, 0, 0, 255));
    codes.ExpectInside();
  }
  EXPECT_THAT(Odder(Float32({2}, {1e4, -1e4}), TENSOR_QUANT8_ASYMM).GoldenCodes(), ElementsAre(255, 0));
  // 1 + 2^-11 lies halfway between two halves: to the even one.
  const double half = 1 + 0x1p-11;
  EXPECT_THAT(Cast(Float32({3}, {half, 65504, 1e6}), TENSOR_FLOAT16).Golden(), ElementsAre(1, 65504, INFINITY));
  EXPECT_THAT(Cast(Float32({1}, {half + 0x1p-20}), TENSOR_FLOAT16).Fast(), ElementsAre(1 + 0x1p-10));
  Cast(Float32({32}, Noise(32, 1, -100, 100)), TENSOR_FLOAT16).ExpectInside();
  const OneCall widened = Cast(Float16({3}, {0.1, 65504, -3}), TENSOR_FLOAT32);
  EXPECT_THAT(widened.Golden(), ElementsAre(0.0999755859375, 65504, -3));
  EXPECT_EQ(widened.Widest(), 0);
}

TEST(Cast, FromInt32IsExact) {
  EXPECT_THAT(Odder(Int32({4}, {-1, 7, 255, 70000}), TENSOR_QUANT8_ASYMM).GoldenCodes(), ElementsAre(0, 7, 255, 255));
  const OneCall floats = Cast(Int32({3}, {16777217, INT32_MIN, 5}), TENSOR_FLOAT32);
  EXPECT_THAT(floats.Golden(), ElementsAre(16777216, -2147483648.0, 5));
  EXPECT_THAT(floats.Fast(), ElementsAre(16777216, -2147483648.0, 5));
  floats.ExpectInside();
  EXPECT_THAT(Cast(Int32({3}, {2049, -5, 70000}), TENSOR_FLOAT16).Golden(), ElementsAre(2048, -5, INFINITY));
  const OneCall same = Cast(Int32({2}, {INT32_MAX, INT32_MIN}), TENSOR_INT32);
  EXPECT_THAT(same.GoldenCodes(), ElementsAre(INT32_MAX, INT32_MIN));
  EXPECT_EQ(same.Widest(), 0);
  // An INT32 tensor may carry a scale, like a bias.
  EXPECT_THAT(Cast(Int32({1}, {9}, 0.125f), TENSOR_FLOAT32).Golden(), ElementsAre(9));
  EXPECT_THAT(Cast(Float32({1}, {9}), TENSOR_INT32, {0.125f, 0, nullptr}).GoldenCodes(), ElementsAre(9));
}

TEST(Cast, FromCodes) {
  for (OperandType to : {TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32}) {
    const OneCall cast = Odder(Quant8({3}, {0, 77, 255}, 1, 0), to);
    EXPECT_THAT(cast.Golden(), ElementsAre(0, 77, 255));
    EXPECT_THAT(cast.Fast(), ElementsAre(0, 77, 255));
    EXPECT_EQ(cast.Widest(), 0);
    cast.ExpectInside();
  }
}

TEST(Cast, TheSameTypeIsACopy) {
  const auto check = [](const Given& in, const std::vector<int64_t>& codes) {
    const OperandType type = in.argument.type;
    const OneCall cast = Cast(in, type, IsQuantized(type) ? Quantization{8, 0, nullptr} : Quantization{});
    EXPECT_EQ(cast.GoldenCodes(), codes);
    EXPECT_EQ(cast.FastCodes(), codes);
    EXPECT_EQ(cast.Widest(), 0);
    cast.ExpectInside();
  };
  check(Quant8({3}, {0, 77, 255}, 0.5, 3), {0, 77, 255});
  check(Quant8Signed({3}, {-128, 77, 127}, 0.5, 3), {-128, 77, 127});
  check(Codes(TENSOR_QUANT8_SYMM, {3}, {-128, 0, 127}, {0.5, 0, nullptr}), {-128, 0, 127});
  check(Codes(TENSOR_QUANT16_SYMM, {3}, {-32768, 5, 32767}, {0.5, 0, nullptr}), {-32768, 5, 32767});
  check(Codes(TENSOR_QUANT16_ASYMM, {3}, {0, 5, 65535}, {0.5, 9, nullptr}), {0, 5, 65535});
  check(Int32({2}, {INT32_MIN, 3}), {INT32_MIN, 3});
  check(Bool8({2}, {0, 1}), {0, 1});
  EXPECT_THAT(Cast(Bool8({2}, {0, 7}), TENSOR_BOOL8).GoldenCodes(), ElementsAre(0, 7));
  // Infinities and NaNs come back, and must.
  const OneCall floats = Cast(Float32({3}, {INFINITY, NAN, -0.0}), TENSOR_FLOAT32);
  EXPECT_EQ(floats.GoldenCodes()[1], floats.FastCodes()[1]);
  EXPECT_TRUE(floats.Bound()[0].IsExactInfinity());
  EXPECT_TRUE(floats.Bound()[1].IsExactNan());
  EXPECT_THAT(Cast(Float16({2}, {INFINITY, 3}), TENSOR_FLOAT16).Golden(), ElementsAre(INFINITY, 3));
}

// Truncation of an interval: every integer between those of its ends.
TEST(Cast, TruncatesIntervals) {
  const OneCall cast = Cast(Float32({4}, {0.5, 2.5, -2.5, 3e9}), TENSOR_INT32);
  const std::vector<Interval> bound = cast.Bound(0, {}, {{{0.1, 0.9, 0.5}, {1.9, 3.1, 2.5}, {-3.1, -1.9, -2.5}, 3e9}});
  EXPECT_EQ(bound[0].lo, 0);
  EXPECT_EQ(bound[0].hi, 0);
  EXPECT_EQ(bound[1].lo, 1);
  EXPECT_EQ(bound[1].hi, 3);
  EXPECT_EQ(bound[2].lo, -3);
  EXPECT_EQ(bound[2].hi, -1);
  EXPECT_TRUE(bound[3].IsUnknown());
  Cast(Float32({16}, Noise(16, 3, -9, 9)), TENSOR_INT32).ExpectHullHolds(1.5, 0, 50);
  Cast(Float32({16}, Noise(16, 3, -9, 300)), TENSOR_QUANT8_ASYMM, {1, 0, nullptr}).ExpectHullHolds(1.5, 0, 50);
}

// A run gets the intervals of a quantized tensor in the tensor's own terms, and answers in the output's own.
TEST(Cast, BoundedRunsConvertBetweenQuantizations) {
  const OneCall cast = Cast(Quant8({2}, {20, 30}, 0.5, 10), TENSOR_QUANT8_ASYMM, {0.25, 4, nullptr});
  ASSERT_TRUE(cast.valid());
  const Quantization from{0.5, 10, nullptr}, to{0.25, 4, nullptr};
  const Dims dims{2};
  // Codes 19.5 to 21 and 30.
  std::vector<Interval> in{{4.75, 5.5, 5}, Interval(10)}, out(2);
  const IntervalRef input{TENSOR_QUANT8_ASYMM, &from, &dims, in.data()};
  const IntervalRef output{TENSOR_QUANT8_ASYMM, &to, &dims, out.data()};
  std::vector<uint8_t> memory(cast.call()->BoundedScratchBytes() + 64);
  uint8_t* aligned = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
  cast.call()->RunBounded({}, {&input, 1}, {&output, 1}, {aligned, cast.call()->BoundedScratchBytes()});
  EXPECT_EQ(out[0].lo, 0.25 * (19.5 - 4));
  EXPECT_EQ(out[0].hi, 0.25 * (21 - 4));
  EXPECT_EQ(out[0].value, 0.25 * (20 - 4));
  EXPECT_TRUE(out[1].IsPoint());
  EXPECT_EQ(out[1].value, 0.25 * (30 - 4));
  EXPECT_EQ(in[0].lo, 4.75);

  // To floats: the codes as numbers.
  const OneCall floats = Cast(Quant8({2}, {20, 30}, 0.5, 10), TENSOR_FLOAT32);
  const Quantization none{};
  const IntervalRef numbers{TENSOR_FLOAT32, &none, &dims, out.data()};
  floats.call()->RunBounded({}, {&input, 1}, {&numbers, 1}, {aligned, floats.call()->BoundedScratchBytes()});
  EXPECT_EQ(out[0].lo, 19.5);
  EXPECT_EQ(out[0].hi, 21);
  EXPECT_EQ(out[1].value, 30);
}

TEST(Cast, LevelsAndRules) {
  for (OperandType from : {TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32, TENSOR_QUANT8_ASYMM})
    for (OperandType to : {TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_INT32, TENSOR_QUANT8_ASYMM})
      EXPECT_EQ(Cast(Codes(from, {1}, {0}, Odd(from)), to, Odd(to)).level(), 3);
  for (OperandType type :
       {TENSOR_BOOL8, TENSOR_QUANT16_ASYMM, TENSOR_QUANT16_SYMM, TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_SYMM})
    EXPECT_EQ(Cast(Codes(type, {1}, {0}, Odd(type)), type, Odd(type)).level(), 4);
  RuleBook rules(OperationCode::CAST);
  rules.Valid(Cast(Float32({2, 1}, {1}), TENSOR_INT32));
  Given wrong = Output(TENSOR_FLOAT32);
  wrong.argument.shape = Shape::Of({100});
  rules.Breaks("dims", {Float32({2, 3}, {1})}, {wrong});
  rules.Breaks("dims", {Float32({99}, {1})}, {wrong});
  rules.Breaks("types", {Bool8({1}, {1})}, {Output(TENSOR_INT32)});
  rules.Breaks("types", {Float32({1}, {1})}, {Output(TENSOR_QUANT8_ASYMM_SIGNED, {1, 0, nullptr})});
  rules.Breaks("empty_input", {Float32({0}, {})}, {Output(TENSOR_INT32)});
  rules.ExpectComplete();
  // What is not known breaks nothing.
  EXPECT_TRUE(OneCall(OperationCode::CAST, {Float32({99}, {1}).UnknownDim(0)}, {wrong}).valid());
  EXPECT_TRUE(OneCall(OperationCode::CAST, {Float32({99}, {1}).UnknownRank()}, {wrong}).valid());
}

// 31-bit codes times a 24-bit scale are no doubles, but the codes are whole.
TEST(Cast, LargeScaledIntegersStayExact) {
  for (const float scale : {0.1f, 0.3f, 0.7f}) {
    const OneCall call(OperationCode::CAST, {Int32({3}, {1700298934, -1073741827, 536870923}, scale)},
                       {Output(TENSOR_INT32)});
    EXPECT_THAT(call.GoldenCodes(), testing::ElementsAre(1700298934, -1073741827, 536870923));
    EXPECT_EQ(call.Widest(), 0);
    call.ExpectInside();
  }
}

}  // namespace
}  // namespace assay
