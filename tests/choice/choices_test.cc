// The source of decisions: its answers, its limits, and that seed, tape and bytes tell the same story.
#include "choice/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

// Asks every kind of question, some of them dependent on earlier answers, and returns all that it learned.
std::vector<int64_t> DrawEverything(Choices& c) {
  std::vector<int64_t> drawn;
  auto learn = [&](auto answer) { drawn.push_back(static_cast<int64_t>(answer)); };
  Choices::Scope whole(c, "whole");
  for (size_t have = 0; c.More(have, 20); ++have) {
    Choices::Scope element(c, "element");
    const int64_t size = c.Between(1, 300);
    learn(size);
    learn(c.Below(static_cast<uint64_t>(size)));
    learn(c.Maybe());
    learn(c.Chance(1, 10));
    if (c.Maybe()) learn(c.Pick({11, 22, 33}));
    learn(c.Seed());
    learn(c.Between(kLowest, kHighest));
    learn(c.Between(-5, 5));
    learn(c.Below((uint64_t{1} << 63) + 1));
  }
  return drawn;
}

// A change of these numbers changes the meaning of every seed that anyone wrote down.
TEST(ChoicesTest, SeedsMeanTheSameForEver) {
  auto first = [](uint64_t seed, uint64_t n) {
    Choices c = Choices::FromSeed(seed);
    std::vector<uint64_t> answers;
    for (int i = 0; i < 6; ++i) answers.push_back(c.Below(n));
    return answers;
  };
  EXPECT_THAT(first(0, 1000), ElementsAre(535, 700, 679, 444, 747, 90));
  EXPECT_THAT(first(1, 1000), ElementsAre(465, 519, 590, 235, 761, 48));
  EXPECT_THAT(first(2, 1000), ElementsAre(110, 226, 951, 236, 649, 219));
  EXPECT_EQ(Choices::FromSeed(0).Seed(), 0xE220A8397B1DCDAF);
  EXPECT_EQ(Choices::FromSeed(1).Seed(), 0x910A2DEC89025CC1);
  EXPECT_EQ(Choices::FromSeed(2).Seed(), 0x975835DE1C9756CE);
  // Of this many answers, numbers below 2^62 would favour some: the third one, 0x06C4..., is drawn again.
  constexpr uint64_t kMany = uint64_t{3} << 62;
  EXPECT_THAT(first(0, kMany), ElementsAre(0xE220A8397B1DCDAF - kMany, 0x6E789E6AA1B965F4, 0xF88BB8A8724C81EC - kMany,
                                           testing::_, testing::_, testing::_));
}

TEST(ChoicesTest, SeedTapeAndBytesGiveTheSameAnswers) {
  size_t choices = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Choices from_seed = Choices::FromSeed(seed);
    const std::vector<int64_t> drawn = DrawEverything(from_seed);
    Choices from_tape = Choices::Replay(from_seed.tape());
    ASSERT_EQ(DrawEverything(from_tape), drawn) << seed;
    Choices from_bytes = Choices::FromBytes(ToBytes(from_seed.trace()));
    ASSERT_EQ(DrawEverything(from_bytes), drawn) << seed;
    ASSERT_EQ(from_tape.trace(), from_seed.trace()) << seed;
    ASSERT_EQ(from_bytes.trace(), from_seed.trace()) << seed;
    ASSERT_EQ(from_bytes.groups(), from_seed.groups()) << seed;
    ASSERT_EQ(from_bytes.tape(), from_seed.tape()) << seed;
    choices += from_seed.trace().size();
  }
  EXPECT_GT(choices, 20'000u);
}

TEST(ChoicesTest, AnyBytesAndAnyTapeAreAProgram) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Stream garbage(seed);
    std::vector<uint8_t> bytes(garbage.UpTo(300));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(garbage.Next());
    Choices from_bytes = Choices::FromBytes(bytes);
    const std::vector<int64_t> drawn = DrawEverything(from_bytes);
    for (const Choice& choice : from_bytes.trace()) ASSERT_LE(choice.value, choice.most);
    Choices again = Choices::FromBytes(ToBytes(from_bytes.trace()));
    ASSERT_EQ(DrawEverything(again), drawn);

    Tape tape(garbage.UpTo(300));
    for (uint64_t& value : tape) value = garbage.Next() >> garbage.UpTo(63);
    Choices from_tape = Choices::Replay(tape);
    DrawEverything(from_tape);
    for (const Choice& choice : from_tape.trace()) ASSERT_LE(choice.value, choice.most);
  }
}

TEST(ChoicesTest, BelowKeepsToItsRange) {
  for (const uint64_t n : {uint64_t{2}, uint64_t{3}, uint64_t{255}, uint64_t{256}, uint64_t{257}, uint64_t{1} << 63,
                           (uint64_t{1} << 63) + 1, ~uint64_t{0}}) {
    Choices c = Choices::FromSeed(n);
    for (int i = 0; i < 1000; ++i) ASSERT_LT(c.Below(n), n);
    EXPECT_EQ(c.trace().front().most, n - 1);
  }
}

TEST(ChoicesTest, EveryQuestionIsOneChoice) {
  Choices c = Choices::FromSeed(7);
  EXPECT_EQ(c.Below(0), 0u);
  EXPECT_EQ(c.Below(1), 0u);
  EXPECT_EQ(c.Between(42, 42), 42);
  EXPECT_EQ(c.Between(kLowest, kLowest), kLowest);
  EXPECT_FALSE(c.Chance(1, 0));
  EXPECT_FALSE(c.More(3, 3));
  EXPECT_FALSE(c.More(4, 3));
  EXPECT_EQ(c.Pick({5}), 5);
  EXPECT_EQ(c.trace(), std::vector<Choice>(8)) << "with the only answer there was";
  EXPECT_EQ(c.Seed(), Choices::FromSeed(7).Seed()) << "which costs no random numbers";
  EXPECT_THAT(ToBytes(c.trace()), testing::SizeIs(8)) << "and no bytes";

  Choices chances = Choices::FromSeed(7);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(chances.Chance(0, 10));
    EXPECT_TRUE(chances.Chance(10, 10));
    EXPECT_TRUE(chances.Chance(11, 10));
  }
}

TEST(ChoicesTest, AnswersAreUniform) {
  Choices c = Choices::FromSeed(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) ++seen[c.Below(7)];
  // Six standard deviations: 6 * sqrt(70000 * 1/7 * 6/7) = 556.
  for (int count : seen) EXPECT_NEAR(count, 10'000, 556);

  // Where a plain remainder would give the lower half two chances in three instead of one in two.
  int low = 0;
  for (int i = 0; i < 10'000; ++i) low += c.Below(uint64_t{3} << 62) < uint64_t{3} << 61;
  EXPECT_NEAR(low, 5'000, 300);

  int yes = 0;
  for (int i = 0; i < 10'000; ++i) yes += c.Chance(3, 10);
  EXPECT_NEAR(yes, 3'000, 275);
}

TEST(ChoicesTest, BetweenReachesBothEnds) {
  Choices c = Choices::FromSeed(5);
  bool lowest = false, highest = false;
  for (int i = 0; i < 1000; ++i) {
    const int64_t drawn = c.Between(-3, 4);
    ASSERT_GE(drawn, -3);
    ASSERT_LE(drawn, 4);
    lowest |= drawn == -3;
    highest |= drawn == 4;
  }
  EXPECT_TRUE(lowest && highest);
  Choices extremes = Choices::Replay({0, ~uint64_t{0}, 0, ~uint64_t{0} - 1, uint64_t{1} << 63});
  EXPECT_EQ(extremes.Between(kLowest, kHighest), kLowest);
  EXPECT_EQ(extremes.Between(kLowest, kHighest), kHighest);
  EXPECT_EQ(extremes.Between(kLowest + 1, kHighest), kLowest + 1);
  EXPECT_EQ(extremes.Between(kLowest + 1, kHighest), kHighest);
  EXPECT_EQ(extremes.Between(kLowest, kHighest), 0);
}

TEST(ChoicesTest, ZeroIsTheSimplestAnswer) {
  Choices c = Choices::Replay({});
  const std::vector<int> values{7, 8, 9};
  EXPECT_EQ(c.Below(10), 0u);
  EXPECT_EQ(c.Between(-4, 9), -4);
  EXPECT_FALSE(c.Maybe());
  EXPECT_FALSE(c.Chance(99, 100));
  EXPECT_FALSE(c.More(0, 100));
  EXPECT_EQ(c.Pick(values), 7);
  EXPECT_EQ(c.Seed(), 0u);
  EXPECT_EQ(c.tape(), Tape(7, 0)) << "questions beyond the end are recorded";
}

TEST(ChoicesTest, AnAnswerTooLargeForItsQuestionIsZero) {
  Choices c = Choices::Replay({9, 10, 2, 1});
  EXPECT_EQ(c.Below(10), 9u);
  EXPECT_EQ(c.Below(10), 0u);
  EXPECT_FALSE(c.Maybe());
  EXPECT_TRUE(c.Maybe());
  EXPECT_EQ(c.tape(), (Tape{9, 0, 0, 1})) << "the tape is what was answered, not what was read";
}

TEST(ChoicesTest, BytesAreReadMostSignificantFirst) {
  const std::vector<uint8_t> bytes{0x05, 0x01, 0x02, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 0xAB};
  Choices c = Choices::FromBytes(bytes);
  EXPECT_EQ(c.Below(256), 5u);
  EXPECT_EQ(c.Below(257), 0x0102u % 257);
  EXPECT_EQ(c.Below(100), 0xFFu % 100);
  EXPECT_EQ(c.Seed(), 0x0102030405060708u);
  EXPECT_FALSE(c.exhausted());
  EXPECT_EQ(c.Below(65536), 0xAB00u) << "zeros follow the last byte";
  EXPECT_TRUE(c.exhausted());
  EXPECT_EQ(c.Seed(), 0u);
}

TEST(ChoicesTest, ToBytesTakesAsManyBytesAsTheQuestionNeeds) {
  EXPECT_THAT(ToBytes(std::vector<Choice>{{1, 1}, {255, 255}, {255, 256}, {0x1234, ~uint64_t{0}}}),
              ElementsAre(1, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0x12, 0x34));
}

TEST(ChoicesTest, ExhaustedSaysThatOnlyZerosFollow) {
  Choices tape = Choices::Replay({1, 1});
  EXPECT_FALSE(tape.exhausted());
  tape.Maybe();
  EXPECT_FALSE(tape.exhausted());
  tape.Maybe();
  EXPECT_TRUE(tape.exhausted());
  EXPECT_TRUE(Choices::FromBytes({}).exhausted());
  EXPECT_FALSE(Choices::FromSeed(0).exhausted());
}

TEST(ChoicesTest, TheLimitEndsEveryDraw) {
  Choices c = Choices::FromSeed(1, 100);
  int asked = 0;
  for (; c.Below(1000) != 0 || !c.exhausted(); ++asked) ASSERT_LT(asked, 1000);
  EXPECT_EQ(asked, 100);
  EXPECT_EQ(c.trace().size(), 100u);
  EXPECT_EQ(c.Seed(), 0u);
  EXPECT_EQ(c.trace().size(), 100u) << "nothing is recorded beyond the limit";

  // A draw that always wants one more ends by itself, whatever the source says.
  const std::vector<uint8_t> ones(3'000'000, 1);
  Choices endless = Choices::FromBytes(ones);
  size_t have = 0;
  while (endless.More(have, std::numeric_limits<size_t>::max())) ++have;
  EXPECT_EQ(have, Choices::kLimit);
  EXPECT_TRUE(endless.exhausted());
}

TEST(ChoicesTest, ShortListsHaveEveryLengthEquallyOften) {
  Choices c = Choices::FromSeed(11);
  std::array<int, 5> lengths{};
  for (int i = 0; i < 50'000; ++i) {
    size_t have = 0;
    while (c.More(have, 4)) ++have;
    ++lengths[have];
  }
  for (int count : lengths) EXPECT_NEAR(count, 10'000, 540);

  int longer_than_30 = 0;
  for (int i = 0; i < 1000; ++i) {
    size_t have = 0;
    while (c.More(have, 1000)) ++have;
    longer_than_30 += have > 30;
  }
  // (8/9)^31 = 0.026
  EXPECT_NEAR(longer_than_30, 26, 25);
}

TEST(ChoicesTest, PickTakesAnyRange) {
  std::vector<std::unique_ptr<int>> owned;
  owned.push_back(std::make_unique<int>(1));
  Choices c = Choices::Replay({0, 1, 2, 0, 1});
  *c.Pick(owned) = 5;
  EXPECT_EQ(*owned[0], 5) << "what is picked can be changed";
  const int array[] = {1, 2, 3};
  EXPECT_EQ(c.Pick(array), 2);
  EXPECT_EQ(c.Pick(std::span<const int>(array)), 3);
  EXPECT_EQ(c.Pick({4, 5}), 4);
  std::vector<bool> bits{false, true};
  EXPECT_TRUE(c.Pick(bits));
}

TEST(ChoicesTest, ScopesMarkGroups) {
  Choices c = Choices::FromSeed(0);
  c.Maybe();
  {
    Choices::Scope outer(c, "outer");
    EXPECT_THAT(c.groups(), ElementsAre(Group{"outer", 1, 1})) << "still open";
    c.Maybe();
    {
      Choices::Scope empty(c, "empty");
      Choices::Scope inner_empty(c, "empty");
    }
    {
      Choices::Scope inner(c, std::string("made up on the spot"));
      c.Maybe();
      c.Maybe();
    }
  }
  {
    Choices::Scope last(c, "last");
    c.Maybe();
  }
  EXPECT_THAT(c.groups(), ElementsAre(Group{"outer", 1, 4}, Group{"made up on the spot", 2, 4}, Group{"last", 4, 5}));
}

TEST(ChoicesTest, ScopesNestDeeply) {
  constexpr size_t kDepth = 100'000;
  Choices c = Choices::FromSeed(0);
  std::vector<std::unique_ptr<Choices::Scope>> scopes;
  for (size_t i = 0; i < kDepth; ++i) {
    scopes.push_back(std::make_unique<Choices::Scope>(c, "level"));
    c.Maybe();
  }
  while (!scopes.empty()) scopes.pop_back();
  ASSERT_EQ(c.groups().size(), kDepth);
  for (size_t i = 0; i < kDepth; ++i) ASSERT_EQ(c.groups()[i], (Group{"level", i, kDepth}));
}

TEST(ChoicesDeathTest, ImpossibleQuestionsAreFaultsOfTheCaller) {
  EXPECT_DEATH(Choices::FromSeed(0).Between(4, 3), "lo 4 is above hi 3");
  std::vector<int> none;
  EXPECT_DEATH(Choices::FromSeed(0).Pick(none), "nothing to pick from");
}

}  // namespace
}  // namespace assay
