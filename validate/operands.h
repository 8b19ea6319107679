// What one operand must satisfy by itself: type, dimensions, quantization, lifetime, value. Refuses to know operations.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "model/model.h"
#include "ops/rule.h"
#include "validate/report.h"

namespace assay {

// The vendor extensions that a model declares.
class Extensions {
 public:
  // Reports broken declarations.
  Extensions(const Model& model, Report& report);
  // May a type or operation with this code be used?
  bool Declares(uint32_t code) const { return declared_[code >> 16]; }

 private:
  std::vector<bool> declared_;  // by prefix
};

// False if a rule is broken: what uses the operand cannot be judged.
bool CheckOperand(const Model& model, size_t subgraph, size_t index, const Extensions& extensions, Report& report);

std::span<const Rule> OperandRules();

}  // namespace assay
