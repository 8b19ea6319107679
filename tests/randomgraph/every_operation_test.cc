// The properties that every operation of the registry shares, for each of its type rows: later operations are covered
// by being registered.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ops/registry.h"
#include "randomgraph/single.h"
#include "tests/randomgraph/drawn_run.h"
#include "validate/argument.h"
#include "validate/model.h"

namespace assay {
namespace {

constexpr uint64_t kSeeds = 200;  // of each row

Options SmallOptions(FeatureLevel level) {
  Options options;
  options.feature_level = level;
  options.most_dim = 8;
  options.most_elements = 256;
  options.control_flow_depth = 1;
  return options;
}

// The value of an input of the main graph, if it is one.
const Bytes* GivenValue(const DrawnModel& drawn, uint32_t operand) {
  const auto& inputs = drawn.model.main().inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] == operand) return &drawn.example.inputs[i].bytes;
  return nullptr;
}

class EveryOperation : public testing::TestWithParam<const OperationInfo*> {
 protected:
  // Calls `check` with 200 drawn models of each row; even seeds are drawn for the row's own level, odd ones for the
  // latest.
  template <class Check>
  void ForDrawn(Check check) {
    const OperationInfo& info = *GetParam();
    ASSERT_TRUE(info.draw != nullptr || info.evaluation == Evaluation::kControlFlow) << "is not drawn";
    for (size_t row = 0; row < info.rows.size(); ++row) {
      size_t drawn_models = 0;
      for (uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE(absl::StrCat(info.name, " row ", row, " seed ", seed));
        Choices choices = Choices::FromSeed(seed);
        const Options options = SmallOptions(seed % 2 == 0 ? info.rows[row].since : kHighestFeatureLevel);
        std::vector<Rejection> rejected;
        const auto drawn = DrawSingle(choices, {&info, &info.rows[row]}, options, &rejected);
        for (const Rejection& r : drawn ? drawn->rejected : rejected)
          ASSERT_NE(r.reason, Reason::kFault) << NameOf(r.code) << ": " << r.message;
        if (!drawn) continue;
        ++drawn_models;
        check(*drawn, choices, options, info.rows[row]);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
      EXPECT_GE(drawn_models, kSeeds / 4) << info.name << " row " << row << " is dropped too often";
    }
  }
};

TEST_P(EveryOperation, IsValidFromItsLevelOn) {
  ForDrawn([](const DrawnModel& drawn, const Choices&, const Options& options, const TypeRow& row) {
    EXPECT_EQ(Text(ValidateModel(drawn.model, options.feature_level)), "");
    if (!HasOmittedInput(drawn)) {
      EXPECT_EQ(Text(ExecutionViolations(drawn.model)), "");
    }
    const LevelReport report = LowestLevel(drawn.model);
    EXPECT_TRUE(report.valid);
    EXPECT_LE(report.level, options.feature_level);
    EXPECT_GE(report.level, row.since) << report.raised_by;
    EXPECT_EQ(Text(ValidateModel(drawn.model, report.level)), "");
    if (report.level > 1) {
      EXPECT_FALSE(ValidateModel(drawn.model, report.level - 1).empty()) << report.raised_by;
    }
  });
}

TEST_P(EveryOperation, IsDecodedAndEncodedToTheSame) {
  ForDrawn([](const DrawnModel& drawn, const Choices&, const Options&, const TypeRow&) {
    const Subgraph& main = drawn.model.main();
    const Operation& operation = main.operations.back();
    std::vector<Argument> inputs, outputs;
    for (uint32_t i : operation.inputs) {
      Argument argument = ArgumentOf(main.operands[i]);
      if (const Bytes* given = GivenValue(drawn, i)) {
        argument.value = *given;
        argument.value_known = true;
        if (given->empty()) argument.omitted = true;
      }
      inputs.push_back(argument);
    }
    for (uint32_t i : operation.outputs) outputs.push_back(ArgumentOf(main.operands[i]));
    Violations violations;
    const auto call = FindOperationInfo(operation.code)->decode(inputs, outputs, violations);
    ASSERT_NE(call, nullptr) << Text(violations);
    Encode walk;
    call->WriteOperands(walk);
    ASSERT_EQ(walk.inputs.size(), inputs.size());
    ASSERT_EQ(walk.outputs.size(), outputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Argument& got = walk.inputs[i].argument;
      EXPECT_EQ(got.type, inputs[i].type) << "input " << i;
      EXPECT_EQ(got.omitted, inputs[i].omitted) << "input " << i;
      EXPECT_EQ(got.quantization, inputs[i].quantization) << "input " << i;
      EXPECT_EQ(got.shape, inputs[i].shape) << "input " << i;
      EXPECT_EQ(got.subgraph, inputs[i].subgraph) << "input " << i;
      // One that is bound as a tensor is (FILL's value) has its bytes elsewhere.
      if (IsScalar(got.type) && got.type != OperandType::SUBGRAPH && call->needs_value()[i]) {
        EXPECT_EQ(walk.inputs[i].bytes, Bytes(inputs[i].value.begin(), inputs[i].value.end())) << "input " << i;
      }
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(walk.outputs[i].argument.type, outputs[i].type) << "output " << i;
      EXPECT_EQ(walk.outputs[i].argument.quantization, outputs[i].quantization) << "output " << i;
    }
  });
}

TEST_P(EveryOperation, IsTheSameFromItsTapeAndFromItsBytes) {
  ForDrawn([](const DrawnModel& drawn, const Choices& choices, const Options& options, const TypeRow& row) {
    Choices tape = Choices::Replay(choices.tape());
    const auto again = DrawSingle(tape, {GetParam(), &row}, options);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(SameDraw(drawn, *again));
    EXPECT_EQ(tape.trace(), choices.trace());
    Choices bytes = Choices::FromBytes(ToBytes(choices.trace()));
    const auto from_bytes = DrawSingle(bytes, {GetParam(), &row}, options);
    ASSERT_TRUE(from_bytes.has_value());
    EXPECT_TRUE(SameDraw(drawn, *from_bytes));
  });
}

TEST_P(EveryOperation, RunsAndBothAnswersLieInTheBound) {
  ForDrawn([](const DrawnModel& drawn, const Choices&, const Options& options, const TypeRow&) {
    for (Mode mode : {Mode::kGolden, Mode::kFast}) {
      const auto outputs = RunDrawn(drawn, mode, options.feature_level);
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      EXPECT_EQ(BrokenPlan(drawn, *outputs), "");
      const auto judged = JudgeDrawn(drawn, *outputs, options.feature_level);
      ASSERT_TRUE(judged.ok()) << judged.status();
      EXPECT_EQ(judged->outside, 0u) << NameOf(mode) << ": " << judged->first_outside << ", and of " << judged->elements
                                     << " elements";
    }
  });
}

TEST_P(EveryOperation, IsSimplestWithoutChoices) {
  const OperationInfo& info = *GetParam();
  for (size_t row = 0; row < info.rows.size(); ++row) {
    SCOPED_TRACE(absl::StrCat(info.name, " row ", row));
    Choices choices = Choices::Replay({});
    std::vector<Rejection> rejected;
    const Options options = SmallOptions(kHighestFeatureLevel);
    const auto drawn = DrawSingle(choices, {&info, &info.rows[row]}, options, &rejected);
    ASSERT_TRUE(drawn.has_value()) << (rejected.empty() ? "" : rejected.front().message);
    EXPECT_EQ(Text(ValidateModel(drawn->model, options.feature_level)), "");
    const auto outputs = RunDrawn(*drawn, Mode::kGolden, options.feature_level);
    EXPECT_TRUE(outputs.ok()) << outputs.status();
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryOperation, testing::ValuesIn(AllOperations().begin(), AllOperations().end()),
                         [](const auto& p) { return std::string(p.param->name); });

}  // namespace
}  // namespace assay
