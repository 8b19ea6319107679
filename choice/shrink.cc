// The order of the passes.
#include "choice/shrink.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "choice/passes.h"
#include "choice/search.h"

namespace assay {
namespace {

// Runs `pass` and says whether it found anything.
bool Helps(void (*pass)(Search&), Search& search) {
  const size_t before = search.progress().kept;
  if (!search.spent()) pass(search);
  return search.progress().kept != before;
}

}  // namespace

Shrinker::Shrinker(Trial trial, Tape start, ShrinkBudget budget)
    : start_(std::move(start)), search_(std::make_unique<Search>(std::move(trial), std::move(budget))) {}

Shrinker::~Shrinker() = default;

absl::StatusOr<Tape> Shrinker::Minimize() {
  Search& search = *search_;
  if (!search.best().interesting && !search.Start(start_)) {
    return absl::FailedPreconditionError(
        search.progress().trials == 0
            ? "shrink.start: no trial was allowed"
            : absl::StrCat("shrink.start: a tape of ", start_.size(), " choices is not interesting"));
  }
  CutTail(search);
  // Cheap passes that remove much come first; a dearer one begins when the cheaper ones find nothing more.
  for (bool again = true; again && !search.spent();) {
    again = false;
    for (bool cheap = true; cheap;) {
      cheap = Helps(DeleteGroups, search);
      cheap |= Helps(ZeroGroups, search);
      cheap |= Helps(HoistGroups, search);
    }
    again |= Helps(DeleteRuns, search);
    again |= Helps(ZeroRuns, search);
    again |= Helps(LowerEach, search);
    again |= Helps(LowerTogether, search);
    again |= Helps(MoveRight, search);
    again |= Helps(SortSiblings, search);
  }
  search.Finish();
  return search.tape();
}

const Outcome& Shrinker::best() const { return search_->best(); }
const Progress& Shrinker::progress() const { return search_->progress(); }

}  // namespace assay
