#include "ops/draw_dims.h"

#include <algorithm>

namespace assay {

Dims DrawDims(Drawing& drawing, size_t least_rank, size_t most_rank) {
  Choices& c = drawing.choices();
  Dims dims;
  size_t left = drawing.most_elements();
  while (dims.size() < least_rank || c.More(dims.size(), most_rank)) {
    const size_t most = std::clamp<size_t>(std::min<size_t>(drawing.most_dim(), left), 1, 8);
    dims.push_back(static_cast<uint32_t>(c.Between(1, static_cast<int64_t>(most))));
    left /= dims.back();
  }
  return dims;
}

}  // namespace assay
