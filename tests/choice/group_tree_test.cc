// The tree of groups: nesting, order, and lists of groups that no replay can have made.
#include "choice/group_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GroupTreeTest, WithoutGroupsThereIsTheRoot) {
  const GroupTree tree({}, 5);
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_EQ(tree.node(GroupTree::kRoot).begin, 0u);
  EXPECT_EQ(tree.node(GroupTree::kRoot).end, 5u);
  EXPECT_EQ(tree.node(GroupTree::kRoot).next, 1u);
  EXPECT_THAT(tree.children(GroupTree::kRoot), IsEmpty());
  EXPECT_EQ(tree.Innermost(3), GroupTree::kRoot);
}

TEST(GroupTreeTest, GroupsNest) {
  // 0 1 2 3 4 5 6 7 8 9
  //   a a a a   c c d
  //   b b
  const std::vector<Group> groups{{"a", 1, 5}, {"b", 1, 3}, {"c", 6, 8}, {"a", 8, 9}};
  const GroupTree tree(groups, 10);
  ASSERT_EQ(tree.size(), 5u);
  EXPECT_THAT(tree.children(0), ElementsAre(1, 3, 4));
  EXPECT_THAT(tree.children(1), ElementsAre(2));
  EXPECT_THAT(tree.children(2), IsEmpty());
  EXPECT_EQ(tree.node(2).parent, 1u);
  EXPECT_EQ(tree.node(3).parent, 0u);
  EXPECT_EQ(tree.node(1).next, 3u);
  EXPECT_EQ(tree.node(2).next, 3u);
  EXPECT_EQ(tree.node(4).next, 5u);
  EXPECT_EQ(tree.node(4).size(), 1u);
  EXPECT_EQ(tree.node(1).label, tree.node(4).label);
  EXPECT_NE(tree.node(1).label, tree.node(2).label);
  EXPECT_NE(tree.node(1).label, tree.node(0).label);

  std::vector<size_t> innermost;
  for (size_t i = 0; i < 10; ++i) innermost.push_back(tree.Innermost(i));
  EXPECT_THAT(innermost, ElementsAre(0, 2, 2, 1, 1, 0, 3, 3, 4, 0));
}

TEST(GroupTreeTest, WhatDoesNotNestIsLeftOut) {
  const std::vector<Group> groups{{"empty", 2, 2}, {"backwards", 5, 3}, {"good", 2, 6},      {"overlaps", 4, 8},
                                  {"inner", 3, 4}, {"beyond", 8, 12},   {"too early", 0, 1}, {"last", 9, 10}};
  const GroupTree tree(groups, 10);
  std::vector<std::string> kept;
  for (size_t i = 1; i < tree.size(); ++i) kept.push_back(groups[tree.node(i).group].label);
  EXPECT_THAT(kept, ElementsAre("good", "inner", "last"));
}

TEST(GroupTreeTest, DeepAndWideTreesAreQuick) {
  constexpr size_t kMany = 200'000;
  std::vector<Group> deep, wide;
  for (size_t i = 0; i < kMany; ++i) {
    deep.push_back({"level", i, kMany});
    wide.push_back({"sibling", i, i + 1});
  }
  const GroupTree deep_tree(deep, kMany), wide_tree(wide, kMany);
  EXPECT_EQ(deep_tree.Innermost(kMany - 1), kMany);
  EXPECT_EQ(deep_tree.node(1).next, kMany + 1);
  EXPECT_EQ(wide_tree.children(GroupTree::kRoot).size(), kMany);
  EXPECT_EQ(wide_tree.Innermost(kMany - 1), kMany);
}

}  // namespace
}  // namespace assay
