// Builds the tree of groups in one pass over their list.
#include "choice/group_tree.h"

#include <algorithm>
#include <map>
#include <string>

namespace assay {

GroupTree::GroupTree(std::span<const Group> groups, size_t choices) {
  nodes_.push_back({.begin = 0, .end = choices});
  std::map<std::string, size_t, std::less<>> labels;
  size_t open = kRoot;
  for (size_t i = 0; i < groups.size(); ++i) {
    const Group& group = groups[i];
    size_t parent = open;
    while (parent != kRoot && group.begin >= nodes_[parent].end) parent = nodes_[parent].parent;
    if (group.begin >= group.end || group.begin < nodes_[parent].begin || group.end > nodes_[parent].end) continue;
    const size_t label = labels.try_emplace(group.label, labels.size() + 1).first->second;
    nodes_.push_back({.begin = group.begin, .end = group.end, .parent = parent, .group = i, .label = label});
    open = nodes_.size() - 1;
  }

  for (Node& node : nodes_) node.next = nodes_.size();
  for (size_t i = 1; i < nodes_.size(); ++i) {
    // The nodes that end before this one begins, from the one before it outwards.
    for (size_t done = i - 1; done != nodes_[i].parent; done = nodes_[done].parent) nodes_[done].next = i;
  }

  first_child_.assign(nodes_.size() + 1, 0);
  for (size_t i = 1; i < nodes_.size(); ++i) ++first_child_[nodes_[i].parent + 1];
  for (size_t i = 0; i < nodes_.size(); ++i) first_child_[i + 1] += first_child_[i];
  children_.resize(nodes_.size() - 1);
  std::vector<size_t> next(first_child_.begin(), first_child_.end() - 1);
  for (size_t i = 1; i < nodes_.size(); ++i) children_[next[nodes_[i].parent]++] = i;
}

std::span<const size_t> GroupTree::children(size_t index) const {
  return std::span(children_).subspan(first_child_[index], first_child_[index + 1] - first_child_[index]);
}

size_t GroupTree::Innermost(size_t position) const {
  size_t at = kRoot;
  for (;;) {
    const std::span<const size_t> inner = children(at);
    const auto after =
        std::partition_point(inner.begin(), inner.end(), [&](size_t child) { return nodes_[child].end <= position; });
    if (after == inner.end() || nodes_[*after].begin > position) return at;
    at = *after;
  }
}

}  // namespace assay
