// Four ways to hash, by length. All of them read little-endian words that may overlap, so that every byte is read, and
// mix them by multiplications with odd constants, rotations to the right and shifts, modulo 2^64.
#include "ops/fingerprint.h"

#include <bit>
#include <utility>

namespace assay {
namespace {

using Pair = std::pair<uint64_t, uint64_t>;

// Large primes.
constexpr uint64_t kA = 0xc3a5c85c97cb3127, kB = 0xb492b66fbe98f273, kC = 0x9ae16a3b2f90404f;
constexpr size_t kBlock = 64;  // bytes of a round for long strings

template <size_t kBytes>
uint64_t Word(const uint8_t* at) {
  uint64_t word = 0;
  for (size_t i = 0; i < kBytes; ++i) word |= uint64_t{at[i]} << (8 * i);
  return word;
}
uint64_t Word64(const uint8_t* at) { return Word<8>(at); }
uint64_t Word32(const uint8_t* at) { return Word<4>(at); }

uint64_t Fold(uint64_t x) { return x ^ (x >> 47); }
// Two words to one.
uint64_t Join(uint64_t u, uint64_t v, uint64_t factor) {
  const uint64_t once = Fold((u ^ v) * factor);
  return Fold((v ^ once) * factor) * factor;
}
// Longer strings have other factors, so that lengths do not collide.
uint64_t FactorOf(size_t size) { return kC + 2 * size; }

uint64_t UpTo16(const uint8_t* at, size_t size) {
  const uint64_t factor = FactorOf(size);
  if (size >= 8) {
    const uint64_t head = Word64(at) + kC, tail = Word64(at + size - 8);
    return Join(std::rotr(tail, 37) * factor + head, (std::rotr(head, 25) + tail) * factor, factor);
  }
  if (size >= 4) return Join(size + (Word32(at) << 3), Word32(at + size - 4), factor);
  if (size == 0) return kC;
  const uint64_t y = at[0] + (uint64_t{at[size / 2]} << 8), z = size + (uint64_t{at[size - 1]} << 2);
  return Fold(y * kC ^ z * kA) * kC;
}

// The two words that the first and the last 16 bytes of a string come to.
Pair Ends(const uint8_t* at, size_t size, uint64_t first_factor) {
  const uint64_t factor = FactorOf(size);
  const uint64_t a = Word64(at) * first_factor, b = Word64(at + 8);
  const uint64_t c = Word64(at + size - 8) * factor, d = Word64(at + size - 16) * kC;
  return {std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + kC, 18) + c};
}

uint64_t UpTo32(const uint8_t* at, size_t size) {
  const auto [y, z] = Ends(at, size, kB);
  return Join(y, z, FactorOf(size));
}

uint64_t UpTo64(const uint8_t* at, size_t size) {
  const uint64_t factor = FactorOf(size);
  const auto [y, second] = Ends(at, size, kC);
  const uint64_t z = Join(y, second, factor);
  const uint64_t e = Word64(at + 16) * factor, f = Word64(at + 24);
  const uint64_t g = (y + Word64(at + size - 32)) * factor, h = (z + Word64(at + size - 24)) * factor;
  return Join(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + Word64(at) * kC, 18) + g, factor);
}

// What strings of more than 64 bytes are mixed into, 64 bytes at a time.
struct Mixer {
  uint64_t x, y, z;
  Pair v{0, 0}, w{0, 0};

  static Pair Weak(const uint8_t* at, uint64_t a, uint64_t b) {
    const uint64_t first = a + Word64(at), last = Word64(at + 24);
    const uint64_t sum = first + Word64(at + 8) + Word64(at + 16);
    return {sum + last, std::rotr(b + first + last, 21) + std::rotr(sum, 44) + first};
  }
  // `factor` and `weight` are kB and 1, but in the last round.
  void Round(const uint8_t* at, uint64_t factor, uint64_t weight) {
    x = std::rotr(x + y + v.first + Word64(at + 8), 37) * factor;
    y = std::rotr(y + v.second + Word64(at + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + Word64(at + 40);
    z = std::rotr(z + w.first, 33) * factor;
    v = Weak(at, v.second * factor, x + w.first);
    w = Weak(at + 32, z + w.second, y + Word64(at + 16));
    std::swap(z, x);
  }
};

uint64_t Long(const uint8_t* at, size_t size) {
  constexpr uint64_t kSeed = 81;
  const uint64_t y = kSeed * kB + 113;
  Mixer mixer{kSeed * kC + Word64(at), y, Fold(y * kC + 113) * kC};
  const size_t rounds = (size - 1) / kBlock, rest = (size - 1) % kBlock;
  for (size_t i = 0; i < rounds; ++i) mixer.Round(at + i * kBlock, kB, 1);
  // The last round takes the last 64 bytes.
  const uint64_t factor = kB + ((mixer.z & 0xff) << 1);
  mixer.w.first += rest;
  mixer.v.first += mixer.w.first;
  mixer.w.first += mixer.v.first;
  mixer.Round(at + size - kBlock, factor, 9);
  return Join(Join(mixer.v.first, mixer.w.first, factor) + Fold(mixer.y) * kA + mixer.z,
              Join(mixer.v.second, mixer.w.second, factor) + mixer.x, factor);
}

}  // namespace

uint64_t Fingerprint64(std::span<const uint8_t> bytes) {
  const uint8_t* at = bytes.data();
  const size_t size = bytes.size();
  if (size <= 16) return UpTo16(at, size);
  if (size <= 32) return UpTo32(at, size);
  return size <= kBlock ? UpTo64(at, size) : Long(at, size);
}

}  // namespace assay
