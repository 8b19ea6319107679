#include "campaign/deaths.h"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

const Death* At(const std::vector<Death>& deaths, uint64_t graph) {
  const auto at = std::find_if(deaths.begin(), deaths.end(), [&](const Death& d) { return d.graph == graph; });
  return at == deaths.end() ? nullptr : &*at;
}

}  // namespace

void Deaths::Learn(const LeftBehind& left, const std::string& how) {
  if (left.empty()) return;
  if (suspects.empty()) {
    suspects = left.tried;
    std::sort(suspects.begin(), suspects.end());
    at_death = left;
    cause = how;
    return;
  }
  for (uint64_t graph : left.tried) {
    suspects.erase(std::remove(suspects.begin(), suspects.end(), graph), suspects.end());
    if (DeadlyAt(graph) == nullptr) deadly.push_back({graph, how.empty() ? cause : how});
  }
  at_death = {};  // explained
}

void Deaths::Acquit() {
  if (!suspects.empty()) suspects.erase(suspects.begin());
}

std::optional<Deaths::Unexplained> Deaths::Conclude() {
  const LeftBehind left = std::exchange(at_death, {});
  const std::string how = std::exchange(cause, "");
  if (left.empty() || how.empty()) return std::nullopt;
  if (left.investigated) {
    if (NotShrunkAt(*left.investigated) == nullptr) not_shrunk.push_back({*left.investigated, how});
    return std::nullopt;
  }
  return Unexplained{left.tried, how};
}

const Death* Deaths::DeadlyAt(uint64_t graph) const { return At(deadly, graph); }
const Death* Deaths::NotShrunkAt(uint64_t graph) const { return At(not_shrunk, graph); }

void Deaths::ForgetBefore(uint64_t next_graph) {
  for (std::vector<Death>* list : {&deadly, &not_shrunk})
    list->erase(std::remove_if(list->begin(), list->end(), [&](const Death& d) { return d.graph < next_graph; }),
                list->end());
}

}  // namespace assay
