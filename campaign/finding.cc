#include "campaign/finding.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "campaign/cut.h"
#include "choice/shrink.h"

namespace assay {
namespace {

// Without a failure: what the attempt says of itself, so that faults of ours shrink as well.
std::string SignatureOf(const Attempt& attempt) {
  if (attempt.failure) return attempt.failure->Signature();
  return std::string(NameOf(attempt.verdict));
}

bool IsBad(const Attempt& attempt) {
  return attempt.verdict == AttemptVerdict::kFailed || attempt.verdict == AttemptVerdict::kOurFault;
}

// A second execution costs as much as the first; most failures do not need it.
AttemptOptions CheapestFor(const Attempt& first, AttemptOptions options) {
  const bool needs_two = first.failure && (first.failure->execution > 1 || first.failure->breach);
  if (!needs_two) options.executions = 1;
  return options;
}

// Leaves only the failing operation if it fails alone in the same way.
void CutIfAlone(Device& device, const AttemptOptions& options, Finding& finding) {
  const auto& failure = finding.attempt.failure;
  if (!failure || !failure->code) return;
  auto cut =
      CutOutOperation(finding.model, finding.inputs, finding.attempt.answer, failure->operation, options.loop_timeout);
  if (!cut) return;
  Attempt alone = TryOn(device, cut->model, cut->inputs, options);
  if (!alone.failure || alone.failure->Signature() != failure->Signature()) return;
  finding.model = std::move(cut->model);
  finding.inputs = std::move(cut->inputs);
  finding.attempt = std::move(alone);
  finding.cut = true;
}

}  // namespace

std::string Finding::GroupName() const {
  std::vector<absl::string_view> names;
  for (const Operation& o : model.main().operations) names.push_back(NameOf(o.code));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.size() > 3) names = {"several operations"};
  return absl::StrCat(SignatureOf(attempt), " (", absl::StrJoin(names, " + "), ")");
}

Finding Investigate(Device& device, const Candidate& candidate, Variant found, const Attempt& found_attempt,
                    const Options& options, const AttemptOptions& attempt, const ShrinkOptions& shrink) {
  // With everything exposed the culprit itself is seen, not an operation that reads what it has spoiled. A fault that
  // hides then (a fusion, a buffer reused too early) is followed as it was found.
  const Attempt exposed = TryOn(device, candidate.model(Variant::kExposed), candidate.drawn.example.inputs, attempt);
  const bool seen = IsBad(exposed) && exposed.verdict == found_attempt.verdict;
  const Variant variant = seen ? Variant::kExposed : found;
  const Attempt& first = seen ? exposed : found_attempt;
  Finding finding{.variant = variant, .tape = {}, .operations_found = candidate.drawn.model.main().operations.size()};
  const std::string signature = SignatureOf(first);
  const auto fails_so = [&](const Candidate& c, const AttemptOptions& with) {
    const Attempt again = TryOn(device, c.model(variant), c.drawn.example.inputs, with);
    return IsBad(again) && SignatureOf(again) == signature;
  };
  for (; finding.tries < shrink.reruns && !shrink.stop.stop_requested(); ++finding.tries)
    finding.reproduced += fails_so(candidate, attempt) ? 1 : 0;

  finding.tape = TapeOf(candidate.trace);
  if (!finding.flaky() && !shrink.stop.stop_requested()) {
    const auto end = std::chrono::steady_clock::now() + shrink.time;
    const AttemptOptions cheap = CheapestFor(first, attempt);
    Shrinker shrinker(
        [&](const Tape& tape) {
          Candidate c = DrawFromTape(tape, options);
          const bool interesting = fails_so(c, cheap);
          return Outcome{interesting, std::move(c.trace), std::move(c.groups)};
        },
        finding.tape, {.trials = shrink.trials, .stop = [&] {
                         return shrink.stop.stop_requested() || std::chrono::steady_clock::now() > end;
                       }});
    if (const auto tape = shrinker.Minimize(); tape.ok()) finding.tape = *tape;
    finding.trials = shrinker.progress().trials;
    finding.shrunk = shrinker.progress().finished;
  }
  if (!finding.shrunk && shrink.stop.stop_requested()) finding.cut_short = "the campaign was stopped";

  const Candidate last = DrawFromTape(finding.tape, options);
  finding.model = last.model(variant);
  finding.inputs = last.drawn.example.inputs;
  finding.attempt = TryOn(device, finding.model, finding.inputs, attempt);
  if (IsBad(finding.attempt)) {
    CutIfAlone(device, attempt, finding);
    return finding;
  }
  // A flaky failure may hide now: what was seen first is what is told, of the graph in which it was seen.
  finding.attempt = first;
  finding.tape = TapeOf(candidate.trace);
  finding.model = candidate.model(variant);
  finding.inputs = candidate.drawn.example.inputs;
  finding.shrunk = false;
  return finding;
}

}  // namespace assay
