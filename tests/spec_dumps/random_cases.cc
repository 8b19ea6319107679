#include "tests/spec_dumps/random_cases.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "spec_dumps/values.h"

namespace assay {
namespace {

constexpr OperandType kPlainTypes[] = {
    OperandType::FLOAT32,
    OperandType::INT32,
    OperandType::UINT32,
    OperandType::TENSOR_FLOAT32,
    OperandType::TENSOR_INT32,
    OperandType::TENSOR_QUANT8_ASYMM,
    OperandType::BOOL,
    OperandType::TENSOR_QUANT16_SYMM,
    OperandType::TENSOR_FLOAT16,
    OperandType::TENSOR_BOOL8,
    OperandType::FLOAT16,
    OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
    OperandType::TENSOR_QUANT16_ASYMM,
    OperandType::TENSOR_QUANT8_SYMM,
    OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
};

// Every bit pattern of a finite float and the infinities, often a round number.
float DrawFloat(Dice& dice) {
  if (dice.OneIn(3)) return static_cast<float>(static_cast<int32_t>(dice.Below(2001)) - 1000) / 8.0f;
  if (dice.OneIn(20)) return dice.OneIn(2) ? INFINITY : -INFINITY;
  const float value = std::bit_cast<float>(static_cast<uint32_t>(dice.Bits()));
  return std::isnan(value) ? -0.0f : value;
}

Bytes DrawBytes(Dice& dice, size_t size) {
  Bytes bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice.Bits());
  return bytes;
}

Bytes DrawValues(Dice& dice, OperandType type, const Dims& dims) {
  const TypeInfo& info = InfoOf(type);
  const size_t count = ElementsOf(type, dims).value_or(0);
  Bytes bytes = DrawBytes(dice, count * info.element_size);
  for (size_t i = 0; i < count; ++i) {
    if (info.storage == Storage::kBool8) bytes[i] &= 1;
    if (info.storage == Storage::kFloat32) {
      const float value = DrawFloat(dice);
      std::memcpy(bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
    // No NaN in float16: an exponent of all ones loses its last bit.
    if (info.storage == Storage::kFloat16 && (bytes[2 * i + 1] & 0x7c) == 0x7c) bytes[2 * i + 1] &= 0xfb;
  }
  return bytes;
}

Operand DrawOperand(Dice& dice) {
  Operand operand;
  operand.type = kPlainTypes[dice.Below(std::size(kPlainTypes))];
  if (!IsScalar(operand.type)) {
    operand.dims.resize(1 + dice.Below(4));
    for (uint32_t& d : operand.dims) d = dice.OneIn(10) ? 0 : 1 + dice.Below(3);
  }
  if (dice.OneIn(3)) operand.quantization.scale = std::fabs(DrawFloat(dice));
  if (dice.OneIn(3)) operand.quantization.zero_point = static_cast<int32_t>(dice.Bits());
  if (dice.OneIn(5)) {
    auto per_channel = std::make_shared<PerChannel>();
    per_channel->channel_dim = dice.Below(4);
    per_channel->scales.resize(1 + dice.Below(3));
    for (float& scale : per_channel->scales) scale = DrawFloat(dice);
    operand.quantization.per_channel = std::move(per_channel);
  }
  return operand;
}

// Gives the operand one of the lifetimes other than SUBGRAPH, and what belongs to it.
void DrawLifetime(Dice& dice, Subgraph& subgraph, uint32_t index) {
  Operand& operand = subgraph.operands[index];
  switch (dice.Below(6)) {
    case 0:
      operand.lifetime = Lifetime::SUBGRAPH_INPUT;
      subgraph.inputs.insert(subgraph.inputs.begin() + dice.Below(static_cast<uint32_t>(subgraph.inputs.size()) + 1),
                             index);
      break;
    case 1:
      operand.lifetime = Lifetime::SUBGRAPH_OUTPUT;
      operand.ignored = dice.OneIn(4);
      subgraph.outputs.insert(subgraph.outputs.begin() + dice.Below(static_cast<uint32_t>(subgraph.outputs.size()) + 1),
                              index);
      break;
    case 2:
      operand.lifetime = dice.OneIn(2) ? Lifetime::CONSTANT_REFERENCE : Lifetime::CONSTANT_COPY;
      operand.value = std::make_shared<const Bytes>(DrawValues(dice, operand.type, operand.dims));
      break;
    case 3:
      operand.lifetime = Lifetime::NO_VALUE;
      break;
    default:
      break;
  }
}

std::vector<uint32_t> DrawPlaces(Dice& dice, const Subgraph& subgraph, uint32_t least) {
  std::vector<uint32_t> places(least + dice.Below(4));
  for (uint32_t& place : places) place = dice.Below(static_cast<uint32_t>(subgraph.operands.size()));
  return places;
}

Subgraph DrawSubgraph(Dice& dice) {
  Subgraph subgraph;
  subgraph.name = "subgraph_" + std::to_string(dice.Below(100));
  subgraph.operands.resize(dice.Below(8));
  for (uint32_t i = 0; i < subgraph.operands.size(); ++i) {
    subgraph.operands[i] = DrawOperand(dice);
    DrawLifetime(dice, subgraph, i);
  }
  if (subgraph.operands.empty()) return subgraph;
  subgraph.operations.resize(dice.Below(4));
  for (Operation& operation : subgraph.operations) {
    operation.code = OperationCode{dice.Below(static_cast<uint32_t>(OperationNames().size()))};
    operation.inputs = DrawPlaces(dice, subgraph, 0);
    operation.outputs = DrawPlaces(dice, subgraph, 1);
  }
  return subgraph;
}

Operand Reference(uint32_t subgraph) {
  Operand operand;
  operand.type = OperandType::SUBGRAPH;
  operand.lifetime = Lifetime::SUBGRAPH;
  operand.subgraph = subgraph;
  return operand;
}

std::vector<ExampleValue> DrawExampleValues(Dice& dice, const Subgraph& main, const std::vector<uint32_t>& list,
                                            bool is_input) {
  std::vector<ExampleValue> values;
  for (uint32_t index : list) {
    const Operand& operand = main.operands[index];
    ExampleValue& value = values.emplace_back();
    value.bytes = DrawValues(dice, operand.type, operand.dims);
    value.omitted = is_input && (value.bytes.empty() || dice.OneIn(5));
    if (value.omitted) {
      value.bytes.clear();
    } else {
      value.dims = operand.dims;
    }
  }
  return values;
}

Example DrawExample(Dice& dice, const Model& model) {
  Example example;
  example.name = "example_" + std::to_string(dice.Below(1000));
  example.inputs = DrawExampleValues(dice, model.main(), model.main().inputs, /*is_input=*/true);
  example.outputs = DrawExampleValues(dice, model.main(), model.main().outputs, /*is_input=*/false);
  example.expect_failure = dice.OneIn(5);
  if (dice.OneIn(8)) example.multinomial_tolerance = std::fabs(DrawFloat(dice));
  return example;
}

// A subgraph's operand, made sure to exist.
Operand& AnyOperand(Dice& dice, Model& model) {
  Subgraph& subgraph = model.subgraphs[dice.Below(static_cast<uint32_t>(model.subgraphs.size()))];
  if (subgraph.operands.empty()) subgraph.operands.emplace_back();
  return subgraph.operands[dice.Below(static_cast<uint32_t>(subgraph.operands.size()))];
}

uint32_t OddNumber(Dice& dice) { return dice.OneIn(4) ? static_cast<uint32_t>(dice.Bits()) : dice.Below(9); }

void SpoilOperand(Dice& dice, Operand& operand) {
  switch (dice.Below(8)) {
    case 0:
      operand.lifetime = static_cast<Lifetime>(dice.Below(7));
      break;
    case 1:
      operand.type = static_cast<OperandType>(dice.OneIn(2) ? dice.Below(20) : dice.Bits());
      break;
    case 2:
      operand.type = dice.OneIn(2) ? OperandType::OEM_SCALAR : OperandType::TENSOR_OEM_BYTE;
      break;
    case 3:
      operand.dims.assign(dice.Below(5), OddNumber(dice));
      break;
    case 4:
      operand.value = std::make_shared<const Bytes>(DrawBytes(dice, dice.Below(20)));
      break;
    case 5:
      operand.extension_parameters = std::make_shared<const Bytes>(DrawBytes(dice, dice.Below(5)));
      break;
    case 6:
      operand.subgraph = OddNumber(dice);
      break;
    default:
      operand.quantization.per_channel = std::make_shared<const PerChannel>();
      break;
  }
}

void SpoilValue(Dice& dice, ExampleValue& value) {
  switch (dice.Below(4)) {
    case 0:
      value.dims.assign(dice.Below(4), OddNumber(dice));
      break;
    case 1:
      value.bytes = DrawBytes(dice, dice.Below(17));
      break;
    case 2:
      value.omitted = !value.omitted;
      break;
    default:
      value.bytes.clear();
      break;
  }
}

void Spoil(Dice& dice, TestCase& test) {
  Model& model = test.model;
  Subgraph& subgraph = model.subgraphs[dice.Below(static_cast<uint32_t>(model.subgraphs.size()))];
  switch (dice.Below(9)) {
    case 0:
      subgraph.inputs.push_back(OddNumber(dice));
      break;
    case 1:
      subgraph.outputs.push_back(OddNumber(dice));
      break;
    case 2:
      subgraph.operations.push_back({static_cast<OperationCode>(OddNumber(dice)), {OddNumber(dice)}, {}});
      break;
    case 3:
      model.subgraphs.push_back(DrawSubgraph(dice));
      break;
    case 4:
      AnyOperand(dice, model) = Reference(OddNumber(dice));
      break;
    case 5:
      model.extensions.push_back({"a\\b\"c", static_cast<uint16_t>(dice.Bits())});
      break;
    case 6:
      test.introduced_in = static_cast<FeatureLevel>(OddNumber(dice));
      break;
    case 7:
      if (dice.OneIn(4)) test.examples.clear();
      if (dice.OneIn(4)) test.examples.emplace_back();
      for (Example& example : test.examples) {
        for (ExampleValue& value : example.inputs) SpoilValue(dice, value);
        for (ExampleValue& value : example.outputs) SpoilValue(dice, value);
      }
      break;
    default:
      SpoilOperand(dice, AnyOperand(dice, model));
      break;
  }
}

}  // namespace

uint64_t Dice::Bits() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

TestCase DrawPlainCase(Dice& dice) {
  TestCase test;
  test.model.subgraphs.resize(1 + (dice.OneIn(2) ? dice.Below(5) : 0));
  const auto count = static_cast<uint32_t>(test.model.subgraphs.size());
  for (Subgraph& subgraph : test.model.subgraphs) subgraph = DrawSubgraph(dice);
  // Every subgraph but the main one is referred to by one before it, some by more.
  for (uint32_t to = 1; to < count; ++to) {
    for (bool more = true; more; more = dice.OneIn(3)) {
      Subgraph& from = test.model.subgraphs[dice.Below(to)];
      from.operands.push_back(Reference(to));
    }
  }
  test.model.relaxed = dice.OneIn(4);
  if (dice.OneIn(2)) test.introduced_in = 1 + static_cast<FeatureLevel>(dice.Below(8));
  test.examples.push_back(DrawExample(dice, test.model));
  return test;
}

TestCase DrawWildCase(Dice& dice) {
  TestCase test = DrawPlainCase(dice);
  if (dice.OneIn(3)) test.examples.push_back(DrawExample(dice, test.model));
  for (uint32_t i = dice.Below(6); i > 0; --i) Spoil(dice, test);
  return test;
}

}  // namespace assay
