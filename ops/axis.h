// One dimension of a tensor that an operand names, negative ones counted from the last; a tensor seen as lines along
// it. Knows no operation.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ops/checker.h"
#include "ops/drawing.h"

namespace assay {

// `axis` lies in [-rank, rank) of `in`; passes where the rank is unknown.
void CheckAxis(Checker& check, const Rule& rule, int32_t axis, const In& in);
// The dimension that `axis` in [-rank, rank) names.
size_t AxisIndex(int32_t axis, size_t rank);
// An axis of a tensor with these dimensions, of either sign; most often one that is longer than 1, if there is one.
int32_t DrawAxis(Choices& choices, const Dims& dims);

// A tensor as outer * inner lines of `size` elements each; neighbours on a line are `inner` elements apart.
struct Lines {
  size_t outer = 1, size = 1, inner = 1;
  // Calls visit(index of the line, index of its first element) for all lines, in the order of the first elements.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < inner; ++i) visit(o * inner + i, o * size * inner + i);
  }
};
Lines LinesAlong(const Dims& dims, size_t axis);

}  // namespace assay
