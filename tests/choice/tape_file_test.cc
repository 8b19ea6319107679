// Tape files: what is written is read, and what is not surely such a file is refused with a reason.
#include "choice/tape_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr uint64_t kRegistry = 0x00C0FFEE00C0FFEE;
constexpr char kText[] =
    "assay tape 1 registry=00c0ffee00c0ffee\nkind graph\nchoices 3\n3 18446744073709551615 0\nend\n";

std::string Message(absl::string_view text, uint64_t registry = kRegistry) {
  return std::string(ParseTape(text, registry).status().message());
}

TEST(TapeFileTest, TheTextIsReadable) {
  const absl::StatusOr<std::string> text = FormatTape({kRegistry, "graph", {3, ~uint64_t{0}, 0}});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, kText);
  EXPECT_EQ(*FormatTape({0, "empty one", {}}),
            "assay tape 1 registry=0000000000000000\nkind empty one\nchoices 0\nend\n");
  EXPECT_EQ(*FormatTape({0, "x", {7}, "--max-dim 8"}),
            "assay tape 1 registry=0000000000000000\nkind x\noptions --max-dim 8\nchoices 1\n7\nend\n");
}

TEST(TapeFileTest, WhatIsWrittenIsRead) {
  for (size_t size : {0, 1, 2, 99, 100'000}) {
    TapeFile file{kRegistry + size, "a call of CONV_2D", {}, std::string(size % 90, 'o')};
    Stream stream(size);
    for (size_t i = 0; i < size; ++i) file.tape.push_back(stream.Next() >> stream.UpTo(63));
    const absl::StatusOr<std::string> text = FormatTape(file);
    ASSERT_TRUE(text.ok()) << text.status();
    const absl::StatusOr<TapeFile> again = ParseTape(*text, file.registry);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, file);
    size_t longest = 0, line = 0;
    for (char c : *text) longest = std::max(longest, line = c == '\n' ? 0 : line + 1);
    EXPECT_LE(longest, 100u);
  }
}

TEST(TapeFileTest, OtherLineEndingsAndWrappingAreAllowed) {
  const absl::StatusOr<TapeFile> file =
      ParseTape("assay tape 1 registry=00c0ffee00c0ffee\r\nkind graph\r\nchoices 3\r\n 3\n\n\t4 5 end", kRegistry);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->tape, (Tape{3, 4, 5}));
}

TEST(TapeFileTest, AnotherVersionIsRefused) {
  const absl::StatusOr<TapeFile> file = ParseTape("assay tape 2 anything else\n", kRegistry);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(file.status().message()), AllOf(HasSubstr("tape_file.version"), HasSubstr("version '2'"),
                                                          HasSubstr("version 1"), HasSubstr("spec file")));
  EXPECT_THAT(Message("assay tape 99999999999999999999 registry=00c0ffee00c0ffee\n"),
              HasSubstr("'99999999999999999999'"));
}

TEST(TapeFileTest, AnotherRegistryIsRefused) {
  const absl::StatusOr<TapeFile> file = ParseTape(kText, 0xABCDEF0123456789);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(file.status().message()),
              AllOf(HasSubstr("tape_file.registry"), HasSubstr("00c0ffee00c0ffee"), HasSubstr("abcdef0123456789"),
                    HasSubstr("spec file")));
}

TEST(TapeFileTest, WhatIsNoTapeIsRefused) {
  const std::string head = "assay tape 1 registry=00c0ffee00c0ffee\n";
  const struct {
    std::string text;
    const char* message;
  } kCases[] = {
      {"", "tape_file.header: the first line is '', not 'assay tape 1"},
      {"\n", "tape_file.header"},
      {"assay tape", "tape_file.header"},
      {"assay tape one registry=00c0ffee00c0ffee\n", "tape_file.header"},
      {"assay tape 1 registry=00C0FFEE00C0FFEE\n", "tape_file.header"},
      {"assay tape 1 registry=c0ffee\n", "tape_file.header"},
      {"assay tape 1 registry=00c0ffee00c0ffee0\n", "tape_file.header"},
      {"assay tape 1\n", "tape_file.header"},
      {std::string("\0\x01\xFF", 3), "the first line is '\?\?\?'"},
      {std::string(1'000'000, 'x'), "xxx...'"},
      {head, "tape_file.kind"},
      {head + "kind \n", "tape_file.kind"},
      {head + "graph\n", "tape_file.kind"},
      {head + "kind a\tb\n", "after it comes 'a?b'"},
      {head + "kind " + std::string(101, 'k') + "\n", "tape_file.kind"},
      {head + "kind graph\n", "tape_file.choices: after the kind and options"},
      {head + "kind graph\noptions \n", "tape_file.options: after 'options' must come 1 to 4000"},
      {head + "kind graph\noptions a\tb\n", "not 'a?b'"},
      {head + "kind graph\noptions " + std::string(4001, 'o') + "\n", "tape_file.options"},
      {head + "kind graph\noptions a\noptions b\nchoices 0\nend", "tape_file.choices: after the kind and options"},
      {head + "kind graph\nchoices -1\n", "not '-1'"},
      {head + "kind graph\nchoices 1000001\n", "a number up to 1000000, not '1000001'"},
      {head + "kind graph\nchoices 18446744073709551617\n", "not '18446744073709551617'"},
      {head + "kind graph\nchoices 2\n1 2\n", "2 were announced, 2 are there and no 'end'"},
      {head + "kind graph\nchoices 3\n1 2", "3 were announced, 2 are there and no 'end'"},
      {head + "kind graph\nchoices 3\n1 2 end", "3 were announced, 2 are there"},
      {head + "kind graph\nchoices 2\n1 2 3 end", "2 were announced, and then comes '3'"},
      {head + "kind graph\nchoices 2\n1 +2 end", "choice 1 is '+2'"},
      {head + "kind graph\nchoices 2\n1 18446744073709551616 end", "choice 1 is '18446744073709551616'"},
      {head + "kind graph\nchoices 1\n1 end\nend", "'end' follows the end"},
  };
  for (const auto& [text, message] : kCases) {
    const absl::StatusOr<TapeFile> file = ParseTape(text, kRegistry);
    EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << text.substr(0, 100);
    EXPECT_THAT(std::string(file.status().message()), HasSubstr(message));
    EXPECT_LT(file.status().message().size(), 200u);
  }
}

TEST(TapeFileTest, EveryTruncationIsNoticed) {
  const absl::string_view text(kText);
  // All but the last line ending is needed.
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(ParseTape(text.substr(0, size), kRegistry).ok()) << size;
  }
  EXPECT_TRUE(ParseTape(text.substr(0, text.size() - 1), kRegistry).ok());
}

TEST(TapeFileTest, DamagedTextNeverCrashes) {
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    Stream stream(seed);
    std::string text = kText;
    for (uint64_t edits = stream.UpTo(3) + 1; edits > 0; --edits) {
      const size_t at = stream.UpTo(text.size() - 1);
      if (stream.UpTo(1) == 0) {
        text[at] = static_cast<char>(stream.Next());
      } else {
        text.insert(at, text, stream.UpTo(text.size() - 1), stream.UpTo(9));
      }
    }
    const absl::StatusOr<TapeFile> file = ParseTape(text, kRegistry);
    if (file.ok()) {
      EXPECT_EQ(file->registry, kRegistry);
    } else {
      EXPECT_THAT(std::string(file.status().message()), StartsWith("tape_file."));
    }
  }
}

TEST(TapeFileTest, WhatCannotBeReadAgainIsNotWritten) {
  for (const std::string& kind : {std::string(), std::string("two\nlines"), std::string(" blank"),
                                  std::string(101, 'k'), std::string("gr\xC3\xA4ph")}) {
    EXPECT_EQ(FormatTape({kRegistry, kind, {}}).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const absl::Status too_long = FormatTape({kRegistry, "graph", Tape(Choices::kLimit + 1)}).status();
  EXPECT_THAT(std::string(too_long.message()), AllOf(HasSubstr("1000001"), HasSubstr("1000000")));
}

class TapeFileOnDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + absl::StrCat("tape_file_test_", testing::UnitTest::GetInstance()->random_seed(),
                                                testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(TapeFileOnDiskTest, TheLargestTapeIsWrittenAndRead) {
  const TapeFile file{kRegistry, "graph", Tape(Choices::kLimit, std::numeric_limits<uint64_t>::max())};
  const std::string path = folder_ + "/largest.tape";
  ASSERT_TRUE(WriteTape(path, file).ok());
  const absl::StatusOr<TapeFile> again = ReadTape(path, kRegistry);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, file);
}

TEST_F(TapeFileOnDiskTest, WhatCannotBeOpenedOrReadIsNamed) {
  const std::string path = folder_ + "/missing/a.tape";
  EXPECT_EQ(ReadTape(path, kRegistry).status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(ReadTape(path, kRegistry).status().message()), StartsWith(path));
  EXPECT_THAT(std::string(WriteTape(path, {kRegistry, "graph", {}}).message()), StartsWith(path));
  EXPECT_THAT(std::string(ReadTape(folder_, kRegistry).status().message()), StartsWith(folder_))
      << "a folder is no file";
}

TEST_F(TapeFileOnDiskTest, AHugeFileIsRefusedUnread) {
  const std::string path = folder_ + "/huge.tape";
  std::ofstream(path) << kText;
  std::error_code error;
  std::filesystem::resize_file(path, uint64_t{1} << 32, error);  // sparse
  ASSERT_FALSE(error) << error.message();
  const absl::Status status = ReadTape(path, kRegistry).status();
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("tape_file.size"), HasSubstr("33554432")));
}

}  // namespace
}  // namespace assay
