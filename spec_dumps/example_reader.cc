#include "spec_dumps/example_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "spec_dumps/statement_reader.h"
#include "spec_dumps/values.h"

namespace assay {
namespace {

// The values of one input or output. `operand` may be null in the superset: then the text gives dimensions and bytes.
bool ReadValue(Cursor& in, CaseBuilder& builder, const Operand* operand, bool is_input, ExampleValue& out) {
  const size_t at = in.offset();
  if (in.LooksAt("None")) {
    out.omitted = true;
    return builder.Allows(Feature::kExamples, at, "values") && in.Accept("None");
  }
  if (operand != nullptr && is_input && in.Accept("[]")) {
    out.omitted = true;
    return true;
  }
  const bool has_dims = in.LooksAt("(");
  if (has_dims) {
    if (!builder.Allows(Feature::kShapes, at, "values")) return false;
    in.Accept("(");
    if (!ReadDims(in, out.dims) || !in.Expect(", ")) return false;
  } else {
    if (operand == nullptr) return in.Fail(at, "dimensions and bytes, for what is no operand");
    if (operand->dims.empty() && !IsScalar(operand->type) &&
        !builder.Allows(Feature::kShapes, at, "an operand of known rank")) {
      return false;
    }
    out.dims = operand->dims;
  }
  if (in.LooksAt("bytes")) {
    if (!builder.Allows(Feature::kRaw, in.offset(), "values") || !in.ReadHex(out.bytes)) return false;
    if (!has_dims && is_input && out.bytes.empty() && !builder.Allows(Feature::kShapes, at, "values")) return false;
  } else if (operand == nullptr || InfoOf(operand->type).storage == Storage::kNone) {
    return in.Fail(in.offset(), "bytes.fromhex(...), for this type");
  } else if (!ReadValues(in, operand->type, out.dims, out.bytes)) {
    return false;
  }
  return !has_dims || in.Expect(")");
}

// entry { ", " entry } "}", after "{".
bool ReadEntries(Cursor& in, CaseBuilder& builder, Example& example) {
  const Subgraph& main = builder.model().main();
  example.inputs.resize(main.inputs.size());
  example.outputs.resize(main.outputs.size());
  const size_t count = main.inputs.size() + main.outputs.size();
  std::vector<char> seen(count, 0);
  size_t seen_count = 0;
  for (bool more = !in.Accept("}"); more;) {
    Spot name;
    uint32_t operand = 0;
    if (!in.ReadName(name) || !builder.FindOperand(name, operand)) return false;
    const std::optional<size_t> place = builder.PlaceInExample(operand);
    if (!place) return in.Fail(name.at, "an input or output of the model");
    if (seen[*place]) return in.Fail(name.at, "each input and output once");
    seen[*place] = 1;
    ++seen_count;
    const bool is_input = *place < main.inputs.size();
    ExampleValue& value = is_input ? example.inputs[*place] : example.outputs[*place - main.inputs.size()];
    if (!in.Expect(": ") || !ReadValue(in, builder, &main.operands[operand], is_input, value) ||
        !in.ExpectCommaOr("}", more)) {
      return false;
    }
  }
  if (seen_count == count) return true;
  size_t missing = 0;
  while (seen[missing]) ++missing;
  const uint32_t operand =
      missing < main.inputs.size() ? main.inputs[missing] : main.outputs[missing - main.inputs.size()];
  return in.Fail(in.offset() - 1,
                 absl::StrCat("values of all ", count, " inputs and outputs, ", main.operands[operand].name, " too"),
                 absl::StrCat("values of ", seen_count));
}

// values { ", " values } "]", after "[": one for each place of `list`, as far as there are places.
bool ReadList(Cursor& in, CaseBuilder& builder, const std::vector<uint32_t>& list, bool is_input,
              std::vector<ExampleValue>& out) {
  const std::vector<Operand>& operands = builder.model().main().operands;
  if (!in.Expect("[")) return false;
  for (bool more = !in.Accept("]"); more;) {
    const size_t place = out.size();
    const Operand* operand = place < list.size() && list[place] < operands.size() ? &operands[list[place]] : nullptr;
    if (!ReadValue(in, builder, operand, is_input, out.emplace_back()) || !in.ExpectCommaOr("]", more)) return false;
  }
  return true;
}

}  // namespace

bool ReadExample(Cursor& in, CaseBuilder& builder) {
  const size_t at = in.offset();
  if (!in.Expect("Example(") || !builder.Complete(at)) return false;
  if (builder.example_count() > 0 && !builder.Allows(Feature::kExamples, at, "one Example for a model")) return false;
  Example example;
  if (in.LooksAt("[")) {
    const Subgraph& main = builder.model().main();
    if (!builder.Allows(Feature::kExamples, in.offset(), "\"{\"")) return false;
    if (!ReadList(in, builder, main.inputs, /*is_input=*/true, example.inputs) || !in.Expect(", ") ||
        !ReadList(in, builder, main.outputs, /*is_input=*/false, example.outputs)) {
      return false;
    }
  } else {
    if (builder.ExamplesNeedPlaces() &&
        !in.Fail(in.offset(), "\"[\": two inputs or outputs are the same operand, or one is none")) {
      return false;
    }
    if (!in.Expect("{") || !ReadEntries(in, builder, example)) return false;
  }
  Spot model;
  absl::string_view name;
  if (!in.Expect(", model=") || !in.ReadName(model) || !builder.CheckMain(model)) return false;
  if (!in.Expect(", name=") || !in.ReadString(name) || !in.Expect(").DisableLifeTimeVariation()")) return false;
  example.name = std::string(name);
  if (in.Accept(".WithMultinomialDistributionTolerance(")) {
    float tolerance = 0;
    if (!in.ReadFloat(tolerance) || !in.Expect(")")) return false;
    example.multinomial_tolerance = tolerance;
  }
  example.expect_failure = in.Accept(".ExpectFailure()");
  builder.AddExample(std::move(example));
  return in.Expect("\n");
}

}  // namespace assay
