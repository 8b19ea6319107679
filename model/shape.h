// Shapes of which only a part may be known, and products that notice overflow.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types.h"

namespace assay {

// Dimensions in elements, outermost first.
using Dims = std::vector<uint32_t>;

// In a Shape, a dimension that is not known yet. (A Model writes 0 there, as NNAPI does; in a Shape 0 is a real,
// empty dimension.)
inline constexpr uint32_t kUnknownDim = 0xFFFFFFFF;

// a * b, or nothing on overflow of 64 bits.
std::optional<uint64_t> CheckedProduct(uint64_t a, uint64_t b);
// Product of the dimensions; nothing if one is unknown or the product overflows 64 bits. 1 for no dimensions.
std::optional<uint64_t> ElementCount(const Dims& dims);
// The same, for dimensions that were checked before: CHECK-fails on unknown or overflow.
size_t Count(const Dims& dims);

// What is known of a tensor's dimensions: nothing, the rank, or some or all of them.
struct Shape {
  bool ranked = false;
  Dims dims;  // empty if not ranked

  static Shape Unranked() { return {}; }
  static Shape Of(Dims dims) { return {true, std::move(dims)}; }
  // From NNAPI's model form: for a tensor, no dims = unknown rank and 0 = unknown dim; scalars have rank 0.
  static Shape FromModel(const Dims& dims, bool is_scalar);
  // The inverse; a known dimension 0 cannot be expressed and becomes 0 too.
  Dims ToModel() const;

  bool IsKnown() const;
  size_t rank() const { return dims.size(); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

// The shape that both describe, if they agree where both are known.
std::optional<Shape> Merge(const Shape& a, const Shape& b);

// "[1, ?, 3]", or "unknown rank".
std::string ToString(const Shape& shape);
std::string ToString(const Dims& dims);

}  // namespace assay
