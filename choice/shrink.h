// Makes a tape as simple as it can be while something stays true of what it draws.
// Refuses to know what is drawn and what is looked for: it sees choices and groups, and asks a Trial.
//
// Simpler is shortlex: fewer choices first; among equally many, the smaller first different answer. The result is
// such that no single step of the passes (choice/passes.h) makes it simpler, and in practice often the least of all.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "choice/choices.h"

namespace assay {

// What replaying a tape gave: whether what was looked for is there, and Choices::trace() and groups() of the replay,
// taken when all scopes have ended. Give trace and groups of uninteresting replays as well: repairs are read off them.
struct Outcome {
  bool interesting = false;
  std::vector<Choice> trace;
  std::vector<Group> groups;
};

// Replays a tape and looks. Must be deterministic: the same tape gives the same outcome.
using Trial = std::function<Outcome(const Tape&)>;

struct ShrinkBudget {
  size_t trials = 10'000;                // at most so many, the first one included
  std::function<bool()> stop = nullptr;  // asked before each trial; once it says true no more are made
  size_t memory = 1 << 18;               // tapes remembered so as not to be tried again; some 40 bytes each
};

struct Progress {
  size_t trials = 0;        // made so far
  size_t kept = 0;          // of which gave something simpler
  size_t repeated = 0;      // candidates not tried because they had been before
  size_t initial_size = 0;  // choices made by the first trial
  size_t final_size = 0;    // choices of the simplest so far
  bool finished = false;    // nothing is left to try; false when the budget ended the search
};

class Search;

class Shrinker {
 public:
  Shrinker(Trial trial, Tape start, ShrinkBudget budget = {});
  ~Shrinker();
  Shrinker(const Shrinker&) = delete;
  Shrinker& operator=(const Shrinker&) = delete;

  // The simplest interesting tape found: exactly the answers of a trial that was interesting, never more choices than
  // the first trial made. FailedPrecondition if the start is not interesting, or the budget ends before it is tried.
  absl::StatusOr<Tape> Minimize();

  // The outcome of the simplest tape so far. May be asked at any time, from within a trial too; so may the next.
  const Outcome& best() const;
  const Progress& progress() const;

 private:
  Tape start_;
  std::unique_ptr<Search> search_;
};

}  // namespace assay
