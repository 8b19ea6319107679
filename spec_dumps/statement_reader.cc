#include "spec_dumps/statement_reader.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/values.h"

namespace assay {
namespace {

constexpr CodeRange kUint32Range = {0, UINT32_MAX};
constexpr CodeRange kInt32Range = {INT32_MIN, INT32_MAX};

bool ReadUint32(Cursor& in, absl::string_view of, uint32_t& out) {
  int64_t value = 0;
  if (!in.ReadInt(kUint32Range, of, value)) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

// "[" STRING ", " dims [ ", " FLOAT ", " INT ] "]"
bool ReadType(Cursor& in, CaseBuilder& builder, Operand& operand) {
  if (!in.Expect("[")) return false;
  const size_t type_at = in.offset();
  absl::string_view word;
  if (!in.ReadString(word)) return false;
  const auto type = FindSpelledType(word);
  if (!type) return in.Fail(type_at, "an NNAPI operand type");
  if (type->needs && !builder.Allows(*type->needs, type_at, "a type that has plain values")) return false;
  operand.type = type->value;
  if (!in.Expect(", ")) return false;
  const size_t dims_at = in.offset();
  if (!ReadDims(in, operand.dims)) return false;
  if (IsScalar(operand.type) && !operand.dims.empty() &&
      !builder.Allows(Feature::kShapes, dims_at, absl::StrCat("the dimensions [] of the scalar type ", word))) {
    return false;
  }
  if (!ElementsOf(operand.type, operand.dims) &&
      !builder.Allows(Feature::kShapes, dims_at, "dimensions whose product fits 64 bits")) {
    return false;
  }
  if (in.Accept("]")) return true;
  if (!in.Expect(", ")) return false;
  const size_t scale_at = in.offset();
  int64_t zero_point = 0;
  if (!in.ReadFloat(operand.quantization.scale) || !in.Expect(", ") ||
      !in.ReadInt(kInt32Range, "zero point", zero_point)) {
    return false;
  }
  operand.quantization.zero_point = static_cast<int32_t>(zero_point);
  if (operand.quantization.scale == 0 && zero_point == 0) {
    return in.Fail(scale_at, "no scale and zero point where both are 0");
  }
  return in.Expect("]");
}

// [ ", extraParams=SymmPerChannelQuantParams(...)" ] [ ", extensionParams=" hex ], then ")".
bool ReadExtraParameters(Cursor& in, CaseBuilder& builder, Operand& operand) {
  if (in.Accept(", extraParams=SymmPerChannelQuantParams(channelDim=")) {
    auto per_channel = std::make_shared<PerChannel>();
    if (!ReadUint32(in, "channelDim", per_channel->channel_dim) || !in.Expect(", scales=[")) return false;
    bool more = true;
    if (in.LooksAt("]")) {
      if (!builder.Allows(Feature::kRaw, in.offset(), "at least one scale")) return false;
      in.Accept("]");
      more = false;
    }
    while (more) {
      float scale = 0;
      if (!in.ReadFloat(scale) || !in.ExpectCommaOr("]", more)) return false;
      per_channel->scales.push_back(scale);
    }
    if (!in.Expect(")")) return false;
    operand.quantization.per_channel = std::move(per_channel);
  }
  if (in.LooksAt(", extensionParams=")) {
    if (!builder.Allows(Feature::kExtensions, in.offset(), "\")\"")) return false;
    in.Accept(", extensionParams=");
    const size_t at = in.offset();
    Bytes bytes;
    if (!in.ReadHex(bytes)) return false;
    if (bytes.empty()) return in.Fail(at, "at least one byte");
    operand.extension_parameters = std::make_shared<const Bytes>(std::move(bytes));
  }
  return in.Expect(")");
}

bool ReadParameterValue(Cursor& in, CaseBuilder& builder, Operand& operand) {
  operand.lifetime = Lifetime::CONSTANT_COPY;
  Bytes bytes;
  if (in.Accept("value=None")) {
    operand.lifetime = Lifetime::NO_VALUE;
    return true;
  }
  if (in.LooksAt("bytes")) {
    if (!builder.Allows(Feature::kRaw, in.offset(), "values")) return false;
    if (!in.ReadHex(bytes)) return false;
  } else if (InfoOf(operand.type).storage == Storage::kNone) {
    return in.Fail(in.offset(), "value=None or bytes.fromhex(...), for this type");
  } else if (!ReadValues(in, operand.type, operand.dims, bytes)) {
    return false;
  }
  operand.value = std::make_shared<const Bytes>(std::move(bytes));
  return true;
}

// What follows "SubgraphReference(" STRING ", ".
bool ReadReference(Cursor& in, CaseBuilder& builder, Operand& operand, std::optional<Spot>& model) {
  operand.lifetime = Lifetime::SUBGRAPH;
  operand.type = OperandType::SUBGRAPH;
  if (in.PeekDigit()) {
    if (!builder.Allows(Feature::kSubgraphs, in.offset(), "a model's NAME")) return false;
    if (!ReadUint32(in, "number of a subgraph", operand.subgraph)) return false;
  } else {
    Spot name;
    if (!in.ReadName(name)) return false;
    model = name;
  }
  if (!in.LooksAt(", ")) return in.Expect(")");
  if (!builder.Allows(Feature::kTypes, in.offset(), "\")\"")) return false;
  return in.Accept(", ") && ReadType(in, builder, operand) && ReadExtraParameters(in, builder, operand);
}

// What follows NAME " = ".
bool ReadDefinition(Cursor& in, CaseBuilder& builder, Spot name) {
  Spot kind;
  if (!in.ReadName(kind)) return false;
  Operand operand;
  bool is_model = false;
  bool is_parameter = false;
  bool is_reference = false;
  if (kind.name == "Input") {
    operand.lifetime = Lifetime::SUBGRAPH_INPUT;
  } else if (kind.name == "Output" || kind.name == "IgnoredOutput") {
    operand.lifetime = Lifetime::SUBGRAPH_OUTPUT;
    operand.ignored = kind.name == "IgnoredOutput";
  } else if (kind.name == "Internal") {
    operand.lifetime = Lifetime::TEMPORARY_VARIABLE;
  } else if (kind.name == "Parameter") {
    is_parameter = true;
  } else if (kind.name == "SubgraphReference") {
    is_reference = true;
  } else if (kind.name == "Model") {
    is_model = true;
  } else {
    return in.Fail(kind.at, "Input, Output, IgnoredOutput, Internal, Parameter, SubgraphReference or Model");
  }
  if (!in.Expect("(")) return false;
  const size_t string_at = in.offset();
  absl::string_view string;
  if (!in.ReadString(string)) return false;
  if (is_model) return in.Expect(")") && builder.AddModel(name, string) && in.Expect("\n");

  const std::string expected = absl::StrCat("op", builder.NextOperandIndex());
  if (string != expected) return in.Fail(string_at, absl::StrCat("\"", expected, "\""));
  if (!in.Expect(", ")) return false;
  std::optional<Spot> model;
  if (is_reference) {
    if (!ReadReference(in, builder, operand, model)) return false;
  } else {
    if (!ReadType(in, builder, operand)) return false;
    if (is_parameter && (!in.Expect(", ") || !ReadParameterValue(in, builder, operand))) return false;
    if (!ReadExtraParameters(in, builder, operand)) return false;
  }
  return builder.AddOperand(name, std::move(operand), model) && in.Expect("\n");
}

// An operand's NAME or, with the superset, a number.
bool ReadPlace(Cursor& in, CaseBuilder& builder, OperandPlace& out) {
  out = {};
  if (!in.PeekDigit()) return in.ReadName(out.spot);
  out.spot.at = in.offset();
  if (!builder.Allows(Feature::kLists, out.spot.at, "an operand's NAME")) return false;
  uint32_t number = 0;
  if (!ReadUint32(in, "number of an operand", number)) return false;
  out.number = number;
  return true;
}

// NAME { ", " NAME } ")"
bool ReadPlaces(Cursor& in, CaseBuilder& builder, std::vector<OperandPlace>& out) {
  for (bool more = true; more;) {
    if (!ReadPlace(in, builder, out.emplace_back()) || !in.ExpectCommaOr(")", more)) return false;
  }
  return true;
}

// What follows NAME ".Operation(".
bool ReadOperation(Cursor& in, CaseBuilder& builder, Spot model) {
  const size_t at = in.offset();
  absl::string_view word;
  if (!in.ReadString(word)) return false;
  const auto code = FindSpelledOperation(word);
  if (!code) return in.Fail(at, "an NNAPI operation");
  if (code->needs && !builder.Allows(*code->needs, at, "an operation of NNAPI's list")) return false;
  std::vector<OperandPlace> inputs, outputs;
  bool more = true;
  if (!in.ExpectCommaOr(").To(", more)) return false;
  while (more) {
    if (!ReadPlace(in, builder, inputs.emplace_back()) || !in.ExpectCommaOr(").To(", more)) return false;
  }
  if (in.LooksAt(")")) {
    if (!builder.Allows(Feature::kOperations, in.offset(), "at least one output")) return false;
    in.Accept(")");
  } else if (!ReadPlaces(in, builder, outputs)) {
    return false;
  }
  return builder.AddOperation(model, code->value, inputs, outputs) && in.Expect("\n");
}

// What follows NAME ".Extension(".
bool ReadExtension(Cursor& in, CaseBuilder& builder, Spot model) {
  ExtensionPrefix extension;
  int64_t prefix = 0;
  if (!in.ReadQuoted(extension.name) || !in.Expect(", ") ||
      !in.ReadInt(CodesOf(Storage::kUint16), "prefix of an extension", prefix) || !in.Expect(")")) {
    return false;
  }
  extension.prefix = static_cast<uint16_t>(prefix);
  return builder.AddExtension(model, std::move(extension)) && in.Expect("\n");
}

bool ReadVersion(Cursor& in, CaseBuilder& builder, Spot model) {
  const size_t at = in.offset();
  absl::string_view word;
  if (!in.ReadString(word)) return false;
  const auto level = FindSpelledVersion(word);
  if (!level) return in.Fail(at, "V1_0, V1_1, V1_2, V1_3, AIDL_V1, AIDL_V2, AIDL_V3 or AIDL_V4");
  if (level->needs && !builder.Allows(*level->needs, at, "a version")) return false;
  return in.Expect(")") && builder.SetVersion(model, level->value) && in.Expect("\n");
}

}  // namespace

bool ReadDims(Cursor& in, Dims& out) {
  if (!in.Expect("[")) return false;
  for (bool more = !in.Accept("]"); more;) {
    if (out.size() == kMostDims) return in.Fail(in.offset(), absl::StrCat("at most ", kMostDims, " dimensions"));
    if (!ReadUint32(in, "dimension", out.emplace_back()) || !in.ExpectCommaOr("]", more)) return false;
  }
  return true;
}

bool ReadConstantReferences(Cursor& in, CaseBuilder& builder) {
  if (!in.Expect(kConstantReferenceMark) || !in.Expect(": ")) return false;
  std::vector<Spot> names;
  for (bool more = true; more;) {
    if (!in.ReadName(names.emplace_back()) || !in.ExpectCommaOr("\n", more)) return false;
  }
  return builder.SetConstantReferences(names);
}

bool ReadStatement(Cursor& in, CaseBuilder& builder) {
  Spot name;
  if (!in.ReadName(name)) return false;
  if (in.Accept(" = ")) return ReadDefinition(in, builder, name);
  if (!in.LooksAt(".")) return in.Fail(in.offset(), "\" = \" or \".\"");
  in.Accept(".");
  Spot method;
  if (!in.ReadName(method)) return false;
  const bool is_inputs = method.name == "IdentifyInputs";
  if (is_inputs || method.name == "IdentifyOutputs") {
    std::vector<OperandPlace> places;
    if (!in.Expect("(") || !ReadPlaces(in, builder, places)) return false;
    return (is_inputs ? builder.SetInputs(name, places) : builder.SetOutputs(name, places)) && in.Expect("\n");
  }
  if (method.name == "Operation") return in.Expect("(") && ReadOperation(in, builder, name);
  if (method.name == "RelaxedExecution") {
    return in.Expect("(True)") && builder.SetRelaxed(name) && in.Expect("\n");
  }
  if (method.name == "IntroducedIn") return in.Expect("(") && ReadVersion(in, builder, name);
  constexpr absl::string_view kPlainMethods =
      "IdentifyInputs, IdentifyOutputs, Operation, RelaxedExecution or IntroducedIn";
  if (method.name == "Extension") {
    if (!builder.Allows(Feature::kExtensions, method.at, kPlainMethods)) return false;
    return in.Expect("(") && ReadExtension(in, builder, name);
  }
  if (method.name == "NoExample") {
    if (!builder.Allows(Feature::kExamples, method.at, kPlainMethods)) return false;
    return in.Expect("()\n") && builder.Complete(name.at) && builder.CheckMain(name);
  }
  return in.Fail(method.at, std::string(kPlainMethods));
}

}  // namespace assay
