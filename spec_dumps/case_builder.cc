// Operands, models and the statements about them. Joining them to a test case is in case_joining.cc.
#include "spec_dumps/case_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spec_dumps/spelling.h"

namespace assay {

bool CaseBuilder::Allows(Feature feature, size_t at, absl::string_view plain_form) {
  if (declared_.Has(feature)) return true;
  return in_.Fail(at, absl::StrCat(plain_form, " (or the superset group ", NameOf(feature), " in line 1)"));
}

std::string CaseBuilder::Describe(absl::string_view name) const {
  const auto found = meanings_.find(name);
  if (found == meanings_.end()) return absl::StrCat(name, ", which is not defined");
  const Meaning& meaning = found->second;
  if (meaning.is_model) {
    if (meaning.model < first_model_) return absl::StrCat(name, ", a model of an earlier example");
    return absl::StrCat(name, ", a model");
  }
  if (meaning.model >= model_names_.size()) return absl::StrCat(name, ", an operand of the next model");
  return absl::StrCat(name, ", an operand of ", model_names_[meaning.model]);
}

bool CaseBuilder::Define(Spot name, Meaning meaning) {
  if (IsReservedName(name.name)) return in_.Fail(name.at, "a NAME that is not reserved", std::string(name.name));
  if (!meanings_.emplace(name.name, meaning).second) {
    return in_.Fail(name.at, "a new NAME", absl::StrCat(name.name, ", which is already defined"));
  }
  return true;
}

bool CaseBuilder::AddOperand(Spot name, Operand operand, const std::optional<Spot>& model) {
  is_model_open_ = false;
  if (constants_listed_) return in_.Fail(name.at, "a Model statement after CONSTANT_REFERENCE", Describe(name.name));
  std::optional<size_t> reference;
  if (model) {
    const auto found = meanings_.find(model->name);
    if (found == meanings_.end() || !found->second.is_model || found->second.model < first_model_) {
      return in_.Fail(model->at, "a model of this example", Describe(model->name));
    }
    reference = found->second.model - first_model_;
  }
  Meaning meaning;
  meaning.model = model_names_.size();
  meaning.operand = static_cast<uint32_t>(operands_.size());
  if (!Define(name, meaning)) return false;
  operand.name = std::string(name.name);
  operands_.push_back(std::move(operand));
  operand_spots_.push_back(name);
  references_.push_back(reference);
  return true;
}

bool CaseBuilder::SetConstantReferences(const std::vector<Spot>& names) {
  is_model_open_ = false;
  if (constants_listed_) return in_.Fail(names[0].at, "a Model statement after CONSTANT_REFERENCE");
  constants_listed_ = true;
  for (const Spot& name : names) {
    uint32_t index = 0;
    if (!FindOperandOf(model_names_.size(), name, index)) return false;
    Operand& operand = operands_[index];
    if (operand.lifetime != Lifetime::CONSTANT_COPY) {
      const bool twice = operand.lifetime == Lifetime::CONSTANT_REFERENCE;
      return in_.Fail(name.at, "a Parameter with values",
                      absl::StrCat(name.name, twice ? " a second time" : ", which is none"));
    }
    operand.lifetime = Lifetime::CONSTANT_REFERENCE;
  }
  return true;
}

bool CaseBuilder::AddModel(Spot name, absl::string_view title) {
  Meaning meaning;
  meaning.is_model = true;
  meaning.model = model_names_.size();
  if (!Define(name, meaning)) return false;
  model_names_.push_back(name.name);
  ModelDraft& draft = models_.emplace_back();
  draft.spot = name;
  draft.subgraph.name = std::string(title);
  draft.subgraph.operands = std::move(operands_);
  draft.operand_spots = std::move(operand_spots_);
  draft.references = std::move(references_);
  draft.listed.resize(draft.subgraph.operands.size(), 0);
  operands_.clear();
  operand_spots_.clear();
  references_.clear();
  constants_listed_ = false;
  is_model_open_ = true;
  return true;
}

CaseBuilder::ModelDraft* CaseBuilder::Statement(Spot model, Stage stage, bool only_once) {
  if (!is_model_open_) {
    in_.Fail(model.at, "an operand, a Model or an Example", Describe(model.name));
    return nullptr;
  }
  ModelDraft& draft = models_.back();
  if (model.name != draft.spot.name) {
    in_.Fail(model.at, absl::StrCat(draft.spot.name, ", the last model"), Describe(model.name));
    return nullptr;
  }
  if (stage < draft.stage || (only_once && stage == draft.stage)) {
    in_.Fail(model.at, "Model, IdentifyInputs, IdentifyOutputs, operations, flags in this order, and each list once");
    return nullptr;
  }
  draft.stage = stage;
  return &draft;
}

bool CaseBuilder::FindOperandOf(size_t model, Spot name, uint32_t& index) {
  const auto found = meanings_.find(name.name);
  if (found == meanings_.end() || found->second.is_model || found->second.model != model) {
    return in_.Fail(name.at,
                    model < model_names_.size() ? absl::StrCat("an operand of ", model_names_[model])
                                                : "an operand of the next model",
                    Describe(name.name));
  }
  index = found->second.operand;
  return true;
}

bool CaseBuilder::FindOperand(Spot name, uint32_t& index) {
  return FindOperandOf(model_names_.size() - 1, name, index);
}

bool CaseBuilder::Resolve(const std::vector<OperandPlace>& places, std::vector<uint32_t>& indices) {
  const size_t operand_count = models_.back().subgraph.operands.size();
  indices.resize(places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    if (!places[i].number) {
      if (!FindOperandOf(model_names_.size() - 1, places[i].spot, indices[i])) return false;
      continue;
    }
    indices[i] = *places[i].number;
    if (indices[i] < operand_count) {
      return in_.Fail(places[i].spot.at, "the operand's name, or the number of an operand that does not exist");
    }
  }
  return true;
}

bool CaseBuilder::SetList(ModelDraft& draft, const std::vector<OperandPlace>& places, Lifetime lifetime,
                          std::vector<uint32_t>& list) {
  if (!Resolve(places, list)) return false;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].number) continue;
    const Operand& operand = draft.subgraph.operands[list[i]];
    const bool input = lifetime == Lifetime::SUBGRAPH_INPUT;
    if (operand.lifetime != lifetime && !Allows(Feature::kLists, places[i].spot.at, input ? "an Input" : "an Output")) {
      return false;
    }
    if (draft.listed[list[i]] && !Allows(Feature::kLists, places[i].spot.at, "each operand once")) return false;
    draft.listed[list[i]] = 1;
  }
  return true;
}

bool CaseBuilder::SetInputs(Spot model, const std::vector<OperandPlace>& places) {
  ModelDraft* draft = Statement(model, Stage::kInputs, /*only_once=*/true);
  return draft != nullptr && SetList(*draft, places, Lifetime::SUBGRAPH_INPUT, draft->subgraph.inputs);
}

bool CaseBuilder::SetOutputs(Spot model, const std::vector<OperandPlace>& places) {
  ModelDraft* draft = Statement(model, Stage::kOutputs, /*only_once=*/true);
  return draft != nullptr && SetList(*draft, places, Lifetime::SUBGRAPH_OUTPUT, draft->subgraph.outputs);
}

bool CaseBuilder::AddOperation(Spot model, OperationCode code, const std::vector<OperandPlace>& inputs,
                               const std::vector<OperandPlace>& outputs) {
  ModelDraft* draft = Statement(model, Stage::kOperations, /*only_once=*/false);
  if (draft == nullptr) return false;
  Operation operation;
  operation.code = code;
  if (!Resolve(inputs, operation.inputs) || !Resolve(outputs, operation.outputs)) return false;
  draft->subgraph.operations.push_back(std::move(operation));
  return true;
}

bool CaseBuilder::AddExtension(Spot model, ExtensionPrefix extension) {
  ModelDraft* draft = Statement(model, Stage::kExtensions, /*only_once=*/false);
  if (draft == nullptr) return false;
  draft->extensions.push_back(std::move(extension));
  if (!draft->flag_at) draft->flag_at = model.at;
  return true;
}

bool CaseBuilder::SetRelaxed(Spot model) {
  ModelDraft* draft = Statement(model, Stage::kFlags, /*only_once=*/false);
  if (draft == nullptr) return false;
  if (draft->relaxed) return in_.Fail(model.at, "RelaxedExecution only once");
  draft->relaxed = true;
  if (!draft->flag_at) draft->flag_at = model.at;
  return true;
}

bool CaseBuilder::SetVersion(Spot model, FeatureLevel level) {
  ModelDraft* draft = Statement(model, Stage::kFlags, /*only_once=*/false);
  if (draft == nullptr) return false;
  if (draft->introduced_in) return in_.Fail(model.at, "IntroducedIn only once");
  draft->introduced_in = level;
  if (!draft->flag_at) draft->flag_at = model.at;
  return true;
}

}  // namespace assay
