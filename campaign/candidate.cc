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

absl::string_view NameOf(Variant variant) { return variant == Variant::kAsDrawn ? "as drawn" : "nothing exposed"; }

std::vector<Variant> Candidate::variants() const {
  if (drawn.exposed.empty()) return {Variant::kAsDrawn};
  return {Variant::kAsDrawn, Variant::kHidden};
}

Model Candidate::model(Variant variant) const {
  return variant == Variant::kAsDrawn ? drawn.model : Hide(drawn.model, drawn.exposed);
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
