#include "spec_dumps/reader.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "spec_dumps/case_builder.h"
#include "spec_dumps/cursor.h"
#include "spec_dumps/example_reader.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/statement_reader.h"

namespace assay {
namespace {

// Goes through the lines; keeps the comments and says which statement they belong to.
class Reader {
 public:
  explicit Reader(absl::string_view text) : in_(text) {}

  absl::StatusOr<SpecFile> Read(absl::string_view file_name) {
    if (ReadFirstLine()) {
      builder_.emplace(in_, file_.declared);
      while (!in_.AtEnd() && ReadOneLine()) {
      }
    }
    if (!in_.failed() && builder_->CheckEnd()) End();
    if (in_.failed()) return in_.status(file_name);
    return std::move(file_);
  }

 private:
  bool ReadFirstLine() {
    if (!in_.LooksAt(kSupersetMark)) return true;
    absl::string_view line;
    if (!in_.ReadLine(line)) return false;
    size_t bad_column = 0;
    std::string expected;
    if (!ParseSupersetLine(line.substr(0, line.size() - 1), file_.declared, bad_column, expected)) {
      return in_.Fail(bad_column, std::move(expected));
    }
    has_head_ = true;
    return true;
  }

  bool ReadOneLine() {
    if (in_.Peek() == '\n' || (in_.Peek() == '#' && !in_.LooksAt(kConstantReferenceMark))) return KeepLine();
    const bool is_example = in_.LooksAt("Example(");
    if (builder_->is_complete() && !is_example) TakeCase();
    if (is_example) {
      comments_before_examples_.push_back(std::move(lines_));
      lines_.clear();
      return ReadExample(in_, *builder_);
    }
    if (statement_ == 0) {
      BeginCase();
    } else if (!lines_.empty()) {
      inner_lines_.push_back({statement_, std::move(lines_)});
    }
    lines_.clear();
    ++statement_;
    if (in_.Peek() == '#') return ReadConstantReferences(in_, *builder_);
    if (!ReadStatement(in_, *builder_)) return false;
    // A case without example ends with the statement that says so.
    if (builder_->is_complete()) TakeCase();
    return true;
  }

  // A comment or blank line.
  bool KeepLine() {
    const size_t at = in_.offset();
    if (in_.LooksAt(kSupersetMark)) return in_.Fail(at, "the superset mark in the first line only");
    absl::string_view line;
    if (!in_.ReadLine(line)) return false;
    lines_.append(line.data(), line.size());
    return true;
  }

  // Divides the lines before a case between the file's head and the case: see SpecFile and SpecCase::tight.
  void BeginCase() {
    case_comments_.clear();
    tight_ = false;
    if (!has_cases_) {
      const size_t blank = absl::StartsWith(lines_, "\n") ? 0 : lines_.find("\n\n");
      const bool has_blank = blank != std::string::npos;
      // Lines up to the first blank one, if they are not the case's own.
      if (has_blank && blank > 0) {
        file_.comments = lines_.substr(0, blank + 1);
        lines_.erase(0, blank + 1);
        has_head_ = true;
      }
    }
    if (has_head_ || has_cases_) {
      tight_ = !absl::StartsWith(lines_, "\n");
      if (!tight_) lines_.erase(0, 1);
    }
    case_comments_ = std::move(lines_);
    lines_.clear();
    has_cases_ = true;
  }

  void TakeCase() {
    SpecCase& taken = file_.cases.emplace_back(builder_->TakeCase());
    taken.comments = std::move(case_comments_);
    taken.inner_lines = std::move(inner_lines_);
    taken.tight = tight_;
    // Only as long as needed, which is what writing and reading leaves.
    while (!comments_before_examples_.empty() && comments_before_examples_.back().empty()) {
      comments_before_examples_.pop_back();
    }
    taken.example_comments = std::move(comments_before_examples_);
    case_comments_.clear();
    inner_lines_.clear();
    comments_before_examples_.clear();
    statement_ = 0;
  }

  void End() {
    if (builder_->is_complete()) TakeCase();
    file_.end_comments = std::move(lines_);
  }

  Cursor in_;
  SpecFile file_;
  std::optional<CaseBuilder> builder_;
  bool has_head_ = false;   // something stands before the first case that a blank line parts from it
  bool has_cases_ = false;  // a case has been begun
  std::string lines_;       // comment and blank lines since the last statement

  // Of the case that is being read.
  size_t statement_ = 0;
  std::string case_comments_;
  bool tight_ = false;
  std::vector<InnerLines> inner_lines_;
  std::vector<std::string> comments_before_examples_;
};

}  // namespace

absl::StatusOr<SpecFile> ReadSpec(absl::string_view text, absl::string_view file_name) {
  return Reader(text).Read(file_name);
}

absl::StatusOr<SpecFile> ReadSpecFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be opened"));
  std::string text;
  constexpr size_t kChunk = size_t{1} << 20, kMostBytes = size_t{1} << 30;
  for (;;) {
    const size_t before = text.size();
    text.resize(before + kChunk);
    const size_t got = std::fread(text.data() + before, 1, kChunk, file.get());
    text.resize(before + got);
    if (got < kChunk) break;
    if (text.size() > kMostBytes)
      return absl::ResourceExhaustedError(
          absl::StrCat(path, ": has more than ", text.size() - 1, " bytes, the limit is ", kMostBytes));
  }
  if (std::ferror(file.get()) != 0) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be read"));
  return ReadSpec(text, path);
}

}  // namespace assay
