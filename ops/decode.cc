#include "ops/decode.h"

#include <cmath>
#include <cstring>

#include "absl/strings/str_join.h"
#include "numeric/storage.h"

namespace assay {
namespace {

std::string TypeNames(std::span<const Argument* const> arguments) {
  return absl::StrJoin(arguments, ", ",
                       [](std::string* out, const Argument* a) { absl::StrAppend(out, NameOf(a->type)); });
}

}  // namespace

const Argument* Decode::Next(absl::string_view name) {
  if (at_ >= inputs_.size()) {
    Missing(name);
    return nullptr;
  }
  return &inputs_[at_++];
}

void Decode::Missing(absl::string_view name) {
  if (assigned_)
    check_.Add("operand_count", Stage::kModel,
               absl::StrCat("there are ", inputs_.size(), " inputs, `", name, "` is missing"));
  assigned_ = false;
}

void Decode::Tensor(In& in, absl::string_view name, absl::string_view doc) {
  const size_t index = at_;
  OptionalTensor(in, name, doc);
  CheckPresent(index, name);
}

void Decode::CheckPresent(size_t index, absl::string_view name) {
  if (index < inputs_.size() && inputs_[index].omitted)
    check_.Add(absl::StrCat(name, ".omitted"), Stage::kExecution,
               absl::StrCat("`", name, "` (input ", index, ") has no value, but it is not optional"));
}

void Decode::OptionalTensor(In& in, absl::string_view name, absl::string_view) {
  const Argument* a = Next(name);
  if (a == nullptr) return;
  in.Bind(a, at_ - 1);
  tensors_.push_back(a);
}

void Decode::Tensors(InList& in, absl::string_view name, size_t least, size_t trailing, absl::string_view doc) {
  const size_t first = at_;
  ReadTensors(in, name, least, trailing, doc);
  for (size_t i = first; i < at_; ++i) CheckPresent(i, name);
}

void Decode::OptionalTensors(InList& in, absl::string_view name, size_t least, absl::string_view doc) {
  ReadTensors(in, name, least, 0, doc);
}

void Decode::ReadTensors(InList& in, absl::string_view name, size_t least, size_t trailing, absl::string_view doc) {
  const size_t left = inputs_.size() - at_;
  const size_t count = left > trailing ? left - trailing : 0;
  if (count < least) {
    check_.Add("operand_count", Stage::kModel,
               absl::StrCat("there are ", inputs_.size(), " inputs, at least ", at_ + least + trailing, " are needed"));
    assigned_ = false;
    return;
  }
  in.resize(count);
  for (In& i : in) OptionalTensor(i, name, doc);
}

void Decode::Values(IntValues& values, absl::string_view name, absl::string_view) {
  const Argument* a = Next(name);
  if (a == nullptr) return;
  values.tensor.Bind(a, at_ - 1);
  needs_value_[at_ - 1] = true;
  if (a->type != OperandType::TENSOR_INT32) {
    check_.Add(absl::StrCat(name, ".type"), Stage::kModel,
               absl::StrCat("`", name, "` (input ", at_ - 1, ") is ", NameOf(a->type), ", expected TENSOR_INT32"));
    values_known_ = false;
    return;
  }
  if (a->omitted) return;
  if (!a->value_known) {
    values_known_ = false;
    return;
  }
  values.values.resize(a->value.size() / sizeof(int32_t));
  if (!values.values.empty())
    std::memcpy(values.values.data(), a->value.data(), values.values.size() * sizeof(int32_t));
}

const Argument* Decode::NextScalar(absl::string_view name, OperandType type) {
  const Argument* a = Next(name);
  if (a == nullptr) return nullptr;
  needs_value_[at_ - 1] = true;
  if (a->type != type) {
    check_.Add(absl::StrCat(name, ".type"), Stage::kModel,
               absl::StrCat("`", name, "` (input ", at_ - 1, ") is ", NameOf(a->type), ", expected ", NameOf(type)));
    values_known_ = false;
    return nullptr;
  }
  if (a->omitted) {
    check_.Add(absl::StrCat(name, ".omitted"), Stage::kExecution,
               absl::StrCat("`", name, "` (input ", at_ - 1, ") has no value, but it is not optional"));
    values_known_ = false;
    return nullptr;
  }
  if (!a->value_known || a->value.size() < ElementSize(type)) {
    values_known_ = false;
    return nullptr;
  }
  return a;
}

void Decode::Int(int32_t& to, absl::string_view name, Kind kind) {
  const Argument* a = NextScalar(name, OperandType::INT32);
  if (a == nullptr) return;
  std::memcpy(&to, a->value.data(), sizeof to);
  if (to < kind.least || to > kind.most)
    check_.Add(absl::StrCat(name, ".range"), Stage::kExecution,
               absl::StrCat("`", name, "` is ", to, ", must be ", kind.says));
}

void Decode::Flag(bool& to, absl::string_view name) {
  const Argument* a = NextScalar(name, OperandType::BOOL);
  if (a != nullptr) to = a->value[0] != 0;
}

void Decode::Real(double& to, absl::string_view name, Kind kind, RealType type) {
  const bool half =
      type == RealType::kOfRow && !tensors_.empty() && tensors_.front()->type == OperandType::TENSOR_FLOAT16;
  const OperandType expected = half ? OperandType::FLOAT16 : OperandType::FLOAT32;
  const Argument* a = NextScalar(name, expected);
  if (a == nullptr) return;
  to = ElementAt(expected, {}, {}, a->value.data(), 0);
  const bool takes_nan = std::isinf(kind.least) && std::isinf(kind.most);
  if (!(to >= kind.least && to <= kind.most) && !(takes_nan && std::isnan(to)))
    check_.Add(absl::StrCat(name, ".range"), Stage::kExecution,
               absl::StrCat("`", name, "` is ", to, ", must be ", kind.says));
}

void Decode::Subgraph(uint32_t& to, absl::string_view name, absl::string_view) {
  const Argument* a = Next(name);
  if (a == nullptr) return;
  if (a->type != OperandType::SUBGRAPH)
    check_.Add(absl::StrCat(name, ".type"), Stage::kModel,
               absl::StrCat("`", name, "` (input ", at_ - 1, ") is ", NameOf(a->type), ", expected SUBGRAPH"));
  to = a->subgraph;
}

void Decode::Output(Out& out, absl::string_view name, absl::string_view) {
  if (out_at_ >= outputs_.size()) {
    if (assigned_)
      check_.Add("operand_count", Stage::kModel,
                 absl::StrCat("there are ", outputs_.size(), " outputs, `", name, "` is missing"));
    assigned_ = false;
    return;
  }
  out.Bind(&outputs_[out_at_], out_at_);
  ++out_at_;
}

void Decode::Outputs(OutList& out, absl::string_view name, size_t least, absl::string_view doc) {
  out.resize(std::max(least, outputs_.size() - out_at_));
  for (Out& o : out) Output(o, name, doc);
}

bool Decode::RowFits(const TypeRow& row) const {
  const auto fits = [](OperandType want, OperandType got) { return want == kAnyType || want == got; };
  for (size_t i = 0; i < tensors_.size(); ++i)
    if (!fits(row.inputs.at(i), tensors_[i]->type)) return false;
  for (size_t i = 0; i < out_at_; ++i)
    if (!fits(row.outputs.at(i), outputs_[i].type)) return false;
  return true;
}

bool Decode::Finish() {
  if (assigned_ && (at_ != inputs_.size() || out_at_ != outputs_.size())) {
    check_.Add("operand_count", Stage::kModel,
               absl::StrCat("there are ", inputs_.size(), " inputs and ", outputs_.size(), " outputs, expected ", at_,
                            " and ", out_at_));
    assigned_ = false;
  }
  if (!assigned_) return false;
  for (const TypeRow& row : rows_)
    if (RowFits(row)) {
      row_ = &row;
      return true;
    }
  std::vector<const Argument*> outputs;
  for (const Argument& o : outputs_) outputs.push_back(&o);
  check_.Add("types", Stage::kModel,
             absl::StrCat("no row takes (", TypeNames(tensors_), ") and gives (", TypeNames(outputs), ")"));
  return false;
}

}  // namespace assay
