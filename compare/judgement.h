// Judging an answer by what the reference allows for each element (judging.md 2 and 3), and how sharp that was.
#pragma once
#include <span>
#include <vector>

#include "compare/account.h"
#include "numeric/bounded.h"

namespace assay {

// The verdict on a stored tensor: one element `allowed[i]` each. Where `verdicts` is not empty it decides instead of
// the interval (a discontinuous operation's relation), the interval is only shown.
Account JudgeElements(const StoredTensor& tensor, std::span<const Bounded<Fp32>> allowed,
                      std::span<const Verdict> verdicts, const uint8_t* answer);

// How much a judge saw: widths of the intervals relative to the tensor's range. Blindness is always printed.
class WidthHistogram {
 public:
  // `range`: for quantized types that of the codes, else the greatest difference of nominal values (at least one ulp).
  void Add(const StoredTensor& tensor, std::span<const Bounded<Fp32>> allowed);
  void Merge(const WidthHistogram& other);
  // All counts, to keep and to restore; FromCounts of another length gives an empty histogram.
  std::vector<uint64_t> Counts() const;
  static WidthHistogram FromCounts(std::span<const uint64_t> counts);

  size_t elements() const { return elements_; }
  double unknown_share() const;
  // Share of the elements whose width is under a quarter of the range.
  double sharp_share() const;
  // The width / range below which a share `q` of the known elements lies; the upper edge of a histogram cell (cells
  // are a factor of two wide).
  double Quantile(double q) const;
  // "unknown 0.1 %, width / range median 0.002, 90th percentile 0.03, under a quarter 99.8 %"
  std::string ToString() const;

 private:
  static constexpr int kCells = 64;  // cell i: width / range < 2^(i - 48)
  uint64_t cells_[kCells] = {};
  uint64_t elements_ = 0, unknown_ = 0, sharp_ = 0;
};

}  // namespace assay
