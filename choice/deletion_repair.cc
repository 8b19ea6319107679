// How the questions of two replays are compared, and answers dealt to them.
#include "choice/deletion_repair.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {
namespace {

constexpr size_t kPlaces = 3;           // brought back into step, for two trials each
constexpr size_t kZeros = 48;           // put in to see what is asked
constexpr size_t kMostPairs = 1 << 20;  // of questions that are compared in one group

uint64_t Minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

// The questions of a replay, each with the smallest group around it. The outcome must outlive it.
class Questions {
 public:
  explicit Questions(const Outcome& outcome) : outcome_(outcome), tree_(outcome.groups, outcome.trace.size()) {
    size_t open = GroupTree::kRoot, next = 1;
    for (size_t i = 0; i < outcome.trace.size(); ++i) {
      while (open != GroupTree::kRoot && tree_.node(open).end <= i) open = tree_.node(open).parent;
      for (; next < tree_.size() && tree_.node(next).begin == i; ++next) open = next;
      innermost_.push_back(open);
    }
  }

  size_t size() const { return innermost_.size(); }
  uint64_t most(size_t question) const { return outcome_.trace[question].most; }
  absl::string_view label(size_t question) const { return LabelOf(innermost_[question]); }
  absl::string_view LabelOf(size_t node) const {
    return node == GroupTree::kRoot ? absl::string_view() : outcome_.groups[tree_.node(node).group].label;
  }
  bool has_groups() const { return tree_.size() > 1; }
  size_t EndOf(size_t node) const { return tree_.node(node).end; }
  // The groups around the question, from the outside inwards.
  std::vector<size_t> Around(size_t question) const {
    std::vector<size_t> nodes{innermost_[question]};
    while (nodes.back() != GroupTree::kRoot) nodes.push_back(tree_.node(nodes.back()).parent);
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

 private:
  const Outcome& outcome_;
  GroupTree tree_;
  std::vector<size_t> innermost_;
};

// How much speaks for question `i` before being question `j` now: all that is known; that there are one or two things
// less to choose from, or more among many; the group alone; nothing.
enum Likeness : int { kNone = 0, kSameGroup = 1, kAlike = 3, kEqual = 4 };
Likeness Compare(const Questions& before, size_t i, const Questions& now, size_t j) {
  if (before.label(i) != now.label(j)) return kNone;
  const uint64_t was = before.most(i), is = now.most(j);
  if (was == is) return kEqual;
  return is < was ? (was - is <= 2 ? kAlike : kSameGroup) : (was > 2 && is - was <= 2 ? kAlike : kSameGroup);
}

// A candidate, and for each of its answers the place in the best tape that it was given at; none for a new one, or one
// that was taken along to another question.
struct Edited {
  static constexpr size_t kNew = SIZE_MAX;

  Tape tape;
  std::vector<size_t> origin;

  size_t size() const { return tape.size(); }
  void Add(uint64_t answer, size_t from) {
    tape.push_back(answer);
    origin.push_back(from);
  }
  void AddPart(const Edited& other, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) Add(other.tape[i], other.origin[i]);
  }
};

class DeletionRepair {
 public:
  DeletionRepair(Search& search, size_t begin, size_t end)
      : search_(search), before_(search.best()), begin_(begin), end_(end) {}

  // `edited` was tried and rejected.
  bool Run(Edited edited, bool realign) {
    size_t reached = 0;  // in the best tape
    for (size_t i = 0; i < kPlaces && search_.rejected() != nullptr; ++i) {
      std::optional<size_t> place = OutOfStep(edited);
      if (Renumber(edited, place)) return true;
      if (!realign || !place || edited.origin[*place] < reached) return false;
      reached = edited.origin[*place] + 1;

      // Something was left out, so there is room.
      if (edited.size() + 2 > before_.size()) return false;
      const size_t room = before_.size() - edited.size();
      Edited zeros;
      zeros.AddPart(edited, 0, *place);
      for (size_t k = 0; k < std::min(kZeros, room - 1); ++k) zeros.Add(0, Edited::kNew);
      zeros.AddPart(edited, *place, edited.size());
      if (search_.Try(zeros.tape)) return true;
      if (search_.rejected() == nullptr) return false;

      std::optional<Edited> aligned = Align(edited, *place, Questions(*search_.rejected()));
      if (!aligned) return false;
      edited = *std::move(aligned);
      if (search_.Try(edited.tape)) return true;
    }
    return false;
  }

 private:
  // The first place where an answer meets another question than the one it was given to.
  std::optional<size_t> OutOfStep(const Edited& edited) const {
    const Questions now(*search_.rejected());
    for (size_t i = 0; i < std::min(edited.size(), now.size()); ++i) {
      if (edited.origin[i] != Edited::kNew && Compare(before_, edited.origin[i], now, i) < kAlike) return i;
    }
    return std::nullopt;
  }

  // Deals the answers from `place` to the end of the smallest group that is there before and now anew: in order, with
  // the greatest sum of likeness.
  std::optional<Edited> Align(const Edited& edited, size_t place, const Questions& now) const {
    if (place >= now.size()) return std::nullopt;
    const std::vector<size_t> old_around = before_.Around(edited.origin[place]), new_around = now.Around(place);
    size_t level = 0;
    while (level + 1 < std::min(old_around.size(), new_around.size()) &&
           before_.LabelOf(old_around[level + 1]) == now.LabelOf(new_around[level + 1])) {
      ++level;
    }
    // The whole trace is no such group, unless there are no others: what is asked after this thing would mix with it.
    if (level == 0 && before_.has_groups()) return std::nullopt;
    const size_t old_end = before_.EndOf(old_around[level]);
    size_t end = place;
    while (end < edited.size() && (edited.origin[end] == Edited::kNew || edited.origin[end] < old_end)) ++end;

    const size_t questions = now.EndOf(new_around[level]) - place, answers = end - place, width = answers + 1;
    if (questions > kMostPairs / width) return std::nullopt;
    const auto likeness = [&](size_t question, size_t answer) -> int {
      const size_t origin = edited.origin[place + answer];
      return origin == Edited::kNew ? kNone : Compare(before_, origin, now, place + question);
    };
    // best[q * width + a]: the sum for the questions from q on and the answers from a on.
    std::vector<int> best((questions + 1) * width, 0);
    for (size_t q = questions; q-- > 0;) {
      for (size_t a = answers; a-- > 0;) {
        const int like = likeness(q, a);
        const int pair = like > kNone ? like + best[(q + 1) * width + a + 1] : 0;
        best[q * width + a] = std::max({pair, best[(q + 1) * width + a], best[q * width + a + 1]});
      }
    }

    Edited aligned;
    aligned.AddPart(edited, 0, place);
    size_t a = 0;
    for (size_t q = 0; q < questions; ++q) {
      while (a < answers && best[q * width + a] == best[q * width + a + 1]) ++a;
      if (a == answers || best[q * width + a] == best[(q + 1) * width + a]) {
        aligned.Add(0, Edited::kNew);
        continue;
      }
      aligned.Add(std::min(edited.tape[place + a], now.most(place + q)),
                  likeness(q, a) >= kAlike ? edited.origin[place + a] : Edited::kNew);
      ++a;
    }
    aligned.AddPart(edited, end, edited.size());
    return aligned;
  }

  // Questions up to `place` that have fewer answers now probably choose among things made so far, one or more of which
  // are gone. Gives the answers their meaning again, under the assumption that things are numbered from the first one
  // made, or else from the last one; who chose a thing that is gone gets what the first one that is gone had chosen.
  // True if that is kept; takes over what is in step for longer, and its place.
  bool Renumber(Edited& edited, std::optional<size_t>& place) {
    const Questions now(*search_.rejected());
    // Beyond the place, questions can be compared only if their number says that nothing else has changed.
    const bool in_step = !place || edited.size() == now.size();
    const size_t known = in_step ? std::min(edited.size(), now.size()) : *place + 1;
    const auto gone = [&](size_t i) -> uint64_t {
      if (edited.origin[i] == Edited::kNew || Compare(before_, edited.origin[i], now, i) == kNone) return 0;
      return Minus(before_.most(edited.origin[i]), now.most(i));
    };
    size_t first = begin_;
    while (first < known && gone(first) == 0) ++first;
    if (first >= known) return false;
    // Made before what was left out.
    const uint64_t remaining = now.most(first) + 1;
    uint64_t substitute = 0;
    for (size_t i = begin_; i < end_; ++i) {
      if (before_.most(i) + 1 != remaining) continue;
      substitute = search_.tape()[i];
      break;
    }

    Edited from_first = edited, from_last = edited;
    for (size_t i = first; i < known; ++i) {
      if (gone(i) == 0) continue;
      const uint64_t answer = edited.tape[i];
      if (answer >= remaining) {
        from_first.tape[i] = answer < remaining + gone(i) ? substitute : answer - gone(i);
      }
      const uint64_t chosen = Minus(before_.most(edited.origin[i]), answer);
      if (chosen < remaining) {
        from_last.tape[i] = Minus(answer, gone(i));
      } else if (chosen < remaining + gone(i)) {
        from_last.tape[i] = Minus(now.most(i), Minus(remaining - 1, substitute));
      }
    }
    for (Edited* renumbered : {&from_first, &from_last}) {
      if (renumbered->tape == edited.tape) continue;
      if (search_.Try(renumbered->tape)) return true;
      if (search_.rejected() == nullptr || !place) continue;
      const std::optional<size_t> further = OutOfStep(*renumbered);
      if (further && *further <= *place) continue;
      edited = std::move(*renumbered);
      place = further;
      break;
    }
    return false;
  }

  Search& search_;
  const Questions before_;
  const size_t begin_, end_;  // what was left out of the best tape
};

}  // namespace

bool RepairDeletion(Search& search, size_t begin, size_t end, bool realign) {
  if (search.rejected() == nullptr) return false;
  Edited edited;
  for (size_t i = 0; i < search.tape().size(); ++i) {
    if (i < begin || i >= end) edited.Add(search.tape()[i], i);
  }
  return DeletionRepair(search, begin, end).Run(std::move(edited), realign);
}

}  // namespace assay
