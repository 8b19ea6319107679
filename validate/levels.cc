#include "validate/levels.h"

namespace assay {
namespace {

constexpr Stage kModel = Stage::kModel;
constexpr Rule kExtensions{"level.extensions", kModel, "extensions need level 3"};
constexpr Rule kSubgraphs{"level.subgraphs", kModel, "subgraphs beside the main one need level 4"};
constexpr Rule kOperandType{"level.operand_type", kModel, "the level has the type of every operand"};
constexpr Rule kUnknownRank{"level.unknown_rank", kModel, "a tensor of unknown rank needs level 3"};
constexpr Rule kAll[] = {kExtensions, kSubgraphs, kOperandType, kUnknownRank};

}  // namespace

std::span<const Rule> LevelRules() { return kAll; }

void Levels::NeedModel(const Model& model) {
  const Place place = Place::OfModel(model);
  if (!model.extensions.empty()) Need(3, kExtensions, place, "a model with extensions");
  if (model.subgraphs.size() > 1) Need(4, kSubgraphs, place, "a model with ", model.subgraphs.size(), " subgraphs");
}

void Levels::NeedOperand(const Model& model, size_t subgraph, size_t index) {
  const Operand& operand = model.subgraphs[subgraph].operands[index];
  const Place place = Place::OfOperand(model, subgraph, index);
  Need(InfoOf(operand.type).since, kOperandType, place, operand.type);
  if (!IsScalar(operand.type) && operand.dims.empty()) Need(3, kUnknownRank, place, "unknown rank");
}

}  // namespace assay
