// Models of one operation, for the tests of families and for campaigns that walk through the registry.
#pragma once
#include "randomgraph/graph.h"
#include "randomgraph/place.h"

namespace assay {

// Draws a model whose main graph is one operation, of this row; for control flow, of this operation. The row is legal
// at options.feature_level. Nothing if the drawn call must be dropped: `rejected`, if not null, gets the reason.
std::optional<DrawnModel> DrawSingle(Choices& choices, const RowChoice& choice, const Options& options,
                                     std::vector<Rejection>* rejected = nullptr);

}  // namespace assay
