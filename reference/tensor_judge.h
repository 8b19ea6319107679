// Judges what was observed of the main subgraph's tensors while a bounded run goes along, and restarts intervals there.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "reference/bounded.h"
#include "reference/bounded_run.h"

namespace assay {

class TensorJudge {
 public:
  // INVALID_ARGUMENT from Check if an observation is of no tensor that an operation writes, or has other than the
  // bytes that its dims take.
  TensorJudge(BoundedContext& context, const Observations& observations, BoundedRun& run);
  absl::Status Check() const;

  // After the outputs of an operation are in `tensors` (by operand). `evaluated` is null for IF and WHILE.
  absl::Status AfterOperation(uint32_t operation, const EvaluatedCall* evaluated, std::vector<IntervalTensor>& tensors);

 private:
  absl::Status Judge(uint32_t operation, size_t output, const Observation& observation, const EvaluatedCall* evaluated,
                     const EvaluatedCall* sharp, IntervalTensor& tensor);
  // The verdicts of one evaluation on one of its outputs; whether the operation's relation gave them.
  absl::StatusOr<bool> Verdicts(const Observation& observation, std::span<const double> answer, size_t output,
                                const EvaluatedCall* evaluated, const IntervalTensor& tensor,
                                std::vector<Verdict>& verdicts);
  absl::StatusOr<std::unique_ptr<EvaluatedCall>> EvaluateSharp(uint32_t operation,
                                                               const std::vector<IntervalTensor>& tensors);
  absl::StatusOr<size_t> AnchorTo(OperandType type, const Observation& observation, std::span<const double> answer,
                                  IntervalTensor& tensor);
  bool IsExact(uint32_t operand) const;

  BoundedContext& context_;
  const Subgraph& main_;
  const Observations& observations_;
  BoundedRun& run_;
};

}  // namespace assay
