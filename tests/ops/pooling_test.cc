// AVERAGE_POOL_2D and MAX_POOL_2D.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/ops/harness.h"
#include "tests/ops/image_cases.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

constexpr OperationCode kPools[] = {OperationCode::AVERAGE_POOL_2D, OperationCode::MAX_POOL_2D};

OneCall Pool(OperationCode code, Given input, const WindowCase& window, int32_t activation = 0,
             Quantization output = {}) {
  const OperandType type = input.argument.type;
  std::vector<Given> in = {std::move(input)};
  for (Given& g : window.PaddingAndStrides()) in.push_back(std::move(g));
  in.push_back(Int(window.filter_width));
  in.push_back(Int(window.filter_height));
  in.push_back(Int(activation));
  for (Given& g : window.LayoutAndDilations()) in.push_back(std::move(g));
  return {code, std::move(in), {Output(type, std::move(output))}};
}

// The elements of every window that lie in the image, reduced.
Image Reduced(OperationCode code, Image& image, const WindowCase& resolved) {
  Image out(image.batches, resolved.OutHeight(image), resolved.OutWidth(image), image.channels);
  for (int b = 0; b < out.batches; ++b)
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x)
        for (int c = 0; c < out.channels; ++c) {
          std::vector<double> elements;
          for (int i = 0; i < resolved.filter_height; ++i)
            for (int j = 0; j < resolved.filter_width; ++j)
              if (image.Contains(resolved.TapY(y, i), resolved.TapX(x, j)))
                elements.push_back(image.at(b, resolved.TapY(y, i), resolved.TapX(x, j), c));
          double sum = 0;
          for (double e : elements) sum += e;
          out.at(b, y, x, c) = code == OperationCode::MAX_POOL_2D ? *std::max_element(elements.begin(), elements.end())
                                                                  : sum / static_cast<double>(elements.size());
        }
  return out;
}

TEST(PoolingTest, AsDefined) {
  const std::pair<OperandType, Quantization> types[] = {{TENSOR_FLOAT32, {}},
                                                        {TENSOR_FLOAT16, {}},
                                                        {TENSOR_QUANT8_ASYMM, {0.5f, 100, nullptr}},
                                                        {TENSOR_QUANT8_ASYMM_SIGNED, {0.3f, -7, nullptr}}};
  uint64_t seed = 1;
  for (OperationCode code : kPools)
    for (const auto& [type, quantization] : types)
      for (const WindowCase& window : WindowCases(false)) {
        Image image(2, 5, 6, 3);
        FillExactly(image.reals, type, quantization, seed++);
        const OneCall call = Pool(code, ToTensor(type, image, window.nchw, quantization), window);
        const Image expected = Reduced(code, image, window.Resolved(image));
        ASSERT_EQ(call.dims(), window.ImageDims(expected));
        ExpectRounded(type, quantization, FromTensor(call.Golden(), expected, window.nchw).reals, expected.reals);
        call.ExpectInside();
      }
}

TEST(PoolingTest, ByHand) {
  const Given image = Float32({1, 2, 3, 1}, {1, 2, 3, 4, 5, 9});
  const WindowCase valid{.scheme = 2, .filter_height = 2, .filter_width = 2};
  EXPECT_THAT(Pool(OperationCode::AVERAGE_POOL_2D, image, valid).Golden(), ElementsAre(3, 4.75));
  EXPECT_THAT(Pool(OperationCode::MAX_POOL_2D, image, valid).Golden(), ElementsAre(5, 9));
  EXPECT_THAT(Pool(OperationCode::MAX_POOL_2D, image, valid, 3).Golden(), ElementsAre(5, 6));
  // Negative numbers: padding is no 0.
  const Given negative = Float32({1, 1, 2, 1}, {-2, -4});
  const WindowCase left{.scheme = 0, .left = 1, .filter_width = 2};
  EXPECT_THAT(Pool(OperationCode::MAX_POOL_2D, negative, left).Golden(), ElementsAre(-2, -2));
  EXPECT_THAT(Pool(OperationCode::AVERAGE_POOL_2D, negative, left).Golden(), ElementsAre(-2, -3));
  // Quantized means round to nearest, halves away from zero: 0.5 and -0.5 steps.
  const Given codes = Quant8({1, 1, 2, 2}, {10, 9, 11, 10}, 1, 10);
  EXPECT_THAT(Pool(OperationCode::AVERAGE_POOL_2D, codes, {.scheme = 2, .filter_width = 2}).GoldenCodes(),
              ElementsAre(11, 9));
  EXPECT_THAT(Pool(OperationCode::MAX_POOL_2D, codes, {.scheme = 2, .filter_width = 2}, 2).GoldenCodes(),
              ElementsAre(11, 10));
}

// A 1x1 NCHW image lies like an NHWC one, and its output does not.
TEST(PoolingTest, SinglePixelOfSeveralChannels) {
  const Given image = Float32({1, 3, 1, 1}, {1, 2, 3});
  const WindowCase padded{.scheme = 0, .left = 1, .right = 1, .filter_width = 2, .layout = true, .nchw = true};
  for (OperationCode code : kPools) EXPECT_THAT(Pool(code, image, padded).Golden(), ElementsAre(1, 1, 2, 2, 3, 3));
}

TEST(PoolingTest, Bounds) {
  const auto reals = Noise(2 * 5 * 5 * 3, 4, -2, 2);
  for (OperationCode code : kPools)
    for (OperandType type : {TENSOR_FLOAT32, TENSOR_FLOAT16})
      for (int32_t activation : {0, 2}) {
        const OneCall call = Pool(code, Reals(type, {2, 5, 5, 3}, reals),
                                  {.scheme = 1, .stride_width = 2, .filter_height = 3, .filter_width = 2}, activation);
        call.ExpectInside();
        call.ExpectHullHolds(0.25, 0, 20);
        if (type == TENSOR_FLOAT32) {
          EXPECT_LT(call.Widest(0, {.strict = true}), 2 * 10 * 2 * 0x1p-22);
        }
      }
  for (OperationCode code : kPools) {
    const OneCall call = Pool(code, Quant8({1, 4, 4, 1}, NoiseCodes(16, 3, 0, 255), 0.5, 128),
                              {.scheme = 1, .filter_height = 3, .filter_width = 3}, 1);
    call.ExpectInside();
    call.ExpectHullHolds(0, 3, 20);
    EXPECT_LE(call.Widest(), 3.001 * 0.5);
  }
}

TEST(PoolingTest, ShapesAndLevels) {
  const Given image = Float32({1, 4, 4, 1}, {1});
  const WindowCase same{.scheme = 1, .stride_width = 2, .filter_height = 2, .filter_width = 2};
  for (OperationCode code : kPools) {
    EXPECT_EQ(Pool(code, image, same).level(), 1);
    EXPECT_EQ(Pool(code, image, {.scheme = 2, .layout = true}).level(), 3);
    EXPECT_EQ(Pool(code, image, {.scheme = 0, .layout = true}).level(), 3);
    EXPECT_EQ(Pool(code, Quant8Signed({1, 1, 1, 1}, {1}, 1, 0), {.scheme = 0}).level(), 4);
    const auto shape = [&](Given g) { return Pool(code, std::move(g), same).inferred().at(0).shape; };
    EXPECT_EQ(shape(image.UnknownDim(1)), Shape::Of({1, kUnknownDim, 2, 1}));
    EXPECT_EQ(shape(image.UnknownRank()), Shape::Of({kUnknownDim, kUnknownDim, kUnknownDim, kUnknownDim}));
    const OneCall empty = Pool(code, Float32({0, 4, 4, 1}, {}), same);
    EXPECT_EQ(empty.dims(), Dims({0, 4, 2, 1}));
    EXPECT_TRUE(empty.Golden().empty());
    // The output repeats the input's quantization.
    const Given codes = Quant8({1, 4, 4, 1}, {1}, 0.5, 3);
    EXPECT_EQ(Pool(code, codes, same).inferred().at(0).quantization, (Quantization{0.5, 3, nullptr}));
    EXPECT_EQ(Pool(code, codes, same, 0, {0.5, 4, nullptr}).broken(), std::set<std::string>{"output_quantization"});
  }
}

// A window far larger than the image costs no more than the image.
TEST(PoolingTest, HugeWindow) {
  const Given image = Float32({1, 2, 2, 1}, {1, 2, 3, 6});
  const WindowCase window{.scheme = 1, .filter_height = INT32_MAX / 2, .filter_width = INT32_MAX / 2};
  EXPECT_THAT(Pool(OperationCode::AVERAGE_POOL_2D, image, window).Golden(), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(Pool(OperationCode::MAX_POOL_2D, image, window).Golden(), ElementsAre(6, 6, 6, 6));
}

TEST(PoolingTest, Rules) {
  for (OperationCode code : kPools) {
    RuleBook rules(code);
    const WindowCase window{.scheme = 0, .left = 1, .filter_height = 2, .filter_width = 2, .layout = true};
    const OneCall call = Pool(code, Float32({1, 2, 2, 1}, {1}), window);
    rules.Valid(call);
    rules.Valid(Pool(code, Float32({1, 2, 2, 1}, {1}), {.scheme = 1, .layout = true}));
    const auto with = [&](size_t index, Given other) {
      std::vector<Given> in = call.inputs();
      in[index] = std::move(other);
      return in;
    };
    const std::vector<Given> out = {Output(TENSOR_FLOAT32)};
    rules.Breaks("rank", with(0, Float32({2, 2, 1}, {1})), out);
    rules.Breaks("empty", with(0, Float32({1, 2, 2, 0}, {})), out);
    rules.Breaks("padding", with(1, Int(2)), out);
    rules.Breaks("padding", with(4, Int(2)), out);
    rules.Breaks("output_size", with(7, Int(4)), out);  // the width
    rules.Breaks("output_size", with(8, Int(3)), out);
    EXPECT_TRUE(OneCall(code, with(7, Int(3)), out).valid());
    rules.ExpectComplete();
  }
}

}  // namespace
}  // namespace assay
