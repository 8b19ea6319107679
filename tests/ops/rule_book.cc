#include "tests/ops/rule_book.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ops/registry.h"

namespace assay {

void RuleBook::Try(std::vector<Given> inputs, std::vector<Given> outputs) {
  for (const std::string& id : OneCall(code_, std::move(inputs), std::move(outputs)).broken()) fired_.insert(id);
}

void RuleBook::Valid(const OneCall& call) {
  EXPECT_TRUE(call.valid()) << ToStatus(call.violations());
  const std::vector<Given>&in = call.inputs(), &out = call.outputs();
  std::vector<Given> open = out;
  for (Given& o : open) o.argument.shape = Shape::Unranked();
  for (size_t i = 0; i < in.size(); ++i) {
    const OperandType type = in[i].argument.type;
    std::vector<Given> with = in;
    with[i] = Omitted(type);
    Try(with, open);
    with[i] = IsScalar(type) ? Float32({1}, {0}) : Int(0);
    Try(with, open);
    with[i] = type == OperandType::TENSOR_INT32 ? Float32({1}, {0}) : Int32({1}, {0});
    Try(with, open);
    if (type == OperandType::INT32)
      for (int32_t value : {INT32_MIN, INT32_MAX, -1, 0}) with[i] = Int(value), Try(with, open);
    if (type == OperandType::FLOAT32 || type == OperandType::FLOAT16)
      for (double value : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()})
        with[i] = type == OperandType::FLOAT32 ? Real(value) : RealHalf(value), Try(with, open);
    if (!IsScalar(type) && !in[i].argument.shape.dims.empty()) {
      with[i] = in[i];
      with[i].argument.shape.dims.front() = 0;
      with[i].bytes.clear();
      Try(with, open);
    }
  }
  std::vector<Given> fewer = in, more = in;
  fewer.pop_back();
  more.push_back(Float32({1}, {0}));
  Try(fewer, open), Try(more, open), Try({}, open), Try(in, {});
  std::vector<Given> other = open;
  other.front() = Output(OperandType::TENSOR_OEM_BYTE);
  Try(in, other);
}

void RuleBook::Breaks(const std::string& rule, std::vector<Given> inputs, std::vector<Given> outputs) {
  const OneCall call(code_, std::move(inputs), std::move(outputs));
  EXPECT_EQ(call.broken(), std::set<std::string>{rule}) << ToStatus(call.violations());
  for (const std::string& id : call.broken()) fired_.insert(id);
}

void RuleBook::BreaksAmongOthers(const std::string& rule, std::vector<Given> inputs, std::vector<Given> outputs) {
  const OneCall call(code_, std::move(inputs), std::move(outputs));
  EXPECT_TRUE(call.broken().count(rule) == 1) << ToStatus(call.violations());
  for (const std::string& id : call.broken()) fired_.insert(id);
}

void RuleBook::ExpectComplete() const {
  const std::string prefix = absl::StrCat(absl::AsciiStrToLower(NameOf(code_)), ".");
  std::vector<std::string> missing;
  for (const Violation& rule : FindOperationInfo(code_)->all_rules()) {
    EXPECT_EQ(rule.rule.substr(0, prefix.size()), prefix);
    if (fired_.count(rule.rule.substr(prefix.size())) == 0) missing.push_back(rule.rule);
  }
  EXPECT_TRUE(missing.empty()) << "rules that no test fired: " << absl::StrJoin(missing, ", ");
}

}  // namespace assay
