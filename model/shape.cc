#include "model/shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/status.h"

namespace assay {

std::optional<uint64_t> CheckedProduct(uint64_t a, uint64_t b) {
  uint64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<uint64_t> ElementCount(const Dims& dims) {
  std::optional<uint64_t> count = 1;
  for (uint32_t d : dims) {
    if (d == kUnknownDim) return std::nullopt;
    if (count) count = CheckedProduct(*count, d);
  }
  // A zero anywhere makes the product 0 even if other dimensions alone would overflow.
  if (!count && std::find(dims.begin(), dims.end(), 0u) != dims.end()) return 0;
  return count;
}

size_t Count(const Dims& dims) {
  const std::optional<uint64_t> count = ElementCount(dims);
  ASSAY_CHECK(count.has_value(), "dimensions must be known and their product fit 64 bits");
  return static_cast<size_t>(*count);
}

Shape Shape::FromModel(const Dims& dims, bool is_scalar) {
  if (is_scalar) return Of({});
  if (dims.empty()) return Unranked();
  Shape shape = Of(dims);
  std::replace(shape.dims.begin(), shape.dims.end(), 0u, kUnknownDim);
  return shape;
}

Dims Shape::ToModel() const {
  Dims out = dims;
  std::replace(out.begin(), out.end(), kUnknownDim, 0u);
  return out;
}

bool Shape::IsKnown() const { return ranked && std::find(dims.begin(), dims.end(), kUnknownDim) == dims.end(); }

std::optional<Shape> Merge(const Shape& a, const Shape& b) {
  if (!a.ranked) return b;
  if (!b.ranked) return a;
  if (a.rank() != b.rank()) return std::nullopt;
  Shape out = a;
  for (size_t i = 0; i < a.rank(); ++i) {
    if (b.dims[i] == kUnknownDim) continue;
    if (a.dims[i] != kUnknownDim && a.dims[i] != b.dims[i]) return std::nullopt;
    out.dims[i] = b.dims[i];
  }
  return out;
}

std::string ToString(const Dims& dims) {
  return absl::StrCat("[",
                      absl::StrJoin(dims, ", ",
                                    [](std::string* out, uint32_t d) {
                                      absl::StrAppend(out, d == kUnknownDim ? "?" : absl::StrCat(d));
                                    }),
                      "]");
}

std::string ToString(const Shape& shape) { return shape.ranked ? ToString(shape.dims) : "unknown rank"; }

}  // namespace assay
