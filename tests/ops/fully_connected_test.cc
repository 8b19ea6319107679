// FULLY_CONNECTED.
#include <gmock/gmock.h>

#include "tests/ops/harness.h"
#include "tests/ops/image_cases.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall FullyConnected(Given input, Given weights, Given bias, Given output, int32_t activation = 0) {
  return {OperationCode::FULLY_CONNECTED,
          {std::move(input), std::move(weights), std::move(bias), Int(activation)},
          {std::move(output)}};
}

TEST(FullyConnectedTest, ByHand) {
  const Given input = Float32({2, 3}, {1, 2, 3, -1, 0, 1}), weights = Float32({2, 3}, {1, 10, 100, -1, -2, -3});
  const Given bias = Float32({2}, {0.5, 7});
  const OneCall call = FullyConnected(input, weights, bias, Output(TENSOR_FLOAT32));
  EXPECT_THAT(call.Golden(), ElementsAre(321.5, -7, 99.5, 5));
  EXPECT_THAT(FullyConnected(input, weights, bias, Output(TENSOR_FLOAT32), 3).Golden(), ElementsAre(6, 0, 6, 5));
  call.ExpectInside();
}

TEST(FullyConnectedTest, AsDefined) {
  const struct {
    OperandType type;
    Quantization input, weights, output;
  } types[] = {{TENSOR_FLOAT32, {}, {}, {}},
               {TENSOR_FLOAT16, {}, {}, {}},
               {TENSOR_QUANT8_ASYMM, {0.5f, 100, nullptr}, {0.25f, 3, nullptr}, {30, 120, nullptr}},
               {TENSOR_QUANT8_ASYMM_SIGNED, {0.5f, -100, nullptr}, {0.25f, 3, nullptr}, {30, 5, nullptr}}};
  uint64_t seed = 1;
  for (const auto& t : types)
    for (const Dims& dims : {Dims{6, 4}, Dims{2, 3, 4}, Dims{3, 1, 2, 8}, Dims{1, 24}}) {
      const size_t input_size = 4, rows = Count(dims) / input_size, units = 5;
      std::vector<double> input(Count(dims)), weights(units * input_size), bias(units);
      FillExactly(input, t.type, t.input, seed++);
      FillExactly(weights, t.type, t.weights, seed++);
      const bool quantized = IsQuantized(t.type);
      const float bias_scale = t.input.scale * t.weights.scale;
      const auto offsets = NoiseCodes(units, seed++, -300, 300);
      for (size_t u = 0; u < units; ++u)
        bias[u] = static_cast<double>(offsets[u]) * (quantized ? double{bias_scale} : 0.125);
      const OneCall call = FullyConnected(
          Reals(t.type, dims, input, t.input), Reals(t.type, {5, 4}, weights, t.weights),
          quantized ? Int32({5}, offsets, bias_scale) : Reals(t.type, {5}, bias), Output(t.type, t.output));
      ASSERT_TRUE(call.valid()) << ToStatus(call.violations());
      ASSERT_EQ(call.dims(), Dims({static_cast<uint32_t>(rows), 5}));
      std::vector<double> expected;
      for (size_t b = 0; b < rows; ++b)
        for (size_t u = 0; u < units; ++u) {
          double sum = bias[u];
          for (size_t i = 0; i < input_size; ++i) sum += input[b * input_size + i] * weights[u * input_size + i];
          expected.push_back(sum);
        }
      ExpectRounded(t.type, t.output, call.Golden(), expected);
      call.ExpectInside();
      call.ExpectHullHolds(0.125, 1, 6);
      if (quantized) {
        EXPECT_LE(call.Widest(), 3.001 * 30);
      }
      // Five terms, the magnitudes at most 2 * 2 and 37.5.
      if (t.type == TENSOR_FLOAT32) {
        EXPECT_LT(call.Widest(0, {.strict = true}), 2 * 8 * (16 + 37.5) * 0x1.01p-23);
      }
    }
}

TEST(FullyConnectedTest, ShapesAndLevels) {
  const Given input = Float32({2, 6}, {1}), weights = Float32({2, 3}, {1}), bias = Float32({2}, {1});
  const auto shape = [](Given a, Given b, Given c) {
    return FullyConnected(std::move(a), std::move(b), std::move(c), Output(TENSOR_FLOAT32)).inferred().at(0).shape;
  };
  EXPECT_EQ(shape(input, weights, bias), Shape::Of({4, 2}));
  EXPECT_EQ(shape(input.UnknownDim(0), weights, bias), Shape::Of({kUnknownDim, 2}));
  EXPECT_EQ(shape(input.UnknownRank(), weights, bias), Shape::Of({kUnknownDim, 2}));
  EXPECT_EQ(shape(input, weights.UnknownDim(0), bias), Shape::Of({4, kUnknownDim}));
  const OneCall empty = FullyConnected(Float32({0, 3}, {}), weights, bias, Output(TENSOR_FLOAT32));
  EXPECT_EQ(empty.dims(), Dims({0, 2}));
  EXPECT_TRUE(empty.Golden().empty());

  const auto level = [](float scale) {
    return FullyConnected(Quant8({1, 1}, {1}, 0.5, 0), Quant8({1, 1}, {1}, 0.5, 0), Int32({1}, {1}, 0.25),
                          Output(TENSOR_QUANT8_ASYMM, {scale, 0, nullptr}))
        .level();
  };
  EXPECT_EQ(level(0.26f), 1);
  EXPECT_EQ(level(0.25f), 3);
  EXPECT_EQ(
      FullyConnected(Float16({1, 1}, {1}), Float16({1, 1}, {1}), Float16({1}, {1}), Output(TENSOR_FLOAT16)).level(), 3);
}

TEST(FullyConnectedTest, Rules) {
  RuleBook rules(OperationCode::FULLY_CONNECTED);
  const Given input = Float32({2, 6}, {1}), weights = Float32({2, 3}, {1}), bias = Float32({2}, {1});
  const Given out = Output(TENSOR_FLOAT32);
  rules.Valid(FullyConnected(input, weights, bias, out));
  rules.Breaks("rank", {Float32({6}, {1}), weights, bias, Int(0)}, {out});
  rules.Breaks("rank", {Float32({1, 1, 1, 2, 3}, {1}), weights, bias, Int(0)}, {out});
  rules.Breaks("rank", {input, Float32({2, 3, 1}, {1}), bias, Int(0)}, {out});
  rules.Breaks("rank", {input, weights, Float32({2, 1}, {1}), Int(0)}, {out});
  rules.Breaks("input_size", {Float32({2, 5}, {1}), weights, bias, Int(0)}, {out});
  rules.Breaks("bias", {input, weights, Float32({3}, {1}), Int(0)}, {out});
  rules.Breaks("empty", {input, Float32({0, 3}, {}), Float32({0}, {}), Int(0)}, {out});
  rules.Breaks("empty", {input, Float32({2, 0}, {}), bias, Int(0)}, {out});
  rules.Breaks("bias_scale",
               {Quant8({1, 1}, {1}, 0.5, 0), Quant8({1, 1}, {1}, 0.5, 0), Int32({1}, {1}, 0.2501f), Int(0)},
               {Output(TENSOR_QUANT8_ASYMM, {1, 0, nullptr})});
  // As Android's validator, the model's rules wait until all ranks are known.
  const OneCall waits = FullyConnected(Float32({6}, {1}).Hidden(), weights.UnknownRank(), bias, out);
  Violations violations;
  waits.call()->Check(Stage::kModel, violations);
  EXPECT_TRUE(violations.empty()) << ToStatus(violations);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
