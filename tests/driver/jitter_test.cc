// Conforming devices: their answers differ from those of `fast`, and none lies outside of the bounds.
#include "driver/jitter.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "driver/built_in.h"
#include "gtest/gtest.h"
#include "tests/driver/drawn_answers.h"

namespace assay {
namespace {

constexpr uint64_t kGraphs = 150;

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const JitterDescription& j : Jitters()) names.push_back(j.name);
  return names;
}

class Jitter : public testing::TestWithParam<std::string> {};

TEST_P(Jitter, ErrsAndIsNeverOutside) {
  const auto device = OpenJittered(GetParam());
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->description().name, absl::StrCat("jitter:", GetParam()));
  const auto fast = MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
  // Few numbers are subnormal by chance, and many where special values are asked for.
  Options options{.special_values = GetParam() == "flush-to-zero"};
  size_t different = 0, judged_elements = 0;
  for (uint64_t seed = 0; seed < kGraphs; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const DrawnModel drawn = DrawSeed(seed, options);
    const auto answer = AnswerOf(**device, drawn), plain = AnswerOf(*fast, drawn);
    ASSERT_TRUE(answer.ok()) << answer.status();
    ASSERT_TRUE(plain.ok()) << plain.status();
    different += *answer != *plain;
    const auto judged = JudgeAnswer(drawn, *answer);
    ASSERT_TRUE(judged.ok()) << judged.status();
    EXPECT_EQ(judged->outside, 0u) << judged->first;
    judged_elements += judged->judged;
  }
  EXPECT_GT(different, 0u);
  EXPECT_GT(judged_elements, 100 * kGraphs);
}

INSTANTIATE_TEST_SUITE_P(All, Jitter, testing::ValuesIn(Names()), TestName);

TEST(Jitters, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const JitterDescription& j : Jitters()) {
    EXPECT_TRUE(names.insert(j.name).second) << j.name;
    EXPECT_FALSE(j.sentence.empty());
  }
  EXPECT_GE(names.size(), 8u);
}

TEST(Jitters, AnUnknownOneIsNotFound) { EXPECT_TRUE(absl::IsNotFound(OpenJittered("edgy").status())); }

}  // namespace
}  // namespace assay
