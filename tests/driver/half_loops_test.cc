// Sums in float16: by hand, one after the other, in every operation that sums.
#include "driver/half_loops.h"

#include <cmath>

#include "driver/built_in.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/hooks.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::Each;
using testing::ElementsAre;
using Direction = HalfArithmetic::Direction;

double Rounded(Direction direction, double x) { return HalfArithmetic(direction).Round(x); }

TEST(HalfArithmetic, RoundsEachWayFaithfully) {
  // Between 2048 and 4096 halves are 2 apart; 2049 is a tie, to even.
  EXPECT_EQ(Rounded(Direction::kNearest, 2049), 2048);
  EXPECT_EQ(Rounded(Direction::kNearest, 2049.5), 2050);
  EXPECT_EQ(Rounded(Direction::kTowardZero, 2049.5), 2048);
  EXPECT_EQ(Rounded(Direction::kAwayFromZero, 2048.5), 2050);
  EXPECT_EQ(Rounded(Direction::kTowardZero, -2049.5), -2048);
  EXPECT_EQ(Rounded(Direction::kAwayFromZero, -2048.5), -2050);
  EXPECT_EQ(Rounded(Direction::kAwayFromZero, 0x1p-30), 0x1p-24);
  EXPECT_EQ(Rounded(Direction::kTowardZero, 1e6), 65504);
  for (const Direction d : {Direction::kNearest, Direction::kTowardZero, Direction::kAwayFromZero})
    for (const double exact : {0.0, 1.0, -2050.0, 0x1p-24, 65504.0}) EXPECT_EQ(Rounded(d, exact), exact);
}

TEST(HalfArithmetic, FunctionsAreComputedStepByStep) {
  const HalfArithmetic half(Direction::kNearest);
  EXPECT_EQ(half.Logistic(0), 0.5);
  EXPECT_EQ(half.Tanh(0), 0);
  EXPECT_EQ(half.Tanh(20), 1);  // e^40 is past float16
  EXPECT_EQ(half.Logistic(-20), 0);
  // e^-7 = 0.000912 rounds to 0.00091171; 1.00091171 to 1.0009765625; its reciprocal, 0.99902439, to 0.9990234375.
  EXPECT_EQ(half.Logistic(7), 0.9990234375);
  // Near 0 the subtraction cancels: e^(2^-8) = 1.003914 rounds to 1.00390625, the sum to 2.00390625, the quotient
  // 0.998051 to 0.998046875.
  EXPECT_EQ(half.Tanh(0x1p-9), 1 - 0.998046875);
}

// Evaluates everything that it can in halves, rounded to nearest.
class HalfHooks final : public ExecutionHooks {
 public:
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    EXPECT_TRUE(EvaluateInHalf(place.code, HalfArithmetic(Direction::kNearest), in, out));
  }
};

// The last output, of an input of halves.
std::vector<double> Answer(const Model& model, const std::vector<float>& x, bool in_half) {
  const auto device = MakeBuiltIn({.hooks = in_half ? std::make_shared<HalfHooks>() : nullptr});
  const auto prepared = device->Prepare(model, {});
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  if (!prepared.ok()) return {};
  const Bytes in = BytesOf(HalvesOf(x));
  std::vector<Bytes> bytes;
  for (const uint32_t o : model.main().outputs)
    bytes.emplace_back(*ByteSize(TENSOR_FLOAT16, model.main().operands[o].dims));
  std::vector<OutputBuffer> out;
  for (Bytes& b : bytes) out.push_back({b, {}});
  const DeviceResult result = (*prepared)->Execute(std::vector<InputBuffer>{{in, {}}}, out, {});
  EXPECT_TRUE(result.ok()) << result.message;
  std::vector<double> values;
  for (const uint16_t h : ElementsOf<uint16_t>(bytes.back())) values.push_back(double{FloatFromHalf(h)});
  return values;
}

SubgraphBuilder::Id Halves(ModelBuilder& b, Dims dims, const std::vector<float>& values) {
  return b.Constant(TENSOR_FLOAT16, std::move(dims), HalvesOf(values));
}

// 2048 + 1 is 2049, and that is no half: the sum stays at 2048, twice.
const std::vector<float> kStuck = {2048, 1, 1};

TEST(HalfLoops, FullyConnected) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {1, 3});
  const auto weights = Halves(b, {2, 3}, {1, 1, 1, -1, 0.5, 1}), bias = Halves(b, {2}, {0, 16});
  b.Output(b.Op("FULLY_CONNECTED", {x, weights, bias, b.Int(1)}, TENSOR_FLOAT16, {1, 2}));
  EXPECT_THAT(Answer(b.Build(), kStuck, true), ElementsAre(2048, 0));
  EXPECT_THAT(Answer(b.Build(), kStuck, false), ElementsAre(2050, 0));
}

TEST(HalfLoops, Conv2d) {
  // A window of 3 x 1 with dilation 2 over a column of 5; the image is NCHW, the padding explicit.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {1, 1, 5, 1});
  const auto filter = Halves(b, {1, 3, 1, 1}, {1, 1, 1}), bias = Halves(b, {1}, {0});
  const auto pads = [&](int32_t top, int32_t bottom) {
    return std::vector{x,        filter,   bias,     b.Int(0),     b.Int(0), b.Int(top), b.Int(bottom),
                       b.Int(1), b.Int(1), b.Int(0), b.Bool(true), b.Int(1), b.Int(2)};
  };
  b.Output(b.Op("CONV_2D", pads(2, 0), TENSOR_FLOAT16, {1, 1, 3, 1}));
  // Windows: {-, 2048, 1}, {-, 7, 7}, {2048, 1, 1}.
  EXPECT_THAT(Answer(b.Build(), {2048, 7, 1, 7, 1}, true), ElementsAre(2048, 14, 2048));
  EXPECT_THAT(Answer(b.Build(), {2048, 7, 1, 7, 1}, false), ElementsAre(2048, 14, 2050));
}

TEST(HalfLoops, DepthwiseConv2d) {
  // Two channels, two outputs of each; windows of 1 x 2, SAME, stride 2 over a width of 3: one column behind is padded.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {1, 1, 3, 2});
  const auto filter = Halves(b, {1, 1, 2, 4}, {1, 2, 1, 0, 1, 1, 1, 1}), bias = Halves(b, {4}, {2048, 0, 0, 1});
  b.Output(b.Op("DEPTHWISE_CONV_2D", {x, filter, bias, b.Int(1), b.Int(2), b.Int(1), b.Int(2), b.Int(0)},
                TENSOR_FLOAT16, {1, 1, 2, 4}));
  const std::vector<float> image = {1, 10, 1, 20, 3, 30};
  EXPECT_THAT(Answer(b.Build(), image, true), ElementsAre(2048, 3, 30, 21, 2052, 6, 30, 1));
  EXPECT_THAT(Answer(b.Build(), image, false), ElementsAre(2050, 3, 30, 21, 2052, 6, 30, 1));
}

TEST(HalfLoops, AveragePool2d) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {1, 3, 1, 1});
  b.Output(b.Op("AVERAGE_POOL_2D", {x, b.Int(2), b.Int(1), b.Int(1), b.Int(1), b.Int(3), b.Int(0)}, TENSOR_FLOAT16,
                {1, 1, 1, 1}));
  // 2048 / 3 = 682.67 and 2050 / 3 = 683.33; halves are 0.5 apart there.
  EXPECT_THAT(Answer(b.Build(), kStuck, true), ElementsAre(682.5));
  EXPECT_THAT(Answer(b.Build(), kStuck, false), ElementsAre(683.5));
}

TEST(HalfLoops, SoftmaxAlongAnAxis) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT16, {4096, 1});
  b.Output(b.Op("SOFTMAX", {x, b.Half(1), b.Int(-2)}, TENSOR_FLOAT16, {4096, 1}));
  const std::vector<float> equal(4096, 3);
  EXPECT_THAT(Answer(b.Build(), equal, true), Each(0x1p-11));  // the sum is stuck at 2048
  EXPECT_THAT(Answer(b.Build(), equal, false), Each(0x1p-12));
}

// c' = logistic(1) * c + (1 - logistic(1)) * sum. `cell_clip` and projection as asked for.
Model Lstm(float cell_clip, bool projects) {
  ModelBuilder b;
  const auto none = b.Omitted(TENSOR_FLOAT16);
  const auto weights = [&](std::vector<float> w) { return Halves(b, {1, 3}, w); };
  const auto one = [&](float v) { return Halves(b, {1}, {v}); };
  const auto zero = Halves(b, {1, 1}, {0});
  const auto x = b.Input(TENSOR_FLOAT16, {1, 3});
  std::vector<SubgraphBuilder::Id> in = {x,
                                         none,
                                         weights({0, 0, 0}),
                                         weights({1, 1, 1}),
                                         weights({0, 0, 0}),
                                         none,
                                         zero,
                                         zero,
                                         zero,
                                         none,
                                         none,
                                         none,
                                         none,
                                         one(0),
                                         one(0),
                                         one(0),
                                         projects ? Halves(b, {1, 1}, {2}) : none,
                                         projects ? one(1) : none,
                                         zero,
                                         Halves(b, {1, 1}, {4}),
                                         b.Int(0),
                                         b.Half(cell_clip),
                                         b.Half(0)};
  const auto out =
      b.Op("LSTM", in,
           {{TENSOR_FLOAT16, {1, 3}}, {TENSOR_FLOAT16, {1, 1}}, {TENSOR_FLOAT16, {1, 1}}, {TENSOR_FLOAT16, {1, 1}}});
  for (const auto o : out) b.Output(o);
  return b.Build();
}

TEST(HalfLoops, Lstm) {
  // All gates are 1/2. c' = 4 / 2 + 2048 / 2 (exactly 2050 / 2), h' = c' / 2.
  EXPECT_THAT(Answer(Lstm(0, false), kStuck, true), ElementsAre(513));
  EXPECT_THAT(Answer(Lstm(0, false), kStuck, false), ElementsAre(513.5));
  EXPECT_THAT(Answer(Lstm(8, false), kStuck, true), ElementsAre(4));
  EXPECT_THAT(Answer(Lstm(8, true), kStuck, true), ElementsAre(9));
}

}  // namespace
}  // namespace assay
