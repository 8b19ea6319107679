#include "spec_dumps/cursor.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "spec_dumps/float_text.h"

namespace assay {
namespace {

bool IsWordCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool IsPrintable(char c) { return c >= 0x20 && c <= 0x7e; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool Cursor::Expect(absl::string_view literal) {
  if (Accept(literal)) return true;
  if (literal == "\n") return Fail(offset_, "the end of the line");
  return Fail(offset_, absl::StrCat("\"", literal, "\""));
}

bool Cursor::FailAtCommaOr(absl::string_view end) {
  return Fail(offset_, end == "\n" ? "\", \" or the end of the line" : absl::StrCat("\", \" or \"", end, "\""));
}

bool Cursor::ReadName(Spot& out) {
  if (!absl::ascii_isalpha(static_cast<unsigned char>(Peek()))) return Fail(offset_, "a NAME");
  size_t end = offset_ + 1;
  while (end < text_.size() && IsWordCharacter(text_[end])) ++end;
  out = {text_.substr(offset_, end - offset_), offset_};
  offset_ = end;
  return true;
}

bool Cursor::ReadString(absl::string_view& out) {
  const size_t start = offset_;
  if (!Accept("\"")) return Fail(offset_, "a STRING");
  size_t end = offset_;
  while (end < text_.size() && IsWordCharacter(text_[end])) ++end;
  if (end == text_.size() || text_[end] != '"') return Fail(start, "a STRING of letters, digits and \"_\"");
  out = text_.substr(offset_, end - offset_);
  offset_ = end + 1;
  return true;
}

bool Cursor::ReadQuoted(std::string& out) {
  if (!Expect("\"")) return false;
  out.clear();
  while (!AtEnd() && text_[offset_] != '"') {
    if (Accept("\\") && Peek() != '"' && Peek() != '\\') return Fail(offset_, "\" or \\ after \\");
    if (!IsPrintable(Peek())) return Fail(offset_, "a printable ASCII character or \"");
    out += text_[offset_++];
  }
  return Expect("\"");
}

bool Cursor::ReadInt(CodeRange range, absl::string_view of, int64_t& out) {
  size_t end = offset_;
  const bool negative = Peek() == '-';
  if (negative) ++end;
  const size_t digits = end;
  uint64_t value = 0;
  // Far beyond every range, but where one digit more still fits 64 bits.
  constexpr uint64_t kBeyond = uint64_t{1} << 40;
  while (end < text_.size() && IsDigit(text_[end])) {
    if (value < kBeyond) value = value * 10 + static_cast<uint64_t>(text_[end] - '0');
    ++end;
  }
  const bool goes_on = end < text_.size() && (IsWordCharacter(text_[end]) || text_[end] == '.');
  if (end == digits || goes_on) return Fail(offset_, absl::StrCat("an INT (", of, ")"));
  if (text_[digits] == '0' && end > digits + 1) return Fail(offset_, "an INT without leading zeros");
  const auto magnitude = static_cast<int64_t>(value);
  out = negative ? -magnitude : magnitude;
  if (out < range.least || out > range.most) {
    return Fail(offset_, absl::StrCat("an INT in ", range.least, "..", range.most, " (", of, ")"));
  }
  offset_ = end;
  return true;
}

bool Cursor::ReadFloat(float& out) {
  const absl::string_view rest = text_.substr(offset_);
  const size_t length = FloatLength(rest);
  if (length == 0 || (length < rest.size() && (IsWordCharacter(rest[length]) || rest[length] == '.'))) {
    return Fail(offset_, "a FLOAT (a decimal with \".\" or \"e\")");
  }
  if (!ParseFloat(rest.substr(0, length), out)) {
    return Fail(offset_, "a FLOAT in the range of float32");
  }
  offset_ += length;
  return true;
}

bool Cursor::ReadBool(bool& out) {
  if (Accept("True")) {
    out = true;
    return true;
  }
  out = false;
  return Accept("False") || Fail(offset_, "True or False");
}

bool Cursor::ReadHex(Bytes& out) {
  if (!Expect("bytes.fromhex(\"")) return false;
  const auto digit_at = [this](size_t i) {
    if (i >= text_.size()) return -1;
    const char c = text_[i];
    if (IsDigit(c)) return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  size_t end = offset_;
  while (digit_at(end) >= 0) ++end;
  if ((end - offset_) % 2 != 0) return Fail(offset_, "pairs of hexadecimal digits 0-9, a-f");
  out.resize((end - offset_) / 2);
  for (uint8_t& byte : out) {
    byte = static_cast<uint8_t>(digit_at(offset_) * 16 + digit_at(offset_ + 1));
    offset_ += 2;
  }
  return Expect("\")");
}

bool Cursor::ReadLine(absl::string_view& out) {
  size_t end = offset_;
  while (end < text_.size() && IsPrintable(text_[end])) ++end;
  if (end == text_.size()) return Fail(end, "the end of the line");
  if (text_[end] != '\n') return Fail(end, "printable ASCII or the end of the line");
  out = text_.substr(offset_, end + 1 - offset_);
  offset_ = end + 1;
  return true;
}

bool Cursor::Fail(size_t at, std::string expected, std::string found) {
  if (failed_) return false;
  failed_ = true;
  failed_at_ = at;
  expected_ = std::move(expected);
  found_ = found.empty() ? Excerpt(at) : std::move(found);
  return false;
}

absl::Status Cursor::status(absl::string_view file_name) const {
  if (!failed_) return absl::OkStatus();
  const absl::string_view before = text_.substr(0, failed_at_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t column = failed_at_ - (newline == absl::string_view::npos ? 0 : newline + 1) + 1;
  return absl::InvalidArgumentError(
      absl::StrCat(file_name, ":", line, ":", column, ": expected ", expected_, ", found ", found_));
}

std::string Cursor::Excerpt(size_t at) const {
  if (at >= text_.size()) return "the end of the file";
  if (text_[at] == '\n') return "the end of the line";
  constexpr size_t kMost = 40;
  absl::string_view rest = text_.substr(at, kMost + 1);
  rest = rest.substr(0, rest.find('\n'));
  // A whole string, number or word says more than the characters up to the limit.
  size_t end = rest[0] == '"' ? rest.find('"', 1) : absl::string_view::npos;
  if (end != absl::string_view::npos) return std::string(rest.substr(0, end + 1));
  end = rest[0] == '-' ? 1 : 0;
  while (end < rest.size() && (IsWordCharacter(rest[end]) || rest[end] == '.' ||
                               (end > 0 && rest[end - 1] == 'e' && (rest[end] == '+' || rest[end] == '-')))) {
    ++end;
  }
  const bool is_whole = end > 0 && end <= kMost;
  if (!is_whole) end = std::min(rest.size(), kMost);
  std::string out = "\"";
  for (char c : rest.substr(0, end)) {
    out += IsPrintable(c) ? std::string(1, c) : absl::CHexEscape(absl::string_view(&c, 1));
  }
  if (!is_whole && rest.size() > kMost) out += "...";
  out += '"';
  return out;
}

}  // namespace assay
