// Repairs a candidate from which something was left out, so that what is drawn after it stays what it was.
// Refuses to know what is asked: a question is known by the largest answer it allows and by the label of its group.
#pragma once
#include <cstddef>

#include "choice/search.h"

namespace assay {

// To be called when search.tape() without [begin, end) was the last candidate tried, and was rejected. True if a
// repaired one was kept.
//
// Two things go wrong. Later answers that number what was made so far mean other things now: they are renumbered. And
// other questions are asked: what was there to be used must be made now, say. The first answer that meets another
// question than before shows where. With `realign`, zeros there show what is asked instead; then the old answers go to
// the questions that look like theirs, the others are left out, and new questions get 0. That brings one group back
// into step, and those behind it until the next such place; a few are tried.
bool RepairDeletion(Search& search, size_t begin, size_t end, bool realign);

}  // namespace assay
