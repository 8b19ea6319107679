// Dimensions of a fresh tensor, for families that fill one in a range of their own. Knows no operation.
#pragma once
#include "ops/drawing.h"

namespace assay {

// Between `least_rank` and `most_rank` dimensions of 1 to 8, within the limits of `drawing`; simplest all 1.
Dims DrawDims(Drawing& drawing, size_t least_rank, size_t most_rank);

}  // namespace assay
