// The ways in which the shrinker makes a tape simpler. Each goes once over the whole tape and keeps what it finds.
// Refuses to know in which order, and how often, they are used.
//
// A pass that works from the end to the beginning relies on this: what was drawn before a change is not touched by it.
#pragma once
#include <algorithm>
#include <cstddef>

#include "choice/search.h"

namespace assay {

// Calls attempt(n), which does the next n steps at once or nothing and says which, until `limit` steps are done or one
// alone fails: n grows twofold, then a failure is narrowed down, so k possible steps cost about 2 log2(k) attempts.
// Returns the number of steps done.
template <class Attempt>
size_t Gallop(size_t limit, Attempt attempt) {
  size_t done = 0;
  size_t n = 1;
  while (done < limit && attempt(n)) {
    done += n;
    n = std::min(n > limit / 2 ? limit : 2 * n, limit - done);
  }
  // From here on, n more steps are known to be too many.
  while (done < limit && n > 1) {
    const size_t half = n / 2;
    const bool works = attempt(half);
    if (works) done += half;
    n = works ? n - half : half;
  }
  return done;
}

// deleting.cc: fewer choices.
void CutTail(Search& search);       // the answers from some place on become 0
void DeleteGroups(Search& search);  // runs of sibling groups, alone or with the questions before or after them
void HoistGroups(Search& search);   // a group becomes one of its kind that lies inside it
void DeleteRuns(Search& search);    // runs of choices, whatever their groups: long ones, then short ones

// lowering.cc: smaller answers, which also often ask for fewer.
void ZeroGroups(Search& search);  // runs of sibling groups become 0
void ZeroRuns(Search& search);    // runs of answers become 0
void LowerEach(Search& search);   // one answer at a time, and what depended on it is repaired

// pairing.cc: several answers at once.
void LowerTogether(Search& search);  // equal answers, and neighbours by the same amount
void MoveRight(Search& search);      // what one answer gives up, a later one takes
void SortSiblings(Search& search);   // sibling groups of a kind, and answers to equal questions, change places

}  // namespace assay
