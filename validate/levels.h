// The feature level that a model needs: the most of what its parts need. Refuses to know how a part's level is found.
#pragma once
#include <span>
#include <string>

#include "model/types.h"
#include "ops/rule.h"
#include "validate/model.h"
#include "validate/report.h"

namespace assay {

class Levels {
 public:
  // What needs more than `allowed` breaks a rule.
  Levels(FeatureLevel allowed, Report& report) : allowed_(allowed), report_(report) {}

  template <class... Parts>
  void Need(FeatureLevel level, const Rule& rule, const Place& place, const Parts&... why) {
    if (level > lowest_.level) {
      lowest_.level = level;
      const std::string where = place.Text();
      lowest_.raised_by = absl::StrCat(where, where.empty() ? "" : ": ", MessagePart(why)..., " needs level ", level);
    }
    report_.That(level <= allowed_, rule, place, why..., " needs level ", level, ", the level is ", allowed_);
  }
  // An operand that the model keeps.
  void NeedOperand(const Model& model, size_t subgraph, size_t index);
  // The model apart from its operands and operations.
  void NeedModel(const Model& model);
  void NeedRuntime() { lowest_.runtime_only = true; }

  const LevelReport& lowest() const { return lowest_; }

 private:
  FeatureLevel allowed_;
  Report& report_;
  LevelReport lowest_;
};

std::span<const Rule> LevelRules();

}  // namespace assay
