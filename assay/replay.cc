// assay replay and assay shrink: a recorded graph on a driver again, and made smaller.
#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "choice/tape_file.h"
#include "driver/open.h"
#include "ops/registry.h"
#include "spec_dumps/reader.h"

namespace assay {
namespace {

// What is tried: models with inputs, from a spec or from a tape.
struct Recorded {
  std::string name;
  Model model;
  std::vector<ExampleValue> inputs;
};

Variant VariantOf(const TapeFile& tape) { return VariantOfKind(tape.kind).value_or(Variant::kAsDrawn); }

absl::StatusOr<std::vector<Recorded>> ReadRecorded(const std::string& path, const Options& options) {
  std::vector<Recorded> out;
  if (absl::EndsWith(path, ".py")) {
    const auto file = ReadSpecFile(path);
    if (!file.ok()) return file.status();
    for (const SpecCase& spec : file->cases)
      for (const Example& example : spec.test.examples) out.push_back({example.name, spec.test.model, example.inputs});
    return out;
  }
  const auto tape = ReadTape(path, RegistryHash());
  if (!tape.ok()) return tape.status();
  const Candidate candidate = DrawFromTape(tape->tape, options);
  out.push_back({"the tape's graph", candidate.model(VariantOf(*tape)), candidate.drawn.example.inputs});
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
  const auto options = OptionsFrom(command.drawing);
  if (!options.ok()) return Complain(options.status(), kWrongUse);
  const auto device = OpenDevice(command.driver);
  if (!device.ok()) return Complain(device.status(), kWrongUse);
  const auto recorded = ReadRecorded(command.file, *options);
  if (!recorded.ok()) return Complain(recorded.status(), kWrongUse);
  for (const std::string& line : ReportHeader(&(*device)->description(), std::nullopt, "")) absl::PrintF("%s\n", line);
  int worst = kGood;
  for (const Recorded& r : *recorded) {
    const Attempt attempt = TryOn(**device, r.model, r.inputs, {.assumptions = {.strict = command.strict}});
    Print(r.name, attempt);
    worst = std::max(worst, ExitCodeOf(attempt));
  }
  return worst;
}

int Shrink(const ShrinkCommand& command, std::stop_token stop) {
  const auto options = OptionsFrom(command.drawing);
  if (!options.ok()) return Complain(options.status(), kWrongUse);
  const auto device = OpenDevice(command.driver);
  if (!device.ok()) return Complain(device.status(), kWrongUse);
  const auto tape = ReadTape(command.tape, RegistryHash());
  if (!tape.ok()) return Complain(tape.status(), kWrongUse);
  const Candidate candidate = DrawFromTape(tape->tape, *options);
  const Variant variant = VariantOf(*tape);
  const Attempt first = TryOn(**device, candidate.model(variant), candidate.drawn.example.inputs, {});
  if (first.verdict != AttemptVerdict::kFailed && first.verdict != AttemptVerdict::kOurFault) {
    Print(command.tape, first);
    absl::PrintF("this graph does not fail; there is nothing to shrink\n");
    return kGood;
  }
  const ShrinkOptions shrink{.trials = command.trials, .time = std::chrono::seconds(command.seconds), .stop = stop};
  const Finding finding = Investigate(**device, candidate, variant, first, *options, {}, shrink);
  const FindingContext context{ReportHeader(&(*device)->description(), std::nullopt, ""), command.driver,
                               ToWords(command.drawing)};
  const auto folder = WriteFinding(command.out, finding, context);
  if (!folder.ok()) return Complain(folder.status(), kWrongUse);
  std::fputs(ReportOf(finding, context, *folder).c_str(), stdout);
  return kVerdict;
}

}  // namespace assay
