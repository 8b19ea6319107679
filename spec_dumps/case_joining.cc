// How the models of one case become a test case: which one is the main one, and which subgraph is which.
#include <utility>

#include "absl/strings/str_cat.h"
#include "spec_dumps/case_builder.h"

namespace assay {

bool CaseBuilder::Complete(size_t at) {
  if (is_complete_) return true;
  if (!is_model_open_) {
    return in_.Fail(at, operands_.empty() ? "operands and a Model" : "a Model after the operands");
  }
  if (!CheckDrafts() || !Join()) return false;
  PlaceExampleValues();
  is_complete_ = true;
  is_model_open_ = false;
  return true;
}

bool CaseBuilder::CheckMain(Spot model) {
  if (model.name == joined_names_.front()) return true;
  return in_.Fail(model.at, absl::StrCat(joined_names_.front(), ", the last model"), Describe(model.name));
}

bool CaseBuilder::CheckEnd() {
  if (is_complete_) return true;
  if (!operands_.empty()) return in_.Fail(in_.offset(), absl::StrCat("a Model with ", operands_.front().name));
  if (!models_.empty()) return in_.Fail(in_.offset(), absl::StrCat("an Example for ", models_.back().spot.name));
  return true;
}

bool CaseBuilder::CheckDrafts() {
  for (const ModelDraft& draft : models_) {
    if (draft.flag_at && &draft != &models_.back()) {
      return in_.Fail(*draft.flag_at,
                      absl::StrCat("flags of ", models_.back().spot.name, " only, which has the example"),
                      std::string(draft.spot.name));
    }
    for (size_t i = 0; i < draft.subgraph.operands.size(); ++i) {
      const Lifetime lifetime = draft.subgraph.operands[i].lifetime;
      const bool input = lifetime == Lifetime::SUBGRAPH_INPUT;
      if (draft.listed[i] || (!input && lifetime != Lifetime::SUBGRAPH_OUTPUT)) continue;
      const Spot& spot = draft.operand_spots[i];
      if (!Allows(Feature::kLists, spot.at,
                  absl::StrCat("no ", input ? "Input" : "Output", " that ", draft.spot.name, ".Identify",
                               input ? "Inputs" : "Outputs", " leaves out"))) {
        return false;
      }
    }
  }
  return true;
}

bool CaseBuilder::Join() {
  constexpr size_t kNotMet = SIZE_MAX;
  std::vector<size_t> new_index(models_.size(), kNotMet);
  std::vector<size_t> order;
  const auto meet = [&](size_t draft) {
    new_index[draft] = order.size();
    order.push_back(draft);
  };
  // Depth first from the main model. References only lead to earlier models, so there are no circles.
  std::vector<std::pair<size_t, size_t>> way;  // draft, and its operand to look at next
  meet(models_.size() - 1);
  way.emplace_back(models_.size() - 1, 0);
  while (!way.empty()) {
    const std::vector<std::optional<size_t>>& references = models_[way.back().first].references;
    size_t& at = way.back().second;
    while (at < references.size() && (!references[at] || new_index[*references[at]] != kNotMet)) ++at;
    if (at == references.size()) {
      way.pop_back();
      continue;
    }
    const size_t next = *references[at];
    meet(next);
    way.emplace_back(next, 0);
  }
  for (size_t i = 0; i < models_.size(); ++i) {
    if (new_index[i] != kNotMet) continue;
    if (!Allows(Feature::kSubgraphs, models_[i].spot.at,
                absl::StrCat("only models that ", models_.back().spot.name, " refers to"))) {
      return false;
    }
    meet(i);
  }

  test_ = TestCase();
  test_.model.subgraphs.clear();
  test_.model.relaxed = models_.back().relaxed;
  test_.model.extensions = std::move(models_.back().extensions);
  test_.introduced_in = models_.back().introduced_in;
  joined_names_.clear();
  for (size_t draft_index : order) {
    ModelDraft& draft = models_[draft_index];
    for (size_t i = 0; i < draft.references.size(); ++i) {
      if (!draft.references[i]) continue;
      draft.subgraph.operands[i].subgraph = static_cast<uint32_t>(new_index[*draft.references[i]]);
    }
    joined_names_.emplace_back(draft.spot.name);
    test_.model.subgraphs.push_back(std::move(draft.subgraph));
  }
  return true;
}

void CaseBuilder::PlaceExampleValues() {
  const Subgraph& main = test_.model.main();
  main_lists_are_empty_ = main.inputs.empty() && main.outputs.empty();
  places_.assign(main.operands.size(), std::nullopt);
  size_t place = 0;
  for (const std::vector<uint32_t>* list : {&main.inputs, &main.outputs}) {
    for (uint32_t operand : *list) {
      if (operand >= places_.size() || places_[operand]) {
        places_.clear();
        return;
      }
      places_[operand] = place++;
    }
  }
}

std::optional<size_t> CaseBuilder::PlaceInExample(uint32_t operand) const {
  return operand < places_.size() ? places_[operand] : std::nullopt;
}

SpecCase CaseBuilder::TakeCase() {
  SpecCase out;
  out.test = std::move(test_);
  out.model_names = std::move(joined_names_);
  test_ = TestCase();
  joined_names_.clear();
  models_.clear();
  is_model_open_ = false;
  is_complete_ = false;
  first_model_ = model_names_.size();
  return out;
}

}  // namespace assay
