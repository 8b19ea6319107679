// The harness itself: what it returns, and that it fails where it must.
#include "tests/ops/harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

OneCall Sum(Given a, Given b, Given out, int32_t activation = 0) {
  return {OperationCode::ADD, {std::move(a), std::move(b), Int(activation)}, {std::move(out)}};
}

TEST(OneCallTest, RunsFloats) {
  const OneCall add = Sum(Float32({2}, {1, 2}), Float32({2}, {3, -4}), Output(TENSOR_FLOAT32), 1);
  EXPECT_THAT(add.Golden(), ElementsAre(4, 0));
  EXPECT_THAT(add.Fast(), ElementsAre(4, 0));
  EXPECT_EQ(add.dims(), Dims({2}));
  EXPECT_EQ(add.level(), 1);
  add.ExpectInside();
  add.ExpectHullHolds(0.5, 0, 20);
  EXPECT_GT(add.Widest(), 0);
}

TEST(OneCallTest, RunsHalvesAndCodes) {
  const OneCall halves = Sum(Float16({2}, {1, 2}), Float16({1}, {0.5}), Output(TENSOR_FLOAT16));
  EXPECT_THAT(halves.Golden(), ElementsAre(1.5, 2.5));
  halves.ExpectInside();
  const OneCall codes = Sum(Quant8({2}, {130, 10}, 0.5, 128), Quant8({2}, {4, 6}, 0.25, 0),
                            Output(TENSOR_QUANT8_ASYMM, {1, 100, nullptr}));
  EXPECT_THAT(codes.Golden(), ElementsAre(2, -58));  // 1 + 1, -59 + 1.5 = -57.5
  EXPECT_THAT(codes.FastCodes(), ElementsAre(102, 42));
  codes.ExpectInside();
  codes.ExpectHullHolds(0, 2, 20);
  EXPECT_THAT(codes.Bound().front().lo, DoubleNear(0.5, 1e-9));
}

TEST(OneCallTest, TellsWhatIsBroken) {
  const OneCall add = Sum(Float32({2}, {1, 2}), Float32({3}, {1}), Output(TENSOR_FLOAT32));
  EXPECT_EQ(add.broken(), std::set<std::string>{"broadcast"});
  EXPECT_NONFATAL_FAILURE(add.Golden(), "broadcast");
  const OneCall types = Sum(Float32({2}, {1}), Float16({2}, {1}), Output(TENSOR_FLOAT32));
  EXPECT_EQ(types.call(), nullptr);
  EXPECT_EQ(types.broken(), std::set<std::string>{"types"});
}

TEST(OneCallTest, InfersUnknownShapes) {
  const OneCall add = Sum(Float32({2, 3}, {1}).UnknownDim(0), Float32({1, 3}, {1}), Output(TENSOR_FLOAT32));
  ASSERT_EQ(add.inferred().size(), 1u);
  EXPECT_EQ(add.inferred().front().shape, Shape::Of({kUnknownDim, 3}));
  EXPECT_NONFATAL_FAILURE(add.Golden(), "unknown");
}

TEST(RuleBookTest, ListsWhatNeverFired) {
  RuleBook rules(OperationCode::ADD);
  rules.Valid(Sum(Float32({2}, {1}), Float32({2}, {1}), Output(TENSOR_FLOAT32)));
  EXPECT_NONFATAL_FAILURE(rules.ExpectComplete(), "add.rank, add.int32_activation");
}

}  // namespace
}  // namespace assay
