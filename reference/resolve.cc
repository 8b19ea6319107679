#include "reference/resolve.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/status.h"
#include "validate/argument.h"

namespace assay {
namespace {

absl::Status Broken(const Violations& violations) {
  std::string text;
  for (const Violation& v : violations) absl::StrAppend(&text, text.empty() ? "" : "\n", ToString(v));
  return MakeStatus(ErrorStatus::GENERAL_FAILURE, text);
}

bool AllKnown(std::span<const Argument> arguments) {
  return std::all_of(arguments.begin(), arguments.end(),
                     [](const Argument& a) { return a.omitted || a.shape.IsKnown(); });
}

std::string QuantizationText(const Quantization& q) {
  if (q.per_channel) return absl::StrCat(q.per_channel->scales.size(), " scales");
  return absl::StrCat("scale ", q.scale, " and zero point ", q.zero_point);
}

// Decodes and checks; a null call only together with violations.
std::unique_ptr<const Call> DecodeAndCheck(const OperationInfo& info, std::span<const Argument> inputs,
                                           std::span<const Argument> outputs, Violations& violations) {
  std::unique_ptr<const Call> call = info.decode(inputs, outputs, violations);
  if (call == nullptr) return call;
  call->Check(Stage::kModel, violations);
  if (call->values_known() && violations.empty()) call->Check(Stage::kExecution, violations);
  return call;
}

// Puts what was inferred into `outputs`. Returns whether anything changed.
bool Complete(const std::string& name, std::span<const DeclaredOutput> declared, std::span<const Result> results,
              std::vector<Argument>& outputs, Violations& violations) {
  bool changed = false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Argument& output = outputs[i];
    const std::optional<Shape> merged = Merge(results[i].shape, output.shape);
    if (!merged) {
      violations.push_back(
          {absl::StrCat(name, ".output_shape"), Stage::kExecution,
           absl::StrCat("output ", i, " is ", ToString(results[i].shape), ", declared is ", ToString(output.shape))});
      continue;
    }
    changed |= !(*merged == output.shape);
    output.shape = *merged;
    if (output.shape.IsKnown() && !StorageBytes(output.type, output.shape.dims)) {
      violations.push_back({absl::StrCat(name, ".output_bytes"), Stage::kExecution,
                            absl::StrCat("output ", i, " is ", ToString(output.shape), " of ", NameOf(output.type),
                                         ", which takes more than 2^32 - 1 bytes")});
    }
    if (!results[i].quantization || *results[i].quantization == output.quantization) continue;
    if (declared[i].fixed) {
      violations.push_back({absl::StrCat(name, ".output_quantization"), Stage::kExecution,
                            absl::StrCat("output ", i, " has ", QuantizationText(*results[i].quantization),
                                         ", declared is ", QuantizationText(output.quantization))});
    }
    output.quantization = *results[i].quantization;
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<ResolvedCall> Resolve(const OperationInfo& info, std::span<const Argument> inputs,
                                     std::span<const DeclaredOutput> outputs) {
  ResolvedCall resolved;
  for (const DeclaredOutput& o : outputs) resolved.outputs.push_back(o.argument);
  Violations violations;
  resolved.call = DecodeAndCheck(info, inputs, resolved.outputs, violations);
  if (!violations.empty()) return Broken(violations);
  if (!resolved.call->values_known()) return resolved;

  const std::vector<Result> results = resolved.call->Infer();
  ASSAY_CHECK(results.size() == outputs.size(), info.name);
  const bool changed = Complete(absl::AsciiStrToLower(info.name), outputs, results, resolved.outputs, violations);
  if (!violations.empty()) return Broken(violations);
  resolved.ready = AllKnown(inputs) && AllKnown(resolved.outputs);
  if (resolved.ready && changed) {
    // A call runs with exactly the operands that it was decoded with.
    resolved.call = DecodeAndCheck(info, inputs, resolved.outputs, violations);
    if (!violations.empty()) return Broken(violations);
  }
  return resolved;
}

std::vector<DeclaredOutput> DeclaredOutputs(const Subgraph& subgraph, const Operation& operation) {
  std::vector<DeclaredOutput> outputs;
  for (uint32_t index : operation.outputs) {
    const Operand& operand = subgraph.operands[index];
    outputs.push_back({ArgumentOf(operand), operand.lifetime == Lifetime::SUBGRAPH_OUTPUT});
  }
  return outputs;
}

std::optional<uint32_t> StorageBytes(OperandType type, const Dims& dims) {
  const std::optional<uint64_t> count = ElementCount(dims);
  if (!count) return std::nullopt;
  const std::optional<uint64_t> bytes = CheckedProduct(*count, ElementSize(type));
  if (!bytes || *bytes > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*bytes);
}

std::string PlaceOf(const Model& model, uint32_t subgraph, uint32_t operation) {
  const Subgraph& s = model.subgraphs[subgraph];
  return absl::StrCat("operation ", operation, " (", NameOf(s.operations[operation].code), ") of subgraph ", subgraph,
                      s.name.empty() ? "" : absl::StrCat(" (", s.name, ")"));
}

}  // namespace assay
