// Quantization parameters for planned ranges, computed by hand.
#include "randomgraph/fit.h"

#include "gtest/gtest.h"
#include "randomgraph/plan.h"

namespace assay {
namespace {

using enum OperandType;

TEST(SnapUp, GivesTheNextOfFourNumbersAnOctave) {
  EXPECT_EQ(SnapUp(1), 1.0f);
  EXPECT_EQ(SnapUp(1.0001), 1.25f);
  EXPECT_EQ(SnapUp(1.25), 1.25f);
  EXPECT_EQ(SnapUp(1.6), 1.75f);
  EXPECT_EQ(SnapUp(1.76), 2.0f);
  EXPECT_EQ(SnapUp(0.0078125), 0.0078125f);
  EXPECT_EQ(SnapUp(0.0079), 0.009765625f);
}

TEST(SnapUp, StaysWithinItsLimits) {
  EXPECT_EQ(SnapUp(0), 0x1p-24f);
  EXPECT_EQ(SnapUp(1e30), 0x1p24f);
}

TEST(Fit, PutsTheZeroPointWhereTheRangeWantsIt) {
  // [-1, 1] is 256 steps of 2^-7, 128 of them below 0.
  const Quantization symmetric = Fit(TENSOR_QUANT8_ASYMM, {-1, 1});
  EXPECT_EQ(symmetric.scale, 0x1p-7f);
  EXPECT_EQ(symmetric.zero_point, 128);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM_SIGNED, {-1, 1}).zero_point, 0);
  const Quantization positive = Fit(TENSOR_QUANT8_ASYMM, {0, 6});
  EXPECT_EQ(positive.scale, 0x1.8p-6f);  // 6 / 256
  EXPECT_EQ(positive.zero_point, 0);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM_SIGNED, {0, 6}).zero_point, -128);
  // 8 / 256 = 1/32; 2 is 64 steps.
  const Quantization lopsided = Fit(TENSOR_QUANT8_ASYMM, {-2, 6});
  EXPECT_EQ(lopsided.scale, 0x1p-5f);
  EXPECT_EQ(lopsided.zero_point, 64);
}

TEST(Fit, KeepsZeroWithinReach) {
  // [2, 3] is stretched to [0, 3]: 3 / 256.
  const Quantization q = Fit(TENSOR_QUANT8_ASYMM, {2, 3});
  EXPECT_EQ(q.scale, 0x1.8p-7f);
  EXPECT_EQ(q.zero_point, 0);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM, {-3, -2}).zero_point, 255);  // 256 steps, but the last code is 255
}

TEST(Fit, KnowsSymmetricAndWideTypes) {
  EXPECT_EQ(Fit(TENSOR_QUANT8_SYMM, {-0.25, 1}).scale, 0x1p-7f);
  EXPECT_EQ(Fit(TENSOR_QUANT8_SYMM, {-0.25, 1}).zero_point, 0);
  EXPECT_EQ(Fit(TENSOR_QUANT16_SYMM, {-1, 0.5}).scale, 0x1p-15f);
  EXPECT_EQ(Fit(TENSOR_QUANT16_ASYMM, {-1, 1}).scale, 0x1p-15f);
  EXPECT_EQ(Fit(TENSOR_QUANT16_ASYMM, {-1, 1}).zero_point, 32768);
  EXPECT_EQ(Fit(TENSOR_FLOAT32, {-1, 1}), Quantization{});
}

TEST(Fit, GoesAboveAGivenScale) {
  EXPECT_GT(Fit(TENSOR_QUANT8_ASYMM, {-1, 1}, 0x1p-7).scale, 0x1p-7f);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM, {-1, 1}, 0x1p-7).scale, 0x1.4p-7f);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM, {-1, 1}, 0x1p-8).scale, 0x1p-7f);
  EXPECT_EQ(Fit(TENSOR_QUANT8_ASYMM, {0, 0}, 0.9).scale, 1.0f);
}

TEST(Fit, OfNothingIsStillLegal) { EXPECT_GT(Fit(TENSOR_QUANT8_ASYMM, {0, 0}).scale, 0.0f); }

TEST(RangeOfCodes, IsWhatTheTypeCanHold) {
  const Range r = RangeOfCodes(TENSOR_QUANT8_ASYMM, {0.5f, 128, nullptr});
  EXPECT_EQ(r.least, -64);
  EXPECT_EQ(r.most, 63.5);
  EXPECT_TRUE(r.sure);
}

TEST(SureRange, IsThePlanOnlyIfThatIsSure) {
  Operand quantized;
  quantized.type = TENSOR_QUANT8_ASYMM_SIGNED;
  quantized.quantization = {0.25f, 0, nullptr};
  EXPECT_EQ(SureRange(quantized, {.range = {-1, 1, true}})->most, 1);
  EXPECT_EQ(SureRange(quantized, {.range = {-1, 1}})->least, -32);
  Operand single;
  EXPECT_FALSE(SureRange(single, {.range = {-1, 1}}).has_value());
}

TEST(KeepsLimits, BoundsHalfPrecisionAndIntegers) {
  EXPECT_TRUE(KeepsLimits(TENSOR_FLOAT16, {-8192, 8192}, true));
  EXPECT_FALSE(KeepsLimits(TENSOR_FLOAT16, {-8193, 0}, true));
  EXPECT_FALSE(KeepsLimits(TENSOR_FLOAT32, {0, 10000}, true));  // relaxed
  EXPECT_TRUE(KeepsLimits(TENSOR_FLOAT32, {0, 10000}, false));
  EXPECT_FALSE(KeepsLimits(TENSOR_INT32, {0, 0x1p31, true}, false));
}

TEST(PredictWidth, AddsTheInputsAndOneAllowance) {
  Operand output;
  output.type = TENSOR_QUANT8_ASYMM;
  output.quantization = {0.5f, 128, nullptr};
  const Range range{-64, 63.5};
  // 1.7 * 4, and 1.5 steps of 0.5 on either side.
  EXPECT_DOUBLE_EQ(PredictWidth(output, range, 4, 1.7, false, false), 1.7 * 4 + 1.5);
  EXPECT_DOUBLE_EQ(PredictWidth(output, range, 4, 1, false, true), 4);
  EXPECT_FALSE(NeedsAnchor(31, range));
  EXPECT_TRUE(NeedsAnchor(32, range));
  EXPECT_EQ(AnchoredWidth(output, range, false), 1);
}

}  // namespace
}  // namespace assay
