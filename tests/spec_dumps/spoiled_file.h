// A small correct file of which one line is spoiled, and the error that must come of it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace assay {

// What reading `text` as the file "f" says: its error, or "no error".
std::string ErrorOf(const std::string& text);
// The same for the correct file with line `line`, counted from 1, replaced by `text`, which may be several lines; by
// none if it is "-". Line 0: nothing is replaced.
std::string ErrorWith(size_t line, const std::string& text);

// A line that is replaced, and the error without the file's name.
struct Spoiled {
  size_t line;
  std::string text, error;
};
void ExpectErrors(const std::vector<Spoiled>& table);

}  // namespace assay
