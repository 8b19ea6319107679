// What Assay writes is valid Python and says the same to Python as to Assay's own reader.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/writer.h"
#include "tests/spec_dumps/random_cases.h"
#include "tests/spec_dumps/spec_files.h"
#include "tests/spec_dumps/spec_text.h"

namespace assay {
namespace {

// What the stand-ins print about the files; with the exit code if that is not 0.
std::string PythonText(const std::vector<std::string>& paths) {
  std::string command = "python3 -B tests/spec_dumps/spec_stand_ins.py";
  for (const std::string& path : paths) absl::StrAppend(&command, " '", path, "'");
  absl::StrAppend(&command, " 2>&1");
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no pipe";
  std::string text;
  char buffer[4096];
  while (const size_t got = std::fread(buffer, 1, sizeof(buffer), pipe)) text.append(buffer, got);
  const int code = pclose(pipe);
  if (code != 0) absl::StrAppend(&text, "exit code ", code, "\n");
  return text;
}

class PythonTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c pass >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  }
};

void ExpectSame(const std::vector<std::string>& paths) {
  std::string expected;
  for (const std::string& path : paths) {
    const absl::StatusOr<SpecFile> file = ReadSpecFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    expected += SpecText(*file);
  }
  const std::string python = PythonText(paths);
  ASSERT_TRUE(python == expected) << "Python says\n"
                                  << python.substr(0, 20000) << "\nAssay says\n"
                                  << expected.substr(0, 20000);
}

TEST_F(PythonTest, OwnFiles) { ExpectSame(OwnSpecFiles()); }

TEST_F(PythonTest, DrawnFiles) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "assay_python_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Dice dice(1000 + seed);
    SpecFile file;
    for (uint32_t i = 0; i < 5; ++i) AddCase(file, dice.OneIn(2) ? DrawPlainCase(dice) : DrawWildCase(dice));
    paths.push_back((folder / absl::StrCat("drawn_", seed, ".mod.py")).string());
    ASSERT_TRUE(WriteSpecFile(paths.back(), file).ok());
  }
  ExpectSame(paths);
  std::filesystem::remove_all(folder);
}

TEST_F(PythonTest, SmallConformanceVectors) {
  std::vector<std::string> small;
  for (const std::string& path : ConformanceFiles()) {
    if (std::filesystem::file_size(path) < 20000) small.push_back(path);
  }
  if (small.empty()) GTEST_SKIP() << "no conformance vectors: set ASSAY_CONFORMANCE to their folder";
  ExpectSame(small);
}

}  // namespace
}  // namespace assay
