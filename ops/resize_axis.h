// Where the elements of a resized image axis come from. Positions follow from sizes alone, and devices compute them in
// float32: a few ulps are free.
#pragma once
#include <cstddef>

namespace assay {

// How positions are spread over an axis.
struct Spread {
  bool align_corners = false, half_pixel_centers = false;
};

// part * in[second] + (1 - part) * in[first]; a device's part lies in [least, most].
struct Blend {
  size_t first = 0, second = 0;
  double part = 0, least = 0, most = 0;
};

// The elements that may be the nearest one to an output's position, and the one that is it in float32.
struct Nearest {
  size_t nominal = 0, least = 0, most = 0;
};

class ResizedAxis {
 public:
  // Sizes are positive.
  ResizedAxis(size_t in_size, size_t out_size, const Spread& spread);

  // Calls visit(blend, is_nominal): first with the blend at the exact position of output `o`, then with those at which
  // a device may arrive beyond the next element.
  template <class Visit>
  void ForEachBlend(size_t o, Visit visit) const {
    const Position p = Blended(o);
    const auto cell = [](double position) { return static_cast<size_t>(position); };
    visit(BlendAt(p, cell(p.nominal)), true);
    for (size_t i = cell(p.least); i <= cell(p.most); ++i)
      if (i != cell(p.nominal)) visit(BlendAt(p, i), false);
  }
  Blend NominalBlend(size_t o) const {
    const Position p = Blended(o);
    return BlendAt(p, static_cast<size_t>(p.nominal));
  }

  // There is a choice only where the scale has no exact float32 value.
  Nearest NearestTo(size_t o) const;

 private:
  struct Position {
    double nominal, least, most;  // in [0, in_size - 1]
  };
  Position Blended(size_t o) const;
  Blend BlendAt(const Position& position, size_t cell) const;

  size_t in_size_;
  Spread spread_;
  double scale_;
  float float_scale_;
};

}  // namespace assay
