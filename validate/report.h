// Collects what is wrong with a model or a request, up to a cap. Refuses to know any rule but that of the cap.
#pragma once
#include <span>
#include <string>

#include "absl/strings/str_cat.h"
#include "ops/rule.h"
#include "validate/place.h"

namespace assay {

// What a message is made of; absl::StrCat takes the rest as it is.
inline std::string MessagePart(const Dims& dims) { return ToString(dims); }
inline std::string MessagePart(const Shape& shape) { return ToString(shape); }
inline std::string MessagePart(OperandType type) { return TypeText(type); }
inline absl::string_view MessagePart(Lifetime lifetime) { return NameOf(lifetime); }
template <class Part>
const Part& MessagePart(const Part& part) {
  return part;
}

// The rules of this room carry their complete ids: "operand.scale".
class Report {
 public:
  explicit Report(size_t most) : most_(most) {}

  // Reports `rule` at `place` unless `holds`; gives `holds` back. The message is built from its parts only if it is
  // needed.
  template <class... Parts>
  bool That(bool holds, const Rule& rule, const Place& place, const Parts&... parts) {
    if (holds) return true;
    if (violations_.size() < most_)
      Add(std::string(rule.id), rule.stage, place, absl::StrCat(MessagePart(parts)...));
    else
      ++more_;
    return false;
  }
  // What an operation found, at the place of the call.
  void Add(const Violation& violation, const Place& place) {
    if (violations_.size() < most_)
      Add(violation.rule, violation.stage, place, violation.message);
    else
      ++more_;
  }

  bool clean() const { return violations_.empty(); }
  // The violations; if there were more than the cap, one more entry says how many.
  Violations Take();

 private:
  void Add(std::string rule, Stage stage, const Place& place, std::string message);

  size_t most_, more_ = 0;
  Violations violations_;
};

std::span<const Rule> ReportRules();

}  // namespace assay
