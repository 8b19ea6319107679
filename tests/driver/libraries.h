// Where the tests find the drivers that were built for them.
#pragma once
#include <filesystem>
#include <string>

namespace assay {

// lib/<name>.so beside the folder of the test program.
inline std::string LibraryPath(const std::string& name) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  return (program.parent_path().parent_path() / "lib" / (name + ".so")).string();
}

}  // namespace assay
