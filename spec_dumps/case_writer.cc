#include "spec_dumps/case_writer.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "spec_dumps/float_text.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/subgraph_order.h"
#include "spec_dumps/values.h"

namespace assay {
namespace {

class CaseWriter {
 public:
  CaseWriter(std::string& out, const SpecCase& spec_case, Features& needed)
      : out_(out), case_(spec_case), model_(spec_case.test.model), needed_(needed) {}

  void Write() {
    const SubgraphOrder order = OrderSubgraphs(model_, /*keep_numbers=*/true);
    if (order.not_met > 0) needed_.Add(Feature::kSubgraphs);
    for (uint32_t index : order.written) WriteSubgraph(index, order.by_name[index]);
    WriteFlags();
    const std::vector<Example>& examples = case_.test.examples;
    if (examples.size() != 1) needed_.Add(Feature::kExamples);
    if (examples.empty()) {
      BeginStatement();
      absl::StrAppend(&out_, ModelName(0), ".NoExample()\n");
    }
    for (size_t i = 0; i < examples.size(); ++i) {
      if (i < case_.example_comments.size()) out_ += AsComment(case_.example_comments[i]);
      WriteExample(examples[i]);
    }
  }

 private:
  absl::string_view ModelName(size_t subgraph) const {
    return subgraph < case_.model_names.size() ? absl::string_view(case_.model_names[subgraph]) : "unnamed";
  }

  // Writes the comments that stand before the next statement.
  void BeginStatement() {
    const std::vector<InnerLines>& inner = case_.inner_lines;
    while (next_inner_ < inner.size() && inner[next_inner_].statement <= statement_) {
      out_ += AsComment(inner[next_inner_++].lines);
    }
    ++statement_;
  }

  template <class T>
  T Word(const Spelled<T>& spelled) {
    if (spelled.needs) needed_.Add(*spelled.needs);
    return spelled.value;
  }

  void WriteType(const Operand& operand) {
    absl::StrAppend(&out_, "[\"", Word(SpellType(operand.type)), "\", ");
    AppendDims(out_, operand.dims);
    const bool has_dims_of_none = IsScalar(operand.type) && !operand.dims.empty();
    if (has_dims_of_none || !ElementsOf(operand.type, operand.dims)) needed_.Add(Feature::kShapes);
    const Quantization& quantization = operand.quantization;
    if (quantization.scale != 0 || quantization.zero_point != 0) {
      out_ += ", ";
      AppendFloat(out_, quantization.scale);
      absl::StrAppend(&out_, ", ", quantization.zero_point);
    }
    out_ += ']';
  }

  void WriteExtraParameters(const Operand& operand) {
    if (const auto& per_channel = operand.quantization.per_channel) {
      absl::StrAppend(&out_, ", extraParams=SymmPerChannelQuantParams(channelDim=", per_channel->channel_dim,
                      ", scales=[");
      if (per_channel->scales.empty()) needed_.Add(Feature::kRaw);
      for (size_t i = 0; i < per_channel->scales.size(); ++i) {
        if (i > 0) out_ += ", ";
        AppendFloat(out_, per_channel->scales[i]);
      }
      out_ += "])";
    }
    if (operand.extension_parameters && !operand.extension_parameters->empty()) {
      needed_.Add(Feature::kExtensions);
      out_ += ", extensionParams=";
      AppendHex(out_, *operand.extension_parameters);
    }
  }

  void WriteBytes(OperandType type, const Dims& dims, const Bytes& bytes) {
    if (HasValueText(type, dims, bytes)) {
      AppendValues(out_, type, bytes);
    } else {
      needed_.Add(Feature::kRaw);
      AppendHex(out_, bytes);
    }
  }

  void WriteReference(const Operand& operand, bool by_name) {
    if (by_name) {
      absl::StrAppend(&out_, ModelName(operand.subgraph));
    } else {
      needed_.Add(Feature::kSubgraphs);
      absl::StrAppend(&out_, operand.subgraph);
    }
    const bool is_plain = operand.type == OperandType::SUBGRAPH && operand.dims.empty() &&
                          operand.quantization == Quantization() && !operand.extension_parameters;
    if (!is_plain) {
      needed_.Add(Feature::kTypes);
      out_ += ", ";
      WriteType(operand);
    }
  }

  static absl::string_view Constructor(const Operand& operand) {
    switch (operand.lifetime) {
      case Lifetime::TEMPORARY_VARIABLE:
        return "Internal";
      case Lifetime::SUBGRAPH_INPUT:
        return "Input";
      case Lifetime::SUBGRAPH_OUTPUT:
        return operand.ignored ? "IgnoredOutput" : "Output";
      case Lifetime::CONSTANT_COPY:
      case Lifetime::CONSTANT_REFERENCE:
      case Lifetime::NO_VALUE:
        return "Parameter";
      case Lifetime::SUBGRAPH:
        return "SubgraphReference";
    }
    return "Unknown";
  }

  void WriteOperand(const Operand& operand, size_t index, bool by_name) {
    BeginStatement();
    absl::StrAppend(&out_, operand.name, " = ", Constructor(operand), "(\"op", index, "\", ");
    if (RefersToSubgraph(operand)) {
      WriteReference(operand, by_name);
    } else {
      WriteType(operand);
    }
    if (IsConstant(operand.lifetime)) {
      out_ += ", ";
      WriteBytes(operand.type, operand.dims, operand.value ? *operand.value : Bytes());
    } else if (operand.lifetime == Lifetime::NO_VALUE) {
      out_ += ", value=None";
    }
    WriteExtraParameters(operand);
    out_ += ")\n";
  }

  // An operand's name, or its number if it does not exist.
  void WritePlace(const Subgraph& subgraph, uint32_t index) {
    if (index < subgraph.operands.size()) {
      out_ += subgraph.operands[index].name;
    } else {
      needed_.Add(Feature::kLists);
      absl::StrAppend(&out_, index);
    }
  }

  void WritePlaces(const Subgraph& subgraph, const std::vector<uint32_t>& places) {
    for (size_t i = 0; i < places.size(); ++i) {
      if (i > 0) out_ += ", ";
      WritePlace(subgraph, places[i]);
    }
  }

  void WriteList(absl::string_view model_name, absl::string_view method, const Subgraph& subgraph,
                 const std::vector<uint32_t>& list) {
    if (list.empty()) return;
    BeginStatement();
    absl::StrAppend(&out_, model_name, method);
    WritePlaces(subgraph, list);
    out_ += ")\n";
  }

  // Each operand of lifetime INPUT once in the inputs, of OUTPUT once in the outputs, and no other.
  void CheckLists(const Subgraph& subgraph) {
    std::vector<char> listed(subgraph.operands.size(), 0);
    bool agrees = true;
    const auto check = [&](const std::vector<uint32_t>& list, Lifetime lifetime) {
      for (uint32_t index : list) {
        if (index >= listed.size()) continue;
        agrees = agrees && subgraph.operands[index].lifetime == lifetime && !listed[index];
        listed[index] = 1;
      }
    };
    check(subgraph.inputs, Lifetime::SUBGRAPH_INPUT);
    check(subgraph.outputs, Lifetime::SUBGRAPH_OUTPUT);
    for (size_t i = 0; i < listed.size(); ++i) {
      const Lifetime lifetime = subgraph.operands[i].lifetime;
      const bool wants_list = lifetime == Lifetime::SUBGRAPH_INPUT || lifetime == Lifetime::SUBGRAPH_OUTPUT;
      agrees = agrees && (!wants_list || listed[i]);
    }
    if (!agrees) needed_.Add(Feature::kLists);
  }

  void WriteConstantReferences(const Subgraph& subgraph) {
    absl::string_view separator = ": ";
    for (const Operand& operand : subgraph.operands) {
      if (operand.lifetime != Lifetime::CONSTANT_REFERENCE) continue;
      if (separator == ": ") {
        BeginStatement();
        absl::StrAppend(&out_, kConstantReferenceMark);
      }
      absl::StrAppend(&out_, separator, operand.name);
      separator = ", ";
    }
    if (separator == ", ") out_ += '\n';
  }

  void WriteSubgraph(uint32_t index, const std::vector<char>& by_name) {
    const Subgraph& subgraph = model_.subgraphs[index];
    for (size_t i = 0; i < subgraph.operands.size(); ++i) WriteOperand(subgraph.operands[i], i, by_name[i] != 0);
    WriteConstantReferences(subgraph);
    const absl::string_view name = ModelName(index);
    BeginStatement();
    absl::StrAppend(&out_, name, " = Model(\"", subgraph.name, "\")\n");
    if (index == 0) WriteExtensions();
    WriteList(name, ".IdentifyInputs(", subgraph, subgraph.inputs);
    WriteList(name, ".IdentifyOutputs(", subgraph, subgraph.outputs);
    CheckLists(subgraph);
    for (const Operation& operation : subgraph.operations) {
      BeginStatement();
      absl::StrAppend(&out_, name, ".Operation(\"", Word(SpellOperation(operation.code)), "\"");
      for (uint32_t input : operation.inputs) {
        out_ += ", ";
        WritePlace(subgraph, input);
      }
      out_ += ").To(";
      if (operation.outputs.empty()) needed_.Add(Feature::kOperations);
      WritePlaces(subgraph, operation.outputs);
      out_ += ")\n";
    }
  }

  void WriteExtensions() {
    for (const ExtensionPrefix& extension : model_.extensions) {
      needed_.Add(Feature::kExtensions);
      BeginStatement();
      absl::StrAppend(&out_, ModelName(0), ".Extension(\"");
      for (char c : extension.name) {
        if (c == '"' || c == '\\') out_ += '\\';
        out_ += c >= 0x20 && c <= 0x7e ? c : '?';
      }
      absl::StrAppend(&out_, "\", ", extension.prefix, ")\n");
    }
  }

  void WriteFlags() {
    if (model_.relaxed) {
      BeginStatement();
      absl::StrAppend(&out_, ModelName(0), ".RelaxedExecution(True)\n");
    }
    if (case_.test.introduced_in) {
      BeginStatement();
      absl::StrAppend(&out_, ModelName(0), ".IntroducedIn(\"", Word(SpellVersion(*case_.test.introduced_in)), "\")\n");
    }
  }

  // `operand` is null where the example has more values than the model has places, or the place has no operand.
  void WriteValue(const ExampleValue& value, const Operand* operand, bool is_input) {
    if (value.omitted) {
      if (operand == nullptr || !is_input) needed_.Add(Feature::kExamples);
      out_ += operand == nullptr || !is_input ? "None" : "[]";
      return;
    }
    const bool has_own_dims = operand == nullptr || value.dims != operand->dims ||
                              (value.dims.empty() && !IsScalar(operand->type)) || (is_input && value.bytes.empty());
    if (has_own_dims) {
      needed_.Add(Feature::kShapes);
      out_ += '(';
      AppendDims(out_, value.dims);
      out_ += ", ";
    }
    if (operand != nullptr) {
      WriteBytes(operand->type, value.dims, value.bytes);
    } else {
      needed_.Add(Feature::kRaw);
      AppendHex(out_, value.bytes);
    }
    if (has_own_dims) out_ += ')';
  }

  // True if every value of the example has an operand of its own to stand for it.
  bool HasKeys(const Example& example) const {
    const Subgraph& main = model_.main();
    if (example.inputs.size() != main.inputs.size() || example.outputs.size() != main.outputs.size()) return false;
    std::vector<char> used(main.operands.size(), 0);
    for (const std::vector<uint32_t>* list : {&main.inputs, &main.outputs}) {
      for (uint32_t index : *list) {
        if (index >= used.size() || used[index]) return false;
        used[index] = 1;
      }
    }
    return true;
  }

  void WriteValues(const std::vector<ExampleValue>& values, const std::vector<uint32_t>& list, bool is_input,
                   bool with_keys, bool& first) {
    const std::vector<Operand>& operands = model_.main().operands;
    for (size_t i = 0; i < values.size(); ++i) {
      const Operand* operand = i < list.size() && list[i] < operands.size() ? &operands[list[i]] : nullptr;
      if (!first) out_ += ", ";
      first = false;
      if (with_keys) absl::StrAppend(&out_, operand->name, ": ");
      WriteValue(values[i], operand, is_input);
    }
  }

  void WriteExample(const Example& example) {
    const Subgraph& main = model_.main();
    const bool with_keys = HasKeys(example);
    bool first = true;
    out_ += with_keys ? "Example({" : "Example([";
    WriteValues(example.inputs, main.inputs, /*is_input=*/true, with_keys, first);
    if (!with_keys) {
      needed_.Add(Feature::kExamples);
      out_ += "], [";
      first = true;
    }
    WriteValues(example.outputs, main.outputs, /*is_input=*/false, with_keys, first);
    absl::StrAppend(&out_, with_keys ? "}" : "]", ", model=", ModelName(0), ", name=\"", example.name,
                    "\").DisableLifeTimeVariation()");
    if (example.multinomial_tolerance) {
      out_ += ".WithMultinomialDistributionTolerance(";
      AppendFloat(out_, *example.multinomial_tolerance);
      out_ += ')';
    }
    if (example.expect_failure) out_ += ".ExpectFailure()";
    out_ += '\n';
  }

  std::string& out_;
  const SpecCase& case_;
  const Model& model_;
  Features& needed_;
  size_t statement_ = 0;
  size_t next_inner_ = 0;
};

}  // namespace

void AppendCase(std::string& out, const SpecCase& spec_case, Features& needed) {
  CaseWriter(out, spec_case, needed).Write();
}

}  // namespace assay
