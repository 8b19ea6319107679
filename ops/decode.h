// The walk that reads a call's operands into a family's struct, and reports what is wrong with their number and types.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "ops/argument.h"
#include "ops/checker.h"
#include "ops/type_row.h"

namespace assay {

// A walk visits the operands of a call in order. A family's `Operands(walk)` is written once and serves all walks:
// Decode, Encode, DrawScalars, Document and ListRules.
class Decode {
 public:
  Decode(std::span<const Argument> inputs, std::span<const Argument> outputs, std::span<const TypeRow> rows,
         Checker& check)
      : inputs_(inputs), outputs_(outputs), rows_(rows), check_(check) {}

  void Tensor(In& in, absl::string_view name, absl::string_view doc);
  void OptionalTensor(In& in, absl::string_view name, absl::string_view doc);
  // All inputs but the last `trailing` ones; at least `least`.
  void Tensors(InList& in, absl::string_view name, size_t least, size_t trailing, absl::string_view doc);
  void OptionalTensors(InList& in, absl::string_view name, size_t least, absl::string_view doc);
  void Values(IntValues& values, absl::string_view name, absl::string_view doc);
  void Int(int32_t& to, absl::string_view name, Kind kind);
  void Flag(bool& to, absl::string_view name);
  void Real(double& to, absl::string_view name, Kind kind, RealType type = RealType::kOfRow);
  void Subgraph(uint32_t& to, absl::string_view name, absl::string_view doc);
  void Output(Out& out, absl::string_view name, absl::string_view doc);
  void Outputs(OutList& out, absl::string_view name, size_t least, absl::string_view doc);
  // Are there more operands? Then a group of trailing optional ones is given.
  bool More(bool& given) { return given = at_ < inputs_.size(); }
  // Which of two signatures is it? `rule` sees all inputs; only this walk asks it.
  template <class Rule>
  bool Either(bool& which, Rule rule) {
    return which = rule(inputs_);
  }

  // After the walk: counts and the type row. True if the operands could be assigned at all.
  bool Finish();
  // False if a scalar or IntValues has no value yet: then only model rules can be checked.
  bool values_known() const { return values_known_; }
  const TypeRow* row() const { return row_; }
  // Inputs whose values are needed to infer shapes (scalars and IntValues).
  const std::vector<bool>& needs_value() const { return needs_value_; }

 private:
  void ReadTensors(InList& in, absl::string_view name, size_t least, size_t trailing, absl::string_view doc);
  void CheckPresent(size_t index, absl::string_view name);
  const Argument* Next(absl::string_view name);
  const Argument* NextScalar(absl::string_view name, OperandType type);
  void Missing(absl::string_view name);
  bool RowFits(const TypeRow& row) const;

  std::span<const Argument> inputs_, outputs_;
  std::span<const TypeRow> rows_;
  Checker& check_;
  size_t at_ = 0, out_at_ = 0;
  bool assigned_ = true, values_known_ = true;
  std::vector<const Argument*> tensors_;
  std::vector<bool> needs_value_ = std::vector<bool>(inputs_.size(), false);
  const TypeRow* row_ = nullptr;
};

}  // namespace assay
