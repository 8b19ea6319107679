// The sources of answers, and how they are recorded.
// Refuses to know what is decided, and how a tape is stored or shrunk.
#include "choice/choices.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay {
namespace {

// Above this many elements to go, a list goes on with the same probability before each of them.
constexpr size_t kLikelyElements = 8;

// The bytes that any answer in [0, most] fits into.
size_t BytesFor(uint64_t most) { return (static_cast<size_t>(std::bit_width(most)) + 7) / 8; }

}  // namespace

Tape TapeOf(std::span<const Choice> trace) {
  Tape tape;
  tape.reserve(trace.size());
  for (const Choice& choice : trace) tape.push_back(choice.value);
  return tape;
}

Choices::Choices(Source source, size_t limit) : source_(std::move(source)), limit_(limit) {}

Choices Choices::FromSeed(uint64_t seed, size_t limit) { return Choices(Stream(seed), limit); }

Choices Choices::FromBytes(std::span<const uint8_t> bytes, size_t limit) {
  return Choices(Bytes{{bytes.begin(), bytes.end()}}, limit);
}

Choices Choices::Replay(Tape tape, size_t limit) { return Choices(Recorded{std::move(tape)}, limit); }

uint64_t Choices::Ask(uint64_t most) {
  if (trace_.size() >= limit_) return 0;
  uint64_t answer = 0;
  if (auto* stream = std::get_if<Stream>(&source_)) {
    if (most > 0) answer = stream->UpTo(most);
  } else if (auto* recorded = std::get_if<Recorded>(&source_)) {
    if (recorded->at < recorded->tape.size()) answer = recorded->tape[recorded->at++];
    if (answer > most) answer = 0;
  } else {
    auto& [bytes, at] = std::get<Bytes>(source_);
    for (size_t i = 0; i < BytesFor(most); ++i) answer = answer << 8 | (at < bytes.size() ? bytes[at++] : 0);
    if (answer > most) answer %= most + 1;
  }
  trace_.push_back({answer, most});
  return answer;
}

int64_t Choices::Between(int64_t lo, int64_t hi) {
  if (lo > hi) {
    std::fprintf(stderr, "Choices::Between: lo %" PRId64 " is above hi %" PRId64 "\n", lo, hi);
    std::abort();
  }
  return static_cast<int64_t>(static_cast<uint64_t>(lo) + Ask(static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo)));
}

bool Choices::Chance(uint32_t k, uint32_t n) {
  const uint64_t answer = Below(n);
  return k > 0 && n > 0 && answer >= n - std::min(k, n);
}

bool Choices::More(size_t have, size_t most) {
  // The list is ended once in (elements to go + 1) times: then all lengths are equally likely.
  return Ask(have < most ? std::min(most - have, kLikelyElements) : 0) != 0;
}

size_t Choices::PickIndex(size_t size) {
  if (size == 0) {
    std::fputs("Choices::Pick: nothing to pick from\n", stderr);
    std::abort();
  }
  return static_cast<size_t>(Below(size));
}

bool Choices::exhausted() const {
  if (trace_.size() >= limit_) return true;
  if (const auto* recorded = std::get_if<Recorded>(&source_)) return recorded->at >= recorded->tape.size();
  if (const auto* bytes = std::get_if<Bytes>(&source_)) return bytes->at >= bytes->bytes.size();
  return false;
}

Choices::Scope::Scope(Choices& choices, absl::string_view label) : choices_(choices), group_(choices.groups_.size()) {
  const size_t now = choices.trace_.size();
  choices.groups_.push_back({std::string(label), now, now});
}

Choices::Scope::~Scope() {
  Group& group = choices_.groups_[group_];
  group.end = choices_.trace_.size();
  // Without choices of its own it has no inner groups either, so it is the last one.
  if (group.begin == group.end) choices_.groups_.pop_back();
}

std::vector<uint8_t> ToBytes(std::span<const Choice> trace) {
  std::vector<uint8_t> bytes;
  for (const auto& [value, most] : trace) {
    for (size_t left = BytesFor(most); left > 0; --left)
      bytes.push_back(static_cast<uint8_t>(value >> (8 * (left - 1))));
  }
  return bytes;
}

}  // namespace assay
