// Tests of models whose shapes are all known: results by hand, buffers, memory plans, errors.
#include <cstring>
#include <numeric>

#include "gmock/gmock.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// ((x + 1) * x) + x, elements [1, 2, 2, 1].
ModelBuilder Polynomial() {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1, 2, 2, 1});
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {1}, {1});
  const auto none = b.Int(0);
  const auto sum = b.Op("ADD", {x, one, none}, TENSOR_FLOAT32, {1, 2, 2, 1});
  const auto product = b.Op("MUL", {sum, x, none}, TENSOR_FLOAT32, {1, 2, 2, 1});
  b.Output(b.Op("ADD", {product, x, none}, TENSOR_FLOAT32, {1, 2, 2, 1}));
  return b;
}

TEST(StaticShapes, AChainGivesThePolynomialInBothModes) {
  for (const Mode mode : {Mode::kGolden, Mode::kFast})
    EXPECT_THAT(Execute(Polynomial().Build(), {Give<float>({0, 1, -2, 0.5})}, mode).As<float>(),
                ElementsAre(0, 3, 0, 1.25));
}

TEST(StaticShapes, ThePlanOfAChainTurnsTwoBuffers) {
  const Model model = Polynomial().Build();
  PrepareOptions fast;
  fast.mode = Mode::kFast;
  const auto prepared = PrepareOrDie(model, fast);
  // Two temporaries of 16 bytes, which meet at operation 1; float32 needs no scratch memory in the fast mode.
  const auto placed = prepared->Placements(0);
  ASSERT_EQ(placed.size(), 2u);
  EXPECT_EQ(placed[0].lifetime.operand, 3u);
  EXPECT_EQ(placed[0].offset, 0u);
  EXPECT_EQ(placed[0].lifetime.first, 0u);
  EXPECT_EQ(placed[0].lifetime.last, 1u);
  EXPECT_EQ(placed[1].lifetime.operand, 4u);
  EXPECT_EQ(placed[1].offset, 64u);
  EXPECT_EQ(prepared->PlannedPeakBytes(), 128u);
  EXPECT_EQ(Execute(*prepared, {Give<float>({0, 1, -2, 0.5})}).result.peak_bytes, 128u);
}

TEST(StaticShapes, ScratchMemoryIsPlannedToo) {
  const auto prepared = PrepareOrDie(Polynomial().Build());
  // Golden: each operation converts to double in scratch memory. ADD 0: x (32 bytes -> 64) and the output (64), its
  // constant is converted at prepare. MUL and ADD 2: two inputs and the output, 192. At operation 1 both temporaries
  // live besides: 64 + 64 + 192.
  EXPECT_EQ(prepared->PlannedPeakBytes(), 320u);
  const auto placed = prepared->Placements(0);
  ASSERT_EQ(placed.size(), 5u);
  for (size_t a = 0; a < placed.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const TensorLifetime &p = placed[a].lifetime, &q = placed[b].lifetime;
      if (p.last < q.first || q.last < p.first) continue;
      EXPECT_TRUE(placed[a].offset + p.bytes <= placed[b].offset || placed[b].offset + q.bytes <= placed[a].offset);
    }
}

TEST(StaticShapes, QuantizedTensorsAreRoundedAfterEachOperation) {
  // Codes x of scale 0.5, zero point 10: real 0.5 * (x - 10). Sum of x with itself at scale 1: exact halves round away
  // from zero. 11 -> 0.5 + 0.5 = 1 -> code 1; 12 -> 2 -> 2; 255 -> 245 -> 245.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {3}, Quant(0.5, 10));
  const auto none = b.Int(0);
  const auto sum = b.Op("ADD", {x, x, none}, TENSOR_QUANT8_ASYMM, {3}, Quant(1, 0));
  // Twice that at scale 4: 2 / 4 = 0.5 -> 1; 4 / 4 -> 1; 490 / 4 = 122.5 -> 123.
  b.Output(b.Op("ADD", {sum, sum, none}, TENSOR_QUANT8_ASYMM, {3}, Quant(4, 0)));
  for (const Mode mode : {Mode::kGolden, Mode::kFast})
    EXPECT_THAT(Execute(b.Build(), {Give<uint8_t>({11, 12, 255})}, mode).As<uint8_t>(), ElementsAre(1, 1, 123));
}

TEST(StaticShapes, OutputsMayBeReadByFurtherOperations) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_INT32, {2});
  const auto none = b.Int(0);
  const auto twice = b.Op("ADD", {x, x, none}, TENSOR_INT32, {2});
  b.Output(twice);
  b.Output(b.Op("MUL", {twice, x, none}, TENSOR_INT32, {2}));
  const Ran ran = Execute(b.Build(), {Give<int32_t>({3, -70000})});
  EXPECT_THAT(ran.As<int32_t>(0), ElementsAre(6, -140000));
  // 2 * 70000^2 = 9.8e9 does not fit; 3 * 6 does, exactly.
  EXPECT_EQ(ran.As<int32_t>(1)[0], 18);
}

TEST(StaticShapes, AConvolutionReadsItsConstantsInPlaceOrConverted) {
  // 1x1 convolution with two outputs of one channel: y0 = 2 x + 1, y1 = -x + 0.5.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1, 1, 2, 1});
  const auto filter = b.Constant<float>(TENSOR_FLOAT32, {2, 1, 1, 1}, {2, -1});
  const auto bias = b.Constant<float>(TENSOR_FLOAT32, {2}, {1, 0.5});
  b.Output(b.Op("CONV_2D", {x, filter, bias, b.Int(2), b.Int(1), b.Int(1), b.Int(0)}, TENSOR_FLOAT32, {1, 1, 2, 2}));
  for (const Mode mode : {Mode::kGolden, Mode::kFast})
    EXPECT_THAT(Execute(b.Build(), {Give<float>({3, -4})}, mode).As<float>(), ElementsAre(7, -2.5, -7, 4.5));
}

TEST(StaticShapes, ConstantsPastTheLimitAreConvertedByEachExecution) {
  PrepareOptions options;
  options.most_constant_bytes = 0;
  const auto prepared = PrepareOrDie(Polynomial().Build(), options);
  EXPECT_THAT(Execute(*prepared, {Give<float>({0, 1, -2, 0.5})}).As<float>(), ElementsAre(0, 3, 0, 1.25));
}

TEST(StaticShapes, BuffersMayLieAnywhere) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_INT32, {3});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_INT32, {3}));
  const auto prepared = PrepareOrDie(b.Build());
  for (size_t shift = 0; shift < 4; ++shift) {
    alignas(8) uint8_t from[16], to[20];
    const int32_t values[3] = {1, -2, 1 << 29};
    std::memcpy(from + shift, values, sizeof values);
    std::memset(to, 0xA5, sizeof to);
    const InputBuffer in{{from + shift, 12}};
    const OutputBuffer out{{to + shift, 12}};
    ASSERT_TRUE(prepared->Execute({&in, 1}, {&out, 1}).ok());
    int32_t sums[3];
    std::memcpy(sums, to + shift, sizeof sums);
    EXPECT_THAT(sums, ElementsAre(2, -4, 1 << 30));
    for (size_t i = 0; i < sizeof to; ++i) {
      if (i < shift || i >= shift + 12) {
        EXPECT_EQ(to[i], 0xA5) << i;
      }
    }
  }
}

TEST(StaticShapes, ALaterReaderOfAnUnalignedOutputReadsTheRightBytes) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto sum = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {1});
  b.Output(sum);
  b.Output(b.Op("MUL", {sum, sum, b.Int(0)}, TENSOR_FLOAT32, {1}));
  const auto prepared = PrepareOrDie(b.Build());
  alignas(8) uint8_t from[4], to[16];
  const float three = 3;
  std::memcpy(from, &three, 4);
  const InputBuffer in{{from, 4}};
  const OutputBuffer out[] = {{{to + 1, 4}}, {{to + 9, 4}}};
  ASSERT_TRUE(prepared->Execute({&in, 1}, out).ok());
  float results[2];
  std::memcpy(&results[0], to + 1, 4);
  std::memcpy(&results[1], to + 9, 4);
  EXPECT_THAT(results, ElementsAre(6, 36));
}

TEST(StaticShapes, DeadOperationsAreExecuted) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Op("MUL", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2}));
  EXPECT_THAT(Execute(b.Build(), {Give<float>({1, 2})}).As<float>(), ElementsAre(2, 4));
}

TEST(StaticShapes, ABufferThatIsTooSmallIsToldBeforeAnythingRuns) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {4});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {4}));
  b.Output(b.Op("MUL", {x, x, b.Int(0)}, TENSOR_FLOAT32, {4}));
  const auto prepared = PrepareOrDie(b.Build());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2, 3, 4})}, {}, {16, 15});
  EXPECT_EQ(ran.result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(ran.result.outputs.size(), 2u);
  EXPECT_TRUE(ran.result.outputs[0].sufficient);
  EXPECT_FALSE(ran.result.outputs[1].sufficient);
  EXPECT_EQ(ran.result.outputs[1].shape, Shape::Of({4}));
  EXPECT_EQ(ran.outputs[0], Bytes(16, 0xA5));  // nothing ran
  EXPECT_THAT(ran.result.message, HasSubstr("output 1 of [4]"));
}

TEST(StaticShapes, RequestsThatDoNotFitAreInvalid) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2, 2});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2, 2}));
  const auto prepared = PrepareOrDie(b.Build());
  const auto expect = [&](const Ran& ran, absl::string_view message) {
    EXPECT_EQ(ran.result.status, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_THAT(ran.result.message, HasSubstr(std::string(message)));
    EXPECT_TRUE(ran.result.outputs.empty());
  };
  const Given good = Give<float>({1, 2, 3, 4});
  expect(Execute(*prepared, {}), "the request has 0 inputs, the model 1");
  expect(Execute(*prepared, {good, good}), "the request has 2 inputs, the model 1");
  expect(Execute(*prepared, {Give<float>({1, 2, 3})}), "input 0 has 12 bytes, [2, 2] of TENSOR_FLOAT32 takes 16");
  expect(Execute(*prepared, {Give<float>({1, 2, 3, 4}, {4})}), "input 0 is [2, 2] in the model, [4] in the request");
  expect(Execute(*prepared, {Give<float>({1, 2, 3, 4}, {2, 3})}), "[2, 3] in the request");
  expect(Execute(*prepared, {good}, {}, {}, {{2, 3}}), "output 0 is [2, 2] in the model, [2, 3] in the request");
  const InputBuffer in{good.bytes};
  const ExecutionResult none = prepared->Execute({&in, 1}, {});
  EXPECT_EQ(none.status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(none.message, HasSubstr("the request has 0 outputs, the model 1"));
}

TEST(StaticShapes, OverlappingBuffersAreInvalid) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1}), y = b.Input(TENSOR_FLOAT32, {1});
  b.Output(b.Op("ADD", {x, y, b.Int(0)}, TENSOR_FLOAT32, {1}));
  b.Output(b.Op("MUL", {x, y, b.Int(0)}, TENSOR_FLOAT32, {1}));
  const auto prepared = PrepareOrDie(b.Build());
  alignas(4) uint8_t memory[32] = {};
  const auto run = [&](size_t x_at, size_t y_at, size_t sum_at, size_t product_at) {
    const InputBuffer in[] = {{{memory + x_at, 4}}, {{memory + y_at, 4}}};
    const OutputBuffer out[] = {{{memory + sum_at, 4}}, {{memory + product_at, 4}}};
    return prepared->Execute(in, out);
  };
  EXPECT_TRUE(run(0, 4, 8, 12).ok());
  EXPECT_TRUE(run(0, 0, 8, 12).ok());  // inputs may be one buffer
  EXPECT_THAT(run(0, 4, 8, 10).message, HasSubstr("the buffers of output 0 and output 1 overlap"));
  EXPECT_THAT(run(0, 4, 6, 12).message, HasSubstr("the buffers of input 1 and output 0 overlap"));
  EXPECT_THAT(run(13, 4, 8, 12).message, HasSubstr("the buffers of output 1 and input 0 overlap"));
}

TEST(StaticShapes, ARuleThatOnlyTheExecutionSeesFailsThereWithItsPlace) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2}), y = b.Input(TENSOR_FLOAT32, {3});
  const auto sum = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {2});
  b.Output(b.Op("MUL", {sum, y, b.Int(0)}, TENSOR_FLOAT32, {3}));
  const auto prepared = PrepareOrDie(b.Build());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2}), Give<float>({1, 2, 3})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message,
              AllOf(HasSubstr("operation 1 (MUL) of subgraph 0 (main)"), HasSubstr("mul.broadcast")));
}

TEST(StaticShapes, AnOutputMustHaveTheShapeThatIsComputed) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, x, b.Int(0)}, TENSOR_FLOAT32, {3}));
  const auto prepared = PrepareOrDie(b.Build());
  const Ran ran = Execute(*prepared, {Give<float>({1, 2})});
  EXPECT_EQ(ran.result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(ran.result.message, HasSubstr("add.output_shape: output 0 is [2], declared is [3]"));
}

TEST(StaticShapes, AnInvalidModelIsNotPrepared) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, x}, TENSOR_FLOAT32, {2}));
  const auto prepared = Prepare(b.Build());
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(ErrorStatusOf(prepared.status()), ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(std::string(prepared.status().message()), HasSubstr("add.operand_count"));
}

TEST(StaticShapes, MemoryIsBounded) {
  const auto prepared = PrepareOrDie(Polynomial().Build());
  ExecuteOptions options;
  options.most_bytes = prepared->PlannedPeakBytes() - 1;
  const Ran ran = Execute(*prepared, {Give<float>({0, 1, -2, 0.5})}, options);
  EXPECT_EQ(ran.result.status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
  EXPECT_THAT(ran.result.message, HasSubstr("at most 319"));
  options.most_bytes = prepared->PlannedPeakBytes();
  EXPECT_TRUE(Execute(*prepared, {Give<float>({0, 1, -2, 0.5})}, options).result.ok());
}

TEST(StaticShapes, AModelThatNeedsTooMuchMemoryIsRefusedWhenItIsExecuted) {
  // Inputs of 2 * 64 KiB that broadcast to 2^32 - 2^16 * 4 elements: more than the limit, within 32 bits as bytes.
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {65535, 1}, Quant(1)),
             y = b.Input(TENSOR_QUANT8_ASYMM, {1, 65535}, Quant(1));
  const auto sum = b.Op("ADD", {x, y, b.Int(0)}, TENSOR_QUANT8_ASYMM, {65535, 65535}, Quant(1));
  b.Output(b.Op("ADD", {sum, sum, b.Int(0)}, TENSOR_QUANT8_ASYMM, {65535, 65535}, Quant(1)));
  const auto prepared = PrepareOrDie(b.Build());
  const std::vector<uint8_t> codes(65535);
  // The caller would have to offer an output of 4 GiB; that it offers less is told first.
  EXPECT_EQ(Execute(*prepared, {Give(codes), Give(codes)}).result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_GT(prepared->PlannedPeakBytes(), kMostExecutionBytes);
}

}  // namespace
}  // namespace assay
