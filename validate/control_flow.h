// IF and WHILE: what an operation and the subgraphs that it runs hand to each other must agree. The only file of the
// room that names operations: subgraphs are not seen by ops/.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "model/model.h"
#include "ops/rule.h"
#include "validate/levels.h"
#include "validate/report.h"

namespace assay {

// Checks the boundaries of the calls of one model. Remembers which per-channel scales and extension parameters are
// equal, so that long ones are not compared over and over.
class Boundaries {
 public:
  Boundaries(const Model& model, Report& report, Levels& levels) : model_(model), report_(report), levels_(levels) {}

  // The operation decodes and its operands are sound; other operations than IF and WHILE are passed over.
  void Check(size_t subgraph, size_t operation);

 private:
  struct Ends;
  struct HashOfScales {
    size_t operator()(const PerChannel* p) const;
  };
  struct EqualScales {
    bool operator()(const PerChannel* a, const PerChannel* b) const { return *a == *b; }
  };
  struct HashOfBytes {
    size_t operator()(const Bytes* b) const;
  };
  struct EqualBytes {
    bool operator()(const Bytes* a, const Bytes* b) const { return *a == *b; }
  };

  void CheckIf(size_t subgraph, size_t operation);
  void CheckWhile(size_t subgraph, size_t operation);
  // Reports `rule` for every pair of operands, one of each list, that do not fit together.
  void Pairs(const Rule& rule, const Place& place, const Ends& outer, const Ends& inner);
  // What keeps two operands from standing for the same tensor; empty if nothing does.
  std::string Difference(const Operand& a, const Operand& b);
  bool SameParameters(const Operand& a, const Operand& b);

  const Model& model_;
  Report& report_;
  Levels& levels_;
  absl::flat_hash_map<const PerChannel*, const PerChannel*> scales_;  // an equal one, the same for all that are equal
  absl::flat_hash_set<const PerChannel*, HashOfScales, EqualScales> distinct_scales_;
  absl::flat_hash_map<const Bytes*, const Bytes*> bytes_;
  absl::flat_hash_set<const Bytes*, HashOfBytes, EqualBytes> distinct_bytes_;
};

// Appends the subgraphs that the operation runs at least once whatever its inputs are.
void AppendSurelyRun(const Subgraph& subgraph, const Operation& operation, std::vector<uint32_t>& subgraphs);

std::span<const Rule> BoundaryRules();

}  // namespace assay
