// What the shrinker promises whatever it is given: only interesting results, never a worse one, the same one each time,
// within its budget, and no crash on outcomes that no replay can have given.
#include "choice/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "choice/passes.h"
#include "choice/search.h"
#include "tests/choice/toys.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tape Drawn(const Toy& toy, uint64_t seed) {
  Choices c = Choices::FromSeed(seed);
  toy.draw(c);
  return c.tape();
}

// A seed whose draw is faulty.
uint64_t FaultySeed(const Toy& toy, uint64_t seed = 0) {
  while (!Replay(toy, Drawn(toy, seed)).interesting) ++seed;
  return seed;
}

// A generator whose shape depends on its answers, and a fault without any sense in it: part of a hash of the answers.
Outcome Senseless(const Tape& tape, uint64_t salt) {
  Choices c = Choices::Replay(tape);
  while (c.More(c.groups().size(), 12)) {
    Choices::Scope outer(c, "outer");
    const int64_t count = c.Between(0, 3);
    for (int64_t i = 0; i < count; ++i) {
      Choices::Scope inner(c, c.Maybe() ? "a" : "b");
      c.Below(static_cast<uint64_t>(count) * 5 + 1);
      if (c.Chance(1, 4)) c.Seed();
    }
  }
  uint64_t hash = salt;
  for (uint64_t value : c.tape()) hash = Stream::Mix(hash ^ value);
  return {hash % 4 == 0, c.trace(), c.groups()};
}

TEST(ShrinkerTest, TheResultIsInterestingAndNotWorse) {
  size_t shrunk = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Stream stream(seed);
    Tape start(stream.UpTo(120));
    for (uint64_t& value : start) value = stream.Next() >> stream.UpTo(63);
    const Outcome first = Senseless(start, seed);
    Shrinker shrinker([&](const Tape& tape) { return Senseless(tape, seed); }, start, {.trials = 500});
    const absl::StatusOr<Tape> tape = shrinker.Minimize();
    ASSERT_EQ(tape.ok(), first.interesting);
    if (!tape.ok()) continue;
    const Outcome last = Senseless(*tape, seed);
    ASSERT_TRUE(last.interesting) << seed;
    EXPECT_EQ(TapeOf(last.trace), *tape);
    EXPECT_EQ(last.trace, shrinker.best().trace);
    EXPECT_EQ(last.groups, shrinker.best().groups);
    EXPECT_FALSE(IsSimpler(TapeOf(first.trace), *tape));
    ++shrunk;
  }
  EXPECT_GT(shrunk, 50u);
}

TEST(ShrinkerTest, TheSameStartGivesTheSameResultInTheSameTrials) {
  for (const Toy& toy : GraphToys()) {
    const uint64_t seed = FaultySeed(toy);
    auto run = [&](std::vector<Tape>& tried) {
      Shrinker shrinker(
          [&](const Tape& tape) {
            tried.push_back(tape);
            return Replay(toy, tape);
          },
          Drawn(toy, seed));
      return *shrinker.Minimize();
    };
    std::vector<Tape> first, second;
    EXPECT_EQ(run(first), run(second));
    EXPECT_EQ(first, second);
    // A tape may be tried again for the sake of its repairs, but only once and seldom.
    std::map<Tape, size_t> times;
    for (const Tape& tape : first) ++times[tape];
    for (const auto& [tape, n] : times) EXPECT_LE(n, 2u);
    EXPECT_LE(first.size() - times.size(), first.size() / 8);
  }
}

TEST(ShrinkerTest, AStartThatIsNotInterestingIsRefused) {
  int trials = 0;
  Shrinker shrinker(
      [&](const Tape&) {
        ++trials;
        return Outcome{};
      },
      {1, 2, 3});
  const absl::StatusOr<Tape> tape = shrinker.Minimize();
  EXPECT_EQ(tape.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(tape.status().message()), HasSubstr("shrink.start: a tape of 3 choices is not interesting"));
  EXPECT_EQ(trials, 1);
  EXPECT_FALSE(shrinker.progress().finished);
}

TEST(ShrinkerTest, TheBudgetIsKeptAndUsed) {
  const Toy toy = GraphToys().front();
  const Tape start = Drawn(toy, FaultySeed(toy));
  Tape before;
  for (size_t budget = 0; budget < 200; ++budget) {
    size_t made = 0;
    Shrinker shrinker(
        [&](const Tape& tape) {
          ++made;
          return Replay(toy, tape);
        },
        start, {.trials = budget});
    const absl::StatusOr<Tape> tape = shrinker.Minimize();
    EXPECT_LE(made, budget);
    EXPECT_EQ(made, shrinker.progress().trials);
    if (budget == 0) {
      EXPECT_THAT(std::string(tape.status().message()), HasSubstr("shrink.start: no trial was allowed"));
      continue;
    }
    ASSERT_TRUE(tape.ok());
    EXPECT_TRUE(Replay(toy, *tape).interesting);
    EXPECT_TRUE(budget == 1 || !IsSimpler(before, *tape)) << "more trials cannot make it worse";
    EXPECT_EQ(shrinker.progress().finished, made < budget) << "the rest of the budget was left";
    before = *tape;
  }
}

TEST(ShrinkerTest, StopEndsIt) {
  const Toy toy = GraphToys().front();
  size_t asked = 0, made = 0;
  Shrinker shrinker(
      [&](const Tape& tape) {
        ++made;
        return Replay(toy, tape);
      },
      Drawn(toy, FaultySeed(toy)), {.stop = [&] { return ++asked > 30; }});
  const absl::StatusOr<Tape> tape = shrinker.Minimize();
  ASSERT_TRUE(tape.ok());
  EXPECT_TRUE(Replay(toy, *tape).interesting);
  EXPECT_LE(made, 30u);
  EXPECT_EQ(asked, 31u) << "once it said so it is not asked again";
  EXPECT_FALSE(shrinker.progress().finished);
}

TEST(ShrinkerTest, ProgressCanBeFollowed) {
  const Toy toy = ListToys().front();
  const Shrinker* watched = nullptr;
  size_t trials = 0;
  Shrinker shrinker(
      [&](const Tape& tape) {
        EXPECT_EQ(watched->progress().trials, ++trials);
        EXPECT_LE(watched->progress().final_size, watched->progress().initial_size);
        EXPECT_EQ(watched->best().interesting, trials > 1);
        return Replay(toy, tape);
      },
      Drawn(toy, FaultySeed(toy)));
  watched = &shrinker;
  ASSERT_TRUE(shrinker.Minimize().ok());
  const Progress& progress = shrinker.progress();
  EXPECT_TRUE(progress.finished);
  EXPECT_GT(progress.kept, 0u);
  EXPECT_LT(progress.kept, progress.trials);
  EXPECT_GT(progress.repeated, 0u);
  EXPECT_EQ(progress.final_size, 3u) << "one more, 1000, no more";
}

TEST(ShrinkerTest, EverythingInterestingShrinksToNothing) {
  for (const Toy& toy : GraphToys()) {
    Shrinker shrinker(
        [&](const Tape& tape) {
          Outcome outcome = Replay(toy, tape);
          outcome.interesting = true;
          return outcome;
        },
        Drawn(toy, 1));
    EXPECT_EQ(*shrinker.Minimize(), Tape{0});
    EXPECT_LE(shrinker.progress().trials, 3u);
  }
}

TEST(ShrinkerTest, LittleMemoryOnlyCostsTrials) {
  const Toy toy = GraphToys().front();
  for (size_t memory : {0, 1, 2, 10}) {
    Shrinker shrinker([&](const Tape& tape) { return Replay(toy, tape); }, Drawn(toy, FaultySeed(toy)),
                      {.memory = memory});
    const absl::StatusOr<Tape> tape = shrinker.Minimize();
    ASSERT_TRUE(tape.ok());
    Choices c = Choices::Replay(*tape);
    EXPECT_EQ(toy.draw(c).text, toy.minimum);
    EXPECT_TRUE(shrinker.progress().finished);
  }
}

// Trials that break the rules get a poor result, but no crash and no endless search.
TEST(ShrinkerTest, OutcomesThatNoReplayCanHaveGiven) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Stream stream(seed);
    auto nonsense = [&](const Tape& tape) {
      Outcome outcome{stream.UpTo(2) > 0, {}, {}};
      outcome.trace.resize(stream.UpTo(tape.size() + 2));
      for (Choice& choice : outcome.trace) choice = {stream.UpTo(9), stream.UpTo(9)};
      outcome.groups.resize(stream.UpTo(20));
      for (Group& group : outcome.groups) group = {stream.UpTo(1) ? "a" : "b", stream.UpTo(50), stream.UpTo(50)};
      return outcome;
    };
    Shrinker shrinker(nonsense, Tape(40, 5), {.trials = 300});
    shrinker.Minimize().IgnoreError();
    EXPECT_LE(shrinker.progress().trials, 300u);
  }
}

TEST(ShrinkerTest, DeeplyNestedGroups) {
  auto trial = [](const Tape& tape) {
    Choices c = Choices::Replay(tape);
    std::vector<std::unique_ptr<Choices::Scope>> scopes;
    do {
      scopes.push_back(std::make_unique<Choices::Scope>(c, "level"));
    } while (c.Maybe());
    const bool deep = scopes.size() >= 5;
    while (!scopes.empty()) scopes.pop_back();
    return Outcome{deep, c.trace(), c.groups()};
  };
  Shrinker shrinker(trial, Tape(20'000, 1));
  EXPECT_EQ(*shrinker.Minimize(), (Tape{1, 1, 1, 1, 0}));
  EXPECT_LE(shrinker.progress().trials, 60u);
}

TEST(TriedTapesTest, RemembersTheLastOnes) {
  TriedTapes tried(8);
  EXPECT_TRUE(tried.Add({1, 2}));
  EXPECT_FALSE(tried.Add({1, 2}));
  EXPECT_FALSE(tried.Add({1, 2, 0, 0})) << "replays the same";
  EXPECT_TRUE(tried.Add({0, 1, 2}));
  EXPECT_TRUE(tried.Add({}));
  EXPECT_FALSE(tried.Add({0}));
  for (uint64_t i = 10; i < 18; ++i) EXPECT_TRUE(tried.Add({i}));
  EXPECT_FALSE(tried.Add({17}));
  EXPECT_TRUE(tried.Add({1, 2})) << "forgotten";
}

TEST(GallopTest, FindsHowFarItGoesInFewAttempts) {
  for (size_t limit : {0, 1, 2, 3, 100, 1000}) {
    for (size_t possible = 0; possible <= limit + 1; ++possible) {
      size_t done = 0, attempts = 0;
      const size_t reported = Gallop(limit, [&](size_t n) {
        EXPECT_GT(n, 0u);
        EXPECT_LE(done + n, limit);
        ++attempts;
        if (done + n > possible) return false;
        done += n;
        return true;
      });
      EXPECT_EQ(done, std::min(possible, limit));
      EXPECT_EQ(reported, done);
      EXPECT_LE(attempts, 22u);
    }
  }
  // Steps of 64 bits do not overflow.
  uint64_t left = ~uint64_t{0};
  Gallop(left, [&](uint64_t n) {
    if (n > left) return false;
    left -= n;
    return true;
  });
  EXPECT_EQ(left, 0u);
}

}  // namespace
}  // namespace assay
