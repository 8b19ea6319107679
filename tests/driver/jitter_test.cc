// Conforming devices: each differs from `fast` in what it says, and none lies outside of the bounds.
#include "driver/jitter.h"

#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "driver/built_in.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/driver/drawn_answers.h"
#include "tests/model_builder.h"

namespace assay {
namespace {

using enum OperandType;
using testing::ElementsAre;

constexpr uint64_t kGraphs = 150;

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const JitterDescription& j : Jitters()) names.push_back(j.name);
  return names;
}

class Jitter : public testing::TestWithParam<std::string> {
 protected:
  // Counts answers that differ from those of `fast`, and elements judged; none may be outside.
  void Judge(const Options& options) {
    const auto device = OpenJittered(GetParam());
    ASSERT_TRUE(device.ok()) << device.status();
    const auto fast = MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
    const Assumptions assumptions{.float16_sums_in_float32 = (*device)->description().float16_sums_in_float32};
    for (uint64_t seed = 0; seed < kGraphs; ++seed) {
      SCOPED_TRACE(absl::StrCat("seed ", seed));
      const DrawnModel drawn = DrawSeed(seed, options);
      const auto answer = AnswerOf(**device, drawn), plain = AnswerOf(*fast, drawn);
      ASSERT_TRUE(answer.ok()) << answer.status();
      ASSERT_TRUE(plain.ok()) << plain.status();
      different += *answer != *plain;
      const auto judged = JudgeAnswer(drawn, *answer, assumptions, GetParam() != "recomputing");
      ASSERT_TRUE(judged.ok()) << judged.status();
      EXPECT_EQ(judged->outside, 0u) << judged->first;
      judged_elements += judged->judged;
    }
  }
  size_t different = 0, judged_elements = 0;
};

TEST_P(Jitter, ErrsAndIsNeverOutside) {
  EXPECT_EQ((*OpenJittered(GetParam()))->description().name, absl::StrCat("jitter:", GetParam()));
  // Few numbers are subnormal by chance, and many where special values are asked for. What is seen is not fused.
  Options options{.special_values = GetParam() == "flush-to-zero"};
  if (GetParam() == "fused") options.expose = ExposePolicy::kNone;
  Judge(options);
  EXPECT_GT(different, 0u);
  EXPECT_GT(judged_elements, 100 * kGraphs);
}

// All that sum, in every signature.
TEST_P(Jitter, IsNeverOutsideInSumsOfFloat16) {
  using enum OperationCode;
  Judge({.operations = {CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, AVERAGE_POOL_2D, SOFTMAX, LSTM},
         .types = {TENSOR_FLOAT16, TENSOR_FLOAT32},
         .most_operations = 3,
         .relaxed = RelaxedPolicy::kAlways,
         .control_flow = false,
         .expose = ExposePolicy::kAll});
  EXPECT_GT(judged_elements, 10 * kGraphs);
}

INSTANTIATE_TEST_SUITE_P(All, Jitter, testing::ValuesIn(Names()), TestName);

TEST(Jitters, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const JitterDescription& j : Jitters()) {
    EXPECT_TRUE(names.insert(j.name).second) << j.name;
    EXPECT_FALSE(j.sentence.empty());
  }
  EXPECT_GE(names.size(), 11u);
}

TEST(Jitters, AnUnknownOneIsNotFound) { EXPECT_TRUE(absl::IsNotFound(OpenJittered("edgy").status())); }

// The outputs of a model of known shapes on a device; fast without a name.
template <class T>
std::vector<std::vector<T>> Answers(absl::string_view name, const Model& model, const std::vector<Bytes>& inputs) {
  auto device = name.empty() ? MakeBuiltIn({.name = "fast", .mode = Mode::kFast}) : *OpenJittered(name);
  const auto prepared = device->Prepare(model, {});
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  if (!prepared.ok()) return {};
  std::vector<InputBuffer> in;
  for (const Bytes& b : inputs) in.push_back({b, {}});
  std::vector<Bytes> bytes;
  for (const uint32_t o : model.main().outputs)
    bytes.emplace_back(*ByteSize(model.main().operands[o].type, model.main().operands[o].dims));
  std::vector<OutputBuffer> out;
  for (Bytes& b : bytes) out.push_back({b, {}});
  // Twice: nothing may be left of the first time.
  for (int i = 0; i < 2; ++i) {
    const DeviceResult result = (*prepared)->Execute(in, out, {});
    EXPECT_TRUE(result.ok()) << result.message;
  }
  std::vector<std::vector<T>> answers;
  for (const Bytes& b : bytes) answers.push_back(ElementsOf<T>(b));
  return answers;
}
using Codes = std::vector<std::vector<uint8_t>>;

// x in quarters, ADD to a hidden tensor in `hidden`, and on to quarters again by ADD of zero. `uses` consumers.
struct HiddenSum {
  Quantization hidden = Quant(1);
  int32_t activation = 0;
  int consumers = 1;
  bool visible = false, reshaped = false;
};
Model ModelOf(const HiddenSum& s) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {2}, Quant(0.25f));
  const auto zero = b.Constant<uint8_t>(TENSOR_QUANT8_ASYMM, {1}, {0}, Quant(1));
  auto h = b.Op("ADD", {x, x, b.Int(s.activation)}, TENSOR_QUANT8_ASYMM, {2}, s.hidden);
  if (s.visible) b.Output(h);
  if (s.reshaped) h = b.Op("RESHAPE", {h, b.Ints({1, 2})}, TENSOR_QUANT8_ASYMM, {1, 2}, s.hidden);
  for (int i = 0; i < s.consumers; ++i)
    b.Output(b.Op("ADD", {h, zero, b.Int(0)}, TENSOR_QUANT8_ASYMM, b.operand(h).dims, Quant(0.25f)));
  return b.Build();
}

TEST(Fused, AHiddenTensorIsNotRounded) {
  // 2 * 0.25 = 0.5 and 2 * 0.75 = 1.5: whole numbers are 1 and 2.
  const std::vector<Bytes> x = {{1, 3}};
  for (const bool reshaped : {false, true}) {
    EXPECT_EQ(Answers<uint8_t>("", ModelOf({.reshaped = reshaped}), x), Codes({{4, 8}}));
    EXPECT_EQ(Answers<uint8_t>("fused", ModelOf({.reshaped = reshaped}), x), Codes({{2, 6}}));
  }
}

TEST(Fused, AVisibleTensorAndOneOfTwoConsumersAreRounded) {
  const std::vector<Bytes> x = {{1, 3}};
  EXPECT_EQ(Answers<uint8_t>("fused", ModelOf({.visible = true}), x), Codes({{1, 2}, {4, 8}}));
  EXPECT_EQ(Answers<uint8_t>("fused", ModelOf({.consumers = 2}), x), Codes({{4, 8}, {4, 8}}));
}

TEST(Fused, SaturationIsKept) {
  // Codes 0 to 255 of an eighth around 200 stand for -25 to 6.875; sums are 20 and 7.5.
  const HiddenSum s{.hidden = Quant(0.125f, 200)};
  EXPECT_EQ(Answers<uint8_t>("fused", ModelOf(s), {{40, 15}}), Codes({{28, 28}}));
}

TEST(Fused, ActivationsAreApplied) {
  // RELU6 ends at 6, which is 1.5 codes of 4, and so at 8 for who rounds.
  const HiddenSum s{.hidden = Quant(4), .activation = 3};
  EXPECT_EQ(Answers<uint8_t>("", ModelOf(s), {{40, 8}}), Codes({{32, 16}}));
  EXPECT_EQ(Answers<uint8_t>("fused", ModelOf(s), {{40, 8}}), Codes({{24, 16}}));
}

TEST(Fused, FloatsAreCarriedInDouble) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1});
  const auto h = b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {1}, {0x1p-30f}), b.Int(0)}, TENSOR_FLOAT32, {1});
  b.Output(b.Op("ADD", {h, b.Constant<float>(TENSOR_FLOAT32, {1}, {-1}), b.Int(0)}, TENSOR_FLOAT32, {1}));
  const std::vector<Bytes> one = {BytesOf<float>({1})};
  EXPECT_EQ(Answers<float>("", b.Build(), one)[0][0], 0);
  EXPECT_EQ(Answers<float>("fused", b.Build(), one)[0][0], 0x1p-30f);
}

TEST(Fused, WhatIsConvertedIsRoundedBefore) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_QUANT8_ASYMM, {1}, Quant(0.25f));
  const auto h = b.Op("ADD", {x, x, b.Int(0)}, TENSOR_QUANT8_ASYMM, {1}, Quant(1));
  b.Output(b.Op("CAST", {h}, TENSOR_FLOAT32, {1}));
  EXPECT_EQ(Answers<float>("fused", b.Build(), {{1}})[0][0], 1);
}

// x + 0, visible or not, and then + 0 again.
Model Twice(OperandType type, uint32_t size, Quantization q, bool visible) {
  ModelBuilder b;
  const auto x = b.Input(type, {size}, q);
  const auto zero = b.Constant(type, {1}, Bytes(ElementSize(type)), q);
  const auto y = b.Op("ADD", {x, zero, b.Int(0)}, type, {size}, q);
  if (visible) b.Output(y);
  b.Output(b.Op("ADD", {y, zero, b.Int(0)}, type, {size}, q));
  return b.Build();
}

TEST(Recomputing, AVisibleTensorIsNotWhatItsConsumerReads) {
  const std::vector<uint8_t> x(500, 100);
  const auto out = Answers<uint8_t>("recomputing", Twice(TENSOR_QUANT8_ASYMM, 500, Quant(0.5f), true), {x});
  std::set<int> visible, read;
  for (size_t i = 0; i < x.size(); ++i) {
    visible.insert(out[0][i] - x[i]);
    read.insert(out[1][i] - out[0][i]);
  }
  EXPECT_EQ(visible, std::set<int>({-1, 0, 1}));
  // The output itself is not consumed and errs no further.
  EXPECT_EQ(read, std::set<int>({-2, -1, 0, 1, 2}));
  EXPECT_EQ(Answers<uint8_t>("recomputing", Twice(TENSOR_QUANT8_ASYMM, 500, Quant(0.5f), false), {x}), Codes({x}));
}

TEST(Recomputing, FloatsErrByTheirCriterion) {
  for (const bool half : {false, true}) {
    const std::vector<float> x(500, 3);
    const OperandType type = half ? TENSOR_FLOAT16 : TENSOR_FLOAT32;
    const Bytes in = half ? BytesOf(HalvesOf(x)) : BytesOf(x);
    const double criterion = half ? 5 * 0x1p-10 * 4 : 1e-5 + 5 * 0x1p-23 * 3;
    std::vector<std::vector<float>> out;
    if (half) {
      for (const auto& o : Answers<uint16_t>("recomputing", Twice(type, 500, {}, true), {in})) {
        auto& to = out.emplace_back();
        for (const uint16_t h : o) to.push_back(FloatFromHalf(h));
      }
    } else {
      out = Answers<float>("recomputing", Twice(type, 500, {}, true), {in});
    }
    double most = 0, most_read = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      most = std::max(most, std::abs(double{out[0][i]} - 3));
      most_read = std::max(most_read, std::abs(double{out[1][i]} - double{out[0][i]}));
    }
    EXPECT_LE(most, criterion);
    EXPECT_GT(most, 0.7 * criterion);
    EXPECT_GT(most_read, 1.3 * criterion);
  }
}

// The sum of the elements of x.
Model Sum(bool relaxed) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {1, 3});
  const auto ones = b.Constant<float>(TENSOR_FLOAT32, {1, 3}, {1, 1, 1}),
             zero = b.Constant<float>(TENSOR_FLOAT32, {1}, {0});
  b.Output(b.Op("FULLY_CONNECTED", {x, ones, zero, b.Int(0)}, TENSOR_FLOAT32, {1, 1}));
  if (relaxed) b.Relaxed();
  return b.Build();
}

TEST(Float16Operands, AreRoundedInRelaxedModelsAndSummedInFloat32) {
  EXPECT_TRUE((*OpenJittered("float16-operands"))->description().float16_sums_in_float32);
  // 1.0625 is a half, 2048.75 lies between 2048 and 2050, and 2048 + 1.0625 needs 12 bits more than one has.
  const std::vector<Bytes> x = {BytesOf<float>({2048.75f, 1.0625f, 0})};
  EXPECT_EQ(Answers<float>("float16-operands", Sum(true), x)[0][0], 2049.0625f);
  EXPECT_EQ(Answers<float>("float16-operands", Sum(false), x)[0][0], 2049.8125f);
}

TEST(Float16Sums, AreFloat16InRelaxedModels) {
  // No half lies between 2048 and 2050, nor between that and 2052: however it is rounded, 2050 is missed.
  const std::vector<Bytes> x = {BytesOf<float>({2048, 1, 1})};
  const float sum = Answers<float>("float16-sums", Sum(true), x)[0][0];
  EXPECT_TRUE(sum == 2048 || sum == 2052) << sum;
  EXPECT_EQ(Answers<float>("float16-sums", Sum(false), x)[0][0], 2050);
}

TEST(Float16Sums, OtherResultsAreFloat16InRelaxedModels) {
  ModelBuilder b;
  const auto x = b.Input(TENSOR_FLOAT32, {2});
  b.Output(b.Op("ADD", {x, b.Constant<float>(TENSOR_FLOAT32, {2}, {0.25f, 1}), b.Int(0)}, TENSOR_FLOAT32, {2}));
  b.Relaxed();
  const auto out = Answers<float>("float16-sums", b.Build(), {BytesOf<float>({2048, 2})});
  EXPECT_TRUE(out[0][0] == 2048 || out[0][0] == 2050) << out[0][0];
  EXPECT_EQ(out[0][1], 3);
}

}  // namespace
}  // namespace assay
