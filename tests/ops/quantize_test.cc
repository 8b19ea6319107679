// QUANTIZE and DEQUANTIZE against their formulas.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Quantize(Given input, OperandType type, float scale, int32_t zero_point) {
  return {OperationCode::QUANTIZE, {std::move(input)}, {Output(type, {scale, zero_point, nullptr})}};
}
OneCall Dequantize(Given input, OperandType type = TENSOR_FLOAT32) {
  return {OperationCode::DEQUANTIZE, {std::move(input)}, {Output(type)}};
}

TEST(Quantize, RoundsHalvesAwayFromZeroThenSaturates) {
  const std::vector<double> x{0, 0.25, -0.25, 0.74, -0.76, 1000, -1000};
  for (const Given& in : {Float32({7}, x), Float16({7}, x)}) {
    const OneCall q = Quantize(in, TENSOR_QUANT8_ASYMM, 0.5, 10);
    EXPECT_THAT(q.GoldenCodes(), ElementsAre(10, 11, 9, 11, 8, 255, 0));
    EXPECT_THAT(q.FastCodes(), ElementsAre(10, 11, 9, 11, 8, 255, 0));
    q.ExpectInside();
    q.ExpectHullHolds(0.7, 0, 20);
    EXPECT_LE(q.Widest(0, {.float16_sums_in_float32 = true}), 1.5 + 1e-9);
    EXPECT_THAT(Quantize(in, TENSOR_QUANT8_ASYMM_SIGNED, 0.5, -1).GoldenCodes(),
                ElementsAre(-1, 0, -2, 0, -3, 127, -128));
  }
}

TEST(Quantize, OfAnyRankAndShape) {
  const OneCall q = Quantize(Float32({1, 1, 2, 1, 1, 2}, {0, 1, 2, 3}), TENSOR_QUANT8_ASYMM, 1, 0);
  EXPECT_EQ(q.dims(), Dims({1, 1, 2, 1, 1, 2}));
  EXPECT_THAT(q.GoldenCodes(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(Quantize(Float32({0}, {}), TENSOR_QUANT8_ASYMM, 1, 0).dims(), Dims({0}));
}

TEST(Quantize, LevelsAndRules) {
  EXPECT_EQ(Quantize(Float32({1}, {1}), TENSOR_QUANT8_ASYMM, 1, 0).level(), 3);
  EXPECT_EQ(Quantize(Float16({1}, {1}), TENSOR_QUANT8_ASYMM, 1, 0).level(), 3);
  EXPECT_EQ(Quantize(Float32({1}, {1}), TENSOR_QUANT8_ASYMM_SIGNED, 1, 0).level(), 4);
  EXPECT_EQ(Quantize(Float16({1}, {1}), TENSOR_QUANT8_ASYMM_SIGNED, 1, 0).level(), 4);
  RuleBook rules(OperationCode::QUANTIZE);
  rules.Valid(Quantize(Float32({1}, {1}), TENSOR_QUANT8_ASYMM, 1, 0));
  rules.Breaks("types", {Float32({1}, {1})}, {Output(TENSOR_QUANT8_SYMM, {1, 0, nullptr})});
  rules.ExpectComplete();
}

TEST(Dequantize, EveryType) {
  for (OperandType to : {TENSOR_FLOAT32, TENSOR_FLOAT16}) {
    EXPECT_THAT(Dequantize(Quant8({3}, {0, 7, 255}, 0.5, 5), to).Golden(), ElementsAre(-2.5, 1, 125));
    EXPECT_THAT(Dequantize(Quant8Signed({3}, {-128, 7, 127}, 0.25, 3), to).Golden(), ElementsAre(-32.75, 1, 31));
    EXPECT_THAT(Dequantize(Codes(TENSOR_QUANT8_SYMM, {3}, {-128, 7, 127}, {2, 0, nullptr}), to).Golden(),
                ElementsAre(-256, 14, 254));
    const OneCall call = Dequantize(Quant8({64}, NoiseCodes(64, 1, 0, 255), 0.1f, 77), to);
    call.ExpectInside();
    call.ExpectHullHolds(0, 2, 20);
    EXPECT_EQ(call.level(), to == TENSOR_FLOAT32 ? 1 : 3);
  }
  EXPECT_LT(Dequantize(Quant8({64}, NoiseCodes(64, 1, 0, 255), 0.1f, 77)).Widest(0, {.strict = true}), 1e-5);
  EXPECT_EQ(Dequantize(Codes(TENSOR_QUANT8_SYMM, {1}, {1}, {2, 0, nullptr})).level(), 3);
  EXPECT_EQ(Dequantize(Quant8Signed({1}, {1}, 2, 0)).level(), 4);
}

// input[i, j, k] * scales[index along channelDim], for each channelDim.
TEST(Dequantize, PerChannel) {
  const Dims dims{2, 3, 4};
  const std::vector<int64_t> codes = NoiseCodes(24, 2, -127, 127);
  const std::vector<float> scales[] = {{0.5, 2}, {0.25, 1, 8}, {1, 0.5, 4, 16}};
  for (uint32_t channel_dim = 0; channel_dim < 3; ++channel_dim) {
    std::vector<double> expected;
    for (size_t i = 0; i < 2; ++i)
      for (size_t j = 0; j < 3; ++j)
        for (size_t k = 0; k < 4; ++k) {
          const size_t index[] = {i, j, k};
          expected.push_back(double{scales[channel_dim][index[channel_dim]]} *
                             static_cast<double>(codes[(i * 3 + j) * 4 + k]));
        }
    const OneCall call = Dequantize(PerChannelCodes(dims, codes, channel_dim, scales[channel_dim]));
    EXPECT_EQ(call.Golden(), expected);
    EXPECT_EQ(call.Fast(), expected);
    EXPECT_EQ(call.level(), 3);
    call.ExpectInside();
    EXPECT_EQ(Dequantize(PerChannelCodes(dims, codes, channel_dim, scales[channel_dim]), TENSOR_FLOAT16).Golden(),
              expected);
  }
}

TEST(Dequantize, Rules) {
  RuleBook rules(OperationCode::DEQUANTIZE);
  rules.Valid(Dequantize(Quant8({2}, {1}, 1, 0)));
  rules.Breaks("rank", {Quant8({1, 1, 1, 1, 1}, {1}, 1, 0)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("channels", {PerChannelCodes({2, 3}, {1}, 1, {1, 1})}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("channels", {PerChannelCodes({2, 3}, {1}, 2, {1, 1})}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("channels", {Codes(TENSOR_QUANT8_SYMM_PER_CHANNEL, {2}, {1})}, {Output(TENSOR_FLOAT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
