#include "randomgraph/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "absl/strings/str_format.h"
#include "numeric/storage.h"

namespace assay {
namespace {

// Disjoint sets of operands.
class Sets {
 public:
  explicit Sets(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), size_t{0}); }
  size_t Find(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(size_t a, size_t b) { parent_[Find(a)] = Find(b); }

 private:
  std::vector<size_t> parent_;
};

// Operands that carry computed or given data from one operation to another.
bool Connects(const Operand& o) {
  return !IsConstant(o.lifetime) && o.lifetime != Lifetime::NO_VALUE && o.lifetime != Lifetime::SUBGRAPH;
}

size_t Pieces(const Subgraph& graph) {
  Sets sets(graph.operands.size());
  std::vector<size_t> representative;
  for (const Operation& operation : graph.operations) {
    if (operation.outputs.empty()) continue;
    representative.push_back(operation.outputs[0]);
    for (const auto* list : {&operation.inputs, &operation.outputs})
      for (uint32_t i : *list)
        if (Connects(graph.operands[i])) sets.Join(i, operation.outputs[0]);
  }
  for (size_t& r : representative) r = sets.Find(r);
  std::sort(representative.begin(), representative.end());
  return static_cast<size_t>(std::unique(representative.begin(), representative.end()) - representative.begin());
}

double Share(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void Count(const Operand& operand, const ExampleValue& value, ValueStatistics& sums) {
  const size_t size = ElementSize(operand.type);
  const size_t count = size == 0 ? 0 : value.bytes.size() / size;
  if (count == 0) return;
  const CodeRange codes = CodesOf(InfoOf(operand.type).storage);
  bool same = true;
  for (size_t i = 0; i < count; ++i) {
    const double real = ElementAt(operand.type, operand.quantization, value.dims, value.bytes.data(), i);
    if (real == 0) ++sums.zeros;
    if (IsFloat(operand.type) && !std::isfinite(real)) ++sums.special;
    if (IsQuantized(operand.type) && real != 0) {
      const int64_t code = CodeAt(operand.type, value.bytes.data(), i);
      if (code == codes.least || code == codes.most) ++sums.saturated;
    }
    same &= std::equal(value.bytes.begin(), value.bytes.begin() + static_cast<ptrdiff_t>(size),
                       value.bytes.begin() + static_cast<ptrdiff_t>(i * size));
  }
  ++sums.tensors;
  sums.elements += count;
  if (count >= 2) ++sums.uniform_of;
  if (count >= 2 && same) ++sums.uniform;
}

}  // namespace

GraphStatistics StatisticsOf(const Model& model) {
  GraphStatistics out;
  const Subgraph& main = model.main();
  out.operations = main.operations.size();
  out.inputs = main.inputs.size();
  out.outputs = main.outputs.size();
  out.subgraphs = model.subgraphs.size() - 1;
  out.pieces = Pieces(main);
  std::vector<size_t> depth(main.operands.size(), 0), readers(main.operands.size(), 0);
  std::vector<bool> dependent(main.operands.size(), false);
  for (uint32_t i : main.inputs) dependent[i] = true;
  for (const Operation& operation : main.operations) {
    size_t deepest = 0;
    bool depends = false;
    for (uint32_t i : operation.inputs) {
      deepest = std::max(deepest, depth[i]);
      depends |= dependent[i];
      if (Connects(main.operands[i])) ++readers[i];
    }
    for (uint32_t i : operation.outputs) depth[i] = deepest + 1, dependent[i] = depends;
    out.depth = std::max(out.depth, deepest + 1);
    if (depends) ++out.dependent;
  }
  out.shared = static_cast<size_t>(std::count_if(readers.begin(), readers.end(), [](size_t n) { return n > 1; }));
  for (const Subgraph& graph : model.subgraphs) {
    for (const Operand& o : graph.operands) {
      if (IsScalar(o.type) || o.lifetime == Lifetime::NO_VALUE) continue;
      ++out.types[o.type];
      if (!o.shape().IsKnown()) ++out.unknown_shapes;
    }
    for (const Operation& operation : graph.operations) ++out.codes[operation.code];
  }
  return out;
}

void DrawStatistics::Add(const Model& model, const Example& example) {
  const GraphStatistics one = StatisticsOf(model);
  ++models_;
  ++sizes_[one.operations];
  if (one.pieces == 1) ++connected_;
  sums_.operations += one.operations, sums_.pieces += one.pieces, sums_.depth += one.depth;
  sums_.dependent += one.dependent, sums_.inputs += one.inputs, sums_.outputs += one.outputs;
  sums_.subgraphs += one.subgraphs, sums_.unknown_shapes += one.unknown_shapes, sums_.shared += one.shared;
  for (const auto& [type, count] : one.types) sums_.types[type] += count;
  for (const auto& [code, count] : one.codes) sums_.codes[code] += count;
  for (size_t i = 0; i < example.outputs.size() && i < model.main().outputs.size(); ++i) {
    const Operand& o = model.main().operands[model.main().outputs[i]];
    if (!o.ignored) Count(o, example.outputs[i], values_[o.type]);
  }
}

double DrawStatistics::DependentShare() const { return Share(sums_.dependent, sums_.operations); }

std::string DrawStatistics::ToString() const {
  std::string out;
  const auto mean = [&](size_t sum) { return Share(sum, models_); };
  const auto percent = [](size_t part, size_t whole) { return 100 * Share(part, whole); };
  absl::StrAppendFormat(
      &out, "%d models: %.1f operations, depth %.1f, %.1f inputs, %.1f outputs, %.2f subgraphs each\n", models_,
      mean(sums_.operations), mean(sums_.depth), mean(sums_.inputs), mean(sums_.outputs), mean(sums_.subgraphs));
  absl::StrAppendFormat(&out,
                        "in one piece: %.1f %%; operations that depend on an input: %.1f %%; tensors read more than "
                        "once: %.2f a model; of unknown shape: %.2f a model\n",
                        percent(connected_, models_), 100 * DependentShare(), mean(sums_.shared),
                        mean(sums_.unknown_shapes));
  out += "operations a model:";
  for (const auto& [size, count] : sizes_) absl::StrAppendFormat(&out, " %d: %.1f %%", size, percent(count, models_));
  out += "\ntensors by type:\n";
  size_t tensors = 0, operations = 0;
  for (const auto& [type, count] : sums_.types) tensors += count;
  for (const auto& [code, count] : sums_.codes) operations += count;
  for (const auto& [type, count] : sums_.types)
    absl::StrAppendFormat(&out, "  %-32s %8d  %5.1f %%\n", std::string(NameOf(type)), count, percent(count, tensors));
  if (!values_.empty()) out += "outputs by type: elements, zeros, saturated, special; tensors all of one value\n";
  for (const auto& [type, v] : values_)
    absl::StrAppendFormat(&out, "  %-32s %8d  %5.1f %%  %5.1f %%  %5.1f %%;  %5.1f %%\n", std::string(NameOf(type)),
                          v.elements, percent(v.zeros, v.elements), percent(v.saturated, v.elements),
                          percent(v.special, v.elements), percent(v.uniform, v.uniform_of));
  out += "operations:\n";
  for (const auto& [code, count] : sums_.codes)
    absl::StrAppendFormat(&out, "  %-32s %8d  %5.1f %%\n", std::string(NameOf(code)), count,
                          percent(count, operations));
  return out;
}

}  // namespace assay
