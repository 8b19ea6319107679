#include "randomgraph/single.h"

#include <algorithm>

#include "randomgraph/finish.h"
#include "randomgraph/grow.h"

namespace assay {

std::optional<DrawnModel> DrawSingle(Choices& choices, const RowChoice& choice, const Options& options,
                                     std::vector<Rejection>* rejected) {
  Session session(choices, options);
  session.DrawRelaxed();
  Draft draft(true);
  const bool done =
      choice.info->evaluation == Evaluation::kControlFlow
          ? PlaceControlFlow(session, draft, PaletteFor(options), choice.info->code, options.control_flow_depth)
          : PlaceCall(session, draft, choice, Join::kFree);
  if (done) return Finish(session, draft);
  if (rejected != nullptr) *rejected = std::move(session.rejected);
  return std::nullopt;
}

}  // namespace assay
