// The least and the greatest variance of numbers of which each is known to an interval. Internal to numeric/.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "numeric/bounds.h"

namespace assay {

// Bounds of the sum over j of the squares of (x_j - mean x). Built once in O(n log n); every query is O(log n), also
// with one number left out.
//
// Since the sum of squares about any c is least where c is the mean, both bounds are the minimum over c of a convex,
// piecewise quadratic function: of the squared distances to the nearest points of the intervals (the true minimum), and
// to the farthest (an upper bound, true to first order in the widths). As minima of functions that grow with the
// intervals, both bounds can only grow apart when an interval grows.
class VarianceBounds {
 public:
  // All finite. Numbers near 0 are best: the error is a few roundings of the sum of the squares about 0.
  explicit VarianceBounds(std::span<const Bounds> elements);

  // Of all elements, or of all but one. The lower bound is never negative.
  Bounds SumOfSquares(std::optional<size_t> without = std::nullopt) const;

 private:
  // Of one element: (before - c)^2 for c < until, plus (c - after)^2 for c > from.
  struct Piece {
    double until, before, from, after;
  };
  // The sum of all pieces between two of the breakpoints is count * c^2 - 2 * sum * c + squares.
  struct Segment {
    double count = 0, sum = 0, squares = 0;
  };
  class Minimum {
   public:
    explicit Minimum(std::vector<Piece> pieces);
    double Find(std::optional<size_t> without) const;

   private:
    Segment At(size_t segment, std::optional<size_t> without) const;
    std::vector<Piece> pieces_;
    std::vector<double> breaks_;     // sorted
    std::vector<Segment> segments_;  // one more than breaks: segment i lies before breaks_[i]
  };

  Minimum least_, most_;
  double room_;  // more than our own roundings
};

}  // namespace assay
