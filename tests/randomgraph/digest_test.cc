// The same seeds mean the same models whatever the compiler: a digest of many drawn models is left in the build folder
// beside that of the other compilers, and compared with theirs. Digests are compared only if they are of the same
// sources.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "tests/randomgraph/drawn_run.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kModels = 10'000;

// Of everything that decides what a seed means. The test runs in the project root.
uint64_t HashOfSources() {
  std::vector<fs::path> files;
  for (const char* room : {"model", "numeric", "choice", "ops", "validate", "randomgraph", "tests/randomgraph"})
    for (const auto& entry : fs::directory_iterator(room))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cc") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](const std::string& text) {
    for (char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  };
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    add(file.generic_string());
    add(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  return hash;
}

// By compiler and by what it was asked to do.
std::string NameOfBuild() {
#ifdef __clang__
  std::string name = absl::StrCat("clang-", __clang_major__);
#else
  std::string name = absl::StrCat("gcc-", __GNUC__);
#endif
#ifdef __OPTIMIZE__
  name += "-optimized";
#endif
#ifdef __FAST_MATH__
  name += "-fast-math";
#endif
  return name;
}

TEST(Digest, DISABLED_IsTheSameForEveryCompiler) {
  uint64_t digest = 0;
  for (uint64_t seed = 0; seed < kModels; ++seed) {
    Choices choices = Choices::FromSeed(seed);
    Options options;
    options.most_elements = 512;  // the values of fewer elements are made the same way
    options.feature_level = 1 + static_cast<FeatureLevel>(seed % 8);
    digest = Stream::Mix(digest ^ DigestOf(Draw(choices, options)));
  }
  RecordProperty("digest", absl::StrFormat("%016x", digest));
  const std::string key = absl::StrFormat("%016x", HashOfSources());
  const fs::path folder = fs::path("build") / "randomgraph_digest";
  std::error_code error;
  fs::create_directories(folder, error);
  ASSERT_FALSE(error) << error.message();
  std::ofstream(folder / NameOfBuild()) << key << ' ' << absl::StrFormat("%016x", digest) << '\n';
  size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() == NameOfBuild()) continue;
    std::string other_key, other_digest;
    std::ifstream(entry.path()) >> other_key >> other_digest;
    if (other_key != key) continue;
    ++compared;
    EXPECT_EQ(other_digest, absl::StrFormat("%016x", digest)) << "of " << entry.path().filename();
  }
  // other_compiler.sh runs this with two compilers; for the second there must be something to compare with.
  if (std::getenv("ASSAY_MUST_COMPARE") != nullptr) {
    EXPECT_GT(compared, 0u);
  }
}

}  // namespace
}  // namespace assay
