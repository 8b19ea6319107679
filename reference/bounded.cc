#include "reference/bounded.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "model/status.h"
#include "numeric/storage.h"
#include "reference/bounded_run.h"
#include "reference/request.h"
#include "reference/status.h"
#include "reference/support.h"
#include "reference/tensor_judge.h"
#include "validate/model.h"

namespace assay {
namespace {

double RangeOf(OperandType type, const Quantization& quantization, std::span<const Interval> elements) {
  const CodeRange codes = CodesOf(InfoOf(type).storage);
  if (InfoOf(type).has_scale)
    return ValueOf(type, quantization, 0, codes.most) - ValueOf(type, quantization, 0, codes.least);
  if (InfoOf(type).storage == Storage::kBool8) return 1;
  double least = 0, most = 0, magnitude = 0;
  bool first = true;
  for (const Interval& e : elements) {
    if (!e.IsFinite() || !std::isfinite(e.value)) continue;
    least = first ? e.value : std::min(least, e.value);
    most = first ? e.value : std::max(most, e.value);
    magnitude = std::max(magnitude, std::fabs(e.value));
    first = false;
  }
  return std::max(most - least, magnitude);
}

// The value below which `share` of them lie; reorders them.
double Quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

WidthStatistics MeasureWidths(OperandType type, const Quantization& quantization, std::span<const Interval> elements) {
  WidthStatistics statistics;
  statistics.elements = elements.size();
  const double range = RangeOf(type, quantization, elements);
  std::vector<double> widths;
  for (const Interval& e : elements) {
    if (e.IsUnknown()) {
      ++statistics.unknown;
      continue;
    }
    const double width = e.IsFinite() ? e.Hi() - e.Lo() : 0;
    widths.push_back(width == 0 ? 0 : range > 0 ? width / range : 1);
  }
  statistics.narrow =
      static_cast<size_t>(std::count_if(widths.begin(), widths.end(), [](double w) { return w < 0.25; }));
  statistics.median = Quantile(widths, 0.5);
  statistics.percentile90 = Quantile(widths, 0.9);
  return statistics;
}

absl::StatusOr<BoundedRun> RunBounded(const Model& model, std::span<const InputBuffer> inputs,
                                      const Observations& observations, const Assumptions& assumptions,
                                      const BoundedOptions& options) {
  ASSAY_RETURN_IF_ERROR(ToStatus(ValidateModel(model, options.level)));
  ASSAY_RETURN_IF_ERROR(CheckSupported(model));
  ASSAY_RETURN_IF_ERROR(InnerFirst(model).status());
  BoundedContext context(model, assumptions, options);
  BoundedRun run;
  TensorJudge judge(context, observations, run);
  ASSAY_RETURN_IF_ERROR(judge.Check());
  Request request;
  ASSAY_RETURN_IF_ERROR(request.BindInputs(model, inputs, context.memory));
  std::vector<IntervalTensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Operand& operand = model.main().operands[model.main().inputs[i]];
    const BoundInput& bound = request.inputs()[i];
    IntervalTensor& tensor = tensors.emplace_back();
    tensor.quantization = operand.quantization;
    tensor.omitted = bound.omitted;
    if (bound.omitted) continue;
    tensor.shape = Shape::Of(bound.dims);
    tensor.exact = true;
    tensor.bytes = {bound.bytes, inputs[i].bytes.size()};
  }
  BoundedSubgraph main(context, 0, &judge);
  ASSAY_RETURN_IF_ERROR(main.Run(std::move(tensors)).status());
  run.undecided = context.undecided;
  run.decided = context.decided;
  return run;
}

absl::StatusOr<std::vector<BoundedRun>> RunBoundedPaths(const Model& model, std::span<const InputBuffer> inputs,
                                                        const Observations& observations,
                                                        const Assumptions& assumptions, BoundedOptions options,
                                                        size_t most_paths) {
  std::vector<BoundedRun> paths;
  absl::Status error;
  const size_t given = options.decisions.size();
  std::deque<std::vector<bool>> open = {options.decisions};
  while (!open.empty()) {
    options.decisions = std::move(open.front());
    open.pop_front();
    absl::StatusOr<BoundedRun> run = RunBounded(model, inputs, observations, assumptions, options);
    if (!run.ok()) {
      // A way that a decision opened may end in a broken rule: no answer comes from there.
      if (options.decisions.size() == given || ErrorStatusOf(run.status()) != ErrorStatus::GENERAL_FAILURE)
        return run.status();
      error = run.status();
      continue;
    }
    const bool splits = run->undecided != 0 && paths.size() + open.size() + 2 <= most_paths;
    if (!splits) {
      paths.push_back(*std::move(run));
      continue;
    }
    for (bool decision : {true, false}) {
      open.push_back(options.decisions);
      open.back().push_back(decision);
    }
  }
  if (paths.empty()) return error;
  return paths;
}

}  // namespace assay
