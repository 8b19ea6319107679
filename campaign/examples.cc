#include "campaign/examples.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "campaign/attempt.h"
#include "compare/criterion.h"
#include "model/status.h"
#include "numeric/storage.h"
#include "ops/registry.h"
#include "reference/bounded.h"
#include "validate/model.h"

namespace assay {
namespace {

class ExampleRun {
 public:
  ExampleRun(const TestCase& test, const Example& example, const ExampleOptions& options, ExampleResult& result)
      : model_(test.model), example_(example), options_(options), result_(result) {}

  void Run();

 private:
  const Operand& Output(size_t i) const { return model_.main().operands[model_.main().outputs[i]]; }
  std::string Missing() const;
  // An error if the example has not one value for each input and output of the (valid) model.
  absl::Status CheckCounts() const;
  // The answers by check; an error is that of preparing or executing.
  absl::StatusOr<std::vector<ExampleValue>> OnDevice();
  void ExpectFailure();
  void Compare(absl::string_view check, const std::vector<ExampleValue>& answer);
  Account CompareOutput(size_t i, const ExampleValue& answer) const;
  void CompareBounds(absl::string_view check, const std::vector<ExampleValue>& answer);
  // A request with too few or too many buffers fails, as it does on a device.
  absl::StatusOr<std::vector<ExampleValue>> OnReference(Mode mode) const {
    ASSAY_RETURN_IF_ERROR(CheckCounts());
    return ReferenceOutputs(model_, example_.inputs, mode, options_.loop_timeout);
  }
  void Add(size_t output, absl::string_view check, Account account);
  void Fail(std::string reason) {
    if (result_.verdict != ExampleVerdict::kFailed) result_.reason = std::move(reason);
    result_.verdict = ExampleVerdict::kFailed;
  }
  void NotRun(std::string reason) {
    result_.verdict = ExampleVerdict::kNotRun;
    result_.reason = std::move(reason);
  }

  const Model& model_;
  const Example& example_;
  const ExampleOptions& options_;
  ExampleResult& result_;
  CriterionContext context_ = ContextOf(model_, example_);
  bool not_supported_ = false;
};

std::string ExampleRun::Missing() const {
  for (const Subgraph& s : model_.subgraphs)
    for (const Operation& o : s.operations)
      if (FindOperationInfo(o.code) == nullptr)
        return absl::StrCat("operation ", NameOf(o.code), " is not implemented");
  return "";
}

absl::Status ExampleRun::CheckCounts() const {
  const auto check = [](size_t given, size_t needed, absl::string_view what) {
    if (given == needed) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("the example gives ", given, " ", what, ", the model has ", needed));
  };
  ASSAY_RETURN_IF_ERROR(check(example_.inputs.size(), model_.main().inputs.size(), "inputs"));
  return check(example_.outputs.size(), model_.main().outputs.size(), "outputs");
}

void ExampleRun::Run() {
  if (std::string missing = Missing(); !missing.empty()) return NotRun(std::move(missing));
  if (example_.expect_failure) return ExpectFailure();
  if (options_.device != nullptr) {
    const auto answer = OnDevice();
    if (not_supported_) return;
    if (!answer.ok()) return Fail(std::string(answer.status().message()));
    return Compare("driver", *answer);
  }
  std::vector<ExampleValue> fast;
  for (ExampleCheck check : options_.checks) {
    const bool golden = check == ExampleCheck::kGolden;
    const auto answer = OnReference(golden ? Mode::kGolden : Mode::kFast);
    if (!answer.ok()) return Fail(absl::StrCat(NameOf(check), ": ", answer.status().message()));
    if (check != ExampleCheck::kBounded) {
      Compare(NameOf(check), *answer);
      continue;
    }
    CompareBounds("expected inside the bounds", example_.outputs);
    CompareBounds("fast inside the bounds", *answer);
  }
}

absl::StatusOr<std::vector<ExampleValue>> ExampleRun::OnDevice() {
  Device& device = *options_.device;
  const Violations violations = ValidateModel(model_, device.description().feature_level);
  // A model that the device's level does not have is not offered; one that is broken at every level must be refused.
  if (!violations.empty() && !example_.expect_failure) {
    not_supported_ = true;
    NotRun(absl::StrCat("not valid at the driver's feature level: ", ToString(violations.front())));
    return absl::FailedPreconditionError("not run");
  }
  if (!violations.empty()) return ToStatus(violations);
  ASSAY_RETURN_IF_ERROR(CheckCounts());
  ASSAY_ASSIGN_OR_RETURN(const std::vector<bool> supported, device.SupportedOperations(model_));
  if (supported.size() != model_.main().operations.size())
    return absl::InternalError(absl::StrCat("SupportedOperations gave ", supported.size(), " answers for ",
                                            model_.main().operations.size(), " operations"));
  for (size_t i = 0; i < supported.size(); ++i) {
    if (supported[i]) continue;
    not_supported_ = true;
    NotRun(absl::StrCat("operation ", i, " (", NameOf(model_.main().operations[i].code),
                        ") is not supported by the driver"));
    return absl::FailedPreconditionError("not run");
  }
  const ConstantWatch constants(model_);
  ASSAY_ASSIGN_OR_RETURN(const auto prepared, device.Prepare(model_, {}));
  std::vector<Dims> dims;
  for (const ExampleValue& v : example_.outputs) dims.push_back(v.dims);
  GuardedExecution execution(model_, example_.inputs, dims, {});
  const GuardedAnswer answer = execution.Run(*prepared, {.loop_timeout = options_.loop_timeout});
  std::vector<Breach> breaches = answer.breaches;
  for (const auto& more : {execution.LateWrites(), constants.Changed()})
    breaches.insert(breaches.end(), more.begin(), more.end());
  if (!breaches.empty()) Fail(absl::StrCat(NameOf(breaches.front().kind), ": ", breaches.front().message));
  if (!answer.result.ok())
    return MakeStatus(answer.result.status, absl::StrCat(NameOf(answer.result.status), ": ", answer.result.message));
  return answer.outputs;
}

void ExampleRun::ExpectFailure() {
  std::vector<std::pair<std::string, absl::Status>> outcomes;
  if (options_.device != nullptr) {
    outcomes.emplace_back("driver", OnDevice().status());
    if (not_supported_) return;
  } else {
    for (ExampleCheck check : options_.checks)
      outcomes.emplace_back(NameOf(check),
                            OnReference(check == ExampleCheck::kGolden ? Mode::kGolden : Mode::kFast).status());
  }
  for (const auto& [check, status] : outcomes)
    if (status.ok()) Fail(absl::StrCat(check, ": this must end in an error, but it gave a result"));
}

Account ExampleRun::CompareOutput(size_t i, const ExampleValue& answer) const {
  const Operand& operand = Output(i);
  const ExampleValue& expected = example_.outputs[i];
  if (answer.dims != expected.dims) {
    Account account;
    account.shape_mismatch =
        absl::StrCat("has dimensions ", ToString(answer.dims), ", expected ", ToString(expected.dims));
    return account;
  }
  const StoredTensor tensor{operand.type, &operand.quantization, &expected.dims};
  if (!example_.multinomial_tolerance)
    return CompareElements(tensor, CriterionFor(operand.type, context_), expected.bytes.data(), answer.bytes.data());
  const Operand& input = model_.main().operands[model_.main().inputs[0]];
  const ExampleValue& scores = example_.inputs[0];
  std::vector<double> log_probabilities(Count(scores.dims));
  Load(input.type, input.quantization, scores.dims, scores.bytes.data(), log_probabilities.data());
  std::vector<int32_t> samples;
  for (size_t k = 0; k < Count(answer.dims); ++k)
    samples.push_back(static_cast<int32_t>(CodeAt(operand.type, answer.bytes.data(), k)));
  return CompareDistribution(log_probabilities, samples, *example_.multinomial_tolerance);
}

void ExampleRun::Add(size_t output, absl::string_view check, Account account) {
  const Operand& operand = Output(output);
  if (!account.Passed()) {
    const std::string what = !account.shape_mismatch.empty() ? account.shape_mismatch
                             : account.worst.empty()
                                 ? std::string("differs")
                                 : absl::StrCat(account.outside, " elements differ; ", account.worst[0].position,
                                                " is ", account.worst[0].got, ", expected ", account.worst[0].expected);
    Fail(absl::StrCat(check, ": output ", output, " (", operand.name, ") ", what));
  }
  result_.outputs.push_back({operand.name, std::string(check), std::move(account)});
}

void ExampleRun::Compare(absl::string_view check, const std::vector<ExampleValue>& answer) {
  for (size_t i = 0; i < answer.size(); ++i)
    if (!Output(i).ignored) Add(i, check, CompareOutput(i, answer[i]));
}

void ExampleRun::CompareBounds(absl::string_view check, const std::vector<ExampleValue>& answer) {
  if (example_.multinomial_tolerance) return;  // a distribution has no bounds
  Observations observations;
  for (size_t i = 0; i < answer.size(); ++i)
    if (!Output(i).ignored) observations[model_.main().outputs[i]] = {answer[i].dims, answer[i].bytes};
  std::vector<InputBuffer> inputs;
  for (const ExampleValue& v : example_.inputs) inputs.push_back({v.bytes, v.dims, v.omitted});
  const auto runs = RunBoundedPaths(model_, inputs, observations, {});
  if (!runs.ok()) return Fail(absl::StrCat(check, ": ", runs.status().message()));
  std::vector<OutputAccount> best;
  size_t least = SIZE_MAX;
  for (const BoundedRun& run : *runs) {
    std::vector<OutputAccount> accounts;
    size_t outside = 0;
    for (const JudgedTensor& t : run.judged) {
      const Operand& operand = model_.main().operands[t.operand];
      const Observation& seen = observations.at(t.operand);
      Account account;
      if (t.wrong_shape) account.shape_mismatch = absl::StrCat("has dimensions ", ToString(seen.dims));
      if (!t.wrong_shape)
        account =
            JudgeElements({operand.type, &operand.quantization, &seen.dims}, t.intervals, t.sound, seen.bytes.data());
      outside += account.Passed() ? 0 : 1;
      accounts.push_back({absl::StrCat(t.operand), std::string(check), std::move(account)});
    }
    if (outside < least) least = outside, best = std::move(accounts);
  }
  for (OutputAccount& account : best)
    for (size_t i = 0; i < model_.main().outputs.size(); ++i)
      if (account.name == absl::StrCat(model_.main().outputs[i])) {
        Add(i, check, std::move(account.account));
        break;
      }
}

}  // namespace

absl::string_view NameOf(ExampleCheck check) {
  switch (check) {
    case ExampleCheck::kGolden:
      return "golden";
    case ExampleCheck::kFast:
      return "fast";
    case ExampleCheck::kBounded:
      return "bounded";
  }
  return "unknown";
}

absl::string_view NameOf(ExampleVerdict verdict) {
  switch (verdict) {
    case ExampleVerdict::kPassed:
      return "passed";
    case ExampleVerdict::kFailed:
      return "failed";
    case ExampleVerdict::kNotRun:
      return "not run";
  }
  return "unknown";
}

std::string NameOf(const TestCase& test, const Example& example) {
  if (!example.name.empty()) return example.name;
  return test.model.main().name.empty() ? "example" : test.model.main().name;
}

ExampleResult RunExample(const TestCase& test, const Example& example, const ExampleOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  ExampleResult result{.example = NameOf(test, example)};
  for (const Subgraph& s : test.model.subgraphs)
    for (const Operation& o : s.operations) result.operations.insert(o.code);
  ExampleRun(test, example, options, result).Run();
  // A status may tell several broken rules, one a line.
  absl::StrReplaceAll({{"\n", "; "}}, &result.reason);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::vector<ExampleResult> RunExamples(const SpecFile& file, absl::string_view file_name,
                                       const ExampleOptions& options) {
  std::vector<ExampleResult> results;
  for (const SpecCase& c : file.cases)
    for (const Example& example : c.test.examples) {
      results.push_back(RunExample(c.test, example, options));
      results.back().file = std::string(file_name);
    }
  return results;
}

void ExampleCounts::Add(ExampleVerdict verdict) {
  passed += verdict == ExampleVerdict::kPassed;
  failed += verdict == ExampleVerdict::kFailed;
  not_run += verdict == ExampleVerdict::kNotRun;
}

void ExampleSummary::Add(const ExampleResult& result) {
  all.Add(result.verdict);
  for (OperationCode code : result.operations) by_operation[code].Add(result.verdict);
}

}  // namespace assay
