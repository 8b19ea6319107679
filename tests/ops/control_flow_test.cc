// IF and WHILE: what a call alone tells.
#include <gmock/gmock.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;

TEST(If, TakesAnyOperands) {
  const OneCall call(OperationCode::IF,
                     {Bool8({1}, {1}), SubgraphAt(2), SubgraphAt(3), Float32({2}, {1}), Int(7), Quant8({1}, {1}, 1, 0)},
                     {Output(TENSOR_BOOL8), Output(TENSOR_FLOAT16)});
  ASSERT_TRUE(call.valid());
  EXPECT_EQ(call.level(), 4);
  ASSERT_EQ(call.inferred().size(), 2u);
  EXPECT_EQ(call.inferred()[1].shape, Shape::Unranked());
  EXPECT_EQ(call.call()->info().draw, nullptr);
  EXPECT_EQ(call.call()->info().evaluation, Evaluation::kControlFlow);
  EXPECT_EQ(call.call()->needs_value(), std::vector<bool>(6, false));
  // What a subgraph does with an omitted operand is its own affair.
  EXPECT_TRUE(OneCall(OperationCode::IF, {Bool8({1}, {1}), SubgraphAt(1), SubgraphAt(1), Omitted(TENSOR_INT32)},
                      {Output(TENSOR_INT32)})
                  .valid());
  EXPECT_TRUE(
      OneCall(OperationCode::WHILE, {SubgraphAt(1), SubgraphAt(1), Int(1), Omitted(TENSOR_INT32)}, {Output(INT32)})
          .valid());
  // Without inputs for the branches, too.
  EXPECT_TRUE(
      OneCall(OperationCode::IF, {Bool8({1}, {1}), SubgraphAt(1), SubgraphAt(1)}, {Output(TENSOR_INT32)}).valid());
}

TEST(If, Rules) {
  RuleBook rules(OperationCode::IF);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  const Given x = Float32({2}, {1});
  rules.Valid({OperationCode::IF, {Bool8({1}, {1}), SubgraphAt(1), SubgraphAt(2), x}, out});
  rules.Breaks("condition", {Bool8({2}, {1}), SubgraphAt(1), SubgraphAt(2), x}, out);
  rules.Breaks("condition", {Bool8({1, 1}, {1}), SubgraphAt(1), SubgraphAt(2), x}, out);
  rules.Breaks("condition", {Bool8({1}, {1}).UnknownDim(0), SubgraphAt(1), SubgraphAt(2), x}, out);
  rules.Breaks("condition", {Bool8({1}, {1}).UnknownRank(), SubgraphAt(1), SubgraphAt(2), x}, out);
  rules.Breaks("types", {Int32({1}, {1}), SubgraphAt(1), SubgraphAt(2), x}, out);
  rules.Breaks("else_model.type", {Bool8({1}, {1}), SubgraphAt(1), Int(2), x}, out);
  rules.Breaks("operand_count", {Bool8({1}, {1}), SubgraphAt(1)}, out);
  rules.Breaks("operand_count", {Bool8({1}, {1}), SubgraphAt(1), SubgraphAt(2)}, {});
  rules.ExpectComplete();
}

TEST(While, TakesAnyOperands) {
  const OneCall call(OperationCode::WHILE,
                     {SubgraphAt(1), SubgraphAt(2), Float32({2}, {1}), Quant8({1}, {1}, 0.5, 3), Bool8({1}, {0})},
                     {Output(TENSOR_FLOAT32), Output(TENSOR_QUANT8_ASYMM, {0.5, 3, nullptr})});
  ASSERT_TRUE(call.valid());
  EXPECT_EQ(call.level(), 4);
  EXPECT_EQ(call.inferred()[0].shape, Shape::Unranked());
  EXPECT_EQ(call.call()->info().draw, nullptr);
}

TEST(While, Rules) {
  RuleBook rules(OperationCode::WHILE);
  const Given x = Float32({2}, {1}), q = Quant8({2}, {1}, 0.5, 3);
  rules.Valid({OperationCode::WHILE, {SubgraphAt(1), SubgraphAt(2), x}, {Output(TENSOR_FLOAT32)}});
  rules.Breaks("output_count", {SubgraphAt(1), SubgraphAt(2), x}, {Output(TENSOR_FLOAT32), Output(TENSOR_FLOAT32)});
  rules.Breaks("output_type", {SubgraphAt(1), SubgraphAt(2), x}, {Output(TENSOR_FLOAT16)});
  rules.Breaks("output_type", {SubgraphAt(1), SubgraphAt(2), q}, {Output(TENSOR_QUANT8_ASYMM, {0.5, 4, nullptr})});
  rules.Breaks("body_model.type", {SubgraphAt(1), x, x}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("operand_count", {SubgraphAt(1), SubgraphAt(2)}, {Output(TENSOR_FLOAT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
