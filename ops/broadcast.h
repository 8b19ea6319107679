// Two tensors of different shapes made one: dimensions are matched from the last; a dimension 1 repeats.
#pragma once
#include <algorithm>
#include <vector>

#include "ops/checker.h"
#include "ops/drawing.h"
#include "ops/frame.h"

namespace assay {

// Do dimensions a and b fit (equal, or one of them is 1)? Unknown ones do.
void CheckBroadcast(Checker& check, const Rule& rule, const In& a, const In& b);
// The result's shape; unknown as far as the operands are.
Shape BroadcastShape(const In& a, const In& b);
// Draws the operands: `a` as `want` and `b` as `fill` say, of equal dimensions, or b with some dimensions 1 or left
// off. If `fill` is loose, sometimes the other way round.
void DrawBroadcast(Drawing& drawing, In& a, In& b, const Want& want, const Fill& fill);

// Walks the result in row-major order and gives the index of each element in an operand.
class BroadcastIndex {
 public:
  BroadcastIndex(const Dims& operand, const Dims& result);
  // Calls visit(result index, operand index) for all elements, for two operands at once.
  template <class Visit>
  static void ForEach(const Dims& result, const BroadcastIndex& a, const BroadcastIndex& b, Visit visit) {
    const size_t rank = result.size(), count = Count(result);
    if (count == 0) return;
    std::vector<uint32_t> at(rank, 0);
    size_t ia = 0, ib = 0;
    const size_t inner = rank == 0 ? 1 : result[rank - 1];
    const size_t step_a = rank == 0 ? 0 : a.strides_[rank - 1], step_b = rank == 0 ? 0 : b.strides_[rank - 1];
    for (size_t i = 0; i < count; i += inner) {
      for (size_t k = 0; k < inner; ++k) visit(i + k, ia + k * step_a, ib + k * step_b);
      for (size_t d = rank < 2 ? 0 : rank - 1; d-- > 0;) {
        ia += a.strides_[d], ib += b.strides_[d];
        if (++at[d] < result[d]) break;
        ia -= a.strides_[d] * result[d], ib -= b.strides_[d] * result[d];
        at[d] = 0;
      }
    }
  }

 private:
  std::vector<size_t> strides_;  // of the operand, in the result's dimensions; 0 where it repeats
};

// out[i] = f(a[...], b[...])
template <class T, class U, class Function>
void ZipBroadcast(const View<const T>& a, const View<const T>& b, const View<U>& out, Function f) {
  if (*a.dims == *out.dims && *b.dims == *out.dims) {
    for (size_t i = 0; i < out.size; ++i) out[i] = f(a[i], b[i]);
    return;
  }
  BroadcastIndex::ForEach(*out.dims, {*a.dims, *out.dims}, {*b.dims, *out.dims},
                          [&](size_t i, size_t ia, size_t ib) { out[i] = f(a[ia], b[ib]); });
}

}  // namespace assay
