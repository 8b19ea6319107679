#include "campaign/candidate.h"

namespace assay {
namespace {

uint64_t Mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

Candidate DrawWith(Choices& choices, const Options& options) {
  Candidate candidate{Draw(choices, options), {}, {}};
  candidate.trace = choices.trace();
  candidate.groups = choices.groups();
  return candidate;
}

}  // namespace

uint64_t GraphSeed(uint64_t campaign_seed, uint64_t index) {
  return Mix(Mix(campaign_seed + 0x9E3779B97F4A7C15u) + index * 0xD1342543DE82EF95u);
}

absl::string_view NameOf(Variant variant) {
  switch (variant) {
    case Variant::kAsDrawn:
      return "as drawn";
    case Variant::kHidden:
      return "nothing exposed";
    case Variant::kExposed:
      return "everything exposed";
  }
  return "unknown";
}

absl::string_view TapeKindOf(Variant variant) {
  switch (variant) {
    case Variant::kAsDrawn:
      return "graph";
    case Variant::kHidden:
      return "graph hidden";
    case Variant::kExposed:
      return "graph exposed";
  }
  return "unknown";
}

std::optional<Variant> VariantOfKind(absl::string_view kind) {
  for (Variant v : {Variant::kAsDrawn, Variant::kHidden, Variant::kExposed})
    if (TapeKindOf(v) == kind) return v;
  return std::nullopt;
}

std::vector<Variant> Candidate::variants() const {
  if (drawn.exposed.empty()) return {Variant::kAsDrawn};
  return {Variant::kAsDrawn, Variant::kHidden};
}

Model Candidate::model(Variant variant) const {
  switch (variant) {
    case Variant::kHidden:
      return Hide(drawn.model, drawn.exposed);
    case Variant::kExposed:
      return Expose(drawn.model, Temporaries(drawn.model));
    case Variant::kAsDrawn:
      break;
  }
  return drawn.model;
}

std::vector<uint32_t> Temporaries(const Model& model) {
  std::vector<uint32_t> out;
  const auto& operands = model.main().operands;
  for (uint32_t i = 0; i < operands.size(); ++i)
    if (operands[i].lifetime == Lifetime::TEMPORARY_VARIABLE) out.push_back(i);
  return out;
}

Candidate DrawFromSeed(uint64_t seed, const Options& options) {
  Choices choices = Choices::FromSeed(seed);
  return DrawWith(choices, options);
}

Candidate DrawFromTape(const Tape& tape, const Options& options) {
  Choices choices = Choices::Replay(tape);
  return DrawWith(choices, options);
}

}  // namespace assay
