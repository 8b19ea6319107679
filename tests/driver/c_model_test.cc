// What a driver is told of a model: every field, and constants where they must be.
#include "driver/c_model.h"

#include "gtest/gtest.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;

template <class T>
std::vector<T> ListOf(const T* begin, uint32_t count) {
  return {begin, begin + count};
}

TEST(CModel, TellsOperandsAndOperations) {
  ModelBuilder b;
  const auto image = b.Input(TENSOR_QUANT8_ASYMM, {1, 0, 4, 3}, Quant(0.5f, 7));
  const auto filter = b.Constant<int8_t>(TENSOR_QUANT8_SYMM_PER_CHANNEL, {2, 1, 1, 3}, {1, 2, 3, 4, 5, 6},
                                         PerChannelQuant(0, {0.25f, 2}));
  const auto bias = b.Omitted(TENSOR_INT32, {2});
  const auto sums = b.Op("CONV_2D", {image, filter, bias}, TENSOR_QUANT8_ASYMM, {}, Quant(1));
  const auto y = b.Op("RELU", {sums}, TENSOR_QUANT8_ASYMM, {1, 2}, Quant(1));
  b.Output(y);
  b.Relaxed();
  const Model model = b.Build();
  const CModel told(model);

  const AssayModel& m = *told.get();
  EXPECT_EQ(m.relaxed, 1);
  ASSERT_EQ(m.subgraph_count, 1u);
  const AssaySubgraph& s = m.subgraphs[0];
  EXPECT_EQ(ListOf(s.inputs, s.input_count), std::vector<uint32_t>({image}));
  EXPECT_EQ(ListOf(s.outputs, s.output_count), std::vector<uint32_t>({y}));
  ASSERT_EQ(s.operand_count, 5u);
  EXPECT_EQ(s.operands[image].type, 5);
  EXPECT_EQ(s.operands[image].lifetime, ASSAY_SUBGRAPH_INPUT);
  EXPECT_EQ(ListOf(s.operands[image].dims, s.operands[image].rank), Dims({1, 0, 4, 3}));
  EXPECT_EQ(s.operands[image].scale, 0.5f);
  EXPECT_EQ(s.operands[image].zero_point, 7);
  EXPECT_EQ(s.operands[image].scale_count, 0u);
  EXPECT_EQ(s.operands[image].value, nullptr);
  EXPECT_EQ(s.operands[filter].lifetime, ASSAY_CONSTANT_COPY);
  EXPECT_EQ(s.operands[filter].channel_dim, 0u);
  EXPECT_EQ(ListOf(s.operands[filter].scales, s.operands[filter].scale_count), std::vector<float>({0.25f, 2}));
  EXPECT_EQ(s.operands[filter].value_size, 6u);
  EXPECT_EQ(ListOf(static_cast<const int8_t*>(s.operands[filter].value), 6), std::vector<int8_t>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(s.operands[bias].lifetime, ASSAY_NO_VALUE);
  EXPECT_EQ(s.operands[bias].value, nullptr);
  EXPECT_EQ(s.operands[sums].lifetime, ASSAY_TEMPORARY_VARIABLE);
  EXPECT_EQ(s.operands[sums].rank, 0u);
  EXPECT_EQ(s.operands[y].lifetime, ASSAY_SUBGRAPH_OUTPUT);
  ASSERT_EQ(s.operation_count, 2u);
  EXPECT_EQ(s.operations[0].code, 3);
  EXPECT_EQ(ListOf(s.operations[0].inputs, s.operations[0].input_count), std::vector<uint32_t>({image, filter, bias}));
  EXPECT_EQ(ListOf(s.operations[0].outputs, s.operations[0].output_count), std::vector<uint32_t>({sums}));
  EXPECT_EQ(s.operations[1].code, 19);
}

TEST(CModel, TellsSubgraphs) {
  ModelBuilder b;
  SubgraphBuilder& branch = b.AddSubgraph("branch");
  const auto inside = branch.Input(TENSOR_FLOAT32, {2});
  branch.Output(branch.Op("ADD", {inside, branch.Constant<float>(TENSOR_FLOAT32, {2}, {3, 4}), branch.Int(0)},
                          TENSOR_FLOAT32, {2}));
  const auto condition = b.Bool(true);
  const auto reference = b.Reference(1);
  b.Output(b.Op("IF", {condition, reference, reference, b.Input(TENSOR_FLOAT32, {2})}, TENSOR_FLOAT32, {2}));
  const CModel told(b.Build());

  ASSERT_EQ(told.get()->subgraph_count, 2u);
  const AssayOperand& operand = told.get()->subgraphs[0].operands[reference];
  EXPECT_EQ(operand.type, 15);
  EXPECT_EQ(operand.lifetime, ASSAY_SUBGRAPH);
  EXPECT_EQ(operand.subgraph, 1u);
  EXPECT_EQ(operand.value, nullptr);
  const AssaySubgraph& s = told.get()->subgraphs[1];
  ASSERT_EQ(s.operation_count, 1u);
  EXPECT_EQ(ListOf(static_cast<const float*>(s.operands[s.operations[0].inputs[1]].value), 2),
            std::vector<float>({3, 4}));
}

TEST(CModel, ConstantsAreAlignedCopiesThatAreWatched) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  std::vector<uint32_t> constants;
  for (uint32_t size : {1u, 63u, 64u, 65u})
    constants.push_back(b.Constant(TENSOR_BOOL8, {size}, Bytes(size, static_cast<uint8_t>(size))));
  b.Output(b.Op("RELU", {x}, TENSOR_FLOAT32, {1}));
  const Model model = b.Build();
  for (uint32_t c : constants) {
    const CModel told(model);
    const AssayOperand& operand = told.get()->subgraphs[0].operands[c];
    auto* bytes = static_cast<uint8_t*>(const_cast<void*>(operand.value));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
    EXPECT_NE(static_cast<const void*>(bytes), model.main().operands[c].value->data());
    EXPECT_EQ(told.Written(), std::nullopt);
    for (size_t at : {size_t{0}, operand.value_size - 1, operand.value_size, operand.value_size + 63}) {
      ++bytes[at];
      const auto written = told.Written();
      ASSERT_TRUE(written.has_value()) << at;
      EXPECT_EQ(written->operand, c);
      EXPECT_NE(written->message.find(absl::StrCat("byte ", at, " of constant operand ", c)), std::string::npos)
          << written->message;
      --bytes[at];
    }
  }
}

TEST(CModel, TellsAModelWithoutConstants) {
  ModelBuilder b;
  b.Output(b.Op("RELU", {b.Input(TENSOR_FLOAT32, {1})}, TENSOR_FLOAT32, {1}));
  EXPECT_EQ(CModel(b.Build()).Written(), std::nullopt);
}

}  // namespace
}  // namespace assay
