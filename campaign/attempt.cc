#include "campaign/attempt.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/bounded.h"

namespace assay {
namespace {

constexpr uint8_t kPoisons[] = {0xA5, 0x5A};

std::vector<InputBuffer> BuffersOf(std::span<const ExampleValue> inputs) {
  std::vector<InputBuffer> out;
  for (const ExampleValue& v : inputs) out.push_back({v.bytes, v.dims, v.omitted});
  return out;
}

// A driver may say so without being wrong.
bool IsExcuse(ErrorStatus status) {
  switch (status) {
    case ErrorStatus::DEVICE_UNAVAILABLE:
    case ErrorStatus::MISSED_DEADLINE_TRANSIENT:
    case ErrorStatus::MISSED_DEADLINE_PERSISTENT:
    case ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT:
    case ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT:
      return true;
    default:
      return false;
  }
}

// The writer of an operand of the main subgraph; nothing for inputs and constants.
std::optional<uint32_t> WriterOf(const Model& model, uint32_t operand) {
  const auto& operations = model.main().operations;
  for (size_t i = 0; i < operations.size(); ++i) {
    const auto& outputs = operations[i].outputs;
    if (std::find(outputs.begin(), outputs.end(), operand) != outputs.end()) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
}

class Trying {
 public:
  Trying(Device& device, const Model& model, std::span<const ExampleValue> inputs, const AttemptOptions& options)
      : device_(device), model_(model), inputs_(inputs), options_(options) {}

  Attempt Run();

 private:
  bool Supported();
  std::unique_ptr<PreparedDeviceModel> PrepareOn();
  void Execute(PreparedDeviceModel& prepared, const ConstantWatch& constants);
  // False if a constant was written to.
  bool ConstantsAreWhole(const ConstantWatch& constants);
  // False if memory, status or shapes of one execution speak against the driver.
  bool LooksSound(const GuardedAnswer& answer, int execution);
  // False if its values do.
  bool JudgeValues(const GuardedAnswer& answer, int execution);
  // The first wrong tensor of the run, or none; counts elements and widths.
  void Count(const BoundedRun& run, const GuardedAnswer& answer);
  std::optional<Failure> FirstWrong(const BoundedRun& run, const GuardedAnswer& answer, int execution) const;
  size_t Outside(const BoundedRun& run) const;
  void Fail(Failure failure, const GuardedAnswer* answer);
  void FailWithStatus(FailureKind kind, ErrorStatus status, absl::string_view message, int execution);
  void FailWithBreach(const Breach& breach, int execution, const GuardedAnswer* answer);
  void NotRun(std::string reason, std::string excuse) {
    attempt_.verdict = AttemptVerdict::kNotRun;
    attempt_.reason = std::move(reason), attempt_.excuse = std::move(excuse);
  }
  void OurFault(std::string reason) {
    attempt_.verdict = AttemptVerdict::kOurFault, attempt_.reason = std::move(reason);
  }
  std::optional<size_t> OutputIndex(uint32_t operand) const;

  Device& device_;
  const Model& model_;
  std::span<const ExampleValue> inputs_;
  const AttemptOptions& options_;
  Attempt attempt_;
};

Attempt Trying::Run() {
  auto golden = ReferenceOutputs(model_, inputs_, Mode::kGolden, options_.loop_timeout);
  if (!golden.ok()) {
    OurFault(absl::StrCat("the reference failed: ", golden.status().message()));
    return std::move(attempt_);
  }
  attempt_.golden = *std::move(golden);
  if (!Supported()) return std::move(attempt_);
  const ConstantWatch constants(model_);
  {
    const auto prepared = PrepareOn();
    if (prepared) Execute(*prepared, constants);
  }
  // Also where it could not be executed, and what releasing wrote.
  if (!attempt_.failure) ConstantsAreWhole(constants);
  return std::move(attempt_);
}

bool Trying::Supported() {
  const auto supported = device_.SupportedOperations(model_);
  if (!supported.ok()) {
    FailWithStatus(FailureKind::kPrepare, ErrorStatusOf(supported.status()),
                   absl::StrCat("SupportedOperations: ", supported.status().message()), 1);
    return false;
  }
  const size_t count = model_.main().operations.size();
  if (supported->size() != count) {
    Fail({.kind = FailureKind::kPrepare,
          .message =
              absl::StrCat("SupportedOperations gave ", supported->size(), " answers for ", count, " operations")},
         nullptr);
    return false;
  }
  for (size_t i = 0; i < count; ++i)
    if (!(*supported)[i]) {
      const absl::string_view name = NameOf(model_.main().operations[i].code);
      NotRun(absl::StrCat("operation ", i, " (", name, ") is not supported"), absl::StrCat(name, " is not supported"));
      return false;
    }
  return true;
}

std::unique_ptr<PreparedDeviceModel> Trying::PrepareOn() {
  auto prepared = device_.Prepare(model_, {});
  if (prepared.ok() && *prepared != nullptr) return *std::move(prepared);
  const ErrorStatus status = prepared.ok() ? ErrorStatus::NONE : ErrorStatusOf(prepared.status());
  FailWithStatus(FailureKind::kPrepare, status,
                 prepared.ok() ? "prepare gave nothing" : std::string(prepared.status().message()), 1);
  return nullptr;
}

bool Trying::ConstantsAreWhole(const ConstantWatch& constants) {
  const auto changed = constants.Changed();
  if (!changed.empty()) FailWithBreach(changed.front(), 1, nullptr);
  return changed.empty();
}

void Trying::Execute(PreparedDeviceModel& prepared, const ConstantWatch& constants) {
  std::vector<Dims> dims;
  for (const ExampleValue& v : attempt_.golden) dims.push_back(v.dims);
  std::vector<GuardedExecution> executions;
  std::vector<GuardedAnswer> answers;
  attempt_.verdict = AttemptVerdict::kPassed;
  for (int i = 0; i < options_.executions; ++i) {
    const GuardOptions guard{options_.alignment_seed == 0 ? 0 : options_.alignment_seed + static_cast<uint64_t>(i),
                             kPoisons[i % 2]};
    DeviceExecuteOptions options{.loop_timeout = options_.loop_timeout, .stop = options_.stop};
    if (options_.time_limit) options.deadline = std::chrono::steady_clock::now() + *options_.time_limit;
    GuardedExecution& execution = executions.emplace_back(model_, inputs_, dims, guard);
    answers.push_back(execution.Run(prepared, options));
    if (!LooksSound(answers.back(), i + 1)) return;
  }
  // Before values, which a changed constant makes wrong.
  if (!ConstantsAreWhole(constants)) return;
  // Never-written elements first: their values depend on what was there before.
  if (answers.size() > 1) {
    const auto unwritten = UnwrittenElements(model_, answers[0], kPoisons[0], answers[1], kPoisons[1]);
    if (!unwritten.empty()) return FailWithBreach(unwritten.front(), 2, &answers[1]);
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool repeats_first = i > 0 && answers[i].outputs == answers[0].outputs;
    if (!repeats_first && !JudgeValues(answers[i], static_cast<int>(i) + 1)) return;
  }
  for (size_t i = 0; i < executions.size(); ++i) {
    const auto late = executions[i].LateWrites();
    if (!late.empty()) return FailWithBreach(late.front(), static_cast<int>(i) + 1, nullptr);
  }
  if (attempt_.answer.empty()) attempt_.answer = answers.front().outputs;
  if (attempt_.inside + attempt_.outside == 0 && attempt_.unknown > 0) attempt_.verdict = AttemptVerdict::kAllUnknown;
}

bool Trying::LooksSound(const GuardedAnswer& answer, int execution) {
  if (!answer.breaches.empty()) {
    FailWithBreach(answer.breaches.front(), execution, &answer);
    return false;
  }
  if (answer.result.ok()) return true;
  FailWithStatus(FailureKind::kExecute, answer.result.status, answer.result.message, execution);
  return false;
}

bool Trying::JudgeValues(const GuardedAnswer& answer, int execution) {
  Observations observations;
  for (size_t i = 0; i < answer.outputs.size(); ++i)
    observations[model_.main().outputs[i]] = {answer.outputs[i].dims, answer.outputs[i].bytes};
  Assumptions assumptions = options_.assumptions;
  assumptions.float16_sums_in_float32 |= device_.description().float16_sums_in_float32;
  const auto runs = RunBoundedPaths(model_, BuffersOf(inputs_), observations, assumptions);
  if (!runs.ok()) {
    OurFault(absl::StrCat("the bounded run failed: ", runs.status().message()));
    return false;
  }
  // A driver conforms if one way through the uncertain conditions accepts all of its answer.
  const auto best = std::min_element(runs->begin(), runs->end(),
                                     [&](const BoundedRun& a, const BoundedRun& b) { return Outside(a) < Outside(b); });
  ASSAY_CHECK(best != runs->end(), "at least one path is run");
  Count(*best, answer);
  if (Outside(*best) == 0) return true;
  Fail(*FirstWrong(*best, answer, execution), &answer);
  return false;
}

size_t Trying::Outside(const BoundedRun& run) const {
  size_t outside = 0;
  for (const JudgedTensor& t : run.judged) {
    if (model_.main().operands[t.operand].ignored) continue;
    outside += t.wrong_shape ? 1 : static_cast<size_t>(std::count(t.sound.begin(), t.sound.end(), Verdict::kOutside));
  }
  return outside;
}

std::optional<size_t> Trying::OutputIndex(uint32_t operand) const {
  const auto& outputs = model_.main().outputs;
  const auto at = std::find(outputs.begin(), outputs.end(), operand);
  if (at == outputs.end()) return std::nullopt;
  return static_cast<size_t>(at - outputs.begin());
}

void Trying::Count(const BoundedRun& run, const GuardedAnswer& answer) {
  for (const JudgedTensor& t : run.judged) {
    const Operand& o = model_.main().operands[t.operand];
    if (o.ignored || t.wrong_shape || !OutputIndex(t.operand)) continue;
    const StoredTensor tensor{o.type, &o.quantization, &answer.outputs[*OutputIndex(t.operand)].dims};
    attempt_.widths.Add(tensor, t.intervals);
    for (Verdict v : t.sound) {
      attempt_.inside += v == Verdict::kInside;
      attempt_.outside += v == Verdict::kOutside;
      attempt_.unknown += v == Verdict::kUnknown;
    }
  }
}

std::optional<Failure> Trying::FirstWrong(const BoundedRun& run, const GuardedAnswer& answer, int execution) const {
  for (const JudgedTensor& t : run.judged) {
    const Operand& o = model_.main().operands[t.operand];
    const bool wrong = t.wrong_shape || std::find(t.sound.begin(), t.sound.end(), Verdict::kOutside) != t.sound.end();
    const auto index = OutputIndex(t.operand);
    if (o.ignored || !wrong || !index) continue;
    Failure f{.kind = t.wrong_shape ? FailureKind::kShape : FailureKind::kValue,
              .code = model_.main().operations[t.operation].code,
              .operation = t.operation,
              .operand = t.operand,
              .type = o.type,
              .execution = execution};
    const ExampleValue& got = answer.outputs[*index];
    if (t.wrong_shape) {
      f.account.shape_mismatch =
          absl::StrCat("came out as ", ToString(got.dims), ", expected ", ToString(attempt_.golden[*index].dims));
      f.message = absl::StrCat(NameOf(*f.code), " (operation ", t.operation, "): output ", *index, " ",
                               f.account.shape_mismatch);
      return f;
    }
    f.account = JudgeElements({o.type, &o.quantization, &got.dims}, t.intervals, t.sound, got.bytes.data());
    f.allowed = t.intervals;
    const Discrepancy& worst = f.account.worst.front();
    f.message = absl::StrCat(NameOf(*f.code), " (operation ", t.operation, "): output ", *index, " has ",
                             f.account.outside, " of ", t.sound.size(), " elements outside; ", worst.position, " is ",
                             worst.got, ", expected ", worst.expected, ", allowed ", worst.allowed);
    return f;
  }
  return std::nullopt;
}

void Trying::Fail(Failure failure, const GuardedAnswer* answer) {
  attempt_.verdict = AttemptVerdict::kFailed;
  attempt_.reason = failure.message;
  if (answer != nullptr) attempt_.answer = answer->outputs;
  attempt_.failure = std::move(failure);
}

void Trying::FailWithStatus(FailureKind kind, ErrorStatus status, absl::string_view message, int execution) {
  const std::string answer = absl::StrCat(NameOf(kind), " answered ", NameOf(status));
  const std::string text = absl::StrCat(answer, message.empty() ? "" : ": ", message);
  if (IsExcuse(status)) return NotRun(text, answer);
  Failure f{.kind = kind, .execution = execution, .message = text};
  // Where there is just one operation, it is the one that failed.
  if (model_.main().operations.size() == 1) f.code = model_.main().operations[0].code;
  Fail(std::move(f), nullptr);
}

void Trying::FailWithBreach(const Breach& breach, int execution, const GuardedAnswer* answer) {
  Failure f{.kind = FailureKind::kBreach,
            .breach = breach.kind,
            .execution = execution,
            .message = absl::StrCat(NameOf(breach.kind), ": ", breach.message)};
  const bool is_output = breach.kind == BreachKind::kOutputOverrun || breach.kind == BreachKind::kElementUnwritten ||
                         breach.kind == BreachKind::kResultShape;
  if (is_output && breach.index < model_.main().outputs.size()) {
    f.operand = model_.main().outputs[breach.index];
    f.type = model_.main().operands[f.operand].type;
    if (const auto writer = WriterOf(model_, f.operand))
      f.operation = *writer, f.code = model_.main().operations[*writer].code;
  }
  Fail(std::move(f), answer);
}

}  // namespace

absl::string_view NameOf(FailureKind kind) {
  switch (kind) {
    case FailureKind::kPrepare:
      return "prepare";
    case FailureKind::kExecute:
      return "execute";
    case FailureKind::kBreach:
      return "breach";
    case FailureKind::kShape:
      return "shape";
    case FailureKind::kValue:
      return "value";
    case FailureKind::kDeath:
      return "death";
  }
  return "unknown";
}

absl::string_view NameOf(AttemptVerdict verdict) {
  switch (verdict) {
    case AttemptVerdict::kPassed:
      return "passed";
    case AttemptVerdict::kFailed:
      return "failed";
    case AttemptVerdict::kNotRun:
      return "not run";
    case AttemptVerdict::kAllUnknown:
      return "all unknown";
    case AttemptVerdict::kOurFault:
      return "fault of ours";
  }
  return "unknown";
}

std::string Failure::Signature() const {
  std::string out = breach ? absl::StrCat("breach (", NameOf(*breach), ")") : std::string(NameOf(kind));
  if (code) absl::StrAppend(&out, " ", NameOf(*code), " ", NameOf(type));
  if (execution > 1) absl::StrAppend(&out, " execution ", execution);
  return out;
}

Attempt TryOn(Device& device, const Model& model, std::span<const ExampleValue> inputs, const AttemptOptions& options) {
  return Trying(device, model, inputs, options).Run();
}

absl::StatusOr<std::vector<ExampleValue>> ReferenceOutputs(const Model& model, std::span<const ExampleValue> inputs,
                                                           Mode mode, std::chrono::nanoseconds loop_timeout,
                                                           ExecutionObserver* observer) {
  ASSAY_ASSIGN_OR_RETURN(const auto prepared, Prepare(model, {.mode = mode}));
  const std::vector<InputBuffer> in = BuffersOf(inputs);
  const Subgraph& main = model.main();
  std::vector<ExampleValue> out(main.outputs.size());
  const std::vector<Shape> known = prepared->OutputShapes();
  for (size_t i = 0; i < out.size(); ++i)
    if (known[i].IsKnown())
      out[i].bytes.resize(Count(known[i].dims) * ElementSize(main.operands[main.outputs[i]].type));
  // Outputs of unknown size tell it on the first try.
  for (int tries = 0; tries < 3; ++tries) {
    std::vector<OutputBuffer> buffers;
    for (size_t i = 0; i < out.size(); ++i) buffers.push_back({out[i].bytes, main.operands[main.outputs[i]].dims});
    const ExecutionResult result = prepared->Execute(in, buffers, {.loop_timeout = loop_timeout, .observer = observer});
    if (!result.ok() && result.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)
      return MakeStatus(result.status, result.message);
    for (size_t i = 0; i < out.size(); ++i) {
      if (!result.outputs[i].shape.IsKnown()) continue;
      out[i].dims = result.outputs[i].shape.dims;
      out[i].bytes.resize(Count(out[i].dims) * ElementSize(main.operands[main.outputs[i]].type));
    }
    if (result.ok()) return out;
  }
  return MakeStatus(ErrorStatus::GENERAL_FAILURE, "outputs keep being insufficient");
}

}  // namespace assay
