// From what is known of an operation's operands to a call that can run: decoded, checked, its outputs inferred. Knows
// no operation and no memory.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "ops/operation.h"

namespace assay {

struct ResolvedCall {
  std::unique_ptr<const Call> call;  // never null
  // As far as they are known: shapes inferred and merged with the declared ones, quantization as computed.
  std::vector<Argument> outputs;
  // All shapes and values are known: the call can run.
  bool ready = false;
};

// An output of which the model fixes the quantization (a subgraph's output), or which takes what is computed.
struct DeclaredOutput {
  Argument argument;
  bool fixed = false;
};

// Errors are GENERAL_FAILURE with all broken rules of the call, among them "<operation>.output_shape",
// "<operation>.output_quantization" and "<operation>.output_bytes" of outputs. What is unknown breaks no rule.
absl::StatusOr<ResolvedCall> Resolve(const OperationInfo& info, std::span<const Argument> inputs,
                                     std::span<const DeclaredOutput> outputs);

// What subgraph `subgraph` declares of the outputs of operation `operation`.
std::vector<DeclaredOutput> DeclaredOutputs(const Subgraph& subgraph, const Operation& operation);

// Bytes of a tensor whose shape is known; nothing past 32 bits. 0 is possible.
std::optional<uint32_t> StorageBytes(OperandType type, const Dims& dims);

// "operation 3 (CONV_2D) of subgraph 1 (then)".
std::string PlaceOf(const Model& model, uint32_t subgraph, uint32_t operation);

}  // namespace assay
