// assay replay and assay shrink: a recorded graph on a driver again, and made smaller.
#include <algorithm>
#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/words.h"
#include "campaign/examples.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "choice/tape_file.h"
#include "driver/open.h"
#include "model/status.h"
#include "ops/registry.h"
#include "spec_dumps/reader.h"
#include "validate/model.h"

namespace assay {
namespace {

// A tape, and the options with which its choices mean the graph that was meant.
struct RecordedTape {
  TapeFile file;
  std::string words;
  Options options;
  Variant variant = Variant::kAsDrawn;
};

absl::StatusOr<RecordedTape> ReadRecordedTape(const std::string& path, const DrawingWords& given) {
  ASSAY_ASSIGN_OR_RETURN(TapeFile file, ReadTape(path, RegistryHash()));
  const auto at = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  };
  const std::optional<Variant> variant = VariantOfKind(file.kind);
  if (!variant)
    return absl::InvalidArgumentError(absl::StrCat(path, ": a tape of \"", file.kind, "\", not of a graph"));
  const auto words = WordsAsBefore(file.options, given);
  if (!words.ok()) return at(words.status());
  const auto options = OptionsFrom(*words);
  if (!options.ok()) return at(options.status());
  return RecordedTape{std::move(file), ToWords(*words), *options, *variant};
}

// What is tried: a model with inputs, from a spec or from a tape.
struct Recorded {
  std::string name;
  Model model;
  std::vector<ExampleValue> inputs;
  std::string not_run;  // why it is not tried
};

// An error where the reference cannot execute a model: then the spec is wrong, or asks for an error.
absl::StatusOr<Recorded> RecordedExample(const TestCase& test, const Example& example) {
  Recorded out{NameOf(test, example), test.model, example.inputs, ""};
  for (const Subgraph& s : test.model.subgraphs)
    for (const Operation& o : s.operations)
      if (FindOperationInfo(o.code) == nullptr)
        out.not_run = absl::StrCat("operation ", NameOf(o.code), " is not implemented");
  if (example.expect_failure) out.not_run = "it must fail, which only `assay run` looks at";
  if (!out.not_run.empty()) return out;
  const auto error = [&](absl::string_view message) {
    return absl::InvalidArgumentError(absl::StrCat(out.name, ": ", message));
  };
  if (const Violations violations = ValidateModel(out.model); !violations.empty())
    return error(ToString(violations.front()));
  if (example.inputs.size() != out.model.main().inputs.size())
    return error(absl::StrCat("the example gives ", example.inputs.size(), " inputs, the model has ",
                              out.model.main().inputs.size()));
  const auto golden = ReferenceOutputs(out.model, out.inputs, Mode::kGolden, kDefaultLoopTimeout);
  if (!golden.ok()) return error(absl::StrCat("the reference cannot execute it: ", golden.status().message()));
  return out;
}

absl::StatusOr<std::vector<Recorded>> ReadRecorded(const ReplayCommand& command) {
  std::vector<Recorded> out;
  if (!absl::EndsWith(command.file, ".py")) {
    ASSAY_ASSIGN_OR_RETURN(const RecordedTape tape, ReadRecordedTape(command.file, command.drawing));
    const Candidate candidate = DrawFromTape(tape.file.tape, tape.options);
    out.push_back({"the tape's graph", candidate.model(tape.variant), candidate.drawn.example.inputs, ""});
    return out;
  }
  if (!ToWords(command.drawing).empty())
    return absl::InvalidArgumentError(
        absl::StrCat(ToWords(command.drawing), ": nothing is drawn for a spec; drawing options are for tapes"));
  ASSAY_ASSIGN_OR_RETURN(const SpecFile file, ReadSpecFile(command.file));
  for (const SpecCase& spec : file.cases)
    for (const Example& example : spec.test.examples) {
      auto recorded = RecordedExample(spec.test, example);
      if (!recorded.ok())
        return absl::Status(recorded.status().code(), absl::StrCat(command.file, ": ", recorded.status().message()));
      out.push_back(*std::move(recorded));
    }
  return out;
}

int ExitCodeOf(const Attempt& attempt) {
  if (attempt.verdict == AttemptVerdict::kOurFault) return kOurFault;
  return attempt.verdict == AttemptVerdict::kFailed ? kVerdict : kGood;
}

void Print(const std::string& name, const Attempt& attempt) {
  absl::PrintF("%s: %s%s%s\n", name, NameOf(attempt.verdict), attempt.reason.empty() ? "" : ": ", attempt.reason);
  if (attempt.failure) absl::PrintF("%s", attempt.failure->account.ToString("  "));
  absl::PrintF("  %d elements inside, %d outside, %d unknown\n", attempt.inside, attempt.outside, attempt.unknown);
  if (attempt.verdict == AttemptVerdict::kAllUnknown) absl::PrintF("  NOT ONE ELEMENT COULD BE JUDGED\n");
}

}  // namespace

int Replay(const ReplayCommand& command) {
  const auto recorded = ReadRecorded(command);
  if (!recorded.ok()) return Complain(recorded.status(), kWrongUse);
  const auto device = OpenDevice(command.driver);
  if (!device.ok()) return Complain(device.status(), kWrongUse);
  for (const std::string& line : ReportHeader(&(*device)->description(), std::nullopt, "")) absl::PrintF("%s\n", line);
  int worst = kGood;
  bool anything = false;
  for (const Recorded& r : *recorded) {
    Attempt attempt{.verdict = AttemptVerdict::kNotRun, .reason = r.not_run};
    if (r.not_run.empty()) attempt = TryOn(**device, r.model, r.inputs, {.assumptions = {.strict = command.strict}});
    Print(r.name, attempt);
    anything |= attempt.verdict != AttemptVerdict::kNotRun;
    worst = std::max(worst, ExitCodeOf(attempt));
  }
  if (!anything) absl::PrintF("NOTHING WAS RUN\n");
  return worst;
}

int Shrink(const ShrinkCommand& command, std::stop_token stop) {
  const auto tape = ReadRecordedTape(command.tape, command.drawing);
  if (!tape.ok()) return Complain(tape.status(), kWrongUse);
  if (const absl::Status made = MakeFolder(command.out); !made.ok()) return Complain(made, kWrongUse);
  const auto device = OpenDevice(command.driver);
  if (!device.ok()) return Complain(device.status(), kWrongUse);
  const Candidate candidate = DrawFromTape(tape->file.tape, tape->options);
  const AttemptOptions attempt{.assumptions = {.strict = command.strict}};
  const Attempt first = TryOn(**device, candidate.model(tape->variant), candidate.drawn.example.inputs, attempt);
  const std::vector<std::string> header = ReportHeader(&(*device)->description(), std::nullopt, "");
  for (const std::string& line : header) absl::PrintF("%s\n", line);
  if (ExitCodeOf(first) == kGood) {
    Print(command.tape, first);
    absl::PrintF("this graph does not fail; there is nothing to shrink\n");
    return kGood;
  }
  const ShrinkOptions shrink{.trials = command.trials, .time = std::chrono::seconds(command.seconds), .stop = stop};
  const Finding finding = Investigate(**device, candidate, tape->variant, first, tape->options, attempt, shrink);
  const FindingContext context{header, command.driver, tape->words, command.strict};
  const auto folder = WriteFinding(command.out, finding, context);
  if (!folder.ok()) return Complain(folder.status(), kWrongUse);
  std::fputs(ReportOf(finding, context, *folder).c_str(), stdout);
  return ExitCodeOf(finding.attempt);
}

}  // namespace assay
