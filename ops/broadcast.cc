#include "ops/broadcast.h"

namespace assay {
namespace {

// Dimension i, counted from the last.
Extent FromLast(const In& in, size_t i) { return i < in.rank() ? in.dim(in.rank() - 1 - i) : Extent(1); }

}  // namespace

void CheckBroadcast(Checker& check, const Rule& rule, const In& a, const In& b) {
  if (!a.ranked() || !b.ranked()) return;
  for (size_t i = 0; i < std::min(a.rank(), b.rank()); ++i) {
    const Extent p = FromLast(a, i), q = FromLast(b, i);
    if (!p.known || !q.known || p.value == 1 || q.value == 1) continue;
    check.That(p.value == q.value, rule, "dimension ", i, " from the last is ", p.value, " in input 0 and ", q.value,
               " in input 1: neither equal nor 1");
  }
}

Shape BroadcastShape(const In& a, const In& b) {
  if (!a.ranked() || !b.ranked()) return Shape::Unranked();
  const size_t rank = std::max(a.rank(), b.rank());
  Extents out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const Extent p = FromLast(a, i), q = FromLast(b, i);
    const bool p_is_one = p.known && p.value == 1, q_is_one = q.known && q.value == 1;
    // An unknown dimension may be 1, so only a known one above 1 (or both) decides.
    Extent e = p_is_one ? q : q_is_one ? p : p.known ? p : q;
    out[rank - 1 - i] = e;
  }
  return ToShape(out);
}

void DrawBroadcast(Drawing& d, In& a, In& b, const Want& want, const Fill& fill) {
  Choices& c = d.choices();
  // Exercises repetition of either side, where it does not matter which one is which.
  const bool swapped = c.Chance(fill.loose ? 1 : 0, 4);
  In &first = swapped ? b : a, &second = swapped ? a : b;
  d.Tensor(first, want);
  Dims dims = first.dims();
  if (c.Chance(1, 3)) {
    for (uint32_t& dim : dims)
      if (c.Maybe()) dim = 1;
    const size_t drop = static_cast<size_t>(c.Below(dims.size()));
    dims.erase(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(drop));
  }
  d.Exactly(second, dims, fill);
}

BroadcastIndex::BroadcastIndex(const Dims& operand, const Dims& result) : strides_(result.size(), 0) {
  size_t stride = 1;
  for (size_t i = 0; i < operand.size(); ++i) {
    const uint32_t dim = operand[operand.size() - 1 - i];
    if (dim != 1) strides_[result.size() - 1 - i] = stride;
    stride *= dim;
  }
}

}  // namespace assay
