// From a draft of the main graph to a model with data: what becomes an output, what is left unknown, names.
// Refuses to draw operations.
#pragma once
#include "randomgraph/draft.h"
#include "randomgraph/graph.h"

namespace assay {

// `draft` has at least one operation.
DrawnModel Finish(Session& session, Draft& draft);

}  // namespace assay
