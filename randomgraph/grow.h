// Adds drawn operations to a draft, control flow among them: IF and WHILE with drawn branches, conditions and bodies.
// The only file that knows operations by name: IF and WHILE, and the LESS and ADD that bound a loop.
#pragma once
#include <vector>

#include "randomgraph/draft.h"
#include "randomgraph/place.h"

namespace assay {

// What may be drawn: plain calls, and the codes of control flow (none below feature level 4).
struct Palette {
  std::vector<RowChoice> rows;
  std::vector<OperationCode> control_flow;
};
Palette PaletteFor(const Options& options);
// True if `code` is control flow that can be drawn with these options.
bool IsDrawableControlFlow(const Options& options, OperationCode code);

// Adds `least` to `most` operations; fewer if the choices insist on calls that must be dropped. Control flow is nested
// at most `depth` deep.
void Grow(Session& session, Draft& draft, const Palette& palette, size_t least, size_t most, int depth);

// Adds one IF or WHILE with control flow at most `depth` - 1 deep inside. False, and nothing is changed, if no tensor
// that fits the boundary could be drawn.
bool PlaceControlFlow(Session& session, Draft& draft, const Palette& palette, OperationCode code, int depth);

}  // namespace assay
