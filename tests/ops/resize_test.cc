// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/harness.h"
#include "tests/ops/image_cases.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr OperationCode kBilinear = OperationCode::RESIZE_BILINEAR;
constexpr OperationCode kNearest = OperationCode::RESIZE_NEAREST_NEIGHBOR;

struct ResizeCase {
  int out_height = 1, out_width = 1;
  bool nchw = false, align_corners = false, half_pixel_centers = false;
};

OneCall Resize(OperationCode code, Given input, const ResizeCase& c, bool by_scale = false, double height_scale = 1,
               double width_scale = 1) {
  const OperandType type = input.argument.type;
  const Quantization quantization = input.argument.quantization;
  std::vector<Given> in = {std::move(input)};
  if (by_scale) {
    for (double scale : {width_scale, height_scale})
      in.push_back(type == TENSOR_FLOAT16 ? RealHalf(scale) : Real(scale));
  } else {
    in.push_back(Int(c.out_width));
    in.push_back(Int(c.out_height));
  }
  for (bool flag : {c.nchw, c.align_corners, c.half_pixel_centers}) in.push_back(Flag(flag));
  return {code, std::move(in), {Output(type, quantization)}};
}

// Where output `o` lies among `in` elements.
double PositionOf(int o, int in, int out, const ResizeCase& c, bool bilinear) {
  const double scale = c.align_corners && out > 1 ? (in - 1.0) / (out - 1.0) : double(in) / out;
  if (!c.half_pixel_centers) return o * scale;
  return bilinear ? (o + 0.5) * scale - 0.5 : (o + 0.5) * scale;
}

double Blended(Image& image, int b, double y, double x, int c) {
  const auto at = [&](double row, double column) {
    return image.at(b, std::clamp(static_cast<int>(row), 0, image.height - 1),
                    std::clamp(static_cast<int>(column), 0, image.width - 1), c);
  };
  y = std::max(y, 0.0), x = std::max(x, 0.0);
  const double top = std::floor(y), left = std::floor(x), fy = y - top, fx = x - left;
  return (1 - fy) * (1 - fx) * at(top, left) + (1 - fy) * fx * at(top, left + 1) + fy * (1 - fx) * at(top + 1, left) +
         fy * fx * at(top + 1, left + 1);
}

double Near(Image& image, int b, double y, double x, int c, bool rounds) {
  const auto index = [&](double position, int size) {
    // Positions on the border between two elements in real arithmetic are not among the cases.
    return std::min(static_cast<int>(rounds ? std::round(position) : std::floor(position)), size - 1);
  };
  return image.at(b, index(y, image.height), index(x, image.width), c);
}

Image Resized(OperationCode code, Image& image, const ResizeCase& c) {
  Image out(image.batches, c.out_height, c.out_width, image.channels);
  for (int b = 0; b < out.batches; ++b)
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x)
        for (int k = 0; k < out.channels; ++k) {
          const double at_y = PositionOf(y, image.height, out.height, c, code == kBilinear);
          const double at_x = PositionOf(x, image.width, out.width, c, code == kBilinear);
          out.at(b, y, x, k) =
              code == kBilinear ? Blended(image, b, at_y, at_x, k) : Near(image, b, at_y, at_x, k, c.align_corners);
        }
  return out;
}

std::vector<ResizeCase> Cases() {
  std::vector<ResizeCase> cases;
  for (bool nchw : {false, true})
    for (int spread : {0, 1, 2})
      for (auto [height, width] : {std::pair{3, 7}, {8, 2}, {1, 11}, {5, 1}, {4, 6}})
        cases.push_back({height, width, nchw, spread == 1, spread == 2});
  return cases;
}

TEST(ResizeTest, AsDefined) {
  const std::pair<OperandType, Quantization> types[] = {{TENSOR_FLOAT32, {}},
                                                        {TENSOR_FLOAT16, {}},
                                                        {TENSOR_QUANT8_ASYMM, {0.5f, 100, nullptr}},
                                                        {TENSOR_QUANT8_ASYMM_SIGNED, {0.3f, -7, nullptr}}};
  uint64_t seed = 1;
  for (OperationCode code : {kBilinear, kNearest})
    for (const auto& [type, quantization] : types)
      for (const ResizeCase& c : Cases()) {
        Image image(2, 4, 5, 3);
        FillExactly(image.reals, type, quantization, seed++);
        const OneCall call = Resize(code, ToTensor(type, image, c.nchw, quantization), c);
        const Image expected = Resized(code, image, c);
        ASSERT_EQ(call.dims(), c.nchw ? Dims({2, 3, uint32_t(c.out_height), uint32_t(c.out_width)})
                                      : Dims({2, uint32_t(c.out_height), uint32_t(c.out_width), 3}));
        if (code == kBilinear) {
          ExpectRounded(type, quantization, FromTensor(call.Golden(), expected, c.nchw).reals, expected.reals);
        } else {
          EXPECT_EQ(call.Golden(), call.Fast());
          EXPECT_THAT(call.Accept(call.Golden()), Each(Verdict::kInside));
          for (size_t i = 0; i < expected.reals.size(); ++i)
            EXPECT_NEAR(FromTensor(call.Golden(), expected, c.nchw).reals[i], expected.reals[i], 1e-5);
        }
        call.ExpectInside();
      }
}

TEST(ResizeTest, ByHand) {
  const Given row = Float32({1, 1, 2, 1}, {1, 5});
  EXPECT_THAT(Resize(kBilinear, row, {1, 4}).Golden(), ElementsAre(1, 3, 5, 5));
  EXPECT_THAT(Resize(kBilinear, row, {1, 4, false, true}).Fast(),
              ElementsAre(1, ::testing::DoubleNear(7. / 3, 1e-6), ::testing::DoubleNear(11. / 3, 1e-6), 5));
  EXPECT_THAT(Resize(kBilinear, row, {1, 4, false, false, true}).Golden(), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(Resize(kNearest, row, {1, 4}).Golden(), ElementsAre(1, 1, 5, 5));
  EXPECT_THAT(Resize(kNearest, row, {1, 3, false, true}).Golden(), ElementsAre(1, 5, 5));
  EXPECT_THAT(Resize(kNearest, row, {1, 1, false, false, true}).Golden(), ElementsAre(5));
  // With one output only align_corners has no scale of its own.
  EXPECT_THAT(Resize(kBilinear, row, {1, 1, false, true}).Golden(), ElementsAre(1));
}

TEST(ResizeTest, ByScale) {
  for (OperationCode code : {kBilinear, kNearest}) {
    const Given image = Float32({1, 4, 5, 1}, Noise(20, 3));
    const OneCall scaled = Resize(code, image, {}, true, 1.9, 0.45);
    EXPECT_EQ(scaled.dims(), Dims({1, 7, 2, 1}));
    // Positions follow from the sizes, not from the scale operands.
    EXPECT_EQ(scaled.Golden(), Resize(code, image, {7, 2}).Golden());
    EXPECT_EQ(Resize(code, Float16({1, 4, 5, 1}, Noise(20, 3)), {}, true, 0.5, 1.5).dims(), Dims({1, 2, 7, 1}));
    // 10 * 0.7 in float32 is 7 exactly; 0.7 itself is less.
    EXPECT_EQ(Resize(code, Float32({1, 10, 10, 1}, {0}), {}, true, 0.7, 0.7).dims(), Dims({1, 7, 7, 1}));
  }
}

TEST(ResizeTest, PositionsOnABorder) {
  // 9 from 3: output 3 lies at 3 * (1/3), which may be seen as just below 1. Elements 0 and 1 conform, 2 does not, nor
  // does anything between.
  const OneCall call = Resize(kNearest, Float32({1, 1, 3, 1}, {10, 20, 40}), {1, 9});
  const std::vector<double> given = {10, 10, 10, 20, 20, 20, 40, 40, 40};
  EXPECT_THAT(call.Accept(given), Each(Verdict::kInside));
  const auto with = [&](size_t i, double value) {
    std::vector<double> answer = given;
    answer[i] = value;
    return call.Accept(answer)[i];
  };
  EXPECT_EQ(with(3, 10), Verdict::kInside);
  EXPECT_EQ(with(6, 20), Verdict::kInside);
  EXPECT_EQ(with(3, 15), Verdict::kOutside);
  EXPECT_EQ(with(3, 40), Verdict::kOutside);
  EXPECT_EQ(with(4, 10), Verdict::kOutside);
  // An exact scale leaves no choice.
  const OneCall doubled = Resize(kNearest, Float32({1, 1, 2, 1}, {10, 20}), {1, 4});
  EXPECT_THAT(doubled.Accept({10, 10, 10, 20}),
              ElementsAre(Verdict::kInside, Verdict::kInside, Verdict::kOutside, Verdict::kInside));
  // Bilinear: both sides of the element are in the bound, and little more.
  const OneCall blended = Resize(kBilinear, Float32({1, 1, 3, 1}, {10, 20, 40}), {1, 9});
  EXPECT_LT(blended.Widest(0, {.strict = true}), 1e-3);
  blended.ExpectInside();
}

TEST(ResizeTest, Bounds) {
  for (const ResizeCase& c : Cases()) {
    const OneCall floats = Resize(kBilinear, Float32({1, 4, 5, 2}, Noise(40, 4, -2, 2)), c);
    floats.ExpectHullHolds(0.25, 0, 5);
    EXPECT_LT(floats.Widest(0, {.strict = true}), 1e-4);
    const OneCall codes = Resize(kBilinear, Quant8({1, 4, 5, 2}, NoiseCodes(40, 3, 0, 255), 0.5, 128), c);
    codes.ExpectHullHolds(0, 3, 5);
    EXPECT_LE(codes.Widest(), 3.01 * 0.5);
    EXPECT_LT(Resize(kBilinear, Float16({1, 4, 5, 2}, Noise(40, 4)), c).Widest(), 0.1);
  }
}

TEST(ResizeTest, ShapesAndLevels) {
  const Given image = Float32({1, 4, 4, 1}, {1});
  const std::vector<Given> out = {Output(TENSOR_FLOAT32)};
  const auto level = [&](OperationCode code, std::vector<Given> in) {
    return OneCall(code, std::move(in), out).level();
  };
  EXPECT_EQ(level(kBilinear, {image, Int(1), Int(2)}), 1);
  EXPECT_EQ(level(kBilinear, {image, Real(1), Real(2)}), 3);
  EXPECT_EQ(level(kBilinear, {image, Int(1), Int(2), Flag(false)}), 3);
  EXPECT_EQ(level(kBilinear, {image, Int(1), Int(2), Flag(false), Flag(true)}), 4);
  EXPECT_EQ(level(kNearest, {image, Int(1), Int(2), Flag(false)}), 3);
  EXPECT_EQ(level(kNearest, {image, Real(1), Real(2), Flag(false), Flag(true)}), 4);
  EXPECT_EQ(OneCall(kNearest, {image, Int(1), Int(2)}, out).broken(), std::set<std::string>{"operand_count"});
  for (OperationCode code : {kBilinear, kNearest}) {
    const auto shape = [&](Given g, bool by_scale) {
      return Resize(code, std::move(g), {3, 2}, by_scale, 2, 1).inferred().at(0).shape;
    };
    EXPECT_EQ(shape(image.UnknownDim(1), false), Shape::Of({1, 3, 2, 1}));
    EXPECT_EQ(shape(image.UnknownDim(1), true), Shape::Of({1, kUnknownDim, 4, 1}));
    EXPECT_EQ(shape(image.UnknownRank(), true), Shape::Of({kUnknownDim, kUnknownDim, kUnknownDim, kUnknownDim}));
    const OneCall empty = Resize(code, Float32({0, 4, 4, 1}, {}), {3, 2});
    EXPECT_EQ(empty.dims(), Dims({0, 3, 2, 1}));
    EXPECT_TRUE(empty.Golden().empty());
    const Given codes = Quant8({1, 4, 4, 1}, {1}, 0.5, 3);
    EXPECT_EQ(Resize(code, codes, {}).inferred().at(0).quantization, (Quantization{0.5, 3, nullptr}));
  }
}

TEST(ResizeTest, Rules) {
  for (OperationCode code : {kBilinear, kNearest}) {
    RuleBook rules(code);
    const Given image = Float32({1, 2, 2, 1}, {1});
    const OneCall call = Resize(code, image, {1, 2}), scaled = Resize(code, image, {}, true);
    rules.Valid(call);
    rules.Valid(scaled);
    const auto with = [&](const OneCall& one, size_t index, Given other) {
      std::vector<Given> in = one.inputs();
      in[index] = std::move(other);
      return in;
    };
    const std::vector<Given> out = {Output(TENSOR_FLOAT32)};
    rules.Breaks("rank", with(call, 0, Float32({2, 2, 1}, {1})), out);
    rules.Breaks("empty", with(call, 0, Float32({1, 2, 2, 0}, {})), out);
    rules.Breaks("output_size", with(scaled, 1, Real(0.4)), out);
    rules.Breaks("output_size", with(scaled, 2, Real(1e30)), out);
    std::vector<Given> both = with(call, 4, Flag(true));
    both[5] = Flag(true);
    rules.Breaks("spread", both, out);
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
