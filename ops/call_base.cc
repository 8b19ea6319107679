#include "ops/call_base.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace assay {

absl::string_view NameOf(Mode mode) { return mode == Mode::kGolden ? "golden" : "fast"; }

CallBase::CallBase(const OperationInfo& info, std::span<const Argument> inputs, std::span<const Argument> outputs)
    : moves_(info.evaluation == Evaluation::kMovement),
      info_(info),
      inputs_(inputs.begin(), inputs.end()),
      outputs_(outputs.begin(), outputs.end()) {}

bool CallBase::Adopt(Decode& walk) {
  if (!walk.Finish()) return false;
  row_ = walk.row();
  values_known_ = walk.values_known();
  needs_value_ = walk.needs_value();
  return true;
}

// INT32 is exact in every mode: a double holds every int32 sum, difference and product that does not overflow, and a
// float does not.
Domain CallBase::domain(Mode mode) const {
  if (moves_ || info_.evaluation != Evaluation::kReal) return Domain::kCodes;
  const auto is_int32 = [](const Argument& a) { return a.type == OperandType::TENSOR_INT32; };
  const bool exact =
      std::any_of(outputs_.begin(), outputs_.end(), is_int32) || (!inputs_.empty() && is_int32(inputs_.front()));
  return mode == Mode::kGolden || exact ? Domain::kDouble : Domain::kFloat;
}

std::vector<TensorRef> CallBase::Requantized(std::span<const TensorRef> refs, bool outputs) const {
  std::vector<TensorRef> out(refs.begin(), refs.end());
  for (size_t i = 0; i < out.size(); ++i)
    if (const Quantization* q = outputs ? write_as(i) : read_as(i)) out[i].quantization = q;
  return out;
}

size_t CallBase::TensorScratch(Mode mode, const std::vector<bool>& converted, size_t elements) const {
  if (moves_) return (elements * sizeof(uint32_t) + 63) / 64 * 64;
  const bool single = domain(mode) == Domain::kFloat;
  size_t bytes = (elements * (single ? sizeof(float) : sizeof(double)) + 63) / 64 * 64;
  const auto add = [&](const Argument& a, bool is_converted) {
    const size_t count = Count(a.shape.dims);
    bytes += single ? ConversionBytes<float>(a.type, count, is_converted)
                    : ConversionBytes<double>(a.type, count, is_converted);
  };
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!needs_value_[i] && !inputs_[i].omitted) add(inputs_[i], i < converted.size() && converted[i]);
  for (const Argument& a : outputs_) add(a, false);
  return bytes;
}

size_t CallBase::BoundedTensorScratch(size_t elements) const {
  size_t bytes = (elements * sizeof(Interval) + 63) / 64 * 64;
  const auto add = [&](const Argument& a) { bytes += (Count(a.shape.dims) * sizeof(Interval) + 63) / 64 * 64; };
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!needs_value_[i] && !inputs_[i].omitted) add(inputs_[i]);
  for (const Argument& a : outputs_) add(a);
  return bytes;
}

void CallBase::CheckEmpty(Violations& violations) const {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].omitted) continue;
    const Dims& dims = inputs_[i].shape.dims;
    if (std::find(dims.begin(), dims.end(), 0u) == dims.end()) continue;
    violations.push_back(
        {absl::StrCat(absl::AsciiStrToLower(info_.name), ".empty_input"), Stage::kExecution,
         absl::StrCat("input ", i, " has dimensions ", ToString(dims), ", an empty tensor is not taken")});
  }
}

void CallBase::Accept(const Assumptions&, std::span<const IntervalRef>, size_t, std::span<const double>,
                      std::span<Verdict>, std::span<uint8_t>) const {
  ASSAY_CHECK(false, "this operation is judged by intervals");
}

}  // namespace assay
