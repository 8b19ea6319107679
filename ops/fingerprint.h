// A 64-bit fingerprint of a string of bytes: FarmHash's Fingerprint64, which LSH_PROJECTION is defined by. The same on
// every machine. Not for anything that must resist an adversary.
#pragma once
#include <cstdint>
#include <span>

namespace assay {

uint64_t Fingerprint64(std::span<const uint8_t> bytes);

}  // namespace assay
