// Runs ONE call of an operation in a test: decode, both stages of rules, Infer, then golden, fast and bounded. Knows
// the contract of ops/operation.h (scratch sizes, read_as, needs_value) so that no test has to.
//
//   OneCall add(OperationCode::ADD, {Float32({2}, {1, 2}), Float32({2}, {3, 4}), Int(0)}, {Output(TENSOR_FLOAT32)});
//   EXPECT_THAT(add.Golden(), ElementsAre(4, 6));
//   add.ExpectInside();
//
// Outputs are surrounded by canaries and poisoned before, scratch memory is poisoned with NaNs and exactly as large as
// asked for, inputs are compared after, and each mode runs twice: with and without converted constants. A breach is a
// test failure.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ops/operation.h"
#include "tests/ops/operands.h"

namespace assay {

// Intervals for some inputs of a bounded run, by position; where one is empty or missing, the operand's own values.
using InputIntervals = std::vector<std::vector<Interval>>;

class OneCall {
 public:
  // Outputs may leave their quantization open where Infer says it.
  OneCall(OperationCode code, std::vector<Given> inputs, std::vector<Given> outputs);

  // What is broken, of all stages. Execution rules are checked only if the values are known and no model rule is
  // broken.
  const Violations& violations() const { return violations_; }
  // Ids without the operation's name, each once, in alphabetical order: {"depth_in", "rank"}.
  std::set<std::string> broken() const;
  bool valid() const { return violations_.empty(); }
  // Null if the operands could not be assigned to any type row.
  const Call* call() const { return call_.get(); }
  // Lowest legal feature level; 0 without a call.
  FeatureLevel level() const { return call_ == nullptr ? 0 : call_->level(); }

  // What Infer says; empty if something is broken.
  const std::vector<Result>& inferred() const { return inferred_; }
  // The inferred dimensions of an output; {} if unknown (or if something is broken, which is a failure).
  Dims dims(size_t output = 0) const;

  // Real values as the tensor's own quantization says, or stored codes (of floats their bits), of an output. Failures,
  // and an empty result, if the call is not valid or a shape is unknown.
  std::vector<double> Golden(size_t output = 0) const { return RealsOf(Mode::kGolden, output); }
  std::vector<double> Fast(size_t output = 0) const { return RealsOf(Mode::kFast, output); }
  std::vector<int64_t> GoldenCodes(size_t output = 0) const { return CodesOf(Mode::kGolden, output); }
  std::vector<int64_t> FastCodes(size_t output = 0) const { return CodesOf(Mode::kFast, output); }

  // What a conforming driver may answer, element by element.
  std::vector<Interval> Bound(size_t output = 0, const Assumptions& assumptions = {},
                              const InputIntervals& inputs = {}) const;
  // Largest hi - lo of all elements; infinite if one is unknown.
  double Widest(size_t output = 0, const Assumptions& assumptions = {}, const InputIntervals& inputs = {}) const;
  // The verdict of Accept on real values `answer`.
  std::vector<Verdict> Accept(const std::vector<double>& answer, size_t output = 0, const Assumptions& assumptions = {},
                              const InputIntervals& inputs = {}) const;

  // The golden and the fast answers of all outputs lie inside the bound: plain, strict, relaxed, and with float16 sums
  // in float32. (Outputs that Infer calls unspecified are unknown, and skipped.)
  void ExpectInside() const;
  // Widens every tensor input by `steps` codes, or `width` if it is a float (int32 and bool stay), draws `samples`
  // inputs from inside of that, and expects their golden answers inside the bound.
  void ExpectHullHolds(double width, int steps, int samples, uint64_t seed = 1) const;

  const std::vector<Given>& inputs() const { return inputs_; }
  const std::vector<Given>& outputs() const { return outputs_; }
  OperationCode code() const { return code_; }

 private:
  void DecodeAndCheck();
  bool Runnable() const;
  // The stored answer of every output.
  std::vector<Bytes> Run(Mode mode, bool converted) const;
  std::vector<Bytes> Run(Mode mode) const;
  std::vector<double> RealsOf(Mode mode, size_t output) const;
  std::vector<int64_t> CodesOf(Mode mode, size_t output) const;
  std::vector<std::vector<Interval>> Elements(const InputIntervals& given) const;
  std::vector<std::vector<Interval>> Bounds(const Assumptions& assumptions, const InputIntervals& given) const;
  void ExpectInside(Mode mode, const Assumptions& assumptions, const std::vector<Bytes>& answers,
                    const std::vector<std::vector<Interval>>& bounds) const;

  OperationCode code_;
  std::vector<Given> inputs_, outputs_;
  std::unique_ptr<Call> call_;
  Violations violations_;
  std::vector<Result> inferred_;
};

}  // namespace assay
