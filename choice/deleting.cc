// Passes that leave choices out.
#include <bit>

#include "choice/deletion_repair.h"
#include "choice/passes.h"

namespace assay {
namespace {

Tape Without(const Tape& tape, size_t begin, size_t end) {
  Tape rest(tape.begin(), tape.begin() + static_cast<ptrdiff_t>(begin));
  rest.insert(rest.end(), tape.begin() + static_cast<ptrdiff_t>(end), tape.end());
  return rest;
}

// Leaves out the choices [begin, end).
bool Delete(Search& search, size_t begin, size_t end, bool realign) {
  return search.TryForRepair(Without(search.tape(), begin, end)) || RepairDeletion(search, begin, end, realign);
}

// Whether leaving out [begin, end) lets the answer behind it meet a question like its own. It will meet the question
// at `begin`, as that depends only on what is before.
bool KeepsStep(const std::vector<Choice>& trace, size_t begin, size_t end) {
  return end == trace.size() || trace[begin].most == trace[end].most;
}

// Leaves out the children [first, last) of `parent`. The questions between siblings often belong to one of them ("one
// more?"), so they go with the sibling after them, or before them, or stay.
bool DeleteSiblings(Search& search, size_t parent, size_t first, size_t last) {
  const GroupTree& tree = search.groups();
  const std::span<const size_t> siblings = tree.children(parent);
  const size_t begin = tree.node(siblings[first]).begin;
  const size_t end = tree.node(siblings[last - 1]).end;
  const size_t before = first > 0 ? tree.node(siblings[first - 1]).end : tree.node(parent).begin;
  const size_t after = last < siblings.size() ? tree.node(siblings[last]).begin : tree.node(parent).end;
  const bool alone = last - first == 1;
  if (Delete(search, before, end, alone)) return true;
  const std::vector<Choice>& trace = search.best().trace;
  return (KeepsStep(trace, begin, after) && Delete(search, begin, after, alone)) ||
         (KeepsStep(trace, begin, end) && Delete(search, begin, end, alone));
}

// Puts the choices of the node `inner` in the place of those of `outer`.
bool Hoist(Search& search, size_t outer, size_t inner) {
  const GroupTree::Node& from = search.groups().node(inner);
  const GroupTree::Node& to = search.groups().node(outer);
  if (from.size() >= to.size()) return false;
  const Tape& tape = search.tape();
  auto at = [&](size_t position) { return tape.begin() + static_cast<ptrdiff_t>(position); };
  Tape candidate(tape.begin(), at(to.begin));
  candidate.insert(candidate.end(), at(from.begin), at(from.end));
  candidate.insert(candidate.end(), at(to.end), tape.end());
  return search.Try(candidate);
}

// The nodes of the kind of `outer` that lie in it, without those that lie in one of these.
std::vector<size_t> NearestOfKind(const GroupTree& tree, size_t outer) {
  std::vector<size_t> nearest;
  for (size_t i = outer + 1; i < tree.node(outer).next;) {
    const bool of_kind = tree.node(i).label == tree.node(outer).label;
    if (of_kind) nearest.push_back(i);
    i = of_kind ? tree.node(i).next : i + 1;
  }
  return nearest;
}

// From `outer` down, always the largest of the nearest nodes of its kind.
std::vector<size_t> Spine(const GroupTree& tree, size_t outer) {
  std::vector<size_t> spine;
  for (std::vector<size_t> nearest = NearestOfKind(tree, outer); !nearest.empty();
       nearest = NearestOfKind(tree, spine.back())) {
    spine.push_back(*std::max_element(nearest.begin(), nearest.end(),
                                      [&](size_t a, size_t b) { return tree.node(a).size() < tree.node(b).size(); }));
  }
  return spine;
}

}  // namespace

void CutTail(Search& search) {
  const Tape whole = search.tape();
  auto keep = [&](size_t size) {
    return search.Try(Tape(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
  };
  size_t too_few = 0;
  if (keep(too_few)) return;
  for (size_t enough = whole.size(); enough - too_few > 1;) {
    const size_t middle = too_few + (enough - too_few) / 2;
    (keep(middle) ? enough : too_few) = middle;
  }
}

void DeleteGroups(Search& search) {
  for (size_t parent = 0; parent < search.groups().size() && !search.spent(); ++parent) {
    for (size_t right = search.groups().children(parent).size(); right > 0;) {
      const size_t done = Gallop(right, [&](size_t n) {
        if (parent >= search.groups().size() || right > search.groups().children(parent).size()) return false;
        if (!DeleteSiblings(search, parent, right - n, right)) return false;
        right -= n;
        return true;
      });
      if (done == 0) --right;
    }
  }
}

void HoistGroups(Search& search) {
  for (size_t outer = 1; outer < search.groups().size() && !search.spent(); ++outer) {
    if (NearestOfKind(search.groups(), outer).empty()) continue;
    Gallop(Spine(search.groups(), outer).size(), [&](size_t n) {
      if (outer >= search.groups().size()) return false;
      const std::vector<size_t> spine = Spine(search.groups(), outer);
      return n <= spine.size() && Hoist(search, outer, spine[n - 1]);
    });
    for (bool again = true; again && outer < search.groups().size();) {
      again = false;
      for (size_t inner : NearestOfKind(search.groups(), outer)) {
        if ((again = Hoist(search, outer, inner))) break;
      }
    }
  }
}

void DeleteRuns(Search& search) {
  constexpr size_t kShort = 4;  // up to this size, runs are tried at every place
  size_t size = std::bit_floor(search.tape().size() / 2);
  while (size > 0 && !search.spent()) {
    for (size_t right = search.tape().size(); right >= size && !search.spent();) {
      const size_t done = Gallop(right / size, [&](size_t n) {
        if (n * size > right) return false;
        const size_t left = right - n * size;
        if (size <= kShort && !KeepsStep(search.best().trace, left, right)) return false;
        if (!search.Try(Without(search.tape(), left, right))) return false;
        right = std::min(left, search.tape().size());
        return true;
      });
      if (done == 0) right -= size <= kShort ? 1 : size;
    }
    size = size <= kShort ? size - 1 : size / 2;
  }
}

}  // namespace assay
