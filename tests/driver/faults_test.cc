// Planted faults: named once each, visible, and refused where the bounds cannot see them.
#include "driver/faults.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "driver/fault_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/driver/drawn_answers.h"

namespace assay {
namespace {

using enum OperationCode;
using testing::HasSubstr;

TEST(Faults, AreManyAndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const FaultDescription& f : Faults()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_FALSE(f.sentence.empty()) << f.name;
    EXPECT_EQ(f.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << f.name;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(OpenFaulty, AnUnknownOneIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(OpenFaulty("virtue").status()));
  EXPECT_TRUE(absl::IsNotFound(OpenProvenFaulty("virtue").status()));
}

TEST(OpenProvenFaulty, HasTheFault) {
  const auto device = OpenProvenFaulty("relu-dropped");
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->description().name, "faulty:relu-dropped");
  size_t outside = 0;
  for (uint64_t seed = 0; seed < 400 && outside == 0; ++seed) {
    const DrawnModel drawn = DrawSeed(seed, {.operations = {ADD}, .most_operations = 2});
    const auto answer = AnswerOf(**device, drawn);
    ASSERT_TRUE(answer.ok()) << answer.status();
    outside += JudgeAnswer(drawn, *answer)->outside;
  }
  EXPECT_GT(outside, 0u);
}

class Visible : public testing::TestWithParam<std::string> {};

// Opening proves that a drawn graph shows the fault; here it is shown to another judge, on other graphs.
TEST_P(Visible, IsSeenInDrawnGraphsOfItsOperations) {
  const auto device = OpenFaulty(GetParam());
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->description().name, absl::StrCat("faulty:", GetParam()));
  Options options{.most_operations = 2, .expose = ExposePolicy::kAll};
  for (const FaultDescription& f : Faults())
    if (f.name == GetParam()) options.operations = f.operations;
  size_t seen = 0;
  for (uint64_t seed = 1'000'000; seed < 1'000'400 && seen == 0; ++seed) {
    const DrawnModel drawn = DrawSeed(seed, options);
    const auto answer = AnswerOf(**device, drawn);
    ASSERT_TRUE(answer.ok()) << answer.status();
    const auto judged = JudgeAnswer(drawn, *answer);
    ASSERT_TRUE(judged.ok()) << judged.status();
    seen += judged->outside;
  }
  EXPECT_GT(seen, 0u);
}

INSTANTIATE_TEST_SUITE_P(Quickly, Visible,
                         testing::Values("relu-dropped", "saturation-wraps", "strides-swapped", "dilation-ignored",
                                         "bias-dropped-in-last-channel", "reshape-reverses",
                                         "concatenation-keeps-codes", "cast-rounds", "tanh-as-clamp", "if-always-then"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// The last bit of an ADD's float32 elements is cleared: any conforming device may do that.
Fault OneUlpOff() {
  return SpoilingFault("one-ulp-off", "", {ADD},
                       [](const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
                         if (out[0].type != OperandType::TENSOR_FLOAT32) return;
                         for (size_t i = 0; i < Count(*out[0].dims); ++i) out[0].bytes[4 * i] &= 0xFE;
                       });
}

TEST(OpenFault, RefusesOneInsideOfTheAllowance) {
  const absl::Status status = OpenFault(OneUlpOff(), 300).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("faulty:one-ulp-off: 300 drawn graphs do not show the fault"));
}

TEST(OpenFault, TakesTheSameOneIfItIsLarger) {
  Fault fault = OneUlpOff();
  fault = SpoilingFault("a-thousand-ulps-off", "", {ADD},
                        [](const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef> out) {
                          if (out[0].type != OperandType::TENSOR_FLOAT32) return;
                          for (size_t i = 0; i < Count(*out[0].dims); ++i) out[0].bytes[4 * i + 1] ^= 0x04;
                        });
  EXPECT_TRUE(OpenFault(fault, 300).ok());
}

TEST(OpenFault, LooksAtNoGraphWhereValuesDoNotShowIt) {
  Fault fault = OneUlpOff();
  fault.judged_by_value = false;
  EXPECT_TRUE(OpenFault(fault, 0).ok());
}

}  // namespace
}  // namespace assay
