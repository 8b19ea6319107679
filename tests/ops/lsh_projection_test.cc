// LSH_PROJECTION: the three types, and which bits are free.
#include <gmock/gmock.h>

#include <cstring>

#include "ops/fingerprint.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

enum Type : int32_t { kDeprecated = 1, kDense = 2, kSparse = 3 };

OneCall Project(Given hash, Given input, Given weight, int32_t type) {
  return {OperationCode::LSH_PROJECTION,
          {std::move(hash), std::move(input), std::move(weight), Int(type)},
          {Output(TENSOR_INT32)}};
}

// The fingerprint of a seed and the bytes of one row.
double Print(float seed, const std::vector<uint8_t>& row) {
  std::vector<uint8_t> bytes(4 + row.size());
  std::memcpy(bytes.data(), &seed, 4);
  std::copy(row.begin(), row.end(), bytes.begin() + 4);
  return static_cast<double>(static_cast<int64_t>(Fingerprint64(bytes)));
}

const std::vector<double> kSeeds{0.5, -1.25, 3, 7.75, -100, 42, 0.25, 1, 2, 5, 8, -3};

// bit = sum of weight * fingerprint > 0, for rows of so many bytes.
std::vector<int64_t> Bits(const std::vector<uint8_t>& bytes, size_t rows, const std::vector<double>& weights) {
  std::vector<int64_t> bits;
  const size_t size = bytes.size() / rows;
  for (double seed : kSeeds) {
    double score = 0;
    for (size_t k = 0; k < rows; ++k)
      score += weights[k] * Print(static_cast<float>(seed), {bytes.begin() + static_cast<ptrdiff_t>(k * size),
                                                             bytes.begin() + static_cast<ptrdiff_t>((k + 1) * size)});
    bits.push_back(score > 0 ? 1 : 0);
  }
  return bits;
}

TEST(LshProjection, DenseBitsOfStoredBytes) {
  const std::vector<int64_t> codes = NoiseCodes(3 * 7, 3, 0, 255);
  const std::vector<uint8_t> bytes(codes.begin(), codes.end());
  const std::vector<double> weights{1, -2.5, 0.75};
  const std::vector<int64_t> expected = Bits(bytes, 3, weights);
  for (bool half : {false, true}) {
    const Given hash = half ? Float16({3, 4}, kSeeds) : Float32({3, 4}, kSeeds);
    const Given weight = half ? Float16({3}, weights) : Float32({3}, weights);
    const OneCall call = Project(hash, Quant8({3, 7}, codes, 0.5, 9), weight, kDense);
    EXPECT_EQ(call.dims(), Dims({12}));
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
  }
}

TEST(LshProjection, SparseTypesPackTheFirstBitHighest) {
  const std::vector<int64_t> codes = NoiseCodes(2 * 5, 4, INT32_MIN, INT32_MAX);
  std::vector<uint8_t> bytes(codes.size() * 4);
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto code = static_cast<int32_t>(codes[i]);
    std::memcpy(bytes.data() + 4 * i, &code, 4);
  }
  const std::vector<int64_t> bits = Bits(bytes, 2, {1, 1});
  for (int32_t type : {kDeprecated, kSparse}) {
    std::vector<int64_t> expected;
    for (size_t i = 0; i < 4; ++i)
      expected.push_back(4 * bits[3 * i] + 2 * bits[3 * i + 1] + bits[3 * i + 2] +
                         (type == kSparse ? static_cast<int64_t>(8 * i) : 0));
    const OneCall call = Project(Float32({4, 3}, kSeeds), Int32({2, 5}, codes), Omitted(TENSOR_FLOAT32), type);
    EXPECT_EQ(call.dims(), Dims({4}));
    EXPECT_EQ(call.GoldenCodes(), expected);
    EXPECT_EQ(call.FastCodes(), expected);
    call.ExpectInside();
  }
}

// 32 bits fill the sign as well.
TEST(LshProjection, ThirtyTwoBits) {
  const std::vector<double> seeds = Noise(32, 9, -100, 100);
  const OneCall dense = Project(Float32({1, 32}, seeds), Float32({1}, {2.5}), Float32({1}, {1}), kDense);
  uint32_t packed = 0;
  for (int64_t bit : dense.GoldenCodes()) packed = packed << 1 | static_cast<uint32_t>(bit);
  for (int32_t type : {kDeprecated, kSparse}) {
    const OneCall call = Project(Float32({1, 32}, seeds), Float32({1}, {2.5}), Omitted(TENSOR_FLOAT32), type);
    EXPECT_THAT(call.GoldenCodes(), ElementsAre(static_cast<int32_t>(packed)));
    call.ExpectInside();
  }
}

TEST(LshProjection, ABitIsFreeWhereItsScoreIsNearZero) {
  using enum Verdict;
  // One row twice, with opposite weights: every score is exactly 0, but not for a device that rounds.
  const std::vector<int64_t> codes{1, 2, 1, 2};
  const OneCall open = Project(Float32({3, 4}, kSeeds), Quant8({2, 2}, codes, 1, 0), Float32({2}, {1, -1}), kDense);
  EXPECT_THAT(open.GoldenCodes(), testing::Each(0));
  EXPECT_THAT(open.Accept(std::vector<double>(12, 1)), testing::Each(kInside));
  EXPECT_THAT(open.Accept(std::vector<double>(12, 2)), testing::Each(kOutside));
  const OneCall sure = Project(Float32({3, 4}, kSeeds), Quant8({2, 2}, codes, 1, 0), Float32({2}, {1, -0.99}), kDense);
  ASSERT_TRUE(sure.call()->HasAccept());
  std::vector<double> answer = sure.Golden();
  EXPECT_THAT(sure.Accept(answer), testing::Each(kInside));
  for (double& bit : answer) bit = 1 - bit;
  EXPECT_THAT(sure.Accept(answer), testing::Each(kOutside));
}

TEST(LshProjection, WhatIsNotKnownIsNotHashed) {
  using enum Verdict;
  const OneCall call = Project(Float32({1, 3}, {1, 2, 3}), Float32({2}, {5, 6}), Omitted(TENSOR_FLOAT32), kSparse);
  const InputIntervals inputs{{}, {Interval{4.5, 5.5, 5}, 6}};
  EXPECT_EQ(call.Bound(0, {}, inputs)[0].lo, 0);
  EXPECT_EQ(call.Bound(0, {}, inputs)[0].hi, 7);
  EXPECT_THAT(call.Accept({3}, 0, {}, inputs), ElementsAre(kUnknown));
  EXPECT_THAT(call.Accept({8}, 0, {}, inputs), ElementsAre(kOutside));
  const OneCall two = Project(Float32({2, 1}, {1, 2}), Float32({1}, {5}), Omitted(TENSOR_FLOAT32), kSparse);
  EXPECT_THAT(two.Accept({two.Golden()[0] + 2, two.Golden()[1] + 0.5}), ElementsAre(kOutside, kOutside));
}

TEST(LshProjection, UnknownShapesLevelsAndRules) {
  const Given hash = Float32({2, 3}, {1}), input = Int32({2, 2}, {1}), weight = Float32({2}, {1});
  EXPECT_EQ(Project(hash.UnknownDim(1), input, weight, kDense).inferred().front().shape, Shape::Of({kUnknownDim}));
  EXPECT_EQ(Project(hash.UnknownDim(1), input, Omitted(TENSOR_FLOAT32), kSparse).inferred().front().shape,
            Shape::Of({2}));
  EXPECT_EQ(Project(hash.UnknownRank(), input, weight, kDense).inferred().front().shape, Shape::Of({kUnknownDim}));
  EXPECT_EQ(Project(hash, input, weight, kDense).level(), 1);
  EXPECT_EQ(Project(hash, Float16({2}, {1}), weight, kDense).level(), 3);
  EXPECT_EQ(Project(Float16({2, 3}, {1}), input, Float16({2}, {1}), kDense).level(), 3);
  RuleBook rules(OperationCode::LSH_PROJECTION);
  const std::vector<Given> out{Output(TENSOR_INT32)};
  rules.Valid(Project(hash, input, weight, kDense));
  rules.Valid(Project(hash, input, Omitted(TENSOR_FLOAT32), kSparse));
  rules.Breaks("hash", {Float32({2}, {1}), input, weight, Int(kDense)}, out);
  rules.Breaks("bits", {Float32({1, 33}, {1}), input, weight, Int(kDense)}, out);
  rules.Breaks("sparse", {hash, input, weight, Int(kSparse)}, out);
  rules.Breaks("dense", {hash, input, Omitted(TENSOR_FLOAT32), Int(kDense)}, out);
  rules.Breaks("dense", {hash, input, Float32({3}, {1}), Int(kDense)}, out);
  rules.Breaks("dense", {hash, input, Float32({2, 1}, {1}), Int(kDense)}, out);
  rules.Breaks("type.range", {hash, input, Omitted(TENSOR_FLOAT32), Int(4)}, out);
  rules.Breaks("output_size", {hash.Hidden().WithShape(Shape::Of({UINT32_MAX - 1, 2})), input, weight, Int(kDense)},
               out);
  rules.Breaks("types", {hash, input, Float16({2}, {1}), Int(kDense)}, out);
  rules.Breaks("empty_input", {Float32({0, 3}, {}), input, weight, Int(kDense)}, out);
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
