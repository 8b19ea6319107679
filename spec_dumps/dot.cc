#include "spec_dumps/dot.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "spec_dumps/float_text.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/subgraph_order.h"
#include "spec_dumps/values.h"

namespace assay {
namespace {

constexpr size_t kMostLineCharacters = 200;
constexpr uint64_t kMostShownElements = 8;

// The text as a quoted Graphviz string. Each line is cut to a bearable length.
std::string Quoted(absl::string_view text) {
  std::string out = "\"";
  size_t in_line = 0;
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      in_line = 0;
      continue;
    }
    ++in_line;
    if (in_line == kMostLineCharacters) out += "...";
    if (in_line >= kMostLineCharacters) continue;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c >= 0x20 && c <= 0x7e ? c : '?';
    }
  }
  out += '"';
  return out;
}

std::string DimsText(const Operand& operand) {
  if (operand.dims.empty()) return IsScalar(operand.type) ? "" : " [unknown rank]";
  // The model's 0 is an unknown dimension, which the drawing says too.
  return absl::StrCat(" ", ToString(operand.shape()));
}

std::string ValueText(const Operand& operand) {
  const Bytes none;
  const Bytes& bytes = operand.value ? *operand.value : none;
  const std::optional<uint64_t> count = ElementsOf(operand.type, operand.dims);
  if (count && *count <= kMostShownElements && HasValueText(operand.type, operand.dims, bytes)) {
    std::string out = "= ";
    AppendValues(out, operand.type, bytes);
    return out;
  }
  return absl::StrCat("constant, ", bytes.size(), " bytes");
}

std::string OperandText(const Operand& operand, size_t index) {
  std::string text = absl::StrCat("#", index);
  if (!operand.name.empty()) absl::StrAppend(&text, " ", operand.name);
  absl::StrAppend(&text, "\n", SpellType(operand.type).value, DimsText(operand));
  const Quantization& quantization = operand.quantization;
  if (quantization.scale != 0 || quantization.zero_point != 0) {
    text += "\nscale ";
    AppendFloat(text, quantization.scale);
    absl::StrAppend(&text, ", zero point ", quantization.zero_point);
  }
  if (quantization.per_channel) {
    absl::StrAppend(&text, "\n", quantization.per_channel->scales.size(), " scales along dimension ",
                    quantization.per_channel->channel_dim);
  }
  if (IsConstant(operand.lifetime)) absl::StrAppend(&text, "\n", ValueText(operand));
  if (operand.lifetime == Lifetime::NO_VALUE) text += "\nomitted";
  if (operand.ignored) text += "\nnot compared";
  return text;
}

absl::string_view OperandStyle(Lifetime lifetime) {
  switch (lifetime) {
    case Lifetime::SUBGRAPH_INPUT:
      return "shape=ellipse, style=\"filled\", fillcolor=\"#d8e8ff\"";
    case Lifetime::SUBGRAPH_OUTPUT:
      return "shape=ellipse, style=\"filled\", fillcolor=\"#d8ffd8\"";
    case Lifetime::CONSTANT_COPY:
    case Lifetime::CONSTANT_REFERENCE:
      return "shape=note, style=\"filled\", fillcolor=\"#f4f4f4\"";
    case Lifetime::NO_VALUE:
      return "shape=ellipse, style=\"dashed\"";
    case Lifetime::TEMPORARY_VARIABLE:
    case Lifetime::SUBGRAPH:
      break;
  }
  return "shape=ellipse, style=\"solid\"";
}

using Place = std::pair<uint32_t, uint32_t>;  // subgraph, index

class DotWriter {
 public:
  DotWriter(const Model& model, const DotMarks& marks) : model_(model) {
    Collect(marks.operations, operation_marks_);
    Collect(marks.operands, operand_marks_);
    absl::StrAppend(&out_, "digraph model {\n  graph [compound=true, labelloc=t, label=", Quoted(marks.title),
                    "];\n  node [fontsize=10];\n  edge [fontsize=8];\n");
  }

  std::string Write() && {
    for (uint32_t i = 0; i < model_.subgraphs.size(); ++i) WriteSubgraph(i);
    out_ += edges_between_;
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  static void Collect(const std::vector<DotMark>& marks, std::map<Place, const DotMark*>& out) {
    for (const DotMark& mark : marks) out.insert({{mark.subgraph, mark.index}, &mark});
  }

  // Closes the attributes of a node or edge that shows `text`, with its mark if it has one.
  static std::string Label(std::string text, const std::map<Place, const DotMark*>& marks, Place place) {
    const auto mark = marks.find(place);
    if (mark == marks.end()) return absl::StrCat("label=", Quoted(text));
    if (!mark->second->label.empty()) absl::StrAppend(&text, "\n", mark->second->label);
    const std::string colour = Quoted(mark->second->colour);
    return absl::StrCat("label=", Quoted(text), ", color=", colour, ", fontcolor=", colour, ", penwidth=3");
  }

  void WriteSubgraph(uint32_t index) {
    const Subgraph& subgraph = model_.subgraphs[index];
    absl::StrAppend(&out_, "  subgraph cluster_", index, " {\n    label=",
                    Quoted(absl::StrCat(index == 0 ? "main" : absl::StrCat("subgraph ", index), " ", subgraph.name)),
                    ";\n");
    // Where edges from other subgraphs lead to.
    if (index != 0) absl::StrAppend(&out_, "    entry_", index, " [shape=point, style=invis];\n");
    for (uint32_t i = 0; i < subgraph.operands.size(); ++i) {
      const Operand& operand = subgraph.operands[i];
      if (HasCluster(operand)) continue;
      absl::StrAppend(&out_, "    v", index, "_", i, " [", OperandStyle(operand.lifetime), ", ",
                      Label(OperandText(operand, i), operand_marks_, {index, i}), "];\n");
    }
    for (uint32_t i = 0; i < subgraph.operations.size(); ++i) WriteOperation(index, i);
    out_ += "  }\n";
  }

  // True if the operand is drawn as an edge to the subgraph that it refers to.
  bool HasCluster(const Operand& operand) const {
    return RefersToSubgraph(operand) && operand.subgraph != 0 && operand.subgraph < model_.subgraphs.size();
  }

  void WriteOperation(uint32_t subgraph_index, uint32_t index) {
    const Subgraph& subgraph = model_.subgraphs[subgraph_index];
    const Operation& operation = subgraph.operations[index];
    const std::string node = absl::StrCat("f", subgraph_index, "_", index);
    absl::StrAppend(&out_, "    ", node, " [shape=box, style=\"filled,rounded\", fillcolor=\"#fff4c8\", ",
                    Label(absl::StrCat(index, ": ", SpellOperation(operation.code).value), operation_marks_,
                          {subgraph_index, index}),
                    "];\n");
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const uint32_t input = operation.inputs[i];
      if (input < subgraph.operands.size() && HasCluster(subgraph.operands[input])) {
        const uint32_t target = subgraph.operands[input].subgraph;
        absl::StrAppend(&edges_between_, "  ", node, " -> entry_", target, " [style=dashed, ",
                        target == subgraph_index ? "" : absl::StrCat("lhead=cluster_", target, ", "),
                        Label(absl::StrCat(i), operand_marks_, {subgraph_index, input}), "];\n");
        continue;
      }
      absl::StrAppend(&out_, "    ", OperandNode(subgraph_index, input), " -> ", node, " [label=\"", i, "\"];\n");
    }
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      const std::string output = OperandNode(subgraph_index, operation.outputs[i]);
      absl::StrAppend(&out_, "    ", node, " -> ", output);
      if (operation.outputs.size() > 1) absl::StrAppend(&out_, " [label=\"", i, "\"]");
      out_ += ";\n";
    }
  }

  // The node of an operand; makes one for an operand that the model lacks, which an invalid model may name.
  std::string OperandNode(uint32_t subgraph, uint32_t index) {
    const std::vector<Operand>& operands = model_.subgraphs[subgraph].operands;
    std::string node = absl::StrCat("v", subgraph, "_", index);
    if (index >= operands.size()) {
      absl::StrAppend(&out_, "    ", node, " [shape=octagon, color=red, label=\"operand ", index,
                      " does not exist\"];\n");
    } else if (HasCluster(operands[index])) {
      // An output that is a subgraph: wrong, but it needs a node.
      absl::StrAppend(&out_, "    ", node, " [shape=octagon, ",
                      Label(OperandText(operands[index], index), operand_marks_, {subgraph, index}), "];\n");
    }
    return node;
  }

  const Model& model_;
  std::map<Place, const DotMark*> operation_marks_, operand_marks_;
  std::string out_;
  std::string edges_between_;  // they stand outside of all clusters
};

}  // namespace

std::string WriteDot(const Model& model, const DotMarks& marks) { return DotWriter(model, marks).Write(); }

}  // namespace assay
