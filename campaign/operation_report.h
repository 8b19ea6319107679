// What each operation of an execution did: shape, range, time, and how far the fast answer is from the golden one; and
// all operands as files. Looks on through ExecutionObserver.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "campaign/attempt.h"
#include "model/test_case.h"
#include "reference/observer.h"

namespace assay {

// One output of one executed operation.
struct OperationRow {
  uint32_t subgraph = 0, operation = 0;
  std::vector<uint64_t> iterations;  // of the WHILE loops around it
  OperationCode code = OperationCode::ADD;
  size_t output = 0;
  OperandType type = OperandType::TENSOR_FLOAT32;
  Dims dims;
  double least = 0, most = 0;  // real values; NaN where there are none
  double error = 0;            // greatest distance from the golden real values; NaN if they have other dimensions
  double milliseconds = 0;     // of the operation, in the mode that is reported
};

// Executes golden and then `mode`, and reports every operation of the second. Errors as of the executor.
absl::StatusOr<std::vector<OperationRow>> ReportOperations(const Model& model, std::span<const ExampleValue> inputs,
                                                           Mode mode, std::chrono::nanoseconds loop_timeout);
// An aligned table with a heading, and the total time.
std::string ToTable(std::span<const OperationRow> rows);

// Writes every operand that has a value (constants, inputs, and all that the operations compute in `mode`) into
// `folder` as <subgraph>_<operand>[_<iteration>...].npy, in storage form. The error names the file.
absl::Status DumpOperands(const std::string& folder, const Model& model, std::span<const ExampleValue> inputs,
                          Mode mode, std::chrono::nanoseconds loop_timeout);

}  // namespace assay
