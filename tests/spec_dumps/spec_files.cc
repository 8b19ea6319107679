#include "tests/spec_dumps/spec_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

void AddSpecs(const std::filesystem::path& folder, std::vector<std::string>& paths) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (absl::EndsWith(entry.path().string(), ".mod.py")) paths.push_back(entry.path().string());
  }
}

}  // namespace

std::vector<std::string> OwnSpecFiles() {
  std::vector<std::string> paths;
  AddSpecs("tests/data/specs", paths);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> ConformanceFiles() {
  const char* variable = std::getenv("ASSAY_CONFORMANCE");
  const std::filesystem::path root = variable != nullptr ? variable : "../shared/conformance";
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) AddSpecs(entry.path(), paths);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace assay
