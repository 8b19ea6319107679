#include "randomgraph/graph.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "randomgraph/finish.h"
#include "randomgraph/grow.h"

namespace assay {
namespace {

// Choices that ended in dropped calls only: the simplest call that is not dropped, of the first row that has one.
void GrowSimplest(Session& session, Draft& draft, const Palette& palette) {
  Choices simplest = Choices::Replay({});
  Session replacement(simplest, session.options);
  replacement.relaxed = session.relaxed;
  for (const RowChoice& choice : palette.rows)
    if (PlaceCall(replacement, draft, choice, Join::kFree)) return;
  ASSAY_CHECK(false, "no operation that the options allow can be drawn");
}

}  // namespace

absl::Status CheckOptions(const Options& options) {
  const auto bad = [](const auto&... parts) { return absl::InvalidArgumentError(absl::StrCat(parts...)); };
  if (options.feature_level < kLowestFeatureLevel || options.feature_level > kHighestFeatureLevel)
    return bad("feature_level is ", options.feature_level, ", must be ", kLowestFeatureLevel, " to ",
               kHighestFeatureLevel);
  if (options.least_rank < 1 || options.least_rank > options.most_rank || options.most_rank > 8)
    return bad("ranks are ", options.least_rank, " to ", options.most_rank, ", must lie in 1 to 8");
  if (options.least_operations < 1 || options.least_operations > options.most_operations)
    return bad("operations are ", options.least_operations, " to ", options.most_operations,
               ", must be at least 1, and the least not above the most");
  if (options.most_dim < 1 || options.most_dim > 1 << 16)
    return bad("most_dim is ", options.most_dim, ", must be 1 to 65536");
  if (options.most_elements < 1 || options.most_elements > size_t{1} << 28)
    return bad("most_elements is ", options.most_elements, ", must be 1 to 2^28");
  if (options.control_flow_depth < 0 || options.control_flow_depth > 8)
    return bad("control_flow_depth is ", options.control_flow_depth, ", must be 0 to 8");
  const Palette palette = PaletteFor(options);
  if (palette.rows.empty())
    return bad("no operation that can be drawn has a type row for feature level ", options.feature_level, ", ",
               options.operations.size(), " chosen operations and ", options.types.size(), " chosen types");
  return absl::OkStatus();
}

DrawnModel Draw(Choices& choices, const Options& options) {
  Session session(choices, options);
  session.DrawRelaxed();
  const Palette palette = PaletteFor(options);
  Draft draft(true);
  Grow(session, draft, palette, options.least_operations, options.most_operations, options.control_flow_depth);
  if (draft.graph().operations.empty()) GrowSimplest(session, draft, palette);
  return Finish(session, draft);
}

Model Expose(const Model& model, std::span<const uint32_t> operands) {
  Model exposed = model;
  Subgraph& graph = exposed.main();
  for (uint32_t i : operands) {
    if (i >= graph.operands.size() || graph.operands[i].lifetime != Lifetime::TEMPORARY_VARIABLE) continue;
    graph.operands[i].lifetime = Lifetime::SUBGRAPH_OUTPUT;
    graph.outputs.push_back(i);
  }
  return exposed;
}

Model Hide(const Model& model, std::span<const uint32_t> operands) {
  Model hidden = model;
  Subgraph& graph = hidden.main();
  for (uint32_t i : operands) {
    if (i >= graph.operands.size() || graph.operands[i].lifetime != Lifetime::SUBGRAPH_OUTPUT) continue;
    const bool read = std::any_of(graph.operations.begin(), graph.operations.end(), [&](const Operation& o) {
      return std::find(o.inputs.begin(), o.inputs.end(), i) != o.inputs.end();
    });
    if (!read || graph.outputs.size() == 1) continue;
    graph.operands[i].lifetime = Lifetime::TEMPORARY_VARIABLE;
    graph.outputs.erase(std::find(graph.outputs.begin(), graph.outputs.end(), i));
  }
  return hidden;
}

}  // namespace assay
