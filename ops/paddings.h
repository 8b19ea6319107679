// How many elements a tensor gets before and behind each dimension: the operand `paddings` of PAD, PAD_V2 and
// MIRROR_PAD. Refuses to know what is put there.
#pragma once
#include "ops/checker.h"
#include "ops/drawing.h"
#include "ops/source_map.h"

namespace assay {

struct Paddings : IntValues {
  static constexpr Rule kShape{"paddings", Stage::kExecution, "paddings has the dimensions [rank, 2]"};
  static constexpr Rule kEntries{"padding", Stage::kExecution, "no padding is negative"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};

  // The three rules.
  void Check(Checker& check, const In& input) const;
  int32_t Before(size_t i) const { return values[2 * i]; }
  int32_t After(size_t i) const { return values[2 * i + 1]; }
  Extent Padded(const In& input, size_t i) const { return input.dim(i) + Extent(Before(i)) + Extent(After(i)); }
  Shape PaddedShape(const In& input) const;

  // Draws paddings of at most 3, and at most most(dim) on a side of a dimension, so that the output stays within the
  // limits of `d`.
  template <class Most>
  void Draw(Drawing& d, const In& input, Most most) {
    std::vector<uint32_t> limits;
    for (uint32_t dim : input.dims()) limits.push_back(most(dim));
    DrawUpTo(d, input, limits);
  }

  // Output index k of dimension i is index source(i, k - before) of the input, which may be SourceMap::kNone.
  template <class Source>
  SourceMap Map(const In& input, const Dims& output, Source source) const {
    const std::vector<size_t> strides = StridesOf(input.dims());
    SourceMap map;
    for (size_t i = 0; i < output.size(); ++i)
      map.Add(output[i], strides[i], [&](size_t k) { return source(i, static_cast<int64_t>(k) - Before(i)); });
    return map;
  }

 private:
  void DrawUpTo(Drawing& d, const In& input, const std::vector<uint32_t>& limits);
};

}  // namespace assay
