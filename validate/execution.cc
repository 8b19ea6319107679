// What of an execution is certain before it starts: shapes are inferred operation by operation, and rules of execution
// that the known shapes and values break are told.
#include "validate/execution.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ops/registry.h"
#include "validate/calls.h"
#include "validate/control_flow.h"
#include "validate/model.h"
#include "validate/report.h"

namespace assay {
namespace {

constexpr OutputRule kShape{"output_shape", "the dimensions of an output are those that are declared"};
constexpr OutputRule kQuantization{"output_quantization",
                                   "an output of the model has the quantization that the operation gives it"};
constexpr OutputRule kBytes{"output_bytes", "the bytes of an output fit 32 bits"};
constexpr OutputRule kAll[] = {kShape, kQuantization, kBytes};

class Foresight {
 public:
  Foresight(const Model& model, Report& report) : model_(model), report_(report) {}

  void Subgraph(size_t s, std::vector<uint32_t>& surely_run) {
    const assay::Subgraph& subgraph = model_.subgraphs[s];
    known_.clear();
    for (const Operand& o : subgraph.operands) known_.push_back(CallArgument(o));
    for (size_t i = 0; i < subgraph.operations.size(); ++i) {
      const OperationInfo* info = FindOperationInfo(subgraph.operations[i].code);
      if (info == nullptr) continue;  // of an extension
      Operation(s, i, *info);
      AppendSurelyRun(subgraph, subgraph.operations[i], surely_run);
    }
  }

 private:
  void Operation(size_t s, size_t i, const OperationInfo& info) {
    const assay::Operation& operation = model_.subgraphs[s].operations[i];
    const Place place = Place::OfOperation(model_, s, i);
    const std::vector<Argument> inputs = Known(operation.inputs), outputs = Known(operation.outputs);
    Violations violations;
    const std::unique_ptr<Call> call = info.decode(inputs, outputs, violations);
    if (call != nullptr && call->values_known() && violations.empty() && !MayBeOmitted(s, i, info, inputs, outputs)) {
      call->Check(Stage::kExecution, violations);
      if (violations.empty() && info.evaluation != Evaluation::kControlFlow) {
        const std::vector<Result> results = call->Infer();
        for (size_t k = 0; k < std::min(results.size(), outputs.size()); ++k) Output(s, i, info, k, results[k]);
      }
    }
    // A rule of models that only inferred shapes break is broken when the model is executed.
    for (Violation& v : violations) v.stage = Stage::kExecution;
    for (const Violation& v : violations) report_.Add(v, place);
  }

  // Could the caller leave out an input of the subgraph that this operation takes as optional? Then its rules and
  // shapes are those of another call, perhaps.
  bool MayBeOmitted(size_t s, size_t i, const OperationInfo& info, std::vector<Argument> inputs,
                    std::span<const Argument> outputs) const {
    const assay::Operation& operation = model_.subgraphs[s].operations[i];
    ptrdiff_t omitted = 0;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const Operand& operand = model_.subgraphs[s].operands[operation.inputs[k]];
      if (operand.lifetime != Lifetime::SUBGRAPH_INPUT) continue;
      inputs[k].omitted = true;
      ++omitted;
    }
    if (omitted == 0) return false;
    // What the operation does not miss is optional.
    Violations violations;
    info.decode(inputs, outputs, violations);
    return std::count_if(violations.begin(), violations.end(),
                         [](const Violation& v) { return absl::EndsWith(v.rule, ".omitted"); }) < omitted;
  }

  // Takes over what is inferred of output `k`.
  void Output(size_t s, size_t i, const OperationInfo& info, size_t k, const Result& result) {
    const Place place = Place::OfOperation(model_, s, i);
    const uint32_t index = model_.subgraphs[s].operations[i].outputs[k];
    const Operand& operand = model_.subgraphs[s].operands[index];
    Argument& known = known_[index];
    const auto add = [&](const OutputRule& rule, const std::string& message) {
      report_.Add({OutputRuleId(info, rule), Stage::kExecution, absl::StrCat("output ", k, message)}, place);
    };
    if (const std::optional<Shape> merged = Merge(result.shape, known.shape); !merged) {
      add(kShape, absl::StrCat(" has shape ", ToString(result.shape), ", declared is ", ToString(known.shape)));
    } else {
      // A chain of operations that each add a dimension must not cost the square of its length.
      known.shape = merged->rank() <= kMostDims ? *merged : Shape::Unranked();
      const std::optional<uint64_t> count = ElementCount(merged->dims);
      const bool fits = !merged->IsKnown() || (count && *count <= std::numeric_limits<uint32_t>::max() /
                                                                      std::max<size_t>(ElementSize(known.type), 1));
      if (!fits) add(kBytes, absl::StrCat(" has shape ", ToString(*merged), ", more than 4294967295 bytes"));
    }
    if (!result.quantization) return;
    if (operand.lifetime == Lifetime::SUBGRAPH_OUTPUT && !(*result.quantization == known.quantization))
      add(kQuantization, absl::StrCat(" has ", QuantizationText(*result.quantization), ", declared is ",
                                      QuantizationText(known.quantization)));
    known.quantization = *result.quantization;
  }

  static std::string QuantizationText(const Quantization& q) {
    return absl::StrCat("scale ", q.scale, " zero point ", q.zero_point,
                        q.per_channel != nullptr ? " per channel" : "");
  }

  std::vector<Argument> Known(const std::vector<uint32_t>& list) const {
    std::vector<Argument> arguments;
    arguments.reserve(list.size());
    for (uint32_t index : list) arguments.push_back(known_[index]);
    return arguments;
  }

  const Model& model_;
  Report& report_;
  std::vector<Argument> known_;  // by operand of the subgraph
};

}  // namespace

std::span<const OutputRule> OutputRules() { return kAll; }

std::string OutputRuleId(const OperationInfo& info, const OutputRule& rule) {
  return absl::StrCat(absl::AsciiStrToLower(info.name), ".", rule.id);
}

Violations ExecutionViolations(const Model& model) {
  if (!LowestLevel(model).valid) return {};
  Report report(kMostViolations);
  Foresight foresight(model, report);
  std::vector<bool> seen(model.subgraphs.size(), false);
  std::vector<uint32_t> surely_run = {0};
  while (!surely_run.empty()) {
    const uint32_t s = surely_run.back();
    surely_run.pop_back();
    if (seen[s]) continue;
    seen[s] = true;
    foresight.Subgraph(s, surely_run);
  }
  return report.Take();
}

}  // namespace assay
