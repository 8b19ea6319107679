// The walks that read a family's struct rather than fill it from operands: Document and ListRules.
#pragma once
#include <string>
#include <vector>

#include "ops/argument.h"
#include "ops/type_row.h"

namespace assay {

// Prints the signature, one operand a line, with every optional group.
class Document {
 public:
  void Tensor(In&, absl::string_view name, absl::string_view doc) { Line(name, "tensor", doc); }
  void OptionalTensor(In&, absl::string_view name, absl::string_view doc) { Line(name, "tensor, may be omitted", doc); }
  void Tensors(InList&, absl::string_view name, size_t least, size_t, absl::string_view doc);
  void OptionalTensors(InList& list, absl::string_view name, size_t least, absl::string_view doc) {
    Tensors(list, name, least, 0, doc);
  }
  void Values(IntValues&, absl::string_view name, absl::string_view doc) { Line(name, "TENSOR_INT32", doc); }
  void Int(int32_t&, absl::string_view name, Kind kind) { Line(name, "INT32", kind.says); }
  void Flag(bool&, absl::string_view name) { Line(name, "BOOL", ""); }
  void Real(double&, absl::string_view name, Kind kind, RealType type = RealType::kOfRow);
  void Subgraph(uint32_t&, absl::string_view name, absl::string_view doc) { Line(name, "SUBGRAPH", doc); }
  void Output(Out&, absl::string_view name, absl::string_view doc) {
    optional_ = false;  // whatever inputs may be left off
    Line(name, "output", doc);
  }
  void Outputs(OutList&, absl::string_view name, size_t least, absl::string_view doc);
  bool More(bool& given);
  template <class Rule>
  bool Either(bool& which, Rule) {
    return which = both_;
  }
  // Of two signatures the walk shows the one that `both` chooses.
  explicit Document(bool both) : both_(both) {}
  std::string text;

 private:
  void Line(absl::string_view name, absl::string_view kind, absl::string_view doc);
  bool both_;
  bool optional_ = false;
};

// The ids of the rules that the walk itself checks (counts, types, ranges, omissions), without the operation's name.
class ListRules {
 public:
  struct Id {
    std::string id;
    bool model_stage;
  };
  explicit ListRules(bool both) : both_(both) {}
  void Tensor(In&, absl::string_view name, absl::string_view) { Add(name, ".omitted", false); }
  void OptionalTensor(In&, absl::string_view, absl::string_view) {}
  void Tensors(InList&, absl::string_view name, size_t, size_t, absl::string_view) { Add(name, ".omitted", false); }
  void OptionalTensors(InList&, absl::string_view, size_t, absl::string_view) {}
  void Values(IntValues&, absl::string_view name, absl::string_view) { Add(name, ".type", true); }
  void Int(int32_t&, absl::string_view name, Kind kind);
  void Flag(bool&, absl::string_view name) { Scalar(name, false); }
  void Real(double&, absl::string_view name, Kind kind, RealType = RealType::kOfRow);
  void Subgraph(uint32_t&, absl::string_view name, absl::string_view) { Add(name, ".type", true); }
  void Output(Out&, absl::string_view, absl::string_view) {}
  void Outputs(OutList&, absl::string_view, size_t, absl::string_view) {}
  bool More(bool& given) { return given = true; }
  template <class Rule>
  bool Either(bool& which, Rule) {
    return which = both_;
  }
  std::vector<Id> ids = {{"operand_count", true}, {"types", true}};

 private:
  void Scalar(absl::string_view name, bool ranged);
  void Add(absl::string_view name, absl::string_view suffix, bool model_stage);
  bool both_;
};

}  // namespace assay
