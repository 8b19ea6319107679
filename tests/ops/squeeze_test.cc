// SQUEEZE and EXPAND_DIMS: dimensions go and come, elements stay.
#include <gmock/gmock.h>

#include "tests/ops/every_index.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;
using ::testing::ElementsAre;

OneCall Squeeze(Given input, Given axis) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::SQUEEZE, {std::move(input), std::move(axis)}, {out}};
}
OneCall ExpandDims(Given input, int32_t axis) {
  const Given out = Output(input.argument.type, input.argument.quantization);
  return {OperationCode::EXPAND_DIMS, {std::move(input), Int(axis)}, {out}};
}

TEST(Squeeze, DropsWhatIsNamedOrAll) {
  const Given x = Float32({1, 3, 1, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Squeeze(x, Omitted(TENSOR_INT32)).dims(), Dims({3, 2}));
  EXPECT_EQ(Squeeze(x, Int32({1}, {2})).dims(), Dims({1, 3, 2}));
  EXPECT_EQ(Squeeze(x, Int32({3}, {0, 2, 0})).dims(), Dims({3, 2}));
  EXPECT_EQ(Squeeze(x, Int32({1}, {-4})).dims(), Dims({3, 1, 2}));
  EXPECT_EQ(Squeeze(Float32({1, 1}, {1}), Omitted(TENSOR_INT32)).dims(), Dims({1}));
  EXPECT_THAT(Squeeze(x, Int32({1}, {2})).Golden(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Squeeze(Float16({2, 1}, {1, 2}), Omitted(TENSOR_INT32)).Fast(), ElementsAre(1, 2));
  EXPECT_THAT(Squeeze(Quant8({2, 1}, {1, 200}, 1, 5), Int32({1}, {1})).GoldenCodes(), ElementsAre(1, 200));
  EXPECT_THAT(Squeeze(Quant8Signed({2, 1}, {1, -20}, 1, 5), Int32({1}, {1})).GoldenCodes(), ElementsAre(1, -20));
  Squeeze(x, Int32({1}, {2})).ExpectInside();
}

TEST(Squeeze, UnknownShapesLevelsAndRules) {
  const Given x = Float32({1, 3}, {1});
  EXPECT_EQ(Squeeze(x.UnknownDim(1), Int32({1}, {0})).inferred().front().shape, Shape::Of({kUnknownDim}));
  EXPECT_EQ(Squeeze(x.UnknownDim(1), Omitted(TENSOR_INT32)).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(Squeeze(x.UnknownRank(), Int32({1}, {0})).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(Squeeze(x, Int32({1}, {0})).level(), 2);
  EXPECT_EQ(Squeeze(Float16({1}, {1}), Int32({1}, {0})).level(), 3);
  EXPECT_EQ(Squeeze(Quant8Signed({1}, {1}, 1, 0), Int32({1}, {0})).level(), 4);
  RuleBook rules(OperationCode::SQUEEZE);
  const std::vector<Given> out{Output(TENSOR_FLOAT32)};
  rules.Valid(Squeeze(x, Int32({1}, {0})));
  rules.Breaks("rank", {Float32({1, 1, 1, 1, 2}, {1}), Int32({1}, {0})}, out);
  rules.Breaks("axis_rank", {x, Int32({1, 1}, {0})}, out);
  rules.Breaks("axis_rank", {x, Omitted(TENSOR_INT32).WithShape(Shape::Of({1, 1}))}, out);
  rules.Breaks("axis", {x, Int32({1}, {2})}, out);
  rules.Breaks("axis", {x, Int32({1}, {-3})}, out);
  rules.Breaks("unit", {x, Int32({1}, {1})}, out);
  rules.Breaks("empty_input", {Float32({0, 1}, {}), Int32({1}, {1})}, out);
  rules.ExpectComplete();
}

TEST(ExpandDims, EveryPlaceOfBothSigns) {
  const Given x = Int32({2, 3}, {1, 2, 3, 4, 5, INT32_MAX});
  EXPECT_EQ(ExpandDims(x, 0).dims(), Dims({1, 2, 3}));
  EXPECT_EQ(ExpandDims(x, 1).dims(), Dims({2, 1, 3}));
  EXPECT_EQ(ExpandDims(x, 2).dims(), Dims({2, 3, 1}));
  EXPECT_EQ(ExpandDims(x, -1).dims(), Dims({2, 3, 1}));
  EXPECT_EQ(ExpandDims(x, -3).dims(), Dims({1, 2, 3}));
  EXPECT_THAT(ExpandDims(x, -2).FastCodes(), ElementsAre(1, 2, 3, 4, 5, INT32_MAX));
  EXPECT_THAT(ExpandDims(Float16({2}, {1, 2}), 1).Golden(), ElementsAre(1, 2));
  EXPECT_THAT(ExpandDims(Quant8({2}, {1, 2}, 1, 9), 1).GoldenCodes(), ElementsAre(1, 2));
  ExpandDims(Float32({2}, {1, 2}), 1).ExpectInside();
}

TEST(ExpandDims, UnknownShapesLevelsAndRules) {
  const Given x = Float32({2, 3}, {1});
  EXPECT_EQ(ExpandDims(x.UnknownDim(1), 1).inferred().front().shape, Shape::Of({2, 1, kUnknownDim}));
  EXPECT_EQ(ExpandDims(x.UnknownRank(), 9).inferred().front().shape, Shape::Unranked());
  EXPECT_EQ(ExpandDims(x, 0).level(), 3);
  EXPECT_EQ(ExpandDims(Quant8Signed({1}, {1}, 1, 0), 0).level(), 4);
  RuleBook rules(OperationCode::EXPAND_DIMS);
  rules.Valid(ExpandDims(x, 0));
  rules.Breaks("axis", {x, Int(3)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("axis", {x, Int(-4)}, {Output(TENSOR_FLOAT32)});
  rules.Breaks("empty_input", {Float32({0}, {}), Int(0)}, {Output(TENSOR_FLOAT32)});
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
