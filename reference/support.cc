#include "reference/support.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "ops/registry.h"
#include "reference/prepared_model.h"
#include "reference/resolve.h"
#include "reference/status.h"

namespace assay {

absl::Status CheckSupported(const Model& model) {
  for (uint32_t s = 0; s < model.subgraphs.size(); ++s) {
    const std::vector<Operation>& operations = model.subgraphs[s].operations;
    for (uint32_t i = 0; i < operations.size(); ++i)
      if (FindOperationInfo(operations[i].code) == nullptr)
        return WithPlace(PlaceOf(model, s, i),
                         MakeStatus(ErrorStatus::INVALID_ARGUMENT,
                                    absl::StrCat("the operation with code ", static_cast<uint32_t>(operations[i].code),
                                                 " is not supported")));
  }
  return absl::OkStatus();
}

std::vector<uint32_t> References(const Subgraph& subgraph) {
  std::vector<uint32_t> references;
  for (const Operation& operation : subgraph.operations)
    for (uint32_t input : operation.inputs)
      if (subgraph.operands[input].lifetime == Lifetime::SUBGRAPH)
        references.push_back(subgraph.operands[input].subgraph);
  return references;
}

absl::StatusOr<std::vector<uint32_t>> InnerFirst(const Model& model) {
  const size_t count = model.subgraphs.size();
  std::vector<std::vector<uint32_t>> references(count);
  std::vector<size_t> users(count), depth(count, 0);
  for (size_t s = 0; s < count; ++s) {
    references[s] = References(model.subgraphs[s]);
    for (uint32_t r : references[s]) ++users[r];
  }
  std::vector<uint32_t> outer_first;
  for (uint32_t s = 0; s < count; ++s)
    if (users[s] == 0) outer_first.push_back(s);
  for (size_t at = 0; at < outer_first.size(); ++at) {
    const uint32_t s = outer_first[at];
    for (uint32_t r : references[s]) {
      depth[r] = std::max(depth[r], depth[s] + 1);
      if (--users[r] == 0) outer_first.push_back(r);
    }
  }
  ASSAY_CHECK(outer_first.size() == count, "a valid model has no cycle of subgraphs");
  const size_t deepest = *std::max_element(depth.begin(), depth.end());
  if (deepest > kMostNesting)
    return MakeStatus(
        ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
        absl::StrCat("IF and WHILE are nested ", deepest, " deep, at most ", kMostNesting, " is possible"));
  return std::vector<uint32_t>(outer_first.rbegin(), outer_first.rend());
}

}  // namespace assay
