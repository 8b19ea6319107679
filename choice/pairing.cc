// Passes that change several answers at once, where one alone cannot change.
#include <algorithm>
#include <map>
#include <vector>

#include "choice/passes.h"

namespace assay {
namespace {

constexpr size_t kNeighbours = 4;  // so many later answers are paired with each answer

bool CanBothBeLower(const Choice& earlier, const Choice& later) { return earlier.value > 0 && later.value > 0; }

bool CanGiveAndTake(const Choice& earlier, const Choice& later) {
  const bool related = later.value > 0 || later.most == earlier.most;
  return earlier.value > 0 && related && later.value < later.most;
}

// Calls use(i, j) for pairs of positions i < j near each other whose choices fit.
template <class Use>
void ForPairs(Search& search, bool (*fit)(const Choice&, const Choice&), Use use) {
  for (size_t i = 0; i < search.tape().size() && !search.spent(); ++i) {
    size_t pairs = 0;
    for (size_t j = i + 1; j < search.tape().size() && pairs < kNeighbours; ++j) {
      if (search.IsDeciding(i)) break;
      if (search.IsDeciding(j) || !fit(search.best().trace[i], search.best().trace[j])) continue;
      use(i, j);
      ++pairs;
    }
  }
}

// Makes all the answers at `positions` smaller by the same, as much as possible.
void LowerAll(Search& search, const std::vector<size_t>& positions) {
  auto least = [&] {
    uint64_t value = UINT64_MAX;
    for (size_t i : positions) value = std::min(value, i < search.tape().size() ? search.tape()[i] : 0);
    return value;
  };
  auto lower = [&](uint64_t amount) {
    if (amount > least()) return false;
    Tape candidate = search.tape();
    for (size_t i : positions) candidate[i] -= amount;
    return search.Try(candidate);
  };
  Gallop(least(), lower);
}

// Moves as much as possible from the answer at `left` to the one at `right`.
void Move(Search& search, size_t left, size_t right) {
  auto movable = [&]() -> uint64_t {
    const std::vector<Choice>& trace = search.best().trace;
    return right < trace.size() ? std::min(trace[left].value, trace[right].most - trace[right].value) : 0;
  };
  auto move = [&](uint64_t amount) {
    if (amount > movable()) return false;
    Tape candidate = search.tape();
    candidate[left] -= amount;
    candidate[right] += amount;
    return search.Try(candidate);
  };
  Gallop(movable(), move);
}

// Makes the answer at `left` as small as possible while the one at `right` may be as large as it likes.
void Trade(Search& search, size_t left, size_t right) {
  auto lower = [&](uint64_t amount) {
    if (right >= search.tape().size() || amount > search.tape()[left]) return false;
    Tape candidate = search.tape();
    candidate[left] -= amount;
    candidate[right] = search.best().trace[right].most;
    return search.Try(candidate);
  };
  Gallop(search.tape()[left], lower);
}

// `tape` with the choices of two nodes, the first of which lies before the second, exchanged.
Tape Exchanged(const Search& search, size_t first, size_t second) {
  const GroupTree::Node& a = search.groups().node(first);
  const GroupTree::Node& b = search.groups().node(second);
  const Tape& tape = search.tape();
  auto at = [&](size_t position) { return tape.begin() + static_cast<ptrdiff_t>(position); };
  Tape exchanged(tape.begin(), at(a.begin));
  exchanged.insert(exchanged.end(), at(b.begin), at(b.end));
  exchanged.insert(exchanged.end(), at(a.end), at(b.begin));
  exchanged.insert(exchanged.end(), at(a.begin), at(a.end));
  exchanged.insert(exchanged.end(), at(b.end), tape.end());
  return exchanged;
}

}  // namespace

void LowerTogether(Search& search) {
  std::map<uint64_t, std::vector<size_t>> positions;
  for (size_t i = 0; i < search.tape().size(); ++i) {
    if (search.tape()[i] > 0 && !search.IsDeciding(i)) positions[search.tape()[i]].push_back(i);
  }
  for (const auto& [value, equal] : positions) {
    if (equal.size() > 1) LowerAll(search, equal);
  }
  ForPairs(search, CanBothBeLower, [&](size_t i, size_t j) { LowerAll(search, {i, j}); });
}

void MoveRight(Search& search) {
  ForPairs(search, CanGiveAndTake, [&](size_t i, size_t j) {
    Move(search, i, j);
    if (i < search.tape().size()) Trade(search, i, j);
  });
}

void SortSiblings(Search& search) {
  for (size_t parent = 0; parent < search.groups().size() && !search.spent(); ++parent) {
    for (size_t i = 1; parent < search.groups().size() && i < search.groups().children(parent).size(); ++i) {
      // Each sibling moves left as far as that is simpler.
      for (size_t j = i; j > 0; --j) {
        const GroupTree& tree = search.groups();
        if (parent >= tree.size() || j >= tree.children(parent).size()) break;
        const size_t left = tree.children(parent)[j - 1], right = tree.children(parent)[j];
        if (tree.node(left).label != tree.node(right).label) break;
        if (!search.Try(Exchanged(search, left, right))) break;
      }
    }
  }
  for (size_t i = 1; i < search.tape().size() && !search.spent(); ++i) {
    for (size_t j = i; j > 0 && j < search.tape().size(); --j) {
      if (search.best().trace[j - 1].most != search.best().trace[j].most) break;
      Tape candidate = search.tape();
      std::swap(candidate[j - 1], candidate[j]);
      if (!search.Try(candidate)) break;
    }
  }
}

}  // namespace assay
