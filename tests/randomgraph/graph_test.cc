// Whole random graphs: valid, executable, connected, the same again, and as the options say.
#include "randomgraph/graph.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "randomgraph/statistics.h"
#include "reference/prepared_model.h"
#include "tests/randomgraph/drawn_run.h"
#include "validate/model.h"

namespace assay {
namespace {

using enum OperandType;

DrawnModel DrawSeed(uint64_t seed, const Options& options = {}) {
  Choices choices = Choices::FromSeed(seed);
  return Draw(choices, options);
}

Options AtLevel(FeatureLevel level) {
  Options options;
  options.feature_level = level;
  return options;
}

TEST(Draw, IsValidAtTheLevelAskedFor) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Options options = AtLevel(1 + static_cast<FeatureLevel>(seed % 8));
    const DrawnModel drawn = DrawSeed(seed, options);
    ASSERT_EQ(Text(ValidateModel(drawn.model, options.feature_level)), "") << "seed " << seed;
    if (!HasOmittedInput(drawn)) {
      ASSERT_EQ(Text(ExecutionViolations(drawn.model)), "") << "seed " << seed;
    }
    EXPECT_GE(drawn.model.main().operations.size(), 1u);
    EXPECT_FALSE(drawn.model.main().inputs.empty()) << "seed " << seed;
    EXPECT_FALSE(drawn.model.main().outputs.empty()) << "seed " << seed;
    EXPECT_EQ(drawn.example.inputs.size(), drawn.model.main().inputs.size());
    for (const Rejection& r : drawn.rejected)
      EXPECT_NE(r.reason, Reason::kFault) << "seed " << seed << ": " << NameOf(r.code) << ": " << r.message;
  }
}

TEST(Draw, CanBeExecutedAndTheFastAnswerLiesInTheBound) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const DrawnModel drawn = DrawSeed(seed);
    const auto golden = RunDrawn(drawn, Mode::kGolden, kHighestFeatureLevel);
    ASSERT_TRUE(golden.ok()) << golden.status();
    EXPECT_EQ(BrokenPlan(drawn, *golden), "");
    const auto fast = RunDrawn(drawn, Mode::kFast, kHighestFeatureLevel);
    ASSERT_TRUE(fast.ok()) << fast.status();
    const auto judged = JudgeDrawn(drawn, *fast, kHighestFeatureLevel);
    ASSERT_TRUE(judged.ok()) << judged.status();
    EXPECT_EQ(judged->outside, 0u) << judged->first_outside;
  }
}

TEST(Draw, KeepsValuesWhereTheyWerePlanned) {
  Options options;
  options.expose = ExposePolicy::kAll;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const DrawnModel drawn = DrawSeed(seed, options);
    const auto golden = RunDrawn(drawn, Mode::kGolden, kHighestFeatureLevel);
    ASSERT_TRUE(golden.ok()) << golden.status();
    EXPECT_EQ(BrokenPlan(drawn, *golden), "") << "seed " << seed;
  }
}

// The judge must be able to say no: one element of each answer is moved far away.
TEST(Draw, WrongAnswersLieOutsideOfTheBound) {
  size_t outputs = 0, seen = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnModel drawn = DrawSeed(seed);
    const auto right = RunDrawn(drawn, Mode::kGolden, kHighestFeatureLevel);
    ASSERT_TRUE(right.ok()) << right.status();
    for (size_t i = 0; i < right->size(); ++i) {
      const Operand& o = drawn.model.main().operands[drawn.model.main().outputs[i]];
      auto wrong = *right;
      if (o.ignored || wrong[i].bytes.empty()) continue;
      const size_t size = ElementSize(o.type), middle = wrong[i].bytes.size() / size / 2;
      // The truth, the exponent, or 96 of 256 codes.
      wrong[i].bytes[middle * size + size - 1] ^= o.type == OperandType::TENSOR_BOOL8 ? 1 : 0x60;
      const auto judged = JudgeDrawn(drawn, wrong, kHighestFeatureLevel);
      ASSERT_TRUE(judged.ok()) << judged.status();
      ++outputs;
      if (judged->outside > 0) ++seen;
    }
  }
  EXPECT_GT(seen, outputs * 9 / 10) << "of " << outputs;
}

TEST(Draw, OperationsDependOnInputs) {
  DrawStatistics statistics;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const DrawnModel drawn = DrawSeed(seed);
    statistics.Add(drawn.model, drawn.example);
  }
  EXPECT_GT(statistics.DependentShare(), 0.95);
  EXPECT_EQ(statistics.models(), 1000u);
  EXPECT_GT(statistics.sums().depth, 2 * statistics.models()) << statistics.ToString();
}

TEST(Draw, IsTheSameFromItsTapeAndFromItsBytes) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Choices choices = Choices::FromSeed(seed);
    const DrawnModel drawn = Draw(choices, {});
    Choices tape = Choices::Replay(choices.tape());
    EXPECT_TRUE(SameDraw(drawn, Draw(tape, {}))) << "seed " << seed;
    Choices bytes = Choices::FromBytes(ToBytes(choices.trace()));
    EXPECT_TRUE(SameDraw(drawn, Draw(bytes, {}))) << "seed " << seed;
  }
}

TEST(Draw, TakesAnyTape) {
  // Parts of tapes, as the shrinker makes them.
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Choices choices = Choices::FromSeed(seed);
    Draw(choices, {});
    Tape tape = choices.tape();
    const size_t begin = tape.size() / 3, end = begin + std::min<size_t>(tape.size() - begin, 1 + seed % 17);
    tape.erase(tape.begin() + static_cast<ptrdiff_t>(begin), tape.begin() + static_cast<ptrdiff_t>(end));
    Choices part = Choices::Replay(tape);
    const DrawnModel drawn = Draw(part, {});
    ASSERT_EQ(Text(ValidateModel(drawn.model)), "") << "seed " << seed;
  }
}

TEST(Draw, WithoutChoicesIsOneSmallOperation) {
  for (FeatureLevel level = kLowestFeatureLevel; level <= kHighestFeatureLevel; ++level) {
    Choices choices = Choices::Replay({});
    const DrawnModel drawn = Draw(choices, AtLevel(level));
    ASSERT_EQ(drawn.model.main().operations.size(), 1u);
    EXPECT_EQ(Text(ValidateModel(drawn.model, level)), "");
    EXPECT_TRUE(RunDrawn(drawn, Mode::kGolden, level).ok());
    for (const ExampleValue& input : drawn.example.inputs) EXPECT_LE(input.bytes.size(), 64u);
  }
}

TEST(Draw, GivesEachOperationAGroupOfItsOwn) {
  Choices choices = Choices::FromSeed(3);
  Options options;
  options.least_operations = options.most_operations = 5;
  const DrawnModel drawn = Draw(choices, options);
  const auto groups = static_cast<size_t>(std::count_if(choices.groups().begin(), choices.groups().end(),
                                                        [](const Group& g) { return g.label == "operation"; }));
  EXPECT_GE(groups, drawn.model.main().operations.size());
}

TEST(Draw, ObeysItsOptions) {
  Options options;
  options.operations = {OperationCode::ADD};
  options.types = {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM};
  options.least_rank = 2, options.most_rank = 3;
  options.least_operations = 2, options.most_operations = 4;
  options.most_dim = 5;
  options.most_elements = 40;
  options.relaxed = RelaxedPolicy::kNever;
  options.dynamic_shapes = false;
  options.late_values = false;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Model model = DrawSeed(seed, options).model;
    EXPECT_FALSE(model.relaxed);
    EXPECT_GE(model.main().operations.size(), 2u);
    EXPECT_LE(model.main().operations.size(), 4u);
    for (const Operation& operation : model.main().operations) EXPECT_EQ(operation.code, OperationCode::ADD);
    for (const Operand& o : model.main().operands) {
      if (IsScalar(o.type)) {
        EXPECT_TRUE(IsConstant(o.lifetime));
        continue;
      }
      EXPECT_TRUE(o.type == TENSOR_FLOAT16 || o.type == TENSOR_QUANT8_ASYMM) << NameOf(o.type);
      EXPECT_TRUE(o.shape().IsKnown());
      EXPECT_LE(*ElementCount(o.dims), 40u);
      EXPECT_LE(o.dims.size(), 3u);
      for (uint32_t d : o.dims) EXPECT_LE(d, 5u);
    }
  }
  options.relaxed = RelaxedPolicy::kAlways;
  EXPECT_TRUE(DrawSeed(1, options).model.relaxed);
}

TEST(Draw, DrawsWhatItCan) {
  // Each of these happens somewhere in the first thousand seeds.
  bool relaxed = false, unknown_dims = false, unknown_rank = false, late_scalar = false, reference = false;
  bool shared = false, twice = false, dead = false;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Model model = DrawSeed(seed).model;
    const Subgraph& main = model.main();
    relaxed |= model.relaxed;
    std::vector<size_t> readers(main.operands.size(), 0);
    for (const Operation& operation : main.operations) {
      for (uint32_t i : operation.inputs) ++readers[i];
      const Operand& first = main.operands[operation.inputs[0]];
      if (operation.inputs.size() > 1 && operation.inputs[0] == operation.inputs[1] && !IsScalar(first.type))
        twice = true;
    }
    for (size_t i = 0; i < main.operands.size(); ++i) {
      const Operand& o = main.operands[i];
      const bool is_input = o.lifetime == Lifetime::SUBGRAPH_INPUT;
      unknown_rank |= !o.shape().ranked;
      unknown_dims |= o.shape().ranked && !o.shape().IsKnown();
      late_scalar |= IsScalar(o.type) && is_input;
      reference |= o.lifetime == Lifetime::CONSTANT_REFERENCE;
      shared |= is_input && readers[i] > 1;
      dead |= o.lifetime == Lifetime::TEMPORARY_VARIABLE && readers[i] == 0;
    }
  }
  EXPECT_TRUE(relaxed);
  EXPECT_TRUE(unknown_dims);
  EXPECT_TRUE(unknown_rank);
  EXPECT_TRUE(late_scalar);
  EXPECT_TRUE(reference);
  EXPECT_TRUE(shared);
  EXPECT_TRUE(twice);
  EXPECT_TRUE(dead);
}

TEST(CheckOptions, NamesWhatIsWrong) {
  EXPECT_TRUE(CheckOptions({}).ok());
  Options options;
  options.feature_level = 9;
  EXPECT_THAT(std::string(CheckOptions(options).message()), testing::HasSubstr("feature_level is 9"));
  options = {};
  options.least_operations = 11;
  EXPECT_THAT(std::string(CheckOptions(options).message()), testing::HasSubstr("operations are 11 to 10"));
  options = {};
  options.types = {TENSOR_OEM_BYTE};
  EXPECT_THAT(std::string(CheckOptions(options).message()), testing::HasSubstr("no operation that can be drawn"));
}

// The exposed tensors of a drawn graph, without a drawn policy.
Options Exposing(ExposePolicy policy) {
  Options options;
  options.least_operations = 4;
  options.expose = policy;
  options.dynamic_shapes = false;
  return options;
}

TEST(Expose, PolicyDecidesWhatIsSeen) {
  size_t planned = 0, all = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_TRUE(DrawSeed(seed, Exposing(ExposePolicy::kNone)).exposed.empty());
    planned += DrawSeed(seed, Exposing(ExposePolicy::kPlanned)).exposed.size();
    const DrawnModel seen = DrawSeed(seed, Exposing(ExposePolicy::kAll));
    all += seen.exposed.size();
    const Subgraph& main = seen.model.main();
    for (const Operation& operation : main.operations)
      for (uint32_t i : operation.inputs)
        EXPECT_NE(main.operands[i].lifetime, Lifetime::TEMPORARY_VARIABLE) << "seed " << seed << " operand " << i;
  }
  EXPECT_GT(planned, 0u);
  EXPECT_GT(all, planned);
}

TEST(Expose, AddsOutputsAndHideTakesThemAway) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const DrawnModel drawn = DrawSeed(seed, Exposing(ExposePolicy::kNone));
    std::vector<uint32_t> temporaries;
    for (uint32_t i = 0; i < drawn.model.main().operands.size(); ++i)
      if (drawn.model.main().operands[i].lifetime == Lifetime::TEMPORARY_VARIABLE) temporaries.push_back(i);
    const Model exposed = Expose(drawn.model, temporaries);
    EXPECT_EQ(exposed.main().outputs.size(), drawn.model.main().outputs.size() + temporaries.size());
    ASSERT_EQ(Text(ValidateModel(exposed)), "");
    const Model hidden = Hide(exposed, exposed.main().outputs);
    ASSERT_EQ(Text(ValidateModel(hidden)), "");
    // What nothing reads stays an output.
    for (uint32_t o : hidden.main().outputs)
      for (const Operation& operation : hidden.main().operations)
        EXPECT_EQ(std::count(operation.inputs.begin(), operation.inputs.end(), o), 0);
  }
}

TEST(Expose, DoesNotChangeTheAnswers) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    DrawnModel drawn = DrawSeed(seed, Exposing(ExposePolicy::kAll));
    const auto seen = RunDrawn(drawn, Mode::kGolden, kHighestFeatureLevel);
    ASSERT_TRUE(seen.ok()) << seen.status();
    const std::vector<uint32_t> before = drawn.model.main().outputs;
    drawn.model = Hide(drawn.model, drawn.exposed);
    const auto unseen = RunDrawn(drawn, Mode::kGolden, kHighestFeatureLevel);
    ASSERT_TRUE(unseen.ok()) << unseen.status();
    for (size_t i = 0; i < drawn.model.main().outputs.size(); ++i) {
      const auto at = std::find(before.begin(), before.end(), drawn.model.main().outputs[i]) - before.begin();
      EXPECT_EQ((*unseen)[i], (*seen)[static_cast<size_t>(at)]) << "seed " << seed << " output " << i;
    }
  }
}

TEST(Statistics, CountsAHandMadeModel) {
  // a, b -> ADD -> c; c, k -> MUL -> d; x -> ADD(x, x) -> y: two pieces, all of them dependent.
  Model model;
  Subgraph& main = model.main();
  const auto add = [&](Lifetime lifetime) {
    Operand o;
    o.dims = {2};
    o.lifetime = lifetime;
    main.operands.push_back(o);
    return static_cast<uint32_t>(main.operands.size() - 1);
  };
  const uint32_t a = add(Lifetime::SUBGRAPH_INPUT), b = add(Lifetime::SUBGRAPH_INPUT);
  const uint32_t c = add(Lifetime::TEMPORARY_VARIABLE), k = add(Lifetime::CONSTANT_COPY);
  const uint32_t d = add(Lifetime::SUBGRAPH_OUTPUT), x = add(Lifetime::SUBGRAPH_INPUT);
  const uint32_t y = add(Lifetime::SUBGRAPH_OUTPUT);
  main.operations = {
      {OperationCode::ADD, {a, b}, {c}}, {OperationCode::MUL, {c, k}, {d}}, {OperationCode::ADD, {x, x}, {y}}};
  main.inputs = {a, b, x}, main.outputs = {d, y};
  const GraphStatistics s = StatisticsOf(model);
  EXPECT_EQ(s.operations, 3u);
  EXPECT_EQ(s.pieces, 2u);
  EXPECT_EQ(s.depth, 2u);
  EXPECT_EQ(s.dependent, 3u);
  EXPECT_EQ(s.shared, 1u);  // x
  EXPECT_EQ(s.codes.at(OperationCode::ADD), 2u);
  EXPECT_EQ(s.types.at(TENSOR_FLOAT32), 7u);

  main.operands[d].type = TENSOR_QUANT8_ASYMM;
  main.operands[d].quantization = {1, 0, nullptr};
  Example example;
  example.outputs = {{false, {2}, {0, 255}}, {false, {2}, {0, 0, 0, 0, 0, 0, 0, 0}}};
  DrawStatistics sums;
  sums.Add(model, example);
  EXPECT_EQ(sums.values().at(TENSOR_QUANT8_ASYMM).saturated, 1u);  // the 0 is no saturation
  EXPECT_EQ(sums.values().at(TENSOR_QUANT8_ASYMM).zeros, 1u);
  EXPECT_EQ(sums.values().at(TENSOR_QUANT8_ASYMM).uniform, 0u);
  EXPECT_EQ(sums.values().at(TENSOR_FLOAT32).zeros, 2u);
  EXPECT_EQ(sums.values().at(TENSOR_FLOAT32).uniform, 1u);
  main.inputs = {};
  EXPECT_EQ(StatisticsOf(model).dependent, 0u);
}

}  // namespace
}  // namespace assay
