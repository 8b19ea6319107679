// The groups of a trace as a tree.
// Refuses to know what the groups are for.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "choice/choices.h"

namespace assay {

// Node 0 is the whole trace; the others are the groups in the order in which they were opened, so that a node comes
// after its parent and before the parent's next child. Groups that do not nest are left out.
class GroupTree {
 public:
  static constexpr size_t kRoot = 0;

  struct Node {
    size_t begin = 0;   // first choice
    size_t end = 0;     // one after the last choice
    size_t parent = 0;  // of the root: the root
    size_t next = 0;    // the first later node that does not lie in this one; size() if there is none
    size_t group = 0;   // place in the list of groups; of the root: meaningless
    size_t label = 0;   // equal for nodes of a kind; 0 for the root alone
    size_t size() const { return end - begin; }
  };

  GroupTree() : GroupTree({}, 0) {}
  GroupTree(std::span<const Group> groups, size_t choices);

  size_t size() const { return nodes_.size(); }
  const Node& node(size_t index) const { return nodes_[index]; }
  // Nodes, in order.
  std::span<const size_t> children(size_t index) const;
  // The smallest node that has the choice at `position`.
  size_t Innermost(size_t position) const;

 private:
  std::vector<Node> nodes_;
  std::vector<size_t> children_;     // of node 0, then of node 1, ...
  std::vector<size_t> first_child_;  // where a node's children begin in children_, and one end more
};

}  // namespace assay
