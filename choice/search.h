// The state of one shrinking: the simplest outcome so far, what was tried, what may still be spent.
// Refuses to know which candidates are worth trying: that is for the passes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "choice/choices.h"
#include "choice/group_tree.h"
#include "choice/shrink.h"

namespace assay {

// Whether `a` is simpler than `b`: shorter, or as long and smaller at the first difference.
bool IsSimpler(const Tape& a, const Tape& b);

// A bounded memory of tapes, by a 64-bit hash. Trailing zeros do not count, as a tape that has run out answers 0.
class TriedTapes {
 public:
  explicit TriedTapes(size_t capacity) : capacity_(capacity) {}
  // True if the tape is new, as far as remembered; it is remembered from now on.
  bool Add(const Tape& tape);

 private:
  size_t capacity_;
  // When the newer half is full, the older one is forgotten.
  std::unordered_set<uint64_t> newer_, older_;
};

class Search {
 public:
  Search(Trial trial, ShrinkBudget budget);

  // Makes the first trial; false if it is not interesting or cannot be made.
  bool Start(const Tape& start);

  // The simplest interesting outcome so far, its answers, and its groups. They change when Try returns true.
  const Outcome& best() const { return best_; }
  const Tape& tape() const { return tape_; }
  const GroupTree& groups() const { return groups_; }

  // Tries a candidate, unless it is not simpler than tape(), was tried before, or the budget is spent. True if the
  // outcome is interesting and simpler: then it is the best one now. An outcome always agrees with the candidate up
  // to the first answer that is too large for its question.
  bool Try(const Tape& candidate);
  // The same, but a candidate that only Try has tried is tried once more, so that rejected() tells what went wrong.
  bool TryForRepair(const Tape& candidate);
  // The outcome of the last trial if it was not kept, else null; null also if no trial was made.
  const Outcome* rejected() const { return is_rejected_ ? &rejected_ : nullptr; }

  // Marks the answer at `position` as one that decides what is asked after it. Marks last until the size of the best
  // tape changes.
  void MarkAsDeciding(size_t position) { decides_[position] = true; }
  bool IsDeciding(size_t position) const { return decides_[position]; }

  // No more trials are possible.
  bool spent() const { return spent_; }
  const Progress& progress() const { return progress_; }
  void Finish() { progress_.finished = !spent_; }

 private:
  bool MayTry();
  bool Run(const Tape& candidate);
  void Keep(Outcome outcome, Tape answers);

  Trial trial_;
  ShrinkBudget budget_;
  TriedTapes tried_;
  TriedTapes tried_for_repair_;
  Outcome best_, rejected_;
  Tape tape_;
  GroupTree groups_;
  std::vector<bool> decides_;
  bool is_rejected_ = false;
  bool spent_ = false;
  Progress progress_;
};

}  // namespace assay
