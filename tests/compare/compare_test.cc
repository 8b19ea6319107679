// Verdicts on tensors: the CTS criterion, intervals, distributions, and how they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compare/criterion.h"
#include "compare/judgement.h"
#include "numeric/half.h"

namespace assay {
namespace {

using enum OperandType;
using testing::HasSubstr;
using Interval = Bounded<Fp32>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Tensor {
  OperandType type;
  Dims dims;
  Quantization quantization = {};
  operator StoredTensor() const { return {type, &quantization, &dims}; }
};

template <class T>
const uint8_t* Raw(const std::vector<T>& values) {
  return reinterpret_cast<const uint8_t*>(values.data());
}

TEST(Criterion, Float32IsFiveUlpsAndAnAbsoluteTerm) {
  const Tensor t{TENSOR_FLOAT32, {4}};
  const Criterion c = CriterionFor(TENSOR_FLOAT32, {});
  const std::vector<float> expected = {0, 0, 100, 100};
  // 1e-5 + 100 * 5 * 2^-23 = 6.96e-5: 9 ulps (of 2^-17) are within, 10 are not.
  const std::vector<float> actual = {0.99e-5f, 1.01e-5f, 100.0000687f, 100.000077f};
  const Account a = CompareElements(t, c, Raw(expected), Raw(actual));
  EXPECT_EQ(a.inside, 2u);
  EXPECT_EQ(a.outside, 2u);
  ASSERT_EQ(a.worst.size(), 2u);
  EXPECT_FALSE(a.Passed());
}

TEST(Criterion, RelaxedAndFloat16ModelsHaveHalfPrecision) {
  EXPECT_EQ(CriterionFor(TENSOR_FLOAT32, {.relaxed = true}).absolute, 5 * 0x1p-10);
  EXPECT_EQ(CriterionFor(TENSOR_FLOAT32, {.uses_float16 = true}).relative, 5 * 0x1p-10);
  EXPECT_EQ(CriterionFor(TENSOR_FLOAT16, {}).absolute, 5 * 0x1p-10);
  EXPECT_EQ(CriterionFor(TENSOR_FLOAT32, {}).absolute, 1e-5);
}

TEST(Criterion, QuantizedCodesMayBeOneApart) {
  const Tensor t{TENSOR_QUANT8_ASYMM_SIGNED, {2, 2}, {0.5f, 3, nullptr}};
  const std::vector<int8_t> expected = {-128, 0, 5, 127}, actual = {-127, 2, 5, 126};
  const Account a = CompareElements(t, CriterionFor(t.type, {}), Raw(expected), Raw(actual));
  EXPECT_EQ(a.outside, 1u);
  EXPECT_EQ(a.worst.at(0).position, "[0, 1]");
  EXPECT_TRUE(CompareElements(t, CriterionFor(t.type, {.whole_network = true}), Raw(expected), Raw(actual)).Passed());
}

TEST(Criterion, BoolsAreEqual) {
  const Tensor t{TENSOR_BOOL8, {2}};
  const std::vector<uint8_t> expected = {0, 1}, actual = {1, 1};
  EXPECT_EQ(CompareElements(t, CriterionFor(t.type, {}), expected.data(), actual.data()).outside, 1u);
}

TEST(Criterion, SpecialValuesAgreeOnlyWithThemselves) {
  const Tensor t{TENSOR_FLOAT32, {6}};
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const std::vector<float> expected = {nan, nan, inf, inf, 1, -0.0f}, actual = {nan, 1, inf, -inf, nan, 0.0f};
  const Account a = CompareElements(t, CriterionFor(t.type, {}), Raw(expected), Raw(actual));
  EXPECT_EQ(a.outside, 3u);
  EXPECT_EQ(a.inside, 3u);
}

TEST(Criterion, EmptyTensorsPassWithoutJudgement) {
  const Tensor t{TENSOR_FLOAT32, {0, 3}};
  const Account a = CompareElements(t, CriterionFor(t.type, {}), nullptr, nullptr);
  EXPECT_TRUE(a.Passed());
  EXPECT_EQ(a.judged(), 0u);
}

TEST(Distribution, ShareOfEachClass) {
  const std::vector<double> log_probabilities = {0, std::log(3.0)};  // 1/4 and 3/4
  EXPECT_TRUE(CompareDistribution(log_probabilities, std::vector<int32_t>{0, 1, 1, 1}, 0.01).Passed());
  EXPECT_EQ(CompareDistribution(log_probabilities, std::vector<int32_t>{0, 0, 1, 1}, 0.2).outside, 2u);
  EXPECT_FALSE(CompareDistribution(log_probabilities, std::vector<int32_t>{0, 1, 1, 2}, 0.5).Passed());
}

TEST(Judgement, OutsideIsReportedWithTheIntervalInCodes) {
  const Tensor t{TENSOR_QUANT8_ASYMM, {3}, {0.5f, 10, nullptr}};
  // Codes 9 .. 11 are reals -0.5 .. 0.5.
  const std::vector<Interval> allowed = {{-0.5, 0.5, 0}, {-0.5, 0.5, 0}, Interval::Unknown()};
  const std::vector<uint8_t> answer = {11, 12, 200};
  const Account a = JudgeElements(t, allowed, {}, answer.data());
  EXPECT_EQ(a.inside, 1u);
  EXPECT_EQ(a.outside, 1u);
  EXPECT_EQ(a.unknown, 1u);
  EXPECT_THAT(a.ToString("  "), HasSubstr("[1]: expected 10, got 12 (1), allowed [9, 11] codes"));
}

TEST(Judgement, ARelationDecidesInsteadOfTheInterval) {
  const Tensor t{TENSOR_INT32, {2}};
  const std::vector<Interval> allowed = {{0, 0, 0}, {0, 0, 0}};
  const std::vector<int32_t> answer = {3, 4};
  const std::vector<Verdict> verdicts = {Verdict::kInside, Verdict::kOutside};
  const Account a = JudgeElements(t, allowed, verdicts, Raw(answer));
  EXPECT_EQ(a.inside, 1u);
  EXPECT_EQ(a.outside, 1u);
}

TEST(Judgement, ANotANumberBoundNeverReports) {
  const Tensor t{TENSOR_FLOAT32, {1}};
  const std::vector<Interval> allowed = {Interval::Unknown()};
  const std::vector<float> answer = {std::nanf("")};
  EXPECT_TRUE(JudgeElements(t, allowed, {}, Raw(answer)).Passed());
  EXPECT_TRUE(JudgeElements(t, allowed, {}, Raw(answer)).AllUnknown());
}

TEST(Account, OnlyTheWorstAreShown) {
  Account a;
  for (size_t i = 0; i < 20; ++i) {
    a.Add(Verdict::kOutside);
    a.Keep({i, "[]", "", "", "", static_cast<double>(i % 10)});
  }
  ASSERT_EQ(a.worst.size(), Account::kMostShown);
  EXPECT_EQ(a.worst.front().index, 9u);
  EXPECT_EQ(a.worst.at(1).index, 19u);
  EXPECT_THAT(a.ToString(""), HasSubstr("and 12 more"));
}

TEST(Widths, QuantilesAndShares) {
  const Tensor t{TENSOR_FLOAT32, {4}};
  WidthHistogram s;
  // Range 8: widths / range are 0, 1/8, 1/2, unknown.
  s.Add(t, std::vector<Interval>{{0, 0, 0}, {7.5, 8.5, 8}, {2, 6, 4}, {-kInfinity, kInfinity, 0}});
  EXPECT_EQ(s.elements(), 4u);
  EXPECT_DOUBLE_EQ(s.unknown_share(), 0.25);
  EXPECT_DOUBLE_EQ(s.sharp_share(), 0.5);
  EXPECT_DOUBLE_EQ(s.Quantile(0.6), 0.25);  // 1/8 lies in the cell below 1/4
  EXPECT_DOUBLE_EQ(s.Quantile(1), 1);
  WidthHistogram twice = s;
  twice.Merge(s);
  EXPECT_EQ(twice.elements(), 8u);
  EXPECT_DOUBLE_EQ(twice.unknown_share(), 0.25);
}

}  // namespace
}  // namespace assay
