#include "numeric/variance_bounds.h"

#include <algorithm>

namespace assay {

VarianceBounds::Minimum::Minimum(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (const Piece& p : pieces_) breaks_.push_back(p.until), breaks_.push_back(p.from);
  std::sort(breaks_.begin(), breaks_.end());
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end()), breaks_.end());
  segments_.resize(breaks_.size() + 1);
  const auto index = [this](double x) {
    return static_cast<size_t>(std::lower_bound(breaks_.begin(), breaks_.end(), x) - breaks_.begin());
  };
  // What starts or ends at a breakpoint, then running sums of it from both ends.
  std::vector<Segment> starts(segments_.size()), ends(segments_.size());
  const auto add = [](Segment& to, const Segment& s) {
    to.count += s.count;
    to.sum += s.sum;
    to.squares += s.squares;
  };
  for (const Piece& p : pieces_) {
    add(ends[index(p.until)], {1, p.before, p.before * p.before});
    add(starts[index(p.from) + 1], {1, p.after, p.after * p.after});
  }
  Segment running;
  for (size_t i = 0; i < segments_.size(); ++i) {
    add(running, starts[i]);
    segments_[i] = running;
  }
  running = {};
  for (size_t i = segments_.size(); i-- > 0;) {
    add(running, ends[i]);
    add(segments_[i], running);
  }
}

VarianceBounds::Segment VarianceBounds::Minimum::At(size_t segment, std::optional<size_t> without) const {
  Segment s = segments_[segment];
  if (!without) return s;
  const Piece& p = pieces_[*without];
  const auto remove = [&s](double x) {
    s.count -= 1;
    s.sum -= x;
    s.squares -= x * x;
  };
  if (segment < breaks_.size() && p.until >= breaks_[segment]) remove(p.before);
  if (segment > 0 && p.from <= breaks_[segment - 1]) remove(p.after);
  return s;
}

double VarianceBounds::Minimum::Find(std::optional<size_t> without) const {
  // The first segment at whose end the function no longer falls.
  size_t first = 0, last = breaks_.size();
  while (first < last) {
    const size_t middle = (first + last) / 2;
    const Segment s = At(middle, without);
    if (s.count * breaks_[middle] >= s.sum)
      last = middle;
    else
      first = middle + 1;
  }
  const Segment s = At(first, without);
  if (s.count == 0) return 0;
  double c = s.sum / s.count;
  if (first > 0) c = std::max(c, breaks_[first - 1]);
  if (first < breaks_.size()) c = std::min(c, breaks_[first]);
  return std::max(0.0, (s.count * c - 2 * s.sum) * c + s.squares);
}

namespace {

double SumOfMagnitudesSquared(std::span<const Bounds> elements) {
  double sum = 0;
  for (const Bounds& x : elements) sum += x.Magnitude() * x.Magnitude();
  return sum;
}

}  // namespace

VarianceBounds::VarianceBounds(std::span<const Bounds> elements)
    : least_([&] {
        std::vector<Piece> pieces;
        for (const Bounds& x : elements) pieces.push_back({x.lo, x.lo, x.hi, x.hi});
        return pieces;
      }()),
      most_([&] {
        std::vector<Piece> pieces;
        for (const Bounds& x : elements) {
          const double middle = x.lo / 2 + x.hi / 2;
          pieces.push_back({middle, x.hi, middle, x.lo});
        }
        return pieces;
      }()),
      room_(SumOfMagnitudesSquared(elements) * (static_cast<double>(elements.size()) + 8) * 0x1p-50) {}

Bounds VarianceBounds::SumOfSquares(std::optional<size_t> without) const {
  return {std::max(0.0, least_.Find(without) - room_), most_.Find(without) + room_};
}

}  // namespace assay
