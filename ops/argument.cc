#include "ops/argument.h"

namespace assay {

Shape ToShape(const Extents& extents) {
  Dims dims;
  dims.reserve(extents.size());
  for (Extent e : extents) dims.push_back(e.Dim());
  return Shape::Of(std::move(dims));
}

Extent ProductOf(const Extents& extents) {
  Extent product = 1;
  for (Extent e : extents) product = product * e;
  return product;
}

Extents In::extents() const {
  Extents out;
  if (argument_ == nullptr) return out;
  for (uint32_t d : argument_->shape.dims) out.push_back(Extent::OfDim(d));
  return out;
}

}  // namespace assay
