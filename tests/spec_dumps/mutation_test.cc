// Spoiled files: the reader refuses or accepts, but never breaks; what it accepts can be written and read again. Counts
// on the sanitizers of the asan preset.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/writer.h"
#include "tests/spec_dumps/random_cases.h"
#include "tests/spec_dumps/spec_files.h"

namespace assay {
namespace {

void ExpectStable(const std::string& text) {
  const absl::StatusOr<SpecFile> file = ReadSpec(text, "mutated");
  if (!file.ok()) {
    ASSERT_TRUE(absl::StartsWith(file.status().message(), "mutated:")) << file.status();
    return;
  }
  const std::string written = WriteSpec(*file);
  const absl::StatusOr<SpecFile> again = ReadSpec(written, "written");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text << "\nwas written as\n" << written;
  ASSERT_EQ(WriteSpec(*again), written) << text;
}

// Flips, deletes, inserts or doubles a few bytes, or puts a piece of the text elsewhere.
void Mutate(Dice& dice, std::string& text) {
  const auto size = static_cast<uint32_t>(text.size());
  if (size == 0) return;
  const size_t at = dice.Below(size);
  const size_t length = 1 + dice.Below(dice.OneIn(3) ? 60 : 2);
  constexpr char kTokens[] = "\n\"[](){}.,=_-0159aeE# +";
  switch (dice.Below(6)) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << dice.Below(8)));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(at, length));
      break;
    case 3:
      text[at] = kTokens[dice.Below(sizeof(kTokens) - 1)];
      break;
    case 4:
      text.insert(at, 1, kTokens[dice.Below(sizeof(kTokens) - 1)]);
      break;
    default:
      text.insert(at, text.substr(dice.Below(size), length));
      break;
  }
}

TEST(Mutation, ReaderNeverBreaks) {
  std::vector<std::string> texts;
  for (const std::string& path : OwnSpecFiles()) texts.push_back(FileText(path));
  ASSERT_FALSE(texts.empty());
  Dice dice(20240601);
  for (int i = 0; i < 20000; ++i) {
    std::string text = texts[static_cast<size_t>(i) % texts.size()];
    for (uint32_t n = 1 + dice.Below(3); n > 0; --n) Mutate(dice, text);
    ASSERT_NO_FATAL_FAILURE(ExpectStable(text)) << "mutation " << i << "\n" << text;
  }
}

// Whole lines moved, doubled or dropped: wrong order and names rather than wrong spelling.
TEST(Mutation, LinesInAnyOrder) {
  for (const std::string& path : OwnSpecFiles()) {
    const std::string text = FileText(path);
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at) + 1;
      lines.push_back(text.substr(at, end - at));
      at = end;
    }
    Dice dice(7);
    for (int i = 0; i < 200; ++i) {
      std::vector<std::string> moved = lines;
      const auto count = static_cast<uint32_t>(moved.size());
      switch (dice.Below(3)) {
        case 0:
          std::swap(moved[dice.Below(count)], moved[dice.Below(count)]);
          break;
        case 1:
          moved.erase(moved.begin() + dice.Below(count));
          break;
        default:
          moved.insert(moved.begin() + dice.Below(count), lines[dice.Below(count)]);
          break;
      }
      std::string all;
      for (const std::string& line : moved) all += line;
      ASSERT_NO_FATAL_FAILURE(ExpectStable(all)) << path << "\n" << all;
    }
  }
}

TEST(Mutation, EveryBeginningOfAFile) {
  for (const std::string& path : OwnSpecFiles()) {
    const std::string text = FileText(path);
    for (size_t length = 0; length < text.size(); ++length) ExpectStable(text.substr(0, length));
  }
}

// Texts that would cost a careless reader quadratic time, deep recursion or memory beyond their size.
TEST(HostileText, ManyNestedModels) {
  std::string text;
  const int count = 50000;
  for (int i = 0; i < count; ++i) {
    if (i > 0) absl::StrAppend(&text, "r", i, " = SubgraphReference(\"op0\", m", i - 1, ")\n");
    absl::StrAppend(&text, "m", i, " = Model(\"\")\n");
  }
  absl::StrAppend(&text, "Example({}, model=m", count - 1, ", name=\"\").DisableLifeTimeVariation()\n");
  const absl::StatusOr<SpecFile> file = ReadSpec(text, "nested");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->cases[0].test.model.subgraphs.size(), static_cast<size_t>(count));
  EXPECT_EQ(WriteSpec(*file), text);
}

TEST(HostileText, HugeDimensionsFewValues) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&text, "x", i, " = Input(\"op", i, "\", [\"TENSOR_FLOAT32\", [4294967295, 4294967295]])\n");
  }
  text += "y = Parameter(\"op1000\", [\"TENSOR_FLOAT32\", [4294967295, 4294967295]], [1.0])\n";
  EXPECT_EQ(
      ReadSpec(text, "f").status().message(),
      "f:1001:71: expected 18446744065119617025 values of TENSOR_FLOAT32 [4294967295, 4294967295], found 1 values");
}

TEST(HostileText, LongNumbersAndNames) {
  const std::string digits(1000000, '9');
  const std::string name(1000000, 'n');
  EXPECT_FALSE(ReadSpec("a = Parameter(\"op0\", [\"INT32\", []], [" + digits + "])\n", "f").ok());
  EXPECT_FALSE(ReadSpec("a = Parameter(\"op0\", [\"FLOAT32\", []], [" + digits + ".0])\n", "f").ok());
  EXPECT_FALSE(ReadSpec("a = Parameter(\"op0\", [\"FLOAT32\", []], [1e+" + digits + "])\n", "f").ok());
  EXPECT_FALSE(ReadSpec(name + " = Parameter(\"op0\", [\"FLOAT32\", []], [0." + digits + "])\n", "f").ok());
  const std::string long_names =
      name + " = Model(\"" + name + "\")\nExample({}, model=" + name + ", name=\"\").DisableLifeTimeVariation()\n";
  const absl::StatusOr<SpecFile> file = ReadSpec(long_names, "f");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(WriteSpec(*file), long_names);
}

}  // namespace
}  // namespace assay
