// The walks of drawing: DrawScalars chooses scalars and which operands are there; Encode writes a struct back as
// operands, the inverse of Decode.
#pragma once
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "choice/choices.h"
#include "ops/argument.h"
#include "ops/type_row.h"

namespace assay {

// Assigns every tensor its row's type (through arguments that this walk owns) and draws every scalar within what its
// kind calls likely. The family's Shape() then draws tensors and may overwrite scalars.
class DrawScalars {
 public:
  DrawScalars(Choices& choices, const TypeRow& row) : choices_(choices), row_(row) {}
  void Tensor(In& in, absl::string_view, absl::string_view) { Assign(in); }
  void OptionalTensor(In& in, absl::string_view, absl::string_view);
  void Tensors(InList& in, absl::string_view, size_t least, size_t trailing, absl::string_view);
  void OptionalTensors(InList& in, absl::string_view name, size_t least, absl::string_view doc) {
    Tensors(in, name, least, 0, doc);
  }
  void Values(IntValues& values, absl::string_view, absl::string_view);
  void Int(int32_t& to, absl::string_view, Kind kind);
  void Flag(bool& to, absl::string_view) { to = choices_.Maybe(); }
  void Real(double& to, absl::string_view, Kind kind, RealType type = RealType::kOfRow);
  void Subgraph(uint32_t&, absl::string_view, absl::string_view) {}
  void Output(Out& out, absl::string_view, absl::string_view);
  void Outputs(OutList& out, absl::string_view, size_t least, absl::string_view);
  bool More(bool& given) { return given = choices_.Maybe(); }
  template <class Rule>
  bool Either(bool& which, Rule) {
    return which = choices_.Maybe();
  }
  // Moves the owned arguments out: they must live as long as the struct is used.
  std::deque<Argument>& arguments() { return arguments_; }

 private:
  void Assign(In& in);
  Choices& choices_;
  const TypeRow& row_;
  std::deque<Argument> arguments_;  // a deque: addresses stay
  size_t slot_ = 0, output_slot_ = 0;
};

// One operand of a drawn call.
struct EncodedOperand {
  Argument argument;  // of a scalar: type and value (`bytes` holds it)
  Bytes bytes;
  const In* tensor = nullptr;  // of a tensor: which field of the struct
  const IntValues* values = nullptr;
};

class Encode {
 public:
  void Tensor(In& in, absl::string_view, absl::string_view) { AddTensor(in); }
  void OptionalTensor(In& in, absl::string_view, absl::string_view) { AddTensor(in); }
  void Tensors(InList& in, absl::string_view, size_t, size_t, absl::string_view);
  void OptionalTensors(InList& in, absl::string_view name, size_t least, absl::string_view doc) {
    Tensors(in, name, least, 0, doc);
  }
  void Values(IntValues& values, absl::string_view, absl::string_view);
  void Int(int32_t& value, absl::string_view, Kind);
  void Flag(bool& value, absl::string_view);
  void Real(double& value, absl::string_view, Kind, RealType type = RealType::kOfRow);
  void Subgraph(uint32_t& value, absl::string_view, absl::string_view);
  void Output(Out& out, absl::string_view, absl::string_view) {
    outputs.push_back({*out.argument(), {}, &out, nullptr});
  }
  void Outputs(OutList& out, absl::string_view, size_t, absl::string_view);
  bool More(bool& given) { return given; }
  template <class Rule>
  bool Either(bool& which, Rule) {
    return which;
  }
  std::vector<EncodedOperand> inputs, outputs;

 private:
  void AddTensor(In& in);
  void AddScalar(OperandType type, const void* bytes, size_t size);
};

}  // namespace assay
