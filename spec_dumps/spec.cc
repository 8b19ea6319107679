#include "spec_dumps/spec.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "spec_dumps/subgraph_order.h"

namespace assay {
namespace {

std::string AsWord(absl::string_view text) {
  std::string word(text);
  for (char& c : word) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return word;
}

void Normalize(Operand& operand) {
  if (!IsConstant(operand.lifetime)) operand.value = nullptr;
  if (IsConstant(operand.lifetime) && !operand.value) operand.value = std::make_shared<const Bytes>();
  if (operand.lifetime != Lifetime::SUBGRAPH_OUTPUT) operand.ignored = false;
  if (!RefersToSubgraph(operand)) operand.subgraph = 0;
  if (operand.extension_parameters && operand.extension_parameters->empty()) operand.extension_parameters = nullptr;
}

void Renumber(Model& model) {
  const SubgraphOrder order = OrderSubgraphs(model, /*keep_numbers=*/false);
  std::vector<uint32_t> new_index(model.subgraphs.size());
  for (uint32_t i = 0; i < order.met.size(); ++i) new_index[order.met[i]] = i;
  std::vector<Subgraph> subgraphs;
  subgraphs.reserve(order.met.size());
  for (uint32_t old : order.met) subgraphs.push_back(std::move(model.subgraphs[old]));
  model.subgraphs = std::move(subgraphs);
  for (Subgraph& subgraph : model.subgraphs) {
    for (Operand& operand : subgraph.operands) {
      if (RefersToSubgraph(operand) && operand.subgraph < new_index.size()) {
        operand.subgraph = new_index[operand.subgraph];
      }
    }
  }
}

void Normalize(std::vector<ExampleValue>& values) {
  for (ExampleValue& value : values) {
    if (!value.omitted) continue;
    value.dims.clear();
    value.bytes.clear();
  }
}

}  // namespace

SpecCase& AddCase(SpecFile& file, TestCase test) {
  Renumber(test.model);
  SpecCase added;
  const std::string main_name = absl::StrCat("m", file.cases.size());
  for (size_t s = 0; s < test.model.subgraphs.size(); ++s) {
    Subgraph& subgraph = test.model.subgraphs[s];
    added.model_names.push_back(s == 0 ? main_name : absl::StrCat(main_name, "_s", s - 1));
    subgraph.name = AsWord(subgraph.name);
    for (size_t i = 0; i < subgraph.operands.size(); ++i) {
      subgraph.operands[i].name = absl::StrCat(added.model_names.back(), "_op", i);
      Normalize(subgraph.operands[i]);
    }
  }
  for (Example& example : test.examples) {
    example.name = AsWord(example.name);
    Normalize(example.inputs);
    Normalize(example.outputs);
  }
  added.test = std::move(test);
  file.cases.push_back(std::move(added));
  return file.cases.back();
}

SpecFile FromTestCase(const TestCase& test) {
  SpecFile file;
  AddCase(file, test);
  return file;
}

}  // namespace assay
