#include "campaign/operation_report.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "campaign/finding_files.h"
#include "campaign/npy.h"
#include "model/status.h"
#include "numeric/storage.h"

namespace assay {
namespace {

// Which output of which execution of an operation.
using Key = std::pair<std::vector<uint64_t>, std::vector<uint64_t>>;
Key KeyOf(const OperationPlace& place, size_t output) {
  return {{place.subgraph, place.operation, output}, {place.iterations.begin(), place.iterations.end()}};
}

std::vector<double> RealValues(const TensorRef& t) {
  std::vector<double> out(Count(*t.dims));
  Load(t.type, *t.quantization, *t.dims, t.bytes, out.data());
  return out;
}

// Keeps the real values of all outputs.
class Recorder final : public ExecutionObserver {
 public:
  void AfterOperation(const ObservedOperation& o) override {
    for (size_t i = 0; i < o.outputs.size(); ++i) {
      if (o.outputs[i].bytes == nullptr) continue;
      values[KeyOf(o.place, i)] = RealValues(o.outputs[i]);
    }
  }
  std::map<Key, std::vector<double>> values;
};

class Reporter final : public ExecutionObserver {
 public:
  explicit Reporter(const Recorder& golden) : golden_(golden) {}
  void AfterOperation(const ObservedOperation& o) override {
    for (size_t i = 0; i < o.outputs.size(); ++i) {
      const TensorRef& t = o.outputs[i];
      if (t.bytes == nullptr) continue;
      OperationRow& row = rows.emplace_back(OperationRow{o.place.subgraph,
                                                         o.place.operation,
                                                         {o.place.iterations.begin(), o.place.iterations.end()},
                                                         o.place.code,
                                                         i,
                                                         t.type,
                                                         *t.dims});
      row.milliseconds = std::chrono::duration<double, std::milli>(o.wall).count();
      Measure(RealValues(t), golden_.values.find(KeyOf(o.place, i)), row);
    }
  }
  std::vector<OperationRow> rows;

 private:
  void Measure(const std::vector<double>& values, std::map<Key, std::vector<double>>::const_iterator golden,
               OperationRow& row) const {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    row.least = row.most = values.empty() ? kNan : values.front();
    const bool comparable = golden != golden_.values.end() && golden->second.size() == values.size();
    row.error = comparable ? 0 : kNan;
    for (size_t i = 0; i < values.size(); ++i) {
      row.least = std::fmin(row.least, values[i]), row.most = std::fmax(row.most, values[i]);
      if (!comparable) continue;
      const double distance = values[i] == golden->second[i] ? 0 : std::fabs(values[i] - golden->second[i]);
      // fmax would drop a NaN, which is what must be seen.
      if (!(distance <= row.error) && !std::isnan(row.error)) row.error = distance;
    }
  }
  const Recorder& golden_;
};

class Dumper final : public ExecutionObserver {
 public:
  Dumper(const Model& model, std::string folder) : model_(model), folder_(std::move(folder)) {}
  void AfterOperation(const ObservedOperation& o) override {
    const Operation& operation = model_.subgraphs[o.place.subgraph].operations[o.place.operation];
    for (size_t i = 0; i < o.outputs.size(); ++i) {
      const TensorRef& t = o.outputs[i];
      if (t.bytes == nullptr) continue;
      Write(o.place.subgraph, operation.outputs[i], o.place.iterations, t.type, *t.dims,
            {t.bytes, Count(*t.dims) * ElementSize(t.type)});
    }
  }
  void Write(uint32_t subgraph, uint32_t operand, std::span<const uint64_t> iterations, OperandType type,
             const Dims& dims, std::span<const uint8_t> bytes) {
    const std::string npy = ToNpy(type, dims, bytes);
    if (npy.empty() || !status.ok()) return;
    const std::string iteration = iterations.empty() ? "" : absl::StrCat("_", absl::StrJoin(iterations, "_"));
    status = WriteFileAtomically(absl::StrCat(folder_, "/", subgraph, "_", operand, iteration, ".npy"), npy);
  }
  absl::Status status;

 private:
  const Model& model_;
  std::string folder_;
};

}  // namespace

absl::StatusOr<std::vector<OperationRow>> ReportOperations(const Model& model, std::span<const ExampleValue> inputs,
                                                           Mode mode, std::chrono::nanoseconds loop_timeout) {
  Recorder golden;
  ASSAY_RETURN_IF_ERROR(ReferenceOutputs(model, inputs, Mode::kGolden, loop_timeout, &golden).status());
  Reporter reporter(golden);
  ASSAY_RETURN_IF_ERROR(ReferenceOutputs(model, inputs, mode, loop_timeout, &reporter).status());
  return std::move(reporter.rows);
}

std::string ToTable(std::span<const OperationRow> rows) {
  std::string out = absl::StrFormat("%-10s %-24s %-28s %-18s %12s %12s %10s %9s\n", "place", "operation", "type",
                                    "shape", "least", "most", "error", "ms");
  double total = 0;
  for (const OperationRow& r : rows) {
    const std::string iterations = r.iterations.empty() ? "" : absl::StrCat("@", absl::StrJoin(r.iterations, "."));
    absl::StrAppendFormat(&out, "%-10s %-24s %-28s %-18s %12.5g %12.5g %10.3g %9.3f\n",
                          absl::StrCat(r.subgraph, ".", r.operation, iterations), NameOf(r.code), NameOf(r.type),
                          ToString(r.dims), r.least, r.most, r.error, r.milliseconds);
    if (r.output == 0) total += r.milliseconds;
  }
  absl::StrAppendFormat(&out, "%d rows, %.3f ms (IF and WHILE count what they ran again)\n", rows.size(), total);
  return out;
}

absl::Status DumpOperands(const std::string& folder, const Model& model, std::span<const ExampleValue> inputs,
                          Mode mode, std::chrono::nanoseconds loop_timeout) {
  ASSAY_RETURN_IF_ERROR(MakeFolder(folder));
  Dumper dumper(model, folder);
  for (uint32_t s = 0; s < model.subgraphs.size(); ++s)
    for (uint32_t i = 0; i < model.subgraphs[s].operands.size(); ++i) {
      const Operand& o = model.subgraphs[s].operands[i];
      if (IsConstant(o.lifetime) && o.value) dumper.Write(s, i, {}, o.type, o.dims, *o.value);
    }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const uint32_t operand = model.main().inputs[i];
    if (!inputs[i].omitted)
      dumper.Write(0, operand, {}, model.main().operands[operand].type, inputs[i].dims, inputs[i].bytes);
  }
  ASSAY_RETURN_IF_ERROR(ReferenceOutputs(model, inputs, mode, loop_timeout, &dumper).status());
  return dumper.status;
}

}  // namespace assay
