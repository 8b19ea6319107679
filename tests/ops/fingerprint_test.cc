// Fingerprints of strings that others published, and of every range of lengths.
#include "ops/fingerprint.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace assay {
namespace {

uint64_t Of(const std::string& text) {
  const std::vector<uint8_t> bytes(text.begin(), text.end());
  return Fingerprint64(bytes);
}

// From the examples in BigQuery's documentation of FARM_FINGERPRINT: 8, 11 and 5 bytes.
TEST(Fingerprint64, PublishedOnes) {
  EXPECT_EQ(static_cast<int64_t>(Of("1footrue")), -1541654101129638711);
  EXPECT_EQ(static_cast<int64_t>(Of("2applefalse")), 2794438866806483259);
  EXPECT_EQ(static_cast<int64_t>(Of("3true")), -4880158226897771312);
}

TEST(Fingerprint64, EveryByteCountsAtEveryLength) {
  std::set<uint64_t> seen;
  size_t made = 0;
  for (size_t size = 0; size <= 300; ++size) {
    std::string text(size, 'x');
    seen.insert(Of(text)), ++made;
    for (size_t i = 0; i < size; ++i) {
      text[i] = 'y';
      seen.insert(Of(text)), ++made;
      text[i] = 'x';
    }
  }
  EXPECT_EQ(seen.size(), made);
}

}  // namespace
}  // namespace assay
