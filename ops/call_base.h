// The parts of a decoded call that do not depend on the family. Included by define.h only.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "ops/decode.h"
#include "ops/evaluate.h"
#include "ops/operation.h"

namespace assay {

// The parts of a decoded call that do not depend on the family.
class CallBase : public Call {
 public:
  CallBase(const OperationInfo& info, std::span<const Argument> inputs, std::span<const Argument> outputs);
  const OperationInfo& info() const override { return info_; }
  const TypeRow& row() const override { return *row_; }
  bool values_known() const override { return values_known_; }
  const std::vector<bool>& needs_value() const override { return needs_value_; }
  Domain domain(Mode mode) const override;
  const Quantization* read_as(size_t input) const override { return At(read_as_, input); }
  const Quantization* write_as(size_t output) const override { return At(write_as_, output); }
  bool HasAccept() const override { return false; }
  void Accept(const Assumptions&, std::span<const IntervalRef>, size_t, std::span<const double>, std::span<Verdict>,
              std::span<uint8_t>) const override;

  // Decode, for the family: false if the call must be dropped.
  bool Adopt(Decode& walk);
  std::span<const Argument> inputs() const { return inputs_; }
  std::span<const Argument> outputs() const { return outputs_; }

 protected:
  size_t TensorScratch(Mode mode, const std::vector<bool>& converted, size_t elements) const;
  size_t BoundedTensorScratch(size_t elements) const;
  void CheckEmpty(Violations& violations) const;
  std::vector<TensorRef> Requantized(std::span<const TensorRef> refs, bool outputs) const;
  Rereading rereading() const { return {read_as_, write_as_}; }
  std::vector<std::optional<Quantization>> read_as_, write_as_;
  bool moves_;  // elements are moved, never looked at, in this call

 private:
  static const Quantization* At(const std::vector<std::optional<Quantization>>& list, size_t i) {
    return i < list.size() && list[i] ? &*list[i] : nullptr;
  }
  const OperationInfo& info_;
  std::vector<Argument> inputs_, outputs_;
  const TypeRow* row_ = nullptr;
  bool values_known_ = false;
  std::vector<bool> needs_value_;
};

}  // namespace assay
