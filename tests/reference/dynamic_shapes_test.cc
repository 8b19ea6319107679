// Tests of shapes that only the request or the execution tells: unknown dimensions and rank, omitted inputs,
// insufficient buffers.
#include "gmock/gmock.h"
#include "reference/subgraph_run.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// x + x, then its product with x; both are outputs, `dims` as the model says.
Model SumAndProduct(Dims dims, Dims output_dims) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, std::move(dims));
  const auto hidden = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, output_dims);
  b.Output(b.Op("ADD", {hidden, x, b.Int(0)}, TENSOR_FLOAT32, output_dims));
  b.Output(b.Op("MUL", {hidden, x, b.Int(0)}, TENSOR_FLOAT32, output_dims));
  return b.Build();
}

TEST(DynamicShapes, ARequestCompletesUnknownDimensions) {
  const auto prepared = PrepareOrDie(SumAndProduct({0, 2}, {0, 2}));
  EXPECT_EQ(prepared->OutputShapes()[0], Shape::Of({kUnknownDim, 2}));
  for (uint32_t rows = 1; rows <= 3; ++rows) {
    std::vector<float> x(2 * rows), sums, products;
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i) - 1;
      sums.push_back(3 * x[i]);
      products.push_back(2 * x[i] * x[i]);
    }
    const Ran ran = Execute(*prepared, {Give(x, {rows, 2})});
    ASSERT_TRUE(ran.result.ok()) << ran.result.message;
    EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({rows, 2}));
    EXPECT_EQ(ran.As<float>(0), sums);
    EXPECT_EQ(ran.As<float>(1), products);
  }
}

TEST(DynamicShapes, ARequestCompletesAnUnknownRank) {
  const auto prepared = PrepareOrDie(SumAndProduct({}, {}));
  EXPECT_EQ(prepared->OutputShapes()[0], Shape::Unranked());
  const Ran vector = Execute(*prepared, {Give<float>({1, 2}, {2})});
  EXPECT_THAT(vector.As<float>(0), ElementsAre(3, 6));
  const Ran matrix = Execute(*prepared, {Give<float>({1, 2}, {1, 2})});
  EXPECT_EQ(matrix.result.outputs[1].shape, Shape::Of({1, 2}));
  EXPECT_THAT(matrix.As<float>(1), ElementsAre(2, 8));
}

TEST(DynamicShapes, AnInputMustBeKnownInTheEnd) {
  const auto prepared = PrepareOrDie(SumAndProduct({0, 2}, {0, 2}));
  const Ran none = Execute(*prepared, {Give<float>({1, 2})});
  EXPECT_EQ(none.result.status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(none.result.message, HasSubstr("input 0 is [?, 2]: its dimensions must be known"));
  const Ran zero = Execute(*prepared, {Give<float>({}, {0, 2})});
  EXPECT_EQ(zero.result.status, ErrorStatus::INVALID_ARGUMENT);
}

TEST(DynamicShapes, DeclaredOutputsMustAgreeWithWhatIsComputed) {
  const auto prepared = PrepareOrDie(SumAndProduct({0, 2}, {3, 2}));
  EXPECT_TRUE(Execute(*prepared, {Give<float>({1, 2, 3, 4, 5, 6}, {3, 2})}).result.ok());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2, 3, 4}, {2, 2})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("add.output_shape: output 0 is [2, 2], declared is [3, 2]"));
}

TEST(DynamicShapes, OutputDimensionsOfTheRequestMustAgreeToo) {
  const auto prepared = PrepareOrDie(SumAndProduct({0, 2}, {0, 2}));
  EXPECT_TRUE(Execute(*prepared, {Give<float>({1, 2}, {1, 2})}, {}, {}, {{1, 2}, {0, 2}}).result.ok());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2}, {1, 2})}, {}, {}, {{1, 2}, {2, 2}});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("output 1 is [1, 2], the request has [2, 2]"));
}

TEST(DynamicShapes, EachPlanForARequestIsItsOwn) {
  // Sizes in turn, more than are kept: every answer is right, and the peak is that of the plan.
  const auto prepared = PrepareOrDie(SumAndProduct({0}, {0}));
  for (int round = 0; round < 2; ++round) {
    for (uint32_t n = 1; n <= 40; ++n) {
      const Ran ran = Execute(*prepared, {Give(std::vector<float>(n, 2), {n})});
      ASSERT_EQ(ran.As<float>(0), std::vector<float>(n, 6)) << ran.result.message;
      ASSERT_EQ(ran.As<float>(1), std::vector<float>(n, 8));
    }
  }
}

TEST(DynamicShapes, ConcreteShapesThatBreakARuleFail) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0}), y = b.Input(TENSOR_FLOAT32, {0});
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {0}));
  const auto prepared = PrepareOrDie(b.Build());
  EXPECT_TRUE(Execute(*prepared, {Give<float>({1, 2}, {2}), Give<float>({1}, {1})}).result.ok());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2}, {2}), Give<float>({1, 2, 3}, {3})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("operation 0 (ADD) of subgraph 0 (main): add.broadcast"));
}

TEST(DynamicShapes, ARankThatIsTooHighFailsAtExecution) {
  const auto prepared = PrepareOrDie(SumAndProduct({}, {}));
  const Ran ran = Execute(*prepared, {Give<float>({1}, {1, 1, 1, 1, 1})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("add.rank"));
}

TEST(DynamicShapes, AnOmittedInputFailsWhereItIsNeeded) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), y = b.Input(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2}));
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {2}));
  const auto prepared = PrepareOrDie(b.Build());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2}), Omit()});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, AllOf(HasSubstr("operation 1 (ADD)"), HasSubstr("add.input1.omitted")));
  EXPECT_TRUE(Execute(*prepared, {Give<float>({1, 2}), Give<float>({1, 2})}).result.ok());
}

TEST(DynamicShapes, AnOmittedInputThatNothingReadsIsFine) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Input(TENSOR_FLOAT32, {});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2}));
  EXPECT_THAT(Execute(b.Build(), {Give<float>({1, 2}), Omit()}).As<float>(), ElementsAre(2, 4));
}

TEST(DynamicShapes, AScalarMayBeAnInput) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), activation = b.Input(INT32, {});
  b.Output(b.Op("ADD", {x, x, activation}, TENSOR_FLOAT32, {2}));
  const auto prepared = PrepareOrDie(b.Build());
  EXPECT_THAT(Execute(*prepared, {Give<float>({-1, 9}), Give<int32_t>({0})}).As<float>(), ElementsAre(-2, 18));
  EXPECT_THAT(Execute(*prepared, {Give<float>({-1, 9}), Give<int32_t>({1})}).As<float>(), ElementsAre(0, 18));
  EXPECT_THAT(Execute(*prepared, {Give<float>({-1, 9}), Give<int32_t>({3})}).As<float>(), ElementsAre(0, 6));
  const Ran ran = Execute(*prepared, {Give<float>({-1, 9}), Give<int32_t>({4})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("add.activation.range: `activation` is 4"));
}

TEST(DynamicShapes, InsufficientBuffersAreToldWithAllShapes) {
  const auto prepared = PrepareOrDie(SumAndProduct({0, 2}, {0, 2}));
  const Ran ran = Execute(*prepared, {Give<float>({1, 2, 3, 4}, {2, 2})}, {}, {15, 16});
  EXPECT_EQ(ran.result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(ran.result.outputs.size(), 2u);
  EXPECT_FALSE(ran.result.outputs[0].sufficient);
  EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({2, 2}));
  EXPECT_TRUE(ran.result.outputs[1].sufficient);
  EXPECT_EQ(ran.result.outputs[1].shape, Shape::Of({2, 2}));
  // A buffer of no bytes at all, without an address.
  const std::vector<float> x = {1, 2};
  const Bytes bytes = BytesOf(x);
  const InputBuffer in{bytes, {1, 2}};
  const OutputBuffer out[2] = {};
  const ExecutionResult result = prepared->Execute({&in, 1}, out);
  EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_FALSE(result.outputs[0].sufficient || result.outputs[1].sufficient);
}

// The activation, so the calls, are only known at execution, but the shapes are not: as above, by the other way.
TEST(DynamicShapes, InsufficientBuffersOfCallsThatAreDecodedAtExecution) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0}), activation = b.Input(INT32, {});
  const auto sum = b.Op("ADD", {x, x, activation}, TENSOR_FLOAT32, {0});
  b.Output(sum);
  b.Output(b.Op("MUL", {sum, sum, activation}, TENSOR_FLOAT32, {}));
  const auto prepared = PrepareOrDie(b.Build());
  const std::vector<Given> inputs = {Give<float>({1, 2, 3}, {3}), Give<int32_t>({0})};
  const Ran ran = Execute(*prepared, inputs, {}, {8, 12});
  EXPECT_EQ(ran.result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(ran.result.outputs.size(), 2u);
  EXPECT_FALSE(ran.result.outputs[0].sufficient);
  EXPECT_TRUE(ran.result.outputs[1].sufficient);
  EXPECT_EQ(ran.result.outputs[0].shape, Shape::Of({3}));
  EXPECT_EQ(ran.result.outputs[1].shape, Shape::Of({3}));
  for (size_t i = 8; i < ran.outputs[0].size(); ++i) EXPECT_EQ(ran.outputs[0][i], 0xA5);
  EXPECT_THAT(Execute(*prepared, inputs).As<float>(1), ElementsAre(4, 16, 36));
}

TEST(DynamicShapes, MemoryOfUnknownTensorsIsBoundedAndGivenBack) {
  // A chain of 8 operations on tensors whose calls are decoded at execution: two are alive at any time, and scratch
  // memory for three tensors of doubles.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0}), activation = b.Input(INT32, {});
  auto y = x;
  for (int i = 0; i < 8; ++i) y = b.Op("ADD", {y, x, activation}, TENSOR_FLOAT32, {0});
  b.Output(y);
  const auto prepared = PrepareOrDie(b.Build());
  const std::vector<Given> inputs = {Give(std::vector<float>(256, 1), {256}), Give<int32_t>({0})};
  ExecuteOptions options;
  options.most_bytes = 2 * 1024 + 3 * 2048;
  EXPECT_EQ(Execute(*prepared, inputs, options).As<float>(), std::vector<float>(256, 9));
  options.most_bytes -= 1;
  const Ran ran = Execute(*prepared, inputs, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  EXPECT_THAT(ran.result.message, HasSubstr("of subgraph 0 (main): 6144 bytes are needed beside 2048 in use"));
}

// Tensors without elements cannot be a caller's inputs, but arise inside: here, as the input of a subgraph.
TEST(DynamicShapes, TensorsMayBeEmptyInside) {
  PreparedState state(SumAndProduct({0, 2}, {0, 2}), {});
  ASSERT_TRUE(state.Prepare().ok());
  const ExecuteOptions options;
  ExecutionContext context(state, options);
  const Quantization none;
  const Dims dims = {0, 2};
  uint8_t anywhere = 0;
  const LiveTensor input = {&none, &dims, &anywhere, false};
  std::vector<OutputSlot> slots(2);
  const absl::Status status = SubgraphRun(context, 0).Run({&input, 1}, slots);
  ASSERT_TRUE(status.ok()) << status;
  for (const OutputSlot& slot : slots) {
    EXPECT_EQ(slot.dims, Dims({0, 2}));
    EXPECT_NE(slot.at, nullptr);  // null would be an omitted tensor
  }
}

TEST(DynamicShapes, ProductsThatDoNotFitFail) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {0, 1}), y = b.Input(TENSOR_FLOAT32, {1, 0});
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {0, 0}));
  const auto prepared = PrepareOrDie(b.Build());
  // 40000 * 40000 * 4 bytes > 2^32.
  const std::vector<float> many(40000);
  const Ran ran = Execute(*prepared, {Give(many, {40000, 1}), Give(many, {1, 40000})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, AllOf(HasSubstr("[40000, 40000]"), HasSubstr("more than 2^32 - 1 bytes")));
}

}  // namespace
}  // namespace assay
