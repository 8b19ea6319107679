// What is known of the operands of one call, and how a family's struct refers to them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/shape.h"
#include "model/types.h"

namespace assay {

// One operand of a call, as far as it is known: constants at prepare, everything at execution.
struct Argument {
  OperandType type = OperandType::TENSOR_FLOAT32;
  Shape shape;
  Quantization quantization;
  bool omitted = false;
  // Before a request is known: an input of the model that the request may yet omit.
  bool may_be_omitted = false;
  bool value_known = false;
  std::span<const uint8_t> value;  // row-major storage bytes if value_known
  uint32_t subgraph = 0;           // of a SUBGRAPH operand
};

// A number that may be unknown: a dimension, or what is computed from dimensions and scalars. Unknown absorbs.
struct Extent {
  int64_t value = 0;
  bool known = false;

  constexpr Extent() = default;
  constexpr Extent(int64_t v) : value(v), known(true) {}  // NOLINT: implicit on purpose, arithmetic reads plainly
  static constexpr Extent OfDim(uint32_t dim) { return dim == kUnknownDim ? Extent() : Extent(dim); }
  // As a dimension of a Shape; negative values and values past 32 bits become unknown (a rule reports them).
  constexpr uint32_t Dim() const {
    return known && value >= 0 && value < int64_t{kUnknownDim} ? static_cast<uint32_t>(value) : kUnknownDim;
  }
  friend constexpr Extent operator+(Extent a, Extent b) { return Both(a, b, a.value + b.value); }
  friend constexpr Extent operator-(Extent a, Extent b) { return Both(a, b, a.value - b.value); }
  // Factors below 2^32 cannot overflow; larger ones only arise from products of several dims: use CheckedProduct.
  friend constexpr Extent operator*(Extent a, Extent b) {
    int64_t product = 0;
    if (!a.known || !b.known || __builtin_mul_overflow(a.value, b.value, &product)) return {};
    return product;
  }
  // Rounds down; unknown if the divisor is 0.
  friend constexpr Extent operator/(Extent a, Extent b) {
    if (!a.known || !b.known || b.value == 0) return {};
    const int64_t q = a.value / b.value;
    return a.value % b.value != 0 && (a.value < 0) != (b.value < 0) ? q - 1 : q;
  }

 private:
  static constexpr Extent Both(Extent a, Extent b, int64_t v) { return a.known && b.known ? Extent(v) : Extent(); }
};
using Extents = std::vector<Extent>;
// A shape of which each dimension is known or not.
Shape ToShape(const Extents& extents);
// Product of some extents (all dimensions from `begin` up to `end`); unknown if one is or if it overflows.
Extent ProductOf(const Extents& extents);

// A tensor operand of a call, as a family's struct holds it. Absent if it was omitted or left off the end.
class In {
 public:
  bool present() const { return argument_ != nullptr && !argument_->omitted; }
  // Whether present() is not certain yet: no rule about it is surely broken.
  bool may_be_omitted() const { return present() && argument_->may_be_omitted; }
  OperandType type() const { return argument_->type; }
  const Quantization& quantization() const { return argument_->quantization; }
  const Shape& shape() const { return argument_->shape; }
  bool ranked() const { return argument_->shape.ranked; }
  size_t rank() const { return argument_->shape.rank(); }
  // The dimensions; call it only where they are known (evaluation, drawing).
  const Dims& dims() const { return argument_->shape.dims; }
  // Dimension i; unknown if the rank is unknown, or i is outside of it.
  Extent dim(size_t i) const {
    return argument_ != nullptr && i < argument_->shape.dims.size() ? Extent::OfDim(argument_->shape.dims[i])
                                                                    : Extent();
  }
  Extents extents() const;
  // Which input (or output) of the call this is.
  size_t index() const { return index_; }
  const Argument* argument() const { return argument_; }
  void Bind(const Argument* argument, size_t index) { argument_ = argument, index_ = index; }
  void Reset() { *this = {}; }

 private:
  const Argument* argument_ = nullptr;
  size_t index_ = 0;
};
// An output of a call: type and quantization as declared; its shape is what Infer says.
class Out : public In {};
using InList = std::vector<In>;
using OutList = std::vector<Out>;

// A TENSOR_INT32 operand whose contents decide shapes (RESHAPE's shape, TRANSPOSE's permutation, ...).
struct IntValues {
  In tensor;
  std::vector<int32_t> values;  // read when they are known; else empty
  bool present() const { return tensor.present(); }
};

}  // namespace assay
