// The models of a campaign: graph `index` of a campaign seed, and the variants in which each is tried.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "choice/choices.h"
#include "randomgraph/graph.h"

namespace assay {

// The seed of graph `index`: neighbouring indices and campaign seeds share nothing.
uint64_t GraphSeed(uint64_t campaign_seed, uint64_t index);

// A tensor that is seen cannot be fused away and lives to the end; so a graph with exposed tensors is also tried
// without them (judging.md 4: the runs A and C). With everything exposed, the operation that is wrong is seen itself
// and not only what reads it: that is for findings.
enum class Variant : uint8_t { kAsDrawn, kHidden, kExposed };
absl::string_view NameOf(Variant variant);
// How a tape file says what its choices draw: "graph", "graph hidden", "graph exposed"; and back.
absl::string_view TapeKindOf(Variant variant);
std::optional<Variant> VariantOfKind(absl::string_view kind);

// A drawn model with all that is needed to draw it again.
struct Candidate {
  DrawnModel drawn;
  std::vector<Choice> trace;
  std::vector<Group> groups;

  // Those that a campaign tries.
  std::vector<Variant> variants() const;
  Model model(Variant variant) const;
};

// The operands of the main graph that are neither its outputs nor given to it.
std::vector<uint32_t> Temporaries(const Model& model);

Candidate DrawFromSeed(uint64_t seed, const Options& options);
Candidate DrawFromTape(const Tape& tape, const Options& options);

}  // namespace assay
