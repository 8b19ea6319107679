// Tapes as text files.
// Refuses to know what the choices mean: the kind of thing and the registry's hash are the caller's words.
//
//   assay tape 1 registry=00c0ffee00c0ffee
//   kind graph
//   options --max-dim 8
//   choices 5
//   3 0 18446744073709551615 1
//   2
//   end
//
// A tape is short-lived: its meaning is the sequence of questions that one registry of operations asks. What is meant
// to last is the spec file beside it. The line of options is there only if there are some.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "choice/choices.h"

namespace assay {

struct TapeFile {
  uint64_t registry = 0;  // the hash of everything that decides which questions are asked
  std::string kind;       // what the choices draw: printable ASCII, 1 to 100 characters, no blank at either end
  Tape tape;              // at most Choices::kLimit choices
  std::string options;    // what else decides what is drawn: like `kind`, but 0 to 4,000 characters
  friend bool operator==(const TapeFile&, const TapeFile&) = default;
};

// A longer text cannot be a tape and is refused unread. In bytes.
inline constexpr size_t kMaxTapeText = 32 << 20;

// The text of `file`. InvalidArgument if its kind, its options or its length break the rules above.
absl::StatusOr<std::string> FormatTape(const TapeFile& file);

// Reads a text that FormatTape wrote; lines may end in CR LF, and choices may be wrapped anywhere. FailedPrecondition
// if it has another version than 1 or another registry than `registry`; InvalidArgument if it is anything but a tape.
absl::StatusOr<TapeFile> ParseTape(absl::string_view text, uint64_t registry);

// The same on a file. NotFound if it cannot be opened; every message begins with the path.
absl::Status WriteTape(const std::string& path, const TapeFile& file);
absl::StatusOr<TapeFile> ReadTape(const std::string& path, uint64_t registry);

}  // namespace assay
