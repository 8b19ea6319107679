// Plain loops over the elements of row-major tensors, for tests that say where each of them comes from. Knows no
// operation and none of the code under test.
#pragma once
#include <cstdint>
#include <vector>

#include "model/shape.h"

namespace assay {

using Index = std::vector<int64_t>;

inline size_t ElementAtIndex(const Index& index, const Dims& dims) {
  size_t i = 0;
  for (size_t d = 0; d < dims.size(); ++d) i = i * dims[d] + static_cast<size_t>(index[d]);
  return i;
}

// One value(index) for every index of a tensor of these dimensions, in row-major order.
template <class Value>
auto ForEveryIndex(const Dims& dims, Value value) {
  std::vector<decltype(value(Index()))> out;
  Index at(dims.size(), 0);
  for (size_t i = 0; i < Count(dims); ++i) {
    out.push_back(value(at));
    for (size_t d = dims.size(); d-- > 0;) {
      if (++at[d] < dims[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

// The elements of `from` at source(index), for every index of `dims`.
template <class T, class Source>
std::vector<T> Taken(const std::vector<T>& from, const Dims& from_dims, const Dims& dims, Source source) {
  return ForEveryIndex(dims, [&](const Index& at) { return from[ElementAtIndex(source(at), from_dims)]; });
}

}  // namespace assay
