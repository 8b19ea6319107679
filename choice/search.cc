// Trials, and what is remembered of them.
#include "choice/search.h"

#include <algorithm>
#include <utility>

#include "choice/stream.h"

namespace assay {

bool IsSimpler(const Tape& a, const Tape& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

bool TriedTapes::Add(const Tape& tape) {
  size_t size = tape.size();
  while (size > 0 && tape[size - 1] == 0) --size;
  uint64_t hash = size;
  for (size_t i = 0; i < size; ++i) hash = Stream::Mix(hash ^ tape[i]) + 0x9E3779B97F4A7C15;
  if (newer_.contains(hash) || older_.contains(hash)) return false;
  if (newer_.size() >= capacity_ / 2) {
    older_ = std::move(newer_);
    newer_.clear();
  }
  newer_.insert(hash);
  return true;
}

Search::Search(Trial trial, ShrinkBudget budget)
    : trial_(std::move(trial)),
      budget_(std::move(budget)),
      tried_(budget_.memory),
      tried_for_repair_(budget_.memory / 2) {}

bool Search::MayTry() {
  spent_ = spent_ || progress_.trials >= budget_.trials || (budget_.stop && budget_.stop());
  return !spent_;
}

void Search::Keep(Outcome outcome, Tape answers) {
  if (answers.size() != decides_.size()) decides_.assign(answers.size(), false);
  best_ = std::move(outcome);
  tape_ = std::move(answers);
  groups_ = GroupTree(best_.groups, tape_.size());
  progress_.final_size = tape_.size();
}

bool Search::Start(const Tape& start) {
  if (!MayTry()) return false;
  ++progress_.trials;
  Outcome outcome = trial_(start);
  Tape answers = TapeOf(outcome.trace);
  progress_.initial_size = answers.size();
  tried_.Add(start);
  tried_.Add(answers);
  Keep(std::move(outcome), std::move(answers));
  return best_.interesting;
}

bool Search::Try(const Tape& candidate) {
  is_rejected_ = false;
  if (!IsSimpler(candidate, tape_) || !MayTry()) return false;
  if (tried_.Add(candidate)) return Run(candidate);
  ++progress_.repeated;
  return false;
}

bool Search::TryForRepair(const Tape& candidate) {
  is_rejected_ = false;
  if (!IsSimpler(candidate, tape_) || !MayTry()) return false;
  tried_.Add(candidate);
  if (tried_for_repair_.Add(candidate)) return Run(candidate);
  ++progress_.repeated;
  return false;
}

bool Search::Run(const Tape& candidate) {
  ++progress_.trials;
  Outcome outcome = trial_(candidate);
  Tape answers = TapeOf(outcome.trace);
  if (answers != candidate) tried_.Add(answers);
  if (outcome.interesting && IsSimpler(answers, tape_)) {
    ++progress_.kept;
    Keep(std::move(outcome), std::move(answers));
    return true;
  }
  rejected_ = std::move(outcome);
  is_rejected_ = true;
  return false;
}

}  // namespace assay
