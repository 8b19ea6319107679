// A place in a spec text, and the tokens of the grammar that can be read there. One pass, no copies. Knows tokens,
// places and how an error is told; no statement and no model.
//
// Functions that read return false on an error, which the cursor then keeps: the first one counts.
#pragma once
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "model/types.h"

namespace assay {

// A NAME and where it stands (offset in the text).
struct Spot {
  absl::string_view name;
  size_t at = 0;
};

class Cursor {
 public:
  // `text` must outlive the cursor and what it hands out.
  explicit Cursor(absl::string_view text) : text_(text) {}

  size_t offset() const { return offset_; }
  size_t remaining() const { return text_.size() - offset_; }
  bool AtEnd() const { return offset_ == text_.size(); }
  // The next character; 0 at the end.
  char Peek() const { return AtEnd() ? '\0' : text_[offset_]; }
  bool PeekDigit() const { return Peek() >= '0' && Peek() <= '9'; }
  bool LooksAt(absl::string_view literal) const;
  // Steps over `literal` if it stands here.
  bool Accept(absl::string_view literal);
  bool Expect(absl::string_view literal);
  // ", ", or `end`: then `more` becomes false.
  bool ExpectCommaOr(absl::string_view end, bool& more);

  // letter { letter | digit | "_" }
  bool ReadName(Spot& out);
  // The inside of '"' { letter | digit | "_" } '"'.
  bool ReadString(absl::string_view& out);
  // '"' ... '"' of printable ASCII, with \\ and \" for those two.
  bool ReadQuoted(std::string& out);
  // An INT in `range`; `of` says whose range it is.
  bool ReadInt(CodeRange range, absl::string_view of, int64_t& out);
  bool ReadFloat(float& out);
  bool ReadBool(bool& out);
  // bytes.fromhex("00ff...")
  bool ReadHex(Bytes& out);
  // The rest of the line, of printable ASCII, with its LF.
  bool ReadLine(absl::string_view& out);

  // Records the error "expected ..., found ...", unless there is one already, and returns false. Without `found`, it is
  // the text at `at`.
  bool Fail(size_t at, std::string expected, std::string found = {});
  bool failed() const { return failed_; }
  // Ok, or InvalidArgument "file:line:column: expected ..., found ..."; lines and columns count from 1, columns in
  // bytes.
  absl::Status status(absl::string_view file_name) const;

 private:
  bool FailAtCommaOr(absl::string_view end);
  // What stands at `at`, shortened, for an error.
  std::string Excerpt(size_t at) const;

  absl::string_view text_;
  size_t offset_ = 0;
  bool failed_ = false;
  size_t failed_at_ = 0;
  std::string expected_, found_;
};

inline bool Cursor::LooksAt(absl::string_view literal) const {
  return text_.substr(offset_, literal.size()) == literal;
}

inline bool Cursor::Accept(absl::string_view literal) {
  if (!LooksAt(literal)) return false;
  offset_ += literal.size();
  return true;
}

inline bool Cursor::ExpectCommaOr(absl::string_view end, bool& more) {
  if (Accept(", ")) return true;
  more = false;
  if (Accept(end)) return true;
  return FailAtCommaOr(end);
}

}  // namespace assay
