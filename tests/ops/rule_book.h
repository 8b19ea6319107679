// Fires the rules of one operation in tests, and lists those that no test fired. Knows no operation.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "tests/ops/harness.h"

namespace assay {

// Every rule of an operation must be fired by some test.
//   RuleBook rules(OperationCode::CONV_2D);
//   rules.Valid(call);                      fires what the walk checks: counts, types, ranges, omissions, empty inputs
//   rules.Breaks("depth_in", {...}, {...}); that rule is broken, and no other
//   rules.ExpectComplete();                 lists the rules that never fired
class RuleBook {
 public:
  explicit RuleBook(OperationCode code) : code_(code) {}
  void Valid(const OneCall& call);
  void Breaks(const std::string& rule, std::vector<Given> inputs, std::vector<Given> outputs);
  // `rule` is broken, perhaps among others.
  void BreaksAmongOthers(const std::string& rule, std::vector<Given> inputs, std::vector<Given> outputs);
  void ExpectComplete() const;

 private:
  void Try(std::vector<Given> inputs, std::vector<Given> outputs);
  OperationCode code_;
  std::set<std::string> fired_;
};

}  // namespace assay
