// The one source of random decisions: from a seed, from libFuzzer's bytes, or from a recorded tape.
// Refuses to know what is decided: no graph, no operation, no clock, no other generator.
//
// Every decision is an answer in [0, most], and 0 is the simplest. A source that has run out answers 0, and a taped
// answer too large for its question becomes 0, so EVERY tape and every string of bytes is a valid program: deleting or
// lowering any part of one gives another that can be run. That is what the shrinker (choice/shrink.h) lives on. It does
// best with draws that
//   - put a Scope around everything that can be left out or stand elsewhere, with the same label for the same kind;
//   - ask More before each element instead of drawing the length first;
//   - ask the same questions whatever was drawn before: one with a single answer is better than none;
//   - number things to choose from in a way that does not change when something else is left out.
// Ask for each answer in a statement of its own: f(c.Below(2), c.Below(3)) draws in another order with another
// compiler.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "choice/stream.h"

namespace assay {

// One recorded decision: the answer, and the largest answer that the question allowed.
struct Choice {
  uint64_t value = 0;
  uint64_t most = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

// The choices [begin, end) of a trace that together made one thing. Groups are listed in the order in which they were
// opened and lie wholly inside one another or apart. Labels say which groups are of a kind.
struct Group {
  std::string label;
  size_t begin = 0;
  size_t end = 0;
  friend bool operator==(const Group&, const Group&) = default;
};

// The answers alone: all that is needed to make the same decisions again.
using Tape = std::vector<uint64_t>;
Tape TapeOf(std::span<const Choice> trace);

class Choices {
 public:
  // After this many choices every answer is 0 and nothing more is recorded, so that no source loops for ever. A draw
  // that waits for an answer other than 0 must count its attempts.
  static constexpr size_t kLimit = 1'000'000;

  // Uniform answers. The same seed gives the same answers everywhere.
  static Choices FromSeed(uint64_t seed, size_t limit = kLimit);
  // Each question takes as many bytes as its largest answer needs, most significant first, and the remainder if their
  // number is too large; 0 bytes follow the last one. The bytes are copied.
  static Choices FromBytes(std::span<const uint8_t> bytes, size_t limit = kLimit);
  // Each question takes the next answer of the tape, or 0 if that is too large for it or there is none.
  static Choices Replay(Tape tape, size_t limit = kLimit);

  // Each of the following records one choice, also where there is only one answer: so the place of a later choice on
  // the tape does not depend on how many answers an earlier question had.

  // An integer in [0, n), simplest 0; 0 for n = 0.
  uint64_t Below(uint64_t n) { return Ask(n == 0 ? 0 : n - 1); }
  // An integer in [lo, hi], both included, simplest lo. Any range of int64_t is allowed; lo > hi aborts.
  int64_t Between(int64_t lo, int64_t hi);
  // True half of the time; simplest false.
  bool Maybe() { return Below(2) == 1; }
  // True k times out of n; simplest false, if false is possible: for k >= n > 0 the answer is true. False for n = 0.
  bool Chance(uint32_t k, uint32_t n);
  // Asked before each element of a list that has `have` elements and may have `most`; simplest false. All lengths
  // up to 8 are equally likely; of longer lists each further element has 8 chances in 9.
  bool More(size_t have, size_t most);
  // An element of a vector, array, span, ..., simplest the first. An empty range aborts.
  template <class Range>
  decltype(auto) Pick(Range& range) {
    return range[PickIndex(std::size(range))];
  }
  template <class T>
  T& Pick(std::span<T> range) {
    return range[PickIndex(range.size())];
  }
  template <class T>
  T Pick(std::initializer_list<T> range) {
    return range.begin()[PickIndex(range.size())];
  }
  // 64 bits, as one choice, from which a Stream makes bulk data; simplest 0.
  uint64_t Seed() { return Ask(UINT64_MAX); }

  // The choices made while a Scope lives form a group: make one for whatever can be left out, or take another's place,
  // as a whole. A group without choices is not recorded. Scopes end in the opposite order of their beginning; the
  // Choices must outlive them and must not be moved meanwhile.
  class [[nodiscard]] Scope {
   public:
    Scope(Choices& choices, absl::string_view label);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Choices& choices_;
    size_t group_;
  };

  // What was asked and answered so far.
  const std::vector<Choice>& trace() const { return trace_; }
  // The groups so far; one whose Scope still lives is listed as empty.
  const std::vector<Group>& groups() const { return groups_; }
  // The answers so far; replaying them gives the same answers again.
  Tape tape() const { return TapeOf(trace_); }
  // True when every further answer is 0: the bytes or the tape are used up, or the limit is reached.
  bool exhausted() const;

 private:
  struct Bytes {
    std::vector<uint8_t> bytes;
    size_t at = 0;
  };
  struct Recorded {
    Tape tape;
    size_t at = 0;
  };
  using Source = std::variant<Stream, Bytes, Recorded>;

  Choices(Source source, size_t limit);
  uint64_t Ask(uint64_t most);
  size_t PickIndex(size_t size);

  Source source_;
  size_t limit_;
  std::vector<Choice> trace_;
  std::vector<Group> groups_;
};

// The inverse of Choices::FromBytes: bytes that give the same answers to the same questions, for a fuzzer's corpus.
std::vector<uint8_t> ToBytes(std::span<const Choice> trace);

}  // namespace assay
