// Where the spec files for tests are: our own small ones, and the conformance vectors where they are installed.
#pragma once
#include <string>
#include <vector>

namespace assay {

// tests/data/specs/*.mod.py, sorted.
std::vector<std::string> OwnSpecFiles();
// All */*.mod.py in the folder that the environment variable ASSAY_CONFORMANCE names, or in ../shared/conformance;
// sorted. Empty if there is no such folder.
std::vector<std::string> ConformanceFiles();
// A file's bytes; fails the test if it cannot be read.
std::string FileText(const std::string& path);

}  // namespace assay
