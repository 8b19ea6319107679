#include "ops/paddings.h"

#include <algorithm>

namespace assay {

void Paddings::Check(Checker& check, const In& input) const {
  check.That(present(), kShape, "paddings has no value");
  if (!present()) return;
  check.Rank(kShape, tensor, "paddings", 2, 2);
  const Extent rank = input.ranked() ? Extent(static_cast<int64_t>(input.rank())) : Extent();
  check.Same(kShape, "number of pairs", tensor.dim(0), "rank", rank);
  check.Same(kShape, "length of a pair", tensor.dim(1), "expected", 2);
  for (int32_t padding : values) check.AtLeast(kEntries, "a padding", padding, 0);
  if (!check.clean()) return;
  for (size_t i = 0; i < values.size() / 2; ++i)
    check.InRange(kSize, absl::StrCat("dimension ", i, " of the output"), Padded(input, i), 0,
                  int64_t{kUnknownDim} - 1);
}

Shape Paddings::PaddedShape(const In& input) const {
  Extents out;
  for (size_t i = 0; i < values.size() / 2; ++i) out.push_back(Padded(input, i));
  return ToShape(out);
}

void Paddings::DrawUpTo(Drawing& d, const In& input, const std::vector<uint32_t>& limits) {
  size_t left = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(input.dims())));
  std::vector<int32_t> entries;
  for (size_t i = 0; i < input.rank(); ++i) {
    const uint64_t dim = input.dims()[i];
    for (int side = 0; side < 2; ++side) {
      // A dimension grows by at most what is left of the elements.
      const uint64_t most = std::min<uint64_t>({3, limits[i], (left - 1) * dim / 2});
      entries.push_back(static_cast<int32_t>(d.choices().Below(most + 1)));
    }
    const auto grown = static_cast<size_t>(entries.end()[-2] + entries.end()[-1]) + dim;
    left = std::max<size_t>(1, left * dim / std::max<size_t>(1, grown));
  }
  d.Values(*this, std::move(entries), Dims{static_cast<uint32_t>(input.rank()), 2});
}

}  // namespace assay
