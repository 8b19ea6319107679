// Numbers brought to mean 0 and variance 1, for every numeric domain: the core of layer and instance normalization.
// Knows no operation.
#pragma once
#include <cstddef>

#include "numeric/bounded.h"

namespace assay {

// What is added to the variance: `most` by the reference, anything in [least, most] by a device.
struct Epsilon {
  double least, most;
};

// x_i = (x_i - mean) / sqrt(variance + epsilon), in place, for the elements first[0], first[stride], ...,
// first[(count - 1) * stride]; the variance is the mean of (x_i - mean)^2. Two passes, as a device must do it too.
//
// Bounded: [lo, hi] is an outer hull of the exact results that knows how an element enters its own mean and variance
// (so no result is further out than sqrt(count - 1)); below and above are proven bounds for roundings in any order of
// summation. All are unknown where one input is, where a sum may overflow, and where variance + epsilon may vanish in
// F.
template <class N>
void Standardize(N* first, size_t count, ptrdiff_t stride, Epsilon epsilon);

}  // namespace assay
