// Requests that are valid although they look odd, and what is said of others.
#include "validate/request.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/validate/breakages.h"

namespace assay {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using enum OperandType;

class ValidateRequestTest : public testing::Test {
 protected:
  ValidateRequestTest() {
    model_ = Sample().Build();
    request_.inputs = {{.length = 24}};
    request_.outputs = {{.length = 24}};
  }
  Operand& InputOperand() { return model_.main().operands[model_.main().inputs[0]]; }
  Operand& OutputOperand() { return model_.main().operands[model_.main().outputs[0]]; }
  // Valid from this level on, and not below.
  void ExpectLevel(FeatureLevel level) {
    for (FeatureLevel l = 1; l <= kHighestFeatureLevel; ++l)
      EXPECT_EQ(ValidateRequest(model_, request_, l).empty(), l >= level)
          << l << ToStatus(ValidateRequest(model_, request_, l));
  }

  Model model_;
  RequestShape request_;
};

TEST_F(ValidateRequestTest, TakesPointers) { ExpectLevel(1); }

TEST_F(ValidateRequestTest, TakesPools) {
  request_.pools = {{.size = 24}, {.size = 40}};
  request_.inputs[0] = {.source = Source::POOL, .length = 24};
  request_.outputs[0] = {.source = Source::POOL, .length = 24, .pool = 1, .offset = 16};
  ExpectLevel(1);
}

TEST_F(ValidateRequestTest, TakesBuffers) {
  request_.pools = {{.is_buffer = true}};
  request_.outputs[0] = {.source = Source::POOL};
  ExpectLevel(4);
}

TEST_F(ValidateRequestTest, TakesOmittedArguments) {
  request_.inputs[0] = {.source = Source::NO_VALUE};
  ExpectLevel(1);
}

TEST_F(ValidateRequestTest, TakesPadding) {
  request_.inputs[0].padding = 40;
  ExpectLevel(5);
}

TEST_F(ValidateRequestTest, DimensionsMayRepeatOrComplete) {
  request_.inputs[0].dims = {2, 3};
  request_.outputs[0].dims = {2, 3};
  ExpectLevel(1);
  InputOperand().dims = {0, 3};
  OutputOperand().dims = {};
  ExpectLevel(1);
}

TEST_F(ValidateRequestTest, OutputsMayStayUnknown) {
  OutputOperand().dims = {0, 3};
  request_.outputs[0].length = 1;
  ExpectLevel(3);
  request_.outputs[0].dims = {0, 3};
  ExpectLevel(3);
  OutputOperand().dims = {};
  ExpectLevel(3);
  request_.outputs[0].dims = {};
  ExpectLevel(3);
}

TEST_F(ValidateRequestTest, FencedExecution) {
  request_.fenced = true;
  ExpectLevel(4);
}

TEST_F(ValidateRequestTest, ExtensionTypesHaveAnyLength) {
  InputOperand().type = OperandType{0x12340001};
  InputOperand().dims = {};
  request_.inputs[0].length = 5;
  ExpectLevel(1);
}

TEST_F(ValidateRequestTest, TellsPlaceAndBothValues) {
  request_.outputs[0].length = 20;
  const Violations violations = ValidateRequest(model_, request_);
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_EQ(ToString(violations[0]),
            "request.length: subgraph 0 `main`, operand 4 `op4`: length is 20, TENSOR_FLOAT32 of shape [2, 3] has 24 "
            "bytes");
}

TEST_F(ValidateRequestTest, TellsOfEveryArgument) {
  request_.inputs[0].length = 20;
  request_.outputs[0].null = true;
  EXPECT_THAT(ValidateRequest(model_, request_), SizeIs(2));
}

TEST_F(ValidateRequestTest, HostileDimensions) {
  InputOperand().dims = {};
  request_.inputs[0].dims = Dims(1'000'000, 0xFFFFFFFE);
  const Violations violations = ValidateRequest(model_, request_);
  ASSERT_THAT(violations, SizeIs(1));
  EXPECT_EQ(violations[0].rule, "request.size");
  EXPECT_LT(violations[0].message.size(), 1200u);
}

}  // namespace
}  // namespace assay
