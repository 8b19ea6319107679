// How good shrinking is and what it costs: planted faults in toy generators shrink to the stated minimum from every
// seed, within the stated number of trials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "choice/shrink.h"
#include "tests/choice/toys.h"

namespace assay {
namespace {

constexpr size_t kCases = 100;

class ShrinkQualityTest : public testing::TestWithParam<Toy> {};

TEST_P(ShrinkQualityTest, ReachesTheMinimum) {
  const Toy& toy = GetParam();
  size_t cases = 0, trials = 0, most_trials = 0, choices = 0;
  for (uint64_t seed = 0; cases < kCases; ++seed) {
    ASSERT_LT(seed, 100'000u) << "the fault is too rare";
    Choices c = Choices::FromSeed(seed);
    if (!toy.draw(c).faulty) continue;
    ++cases;

    Shrinker shrinker([&](const Tape& tape) { return Replay(toy, tape); }, c.tape());
    const absl::StatusOr<Tape> tape = shrinker.Minimize();
    ASSERT_TRUE(tape.ok()) << tape.status();
    Choices replayed = Choices::Replay(*tape);
    EXPECT_EQ(toy.draw(replayed).text, toy.minimum) << "from seed " << seed;
    EXPECT_EQ(replayed.tape(), *tape);

    const Progress& progress = shrinker.progress();
    EXPECT_TRUE(progress.finished);
    EXPECT_EQ(progress.initial_size, c.trace().size());
    EXPECT_EQ(progress.final_size, tape->size());
    trials += progress.trials;
    most_trials = std::max(most_trials, progress.trials);
    choices += c.trace().size();
  }
  const size_t mean_trials = trials / kCases;
  EXPECT_LE(mean_trials, toy.cost.mean);
  EXPECT_LE(most_trials, toy.cost.most);
  std::printf("%-26s from %4zu choices, %4zu trials on average, %4zu at most\n", toy.name.c_str(), choices / kCases,
              mean_trials, most_trials);
}

constexpr auto kName = [](const testing::TestParamInfo<Toy>& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Lists, ShrinkQualityTest, testing::ValuesIn(ListToys()), kName);
INSTANTIATE_TEST_SUITE_P(Numbers, ShrinkQualityTest, testing::ValuesIn(NumberToys()), kName);
INSTANTIATE_TEST_SUITE_P(Trees, ShrinkQualityTest, testing::ValuesIn(TreeToys()), kName);
INSTANTIATE_TEST_SUITE_P(Graphs, ShrinkQualityTest, testing::ValuesIn(GraphToys()), kName);

}  // namespace
}  // namespace assay
