#include "compare/judgement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "numeric/storage.h"

namespace assay {
namespace {

using Interval = Bounded<Fp32>;

std::string Bound(const StoredTensor& tensor, double real) {
  if (!IsQuantized(tensor.type) || tensor.quantization->per_channel || !(tensor.quantization->scale > 0))
    return absl::StrFormat("%.9g", real);
  return absl::StrFormat("%.9g", real / tensor.quantization->scale + tensor.quantization->zero_point);
}

std::string Allowed(const StoredTensor& tensor, const Interval& allowed) {
  if (allowed.IsExactNan()) return "NaN";
  return absl::StrCat("[", Bound(tensor, allowed.Lo()), ", ", Bound(tensor, allowed.Hi()), "]",
                      IsQuantized(tensor.type) ? " codes" : "");
}

double Excess(const Interval& allowed, double got) {
  const double width = allowed.Hi() - allowed.Lo();
  const double distance = std::max(allowed.Lo() - got, got - allowed.Hi());
  if (!(distance >= 0) || !(width > 0)) return std::numeric_limits<double>::infinity();
  return distance / (width / 2);
}

double RangeOf(const StoredTensor& tensor, std::span<const Interval> allowed) {
  if (IsQuantized(tensor.type) && !tensor.quantization->per_channel) {
    const CodeRange codes = CodesOf(InfoOf(tensor.type).storage);
    return double{tensor.quantization->scale} * static_cast<double>(codes.most - codes.least);
  }
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Interval& a : allowed) {
    if (!std::isfinite(a.value)) continue;
    least = std::min(least, a.value);
    most = std::max(most, a.value);
  }
  // A tensor of one value has its magnitude for a range.
  const double magnitude = std::max(std::abs(least), std::abs(most));
  return std::max({most - least, std::isfinite(magnitude) ? magnitude : 0.0, Fp32::kTiny});
}

}  // namespace

Account JudgeElements(const StoredTensor& tensor, std::span<const Interval> allowed, std::span<const Verdict> verdicts,
                      const uint8_t* answer) {
  Account account;
  for (size_t i = 0; i < allowed.size(); ++i) {
    const double got = ElementAt(tensor.type, *tensor.quantization, *tensor.dims, answer, i);
    const Verdict verdict = verdicts.empty() ? Inside(allowed[i], got) : verdicts[i];
    account.Add(verdict);
    if (verdict != Verdict::kOutside) continue;
    account.Keep({i, PositionOf(*tensor.dims, i), Bound(tensor, allowed[i].value),
                  FormatElement(tensor.type, *tensor.quantization, *tensor.dims, answer, i),
                  Allowed(tensor, allowed[i]), Excess(allowed[i], got)});
  }
  return account;
}

void WidthHistogram::Add(const StoredTensor& tensor, std::span<const Interval> allowed) {
  const double range = RangeOf(tensor, allowed);
  elements_ += allowed.size();
  for (const Interval& a : allowed) {
    const double width = a.Hi() - a.Lo();
    if (a.IsExactNan() || a.IsExactInfinity()) {
      ++cells_[0], ++sharp_;
    } else if (!std::isfinite(width)) {
      ++unknown_;
    } else {
      const double relative = width / range;
      sharp_ += relative < 0.25 ? 1 : 0;
      const int cell = relative <= 0 ? 0 : std::clamp(std::ilogb(relative) + 1 + 48, 0, kCells - 1);
      ++cells_[cell];
    }
  }
}

void WidthHistogram::Merge(const WidthHistogram& other) {
  for (int i = 0; i < kCells; ++i) cells_[i] += other.cells_[i];
  elements_ += other.elements_, unknown_ += other.unknown_, sharp_ += other.sharp_;
}

std::vector<uint64_t> WidthHistogram::Counts() const {
  std::vector<uint64_t> counts(cells_, cells_ + kCells);
  counts.insert(counts.end(), {elements_, unknown_, sharp_});
  return counts;
}

WidthHistogram WidthHistogram::FromCounts(std::span<const uint64_t> counts) {
  WidthHistogram out;
  if (counts.size() != kCells + 3) return out;
  std::copy_n(counts.begin(), kCells, out.cells_);
  out.elements_ = counts[kCells], out.unknown_ = counts[kCells + 1], out.sharp_ = counts[kCells + 2];
  return out;
}

double WidthHistogram::unknown_share() const {
  return elements_ == 0 ? 0 : static_cast<double>(unknown_) / static_cast<double>(elements_);
}

double WidthHistogram::sharp_share() const {
  return elements_ == 0 ? 0 : static_cast<double>(sharp_) / static_cast<double>(elements_);
}

double WidthHistogram::Quantile(double q) const {
  const double known = static_cast<double>(elements_ - unknown_);
  double seen = 0;
  for (int i = 0; i < kCells; ++i) {
    seen += static_cast<double>(cells_[i]);
    if (seen > 0 && seen >= q * known) return std::ldexp(1.0, i - 48);
  }
  return 0;
}

std::string WidthHistogram::ToString() const {
  if (elements_ == 0) return "no element judged";
  return absl::StrFormat(
      "unknown %.3g %%, width / range median < %.2g, 90th percentile < %.2g, under a quarter %.4g %%",
      100 * unknown_share(), Quantile(0.5), Quantile(0.9), 100 * sharp_share());
}

}  // namespace assay
