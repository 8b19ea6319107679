// A folder of a test's own, empty at first and removed at the end.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay {

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(absl::StrCat(testing::TempDir(), "assay_", name, "_", static_cast<int>(getpid()))) {
    std::filesystem::remove_all(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace assay
