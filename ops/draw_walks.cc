#include "ops/draw_walks.h"

#include <cstring>

#include "numeric/half.h"

namespace assay {

void DrawScalars::Assign(In& in) {
  Argument& a = arguments_.emplace_back();
  a.type = row_.inputs.at(slot_++);
  in.Bind(&a, 0);
}

void DrawScalars::OptionalTensor(In& in, absl::string_view, absl::string_view) {
  Assign(in);
  arguments_.back().omitted = !choices_.Maybe();
}

void DrawScalars::Tensors(InList& in, absl::string_view, size_t least, size_t, absl::string_view) {
  // The simplest list is the shortest; six tensors exercise all that a list can show.
  size_t count = least;
  while (choices_.More(count, 6)) ++count;
  in.resize(count);
  for (In& i : in) Assign(i);
}

void DrawScalars::Values(IntValues& values, absl::string_view, absl::string_view) {
  Argument& a = arguments_.emplace_back();
  a.type = OperandType::TENSOR_INT32;
  values.tensor.Bind(&a, 0);
}

void DrawScalars::Int(int32_t& to, absl::string_view, Kind kind) {
  to = static_cast<int32_t>(choices_.Between(kind.likely_least, kind.likely_most));
}

void DrawScalars::Real(double& to, absl::string_view, Kind kind, RealType) {
  // Quarters: exact in every float format.
  const double span = kind.likely_most - kind.likely_least;
  to = kind.likely_least + static_cast<double>(choices_.Below(static_cast<uint64_t>(span * 4) + 1)) / 4;
}

void DrawScalars::Output(Out& out, absl::string_view, absl::string_view) {
  Argument& a = arguments_.emplace_back();
  a.type = row_.outputs.at(output_slot_);
  out.Bind(&a, output_slot_++);
}

void DrawScalars::Outputs(OutList& out, absl::string_view name, size_t least, absl::string_view doc) {
  out.resize(std::max<size_t>(least, out.size()));
  for (Out& o : out) Output(o, name, doc);
}

void Encode::AddTensor(In& in) {
  in.Bind(in.argument(), inputs.size());
  inputs.push_back({*in.argument(), {}, &in, nullptr});
}

void Encode::AddScalar(OperandType type, const void* bytes, size_t size) {
  EncodedOperand& o = inputs.emplace_back();
  o.argument.type = type;
  o.argument.shape = Shape::Of({});
  o.bytes.resize(size);
  std::memcpy(o.bytes.data(), bytes, size);
}

void Encode::Tensors(InList& in, absl::string_view, size_t, size_t, absl::string_view) {
  for (In& i : in) AddTensor(i);
}

void Encode::Values(IntValues& values, absl::string_view, absl::string_view) {
  AddTensor(values.tensor);
  inputs.back().values = &values;
}

void Encode::Int(int32_t& value, absl::string_view, Kind) { AddScalar(OperandType::INT32, &value, sizeof value); }

void Encode::Flag(bool& value, absl::string_view) {
  const uint8_t byte = value ? 1 : 0;
  AddScalar(OperandType::BOOL, &byte, 1);
}

void Encode::Real(double& value, absl::string_view, Kind, RealType type) {
  const bool half =
      type == RealType::kOfRow && !inputs.empty() && inputs.front().argument.type == OperandType::TENSOR_FLOAT16;
  if (half) {
    const uint16_t bits = HalfFromDouble(value);
    AddScalar(OperandType::FLOAT16, &bits, sizeof bits);
  } else {
    const float single = static_cast<float>(value);
    AddScalar(OperandType::FLOAT32, &single, sizeof single);
  }
}

void Encode::Subgraph(uint32_t& value, absl::string_view, absl::string_view) {
  EncodedOperand& o = inputs.emplace_back();
  o.argument.type = OperandType::SUBGRAPH;
  o.argument.shape = Shape::Of({});
  o.argument.subgraph = value;
}

void Encode::Outputs(OutList& out, absl::string_view name, size_t, absl::string_view doc) {
  for (Out& o : out) Output(o, name, doc);
}

}  // namespace assay
