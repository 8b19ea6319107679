// An operation that a hook sees, as a decoded call: to be evaluated once more, in real numbers or in bounds. Refuses to
// know what a device makes of the results.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "ops/operation.h"

namespace assay {

class JitteredCall {
 public:
  // Of an operation that was just executed with these tensors, which must outlive the call. Null for control flow.
  static std::unique_ptr<JitteredCall> Decode(OperationCode code, std::span<const TensorRef> inputs,
                                              std::span<const TensorRef> outputs);
  const Call& call() const { return *call_; }
  // Are elements moved, never looked at?
  bool Moves() const { return call_->domain(Mode::kGolden) == Domain::kCodes; }

  // The elements of each output in double, before the fused activation and the rounding to the type. Where
  // `replaced[i]` is not null, it has the elements of input i; may be shorter than the inputs.
  std::vector<std::vector<double>> Evaluate(std::span<const std::vector<double>* const> replaced) const;
  // Stores such elements as the output's type: activated, and rounded once.
  void StoreOutput(size_t output, std::span<const double> elements) const;
  // What a conforming device may answer to these inputs.
  std::vector<std::vector<Interval>> Allowed(const Assumptions& assumptions) const;

 private:
  JitteredCall(std::span<const TensorRef> inputs, std::span<const TensorRef> outputs)
      : inputs_(inputs), outputs_(outputs) {}
  std::vector<std::vector<Interval>> Points(std::span<const TensorRef> tensors) const;
  std::vector<std::vector<Interval>> RunBounded(const Assumptions& assumptions,
                                                std::span<std::vector<Interval>> inputs) const;

  std::span<const TensorRef> inputs_, outputs_;
  std::unique_ptr<Call> call_;
};

}  // namespace assay
