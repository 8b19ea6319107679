#include "tests/spec_dumps/spec_text.h"

#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/subgraph_order.h"

namespace assay {
namespace {

std::string Hex(const Bytes& bytes) {
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::string Hex(float value) {
  Bytes bytes(sizeof(value));
  std::memcpy(bytes.data(), &value, sizeof(value));
  return Hex(bytes);
}

std::string List(const std::vector<std::string>& words) { return absl::StrCat("[", absl::StrJoin(words, ", "), "]"); }

std::string DimsText(const Dims& dims) { return absl::StrCat("[", absl::StrJoin(dims, ", "), "]"); }

absl::string_view Kind(const Operand& operand) {
  switch (operand.lifetime) {
    case Lifetime::SUBGRAPH_INPUT:
      return "Input";
    case Lifetime::SUBGRAPH_OUTPUT:
      return operand.ignored ? "IgnoredOutput" : "Output";
    case Lifetime::TEMPORARY_VARIABLE:
      return "Internal";
    case Lifetime::SUBGRAPH:
      return "SubgraphReference";
    default:
      return "Parameter";
  }
}

std::string OperandLine(const Model& model, const Operand& operand, bool by_name) {
  const Quantization& quantization = operand.quantization;
  std::string line = absl::StrCat("  ", operand.name, " ", Kind(operand), " ", SpellType(operand.type).value, " ",
                                  DimsText(operand.dims), " ", Hex(quantization.scale), " ", quantization.zero_point);
  if (quantization.per_channel) {
    std::vector<std::string> scales;
    for (float scale : quantization.per_channel->scales) scales.push_back(Hex(scale));
    absl::StrAppend(&line, " ", quantization.per_channel->channel_dim, " ", List(scales));
  }
  if (operand.extension_parameters) absl::StrAppend(&line, " extension ", Hex(*operand.extension_parameters));
  if (operand.lifetime == Lifetime::NO_VALUE) line += " = None";
  if (IsConstant(operand.lifetime)) absl::StrAppend(&line, " = ", Hex(*operand.value));
  if (RefersToSubgraph(operand)) {
    absl::StrAppend(&line, " -> ", by_name ? model.subgraphs[operand.subgraph].name : absl::StrCat(operand.subgraph));
  }
  return line + "\n";
}

std::string Names(const Subgraph& subgraph, const std::vector<uint32_t>& indices) {
  std::vector<std::string> names;
  for (uint32_t i : indices) {
    names.push_back(i < subgraph.operands.size() ? subgraph.operands[i].name : absl::StrCat(i));
  }
  return List(names);
}

std::string ValueLine(const ExampleValue& value) {
  if (value.omitted) return "  omitted\n";
  return absl::StrCat("  ", DimsText(value.dims), " ", Hex(value.bytes), "\n");
}

std::string ExampleText(const Example& example) {
  std::string text = absl::StrCat("example ", example.name, "\n");
  for (const ExampleValue& value : example.inputs) text += ValueLine(value);
  for (const ExampleValue& value : example.outputs) text += ValueLine(value);
  if (example.multinomial_tolerance) absl::StrAppend(&text, "  tolerance ", Hex(*example.multinomial_tolerance), "\n");
  if (example.expect_failure) text += "  fails\n";
  return text;
}

}  // namespace

std::string SpecText(const SpecFile& file) {
  std::string text;
  for (const SpecCase& spec_case : file.cases) {
    const Model& model = spec_case.test.model;
    const SubgraphOrder order = OrderSubgraphs(model, /*keep_numbers=*/true);
    for (uint32_t index : order.written) {
      const Subgraph& subgraph = model.subgraphs[index];
      absl::StrAppend(&text, "model ", spec_case.model_names[index], " ", subgraph.name, ": ", subgraph.operands.size(),
                      " operands, ", subgraph.operations.size(), " operations\n");
      for (size_t i = 0; i < subgraph.operands.size(); ++i) {
        text += OperandLine(model, subgraph.operands[i], order.by_name[index][i] != 0);
      }
      absl::StrAppend(&text, "  inputs ", Names(subgraph, subgraph.inputs), "\n");
      absl::StrAppend(&text, "  outputs ", Names(subgraph, subgraph.outputs), "\n");
      for (const Operation& operation : subgraph.operations) {
        absl::StrAppend(&text, "  ", SpellOperation(operation.code).value, " ", Names(subgraph, operation.inputs), " ",
                        Names(subgraph, operation.outputs), "\n");
      }
      std::vector<std::string> flags;
      if (index == 0) {
        for (const ExtensionPrefix& extension : model.extensions) {
          flags.push_back(absl::StrCat(extension.prefix, " ", extension.name));
        }
        if (model.relaxed) flags.push_back("relaxed");
        if (spec_case.test.introduced_in) flags.push_back(SpellVersion(*spec_case.test.introduced_in).value);
      }
      if (!flags.empty()) absl::StrAppend(&text, "  flags ", absl::StrJoin(flags, ", "), "\n");
    }
    for (const Example& example : spec_case.test.examples) text += ExampleText(example);
  }
  return text;
}

}  // namespace assay
