// Movement in which each index of the output finds its part of the source alone:
//
//   output[k0, k1, ...] = input[m0[k0] + m1[k1] + ...]
//
// with one list of moves m for each dimension. Slices, repetitions, reversals, permutations along an axis, blocks
// between space and other dimensions, and borders are all of this shape. Knows no operation.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/axis.h"
#include "ops/frame.h"

namespace assay {

// Elements from one index to the next, of each dimension of a row-major tensor.
std::vector<size_t> StridesOf(const Dims& dims);

class SourceMap {
 public:
  // For one dimension of the output: index k is moves[k] elements further in the input.
  using Moves = std::vector<size_t>;
  // An index without a source, whatever the other indices are.
  static constexpr size_t kNone = SIZE_MAX;

  // The next dimension, in the order of the output's.
  void Add(Moves moves) { dimensions_.push_back(std::move(moves)); }
  // A dimension of `count` indices, of which k is index source(k) of a dimension of the input with this stride; kNone
  // stays.
  template <class Source>
  void Add(size_t count, size_t stride, Source source) {
    Add(MovesBy(count, stride, source));
  }
  template <class Source>
  static Moves MovesBy(size_t count, size_t stride, Source source) {
    Moves moves(count);
    for (size_t k = 0; k < count; ++k) {
      const size_t from = source(k);
      moves[k] = from == kNone ? kNone : from * stride;
    }
    return moves;
  }
  static Moves AsItIs(size_t count, size_t stride) {
    return MovesBy(count, stride, [](size_t k) { return k; });
  }

  // Writes all of the output; `none` where there is no source.
  template <class T>
  void Move(const T* in, T* out, const T& none) const {
    for (const Moves& moves : dimensions_)
      if (moves.empty()) return;
    const Moves& line = dimensions_.back();
    const bool run = IsRun(line);
    std::vector<size_t> at(dimensions_.size(), 0);
    do {
      const size_t from = From(at);
      if (from == kNone) {
        std::fill_n(out, line.size(), none);
      } else if (run) {
        std::copy_n(in + from + line.front(), line.size(), out);
      } else {
        for (size_t k = 0; k < line.size(); ++k) out[k] = line[k] == kNone ? none : in[from + line[k]];
      }
      out += line.size();
    } while (Next(at));
  }
  // For maps in which every index has a source.
  template <class T>
  void Move(const T* in, T* out) const {
    Move(in, out, T());
  }

 private:
  static bool IsRun(const Moves& line);
  // What all indices but the last come to.
  size_t From(const std::vector<size_t>& at) const;
  // The next line; false after the last one.
  bool Next(std::vector<size_t>& at) const;

  std::vector<Moves> dimensions_;
};

// `count` indices along an axis of a tensor of these `lines`, index k being source(k) of the input; what is before and
// behind the axis stays.
template <class Source>
SourceMap MapAlong(const Lines& lines, size_t count, Source source) {
  SourceMap map;
  map.Add(SourceMap::AsItIs(lines.outer, lines.size * lines.inner));
  map.Add(count, lines.inner, source);
  map.Add(SourceMap::AsItIs(lines.inner, 1));
  return map;
}

}  // namespace assay
