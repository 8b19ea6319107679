// Writing and reading the text form of a tape.
// Refuses to know what the choices mean, and to guess: what is not surely a whole tape of this registry is an error.
#include "choice/tape_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

constexpr uint64_t kVersion = 1;
constexpr size_t kMaxKind = 100;      // characters
constexpr size_t kMaxOptions = 4000;  // characters
constexpr size_t kLineWidth = 100;    // characters
constexpr absl::string_view kLasting =
    "; a tape is bound to what wrote it, the spec file beside it is the durable artefact";

// Printable, 1 to `most` characters, no blank at either end.
bool IsPlain(absl::string_view text, size_t most) {
  if (text.empty() || text.size() > most || text.front() == ' ' || text.back() == ' ') return false;
  for (char c : text) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}
bool IsKind(absl::string_view kind) { return IsPlain(kind, kMaxKind); }
bool AreOptions(absl::string_view options) { return IsPlain(options, kMaxOptions); }

// Text of the file in a message: short, and without control characters.
std::string Quoted(absl::string_view text) {
  constexpr size_t kMost = 40;
  std::string quoted = "'";
  for (char c : text.substr(0, kMost)) quoted += c < ' ' || c > '~' ? '?' : c;
  return quoted + (text.size() > kMost ? "...'" : "'");
}

// Removes the first line, without its ending, from the front of `text`.
absl::string_view TakeLine(absl::string_view& text) {
  const size_t end = text.find('\n');
  absl::string_view line = text.substr(0, end);
  text.remove_prefix(end == absl::string_view::npos ? text.size() : end + 1);
  absl::ConsumeSuffix(&line, "\r");
  return line;
}

// Only digits: absl::SimpleAtoi alone also takes blanks and signs.
bool ParseNumber(absl::string_view word, uint64_t* number) {
  return !word.empty() && word.find_first_not_of("0123456789") == absl::string_view::npos &&
         absl::SimpleAtoi(word, number);
}

absl::Status CheckHeader(absl::string_view line, uint64_t registry) {
  const absl::Status not_a_tape = absl::InvalidArgumentError(absl::StrCat(
      "tape_file.header: the first line is ", Quoted(line), ", not 'assay tape 1 registry=<16 hex digits>'"));
  if (!absl::ConsumePrefix(&line, "assay tape ")) return not_a_tape;
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(' ', 1));
  absl::string_view hash = parts.second;
  // The version decides how the rest is written, so it is judged first.
  if (parts.first.empty() || parts.first.find_first_not_of("0123456789") != absl::string_view::npos) return not_a_tape;
  uint64_t version = 0;
  if (!absl::SimpleAtoi(parts.first, &version) || version != kVersion) {
    return absl::FailedPreconditionError(absl::StrCat("tape_file.version: the file has version ", Quoted(parts.first),
                                                      ", this program reads version ", kVersion, kLasting));
  }
  uint64_t written_by = 0;
  if (!absl::ConsumePrefix(&hash, "registry=") || hash.size() != 16 ||
      hash.find_first_not_of("0123456789abcdef") != absl::string_view::npos ||
      !absl::SimpleHexAtoi(hash, &written_by)) {
    return not_a_tape;
  }
  if (written_by != registry) {
    return absl::FailedPreconditionError(
        absl::StrFormat("tape_file.registry: the file was written with registry %016x, this program has %016x%s",
                        written_by, registry, kLasting));
  }
  return absl::OkStatus();
}

// Reads the choices and the closing word, which must be the last one. `count` was checked against the limit.
absl::StatusOr<Tape> ParseChoices(absl::string_view text, uint64_t count) {
  Tape tape;
  constexpr absl::string_view kBlanks = " \t\r\n";
  bool ended = false;
  for (size_t at = text.find_first_not_of(kBlanks); at != absl::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const absl::string_view word = text.substr(at, end - at);
    at = text.find_first_not_of(kBlanks, end);
    if (ended) {
      return absl::InvalidArgumentError(absl::StrCat("tape_file.end: ", Quoted(word), " follows the end"));
    }
    uint64_t value = 0;
    if (word == "end") {
      ended = true;
    } else if (tape.size() == count) {
      return absl::InvalidArgumentError(
          absl::StrCat("tape_file.choices: ", count, " were announced, and then comes ", Quoted(word), ", not 'end'"));
    } else if (!ParseNumber(word, &value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("tape_file.choices: choice ", tape.size(), " is ", Quoted(word), ", not a number below 2^64"));
    } else {
      tape.push_back(value);
    }
  }
  if (!ended || tape.size() != count) {
    return absl::InvalidArgumentError(absl::StrCat("tape_file.choices: ", count, " were announced, ", tape.size(),
                                                   ended ? " are there" : " are there and no 'end': cut off?"));
  }
  return tape;
}

absl::Status At(absl::string_view path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

}  // namespace

absl::StatusOr<std::string> FormatTape(const TapeFile& file) {
  if (!IsKind(file.kind)) {
    return absl::InvalidArgumentError(absl::StrCat("tape_file.kind: ", Quoted(file.kind), " of ", file.kind.size(),
                                                   " characters is not 1 to ", kMaxKind, " printable ones"));
  }
  if (!file.options.empty() && !AreOptions(file.options)) {
    return absl::InvalidArgumentError(absl::StrCat("tape_file.options: ", Quoted(file.options), " of ",
                                                   file.options.size(), " characters is not up to ", kMaxOptions,
                                                   " printable ones"));
  }
  if (file.tape.size() > Choices::kLimit) {
    return absl::InvalidArgumentError(
        absl::StrCat("tape_file.choices: ", file.tape.size(), " are more than the limit, ", Choices::kLimit));
  }
  std::string text = absl::StrFormat("assay tape %d registry=%016x\nkind %s\n", kVersion, file.registry, file.kind);
  if (!file.options.empty()) absl::StrAppend(&text, "options ", file.options, "\n");
  absl::StrAppend(&text, "choices ", file.tape.size(), "\n");
  size_t line = 0;  // characters in the last line
  for (uint64_t value : file.tape) {
    const absl::AlphaNum word(value);
    if (line > 0 && line + 1 + word.size() > kLineWidth) {
      text += '\n';
      line = 0;
    }
    if (line > 0) text += ' ';
    line += word.size() + (line > 0 ? 1 : 0);
    absl::StrAppend(&text, word);
  }
  absl::StrAppend(&text, line > 0 ? "\nend\n" : "end\n");
  return text;
}

absl::StatusOr<TapeFile> ParseTape(absl::string_view text, uint64_t registry) {
  if (text.size() > kMaxTapeText) {
    return absl::InvalidArgumentError(
        absl::StrCat("tape_file.size: at least ", text.size(), " bytes, the limit is ", kMaxTapeText));
  }
  if (const absl::Status header = CheckHeader(TakeLine(text), registry); !header.ok()) return header;

  absl::string_view kind = TakeLine(text);
  if (!absl::ConsumePrefix(&kind, "kind ") || !IsKind(kind)) {
    return absl::InvalidArgumentError(absl::StrCat("tape_file.kind: the second line must be 'kind' and 1 to ", kMaxKind,
                                                   " printable characters; after it comes ", Quoted(kind)));
  }
  absl::string_view announced = TakeLine(text);
  absl::string_view options;
  if (absl::ConsumePrefix(&announced, "options ")) {
    options = announced;
    if (!AreOptions(options)) {
      return absl::InvalidArgumentError(absl::StrCat("tape_file.options: after 'options' must come 1 to ", kMaxOptions,
                                                     " printable characters, not ", Quoted(options)));
    }
    announced = TakeLine(text);
  }
  uint64_t count = 0;
  if (!absl::ConsumePrefix(&announced, "choices ") || !ParseNumber(announced, &count) || count > Choices::kLimit) {
    return absl::InvalidArgumentError(
        absl::StrCat("tape_file.choices: after the kind and options must come 'choices' and a number up to ",
                     Choices::kLimit, ", not ", Quoted(announced)));
  }
  absl::StatusOr<Tape> tape = ParseChoices(text, count);
  if (!tape.ok()) return tape.status();
  return TapeFile{registry, std::string(kind), *std::move(tape), std::string(options)};
}

absl::Status WriteTape(const std::string& path, const TapeFile& file) {
  const absl::StatusOr<std::string> text = FormatTape(file);
  if (!text.ok()) return At(path, text.status());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened for writing"));
  out << *text;
  out.close();
  if (!out) return absl::DataLossError(absl::StrCat(path, ": ", text->size(), " bytes could not be written"));
  return absl::OkStatus();
}

absl::StatusOr<TapeFile> ReadTape(const std::string& path, uint64_t registry) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(absl::StrCat(path, ": cannot be opened for reading"));
  std::string text;
  std::array<char, 1 << 16> block;
  // What lies beyond the limit is not read, however much it is.
  while (text.size() <= kMaxTapeText && in) {
    in.read(block.data(), block.size());
    text.append(block.data(), static_cast<size_t>(in.gcount()));
  }
  if (in.bad()) return absl::DataLossError(absl::StrCat(path, ": cannot be read"));
  absl::StatusOr<TapeFile> file = ParseTape(text, registry);
  if (!file.ok()) return At(path, file.status());
  return file;
}

}  // namespace assay
