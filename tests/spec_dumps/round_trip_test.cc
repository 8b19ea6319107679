// What is read is written with the same bytes; what is written is read as the same test cases.
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/writer.h"
#include "tests/spec_dumps/random_cases.h"
#include "tests/spec_dumps/spec_files.h"
#include "tests/spec_dumps/spec_text.h"

namespace assay {
namespace {

void ExpectSameBytes(const std::string& path) {
  const absl::StatusOr<SpecFile> file = ReadSpecFile(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const std::string text = FileText(path);
  const std::string written = WriteSpec(*file);
  size_t same = 0;
  while (same < text.size() && same < written.size() && text[same] == written[same]) ++same;
  ASSERT_TRUE(written == text) << path << " from byte " << same << ": wants\n"
                               << text.substr(same, 200) << "\nbut is\n"
                               << written.substr(same, 200);
}

TEST(RoundTrip, OwnFiles) {
  const std::vector<std::string> paths = OwnSpecFiles();
  EXPECT_GE(paths.size(), 12u);
  for (const std::string& path : paths) ExpectSameBytes(path);
}

TEST(RoundTrip, ConformanceVectors) {
  const std::vector<std::string> paths = ConformanceFiles();
  if (paths.empty()) GTEST_SKIP() << "no conformance vectors: set ASSAY_CONFORMANCE to their folder";
  EXPECT_EQ(paths.size(), 442u);
  for (const std::string& path : paths) ExpectSameBytes(path);
}

// The numbers in the table that comes with the vectors.
TEST(RoundTrip, ConformanceVectorsAreComplete) {
  const std::vector<std::string> paths = ConformanceFiles();
  if (paths.empty()) GTEST_SKIP() << "no conformance vectors: set ASSAY_CONFORMANCE to their folder";
  size_t models = 0, examples = 0, relaxed = 0, must_fail = 0, by_reference = 0;
  for (const std::string& path : paths) {
    const absl::StatusOr<SpecFile> file = ReadSpecFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(file->declared.empty());
    for (const SpecCase& spec_case : file->cases) {
      const TestCase& test = spec_case.test;
      EXPECT_EQ(test.examples.size(), 1u);
      models += test.model.subgraphs.size();
      examples += test.examples.size();
      relaxed += test.model.relaxed ? 1 : 0;
      must_fail += test.examples[0].expect_failure ? 1 : 0;
      EXPECT_EQ(test.examples[0].name, test.model.main().name);
      for (size_t s = 0; s < test.model.subgraphs.size(); ++s) {
        // The file numbers referenced models as the model does.
        if (s > 0) {
          EXPECT_EQ(test.model.subgraphs[s].name, absl::StrCat(test.model.main().name, "_s", s - 1));
          EXPECT_EQ(spec_case.model_names[s], absl::StrCat(spec_case.model_names[0], "_s", s - 1));
        }
        for (const Operand& operand : test.model.subgraphs[s].operands) {
          by_reference += operand.lifetime == Lifetime::CONSTANT_REFERENCE ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(models, 6498u);
  EXPECT_EQ(examples, 6068u);
  EXPECT_EQ(relaxed, 1165u);
  EXPECT_EQ(must_fail, 61u);
  EXPECT_GT(by_reference, 0u);
}

// Reads `text`; the same is expected back, in memory and in bytes.
void ExpectReadsAs(const SpecFile& file, const std::string& text) {
  const absl::StatusOr<SpecFile> read = ReadSpec(text, "written");
  ASSERT_TRUE(read.ok()) << read.status() << "\n" << text;
  ASSERT_EQ(SpecText(*read), SpecText(file)) << text;
  ASSERT_EQ(read->cases.size(), file.cases.size());
  for (size_t i = 0; i < file.cases.size(); ++i) {
    ASSERT_EQ(read->cases[i].test, file.cases[i].test) << "case " << i << "\n" << text;
    ASSERT_EQ(read->cases[i].model_names, file.cases[i].model_names) << text;
    ASSERT_EQ(read->cases[i].comments, file.cases[i].comments) << text;
    ASSERT_EQ(read->cases[i].tight, file.cases[i].tight) << text;
  }
  ASSERT_EQ(read->comments, file.comments) << text;
  ASSERT_EQ(read->end_comments, file.end_comments) << text;
  ASSERT_EQ(WriteSpec(*read), text);
}

TEST(RoundTrip, DrawnPlainCasesNeedNoSuperset) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    Dice dice(seed);
    SpecFile file;
    for (uint32_t i = dice.Below(3); i < 3; ++i) AddCase(file, DrawPlainCase(dice));
    const std::string text = WriteSpec(file);
    ASSERT_FALSE(absl::StartsWith(text, kSupersetMark)) << "seed " << seed << "\n" << text;
    ASSERT_NO_FATAL_FAILURE(ExpectReadsAs(file, text)) << "seed " << seed;
  }
}

TEST(RoundTrip, DrawnNonsenseCanBeWrittenToo) {
  size_t superset = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Dice dice(seed);
    SpecFile file;
    for (uint32_t i = dice.Below(3); i < 3; ++i) {
      SpecCase& added = AddCase(file, DrawWildCase(dice));
      if (dice.OneIn(2)) added.comments = "# before\n";
      added.tight = file.cases.size() > 1 && dice.OneIn(4);
    }
    if (dice.OneIn(2)) file.comments = "# head\n";
    if (dice.OneIn(2)) file.end_comments = "\n# end\n";
    const std::string text = WriteSpec(file);
    superset += absl::StartsWith(text, kSupersetMark) ? 1 : 0;
    ASSERT_NO_FATAL_FAILURE(ExpectReadsAs(file, text)) << "seed " << seed;
  }
  EXPECT_GT(superset, 2000u);
}

}  // namespace
}  // namespace assay
