// Passes that make single answers, or runs of them, smaller.
#include <algorithm>
#include <bit>
#include <vector>

#include "choice/passes.h"

namespace assay {
namespace {

// So many small values are tried one by one: all that a question with few answers has, more than a few where any may
// be as good as another.
uint64_t SmallValues(uint64_t most) { return most < 16 ? 16 : most == UINT64_MAX ? 8 : 3; }

constexpr size_t kEnclosingGroups = 2;  // so many groups around a lowered answer are looked at, and the whole tape
constexpr size_t kFew = 8;              // choices, places or groups among which to look for what is not asked for now

// What follows a lowered answer was given to other questions than it meets now. Guesses, from the outcome that was not
// interesting, at what it should be.
class Repair {
 public:
  // The last thing tried was search.tape() with a smaller answer at `position`.
  Repair(Search& search, size_t position, uint64_t answer)
      : search_(search), candidate_(search.tape()), position_(position) {
    const Outcome& outcome = *search.rejected();
    candidate_[position] = answer;
    clamped_ = candidate_;
    for (size_t i = position + 1; i < std::min(clamped_.size(), outcome.trace.size()); ++i) {
      clamped_[i] = std::min(clamped_[i], outcome.trace[i].most);
    }
    const GroupTree& tree = search.groups();
    size_t node = tree.Innermost(position);
    for (size_t i = 0; i < kEnclosingGroups && node != GroupTree::kRoot; ++i, node = tree.node(node).parent) {
      const GroupTree::Node& before = tree.node(node);
      if (before.group >= outcome.groups.size()) continue;
      const Group& now = outcome.groups[before.group];
      if (now.begin == before.begin && now.end < before.end) AddSurplus({node, before.end, before.end - now.end});
    }
    const size_t before = candidate_.size(), now = outcome.trace.size();
    if (now < before) AddSurplus({GroupTree::kRoot, before, before - now});
  }

  // A group that has fewer choices now: those right behind the lowered answer, or the last ones, are left over.
  bool DropNextOrLast() {
    return std::any_of(surplus_.begin(), surplus_.end(), [&](const Surplus& s) {
      return Drop(position_ + 1, position_ + 1 + s.size) || Drop(s.end - s.size, s.end);
    });
  }

  // Or a few between these, or one of few groups in it.
  bool DropBetween() {
    return std::any_of(surplus_.begin(), surplus_.end(), [&](const Surplus& s) {
      if (position_ + 1 + s.size == s.end) return false;  // nothing is left of the group behind the answer
      const size_t first = position_ + 2, beyond = s.size <= kFew ? std::min(first + kFew, s.end - s.size) : first;
      for (size_t place = first; place < beyond; ++place) {
        if (Drop(place, place + s.size)) return true;
      }
      const GroupTree& tree = search_.groups();
      std::span<const size_t> following = tree.children(s.node);
      while (!following.empty() && tree.node(following.front()).begin <= position_) following = following.subspan(1);
      return following.size() <= kFew && std::any_of(following.begin(), following.end(), [&](size_t child) {
               return Drop(tree.node(child).begin, tree.node(child).end);
             });
    });
  }

  // Answers that have become too large for their question, and so 0, become the largest allowed one.
  bool Clamp() { return clamped_ != candidate_ && search_.Try(clamped_); }

 private:
  // A node around the lowered answer, where it ended, and how many choices fewer it has now.
  struct Surplus {
    size_t node, end, size;
  };

  void AddSurplus(Surplus surplus) {
    const bool fits = position_ + 1 + surplus.size <= surplus.end;
    if (fits && (surplus_.empty() || surplus_.back().size != surplus.size)) surplus_.push_back(surplus);
  }

  bool Drop(size_t begin, size_t end) {
    Tape rest = candidate_;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(begin), rest.begin() + static_cast<ptrdiff_t>(end));
    return search_.Try(rest);
  }

  Search& search_;
  Tape candidate_, clamped_;
  const size_t position_;
  std::vector<Surplus> surplus_;  // from the inside outwards
};

// Lowers one answer as far as it goes.
class Lowering {
 public:
  // `position` is within the tape.
  Lowering(Search& search, size_t position)
      : search_(search), position_(position), small_(SmallValues(search.best().trace[position].most)) {}

  void Run() {
    const uint64_t start = value();
    for (uint64_t small = 0; small < std::min(start, small_); ++small) {
      if (To(small)) return;
    }
    if (start <= small_) return;
    Magnitude();
    if (value() <= small_) return;
    if (To(value() - 1)) return Bisect();
    for (uint64_t step : {2, 3, 4, 8}) {
      if (value() > step) Gallop(value() / step, [&](size_t n) { return To(value() - step * n); });
    }
  }

  // Tries one smaller value, with repairs.
  bool To(uint64_t lower) {
    if (lower >= value()) return false;
    const bool one_less = lower + 1 == value();
    Tape candidate = search_.tape();
    candidate[position_] = lower;
    if (search_.TryForRepair(candidate)) return true;
    if (search_.rejected() == nullptr) return false;
    if (search_.rejected()->trace.size() != candidate.size()) search_.MarkAsDeciding(position_);
    Repair repair(search_, position_, lower);
    return repair.DropNextOrLast() || repair.Clamp() || ((one_less || lower < small_) && repair.DropBetween());
  }

 private:
  uint64_t value() const { return position_ < search_.tape().size() ? search_.tape()[position_] : 0; }

  // The fewest bits: x >> n for the largest n.
  void Magnitude() {
    const uint64_t start = value();
    int too_many = static_cast<int>(std::bit_width(start));
    for (int enough = 0; too_many - enough > 1;) {
      const int middle = enough + (too_many - enough) / 2;
      (To(start >> middle) ? enough : too_many) = middle;
    }
  }

  void Bisect() {
    for (uint64_t too_low = small_ - 1; value() > too_low && value() - too_low > 1;) {
      const uint64_t middle = too_low + (value() - too_low) / 2;
      if (!To(middle)) too_low = middle;
    }
  }

  Search& search_;
  const size_t position_;
  const uint64_t small_;
};

// Makes the answers [begin, end) 0; where they are already, that is done.
bool Zero(Search& search, size_t begin, size_t end) {
  Tape zeroed = search.tape();
  const auto first = zeroed.begin() + static_cast<ptrdiff_t>(begin),
             last = zeroed.begin() + static_cast<ptrdiff_t>(end);
  const auto not_zero = [](uint64_t answer) { return answer != 0; };
  const auto nonzero = std::find_if(first, last, not_zero);
  if (nonzero == last) return true;
  // A single answer is tried with its repairs, and so only once.
  if (std::none_of(nonzero + 1, last, not_zero)) {
    return Lowering(search, static_cast<size_t>(nonzero - zeroed.begin())).To(0);
  }
  std::fill(first, last, 0);
  return search.Try(zeroed);
}

}  // namespace

void ZeroGroups(Search& search) {
  for (size_t parent = 0; parent < search.groups().size() && !search.spent(); ++parent) {
    for (size_t right = search.groups().children(parent).size(); right > 0;) {
      const size_t done = Gallop(right, [&](size_t n) {
        const GroupTree& tree = search.groups();
        if (parent >= tree.size() || right > tree.children(parent).size()) return false;
        const std::span<const size_t> siblings = tree.children(parent);
        if (!Zero(search, tree.node(siblings[right - n]).begin, tree.node(siblings[right - 1]).end)) return false;
        right -= n;
        return true;
      });
      if (done == 0) --right;
    }
  }
}

void ZeroRuns(Search& search) {
  for (size_t right = search.tape().size(); right > 0 && !search.spent();) {
    const size_t done = Gallop(right, [&](size_t n) {
      right = std::min(right, search.tape().size());
      if (n > right || !Zero(search, right - n, right)) return false;
      right -= n;
      return true;
    });
    if (done == 0 && right > 0) --right;
  }
}

void LowerEach(Search& search) {
  for (size_t i = 0; i < search.tape().size() && !search.spent(); ++i) Lowering(search, i).Run();
}

}  // namespace assay
