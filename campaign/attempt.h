// One attempt: one model with data, executed on a device under watch and judged element by element against the
// reference. Knows what can go wrong with a driver; refuses to know where the model came from and what becomes of the
// verdict.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/account.h"
#include "compare/judgement.h"
#include "driver/device.h"
#include "driver/guarded.h"
#include "model/test_case.h"

namespace assay {

struct AttemptOptions {
  Assumptions assumptions;      // `relaxed` is the model's business, float16 sums the device's description's
  uint64_t alignment_seed = 0;  // of the buffers
  int executions = 2;           // of one prepared model; from two on, elements never written are seen
  std::chrono::nanoseconds loop_timeout = kDefaultLoopTimeout;
  std::optional<std::chrono::nanoseconds> time_limit;  // given to the device as a deadline for each execution
  std::stop_token stop;
};

enum class FailureKind : uint8_t {
  kPrepare,  // claimed as supported, but preparing failed
  kExecute,  // claimed as supported, but executing failed
  kBreach,   // memory or the form of the result: see Failure::breach
  kShape,    // an output has other dimensions than it must have
  kValue,    // elements outside of what a conforming driver may answer
  kDeath,    // this program died while the model was on the driver: seen only when it runs again
};
absl::string_view NameOf(FailureKind kind);

// What went wrong first. Two failures are the same if kind, breach, operation code, operand type and execution agree.
struct Failure {
  FailureKind kind = FailureKind::kValue;
  std::optional<BreachKind> breach;
  std::optional<OperationCode> code;  // of the operation that wrote the first wrong output, where there is one
  uint32_t operation = 0;             // its index in the main subgraph
  uint32_t operand = 0;               // the output, as an operand of the main subgraph
  OperandType type = OperandType::TENSOR_FLOAT32;  // of that operand
  int execution = 1;                               // which execution of the prepared model, from 1
  std::string message;                             // one line
  Account account;                                 // of kValue and kShape
  std::vector<Bounded<Fp32>> allowed;              // of kValue: one interval for each element of that output

  // "value ADD TENSOR_FLOAT32": equal for the same failure.
  std::string Signature() const;
};

enum class AttemptVerdict : uint8_t {
  kPassed,
  kFailed,
  kNotRun,      // the device does not support the model, or says that it lacks resources or time
  kAllUnknown,  // executed, but not one element could be judged
  kOurFault,    // the reference could not execute a valid model, or contradicts itself
};
absl::string_view NameOf(AttemptVerdict verdict);

struct Attempt {
  AttemptVerdict verdict = AttemptVerdict::kNotRun;
  std::string reason;  // of kNotRun and kOurFault; with kFailed, the failure's message
  std::string excuse;  // of kNotRun: the reason without what differs from graph to graph, for counting
  std::optional<Failure> failure;
  std::vector<ExampleValue> golden;             // the reference's outputs
  std::vector<ExampleValue> answer;             // the driver's outputs in the execution that failed, or the first
  size_t inside = 0, outside = 0, unknown = 0;  // elements, over all executions judged
  WidthHistogram widths;
};

// The model is valid at the device's feature level; `inputs` fit it. Never throws or crashes for what a device in this
// process returns.
Attempt TryOn(Device& device, const Model& model, std::span<const ExampleValue> inputs, const AttemptOptions& options);

// The golden (or fast) outputs of a model on the reference; the status names the operation and rule.
absl::StatusOr<std::vector<ExampleValue>> ReferenceOutputs(const Model& model, std::span<const ExampleValue> inputs,
                                                           Mode mode, std::chrono::nanoseconds loop_timeout,
                                                           ExecutionObserver* observer = nullptr);

}  // namespace assay
