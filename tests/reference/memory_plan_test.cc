// Tests of the memory planner: plans worked out by hand, and that no two living tensors ever overlap.
#include "reference/memory_plan.h"

#include "choice/stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using testing::ElementsAre;

TEST(PlanMemory, NothingNeedsNothing) {
  const MemoryPlan plan = PlanMemory({});
  EXPECT_EQ(plan.peak, 0u);
  EXPECT_TRUE(plan.offsets.empty());
}

TEST(PlanMemory, AChainUsesTwoBuffersInTurn) {
  // 0 -> 1 -> 2 -> 3: each tensor lives from its writer to the next operation.
  const std::vector<TensorLifetime> chain = {{0, 100, 0, 1}, {1, 100, 1, 2}, {2, 100, 2, 3}, {3, 100, 3, 3}};
  const MemoryPlan plan = PlanMemory(chain);
  EXPECT_THAT(plan.offsets, ElementsAre(0, 128, 0, 128));
  EXPECT_EQ(plan.peak, 256u);  // two of 100 bytes, each rounded up to 128
}

TEST(PlanMemory, TheLowestGapThatIsLargeEnoughIsTaken) {
  const std::vector<TensorLifetime> tensors = {
      {0, 64, 0, 1},    // [0, 64) until 1
      {1, 64, 0, 9},    // [64, 128)
      {2, 192, 0, 2},   // the largest of the first operation comes first: see the offsets
      {3, 128, 2, 3},   // does not fit the gap that tensor 0 left
      {4, 64, 2, 3},    // does
      {5, 256, 3, 4},   // at the end of tensor 3, for tensor 2's gap has 192 bytes
      {6, 192, 3, 4}};  // in tensor 2's gap
  const MemoryPlan plan = PlanMemory(tensors);
  EXPECT_THAT(plan.offsets, ElementsAre(192, 256, 0, 320, 192, 448, 0));
  EXPECT_EQ(plan.peak, 704u);
}

TEST(PlanMemory, NeighbouringGapsBecomeOne) {
  const std::vector<TensorLifetime> tensors = {
      {0, 64, 0, 0}, {1, 64, 0, 1}, {2, 64, 0, 0}, {3, 64, 0, 5}, {4, 192, 2, 3}};
  const MemoryPlan plan = PlanMemory(tensors);
  EXPECT_THAT(plan.offsets, ElementsAre(0, 64, 128, 192, 0));
  EXPECT_EQ(plan.peak, 256u);
}

TEST(PlanMemory, AFreeEndGrows) {
  const std::vector<TensorLifetime> tensors = {{0, 64, 0, 0}, {1, 640, 1, 1}, {2, 6400, 2, 2}};
  const MemoryPlan plan = PlanMemory(tensors);
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0, 0));
  EXPECT_EQ(plan.peak, 6400u);
}

TEST(PlanMemory, TheLargestFirstWhereThatTakesLess) {
  // By time, tensor 1 (64 bytes) lies behind tensor 0 (128) and keeps the 192 bytes of tensor 2 out of the front.
  const std::vector<TensorLifetime> tensors = {{0, 128, 0, 0}, {1, 64, 0, 1}, {2, 192, 1, 1}};
  const MemoryPlan plan = PlanMemory(tensors);
  EXPECT_THAT(plan.offsets, ElementsAre(0, 192, 0));
  EXPECT_EQ(plan.peak, 256u);
}

TEST(PlanMemory, EmptyTensorsTakeNoRoom) {
  const std::vector<TensorLifetime> tensors = {{0, 0, 0, 5}, {1, 64, 0, 5}, {2, 0, 1, 5}, {3, 1, 2, 5}};
  const MemoryPlan plan = PlanMemory(tensors);
  EXPECT_EQ(plan.offsets[1], 0u);
  EXPECT_EQ(plan.offsets[3], 64u);
  EXPECT_EQ(plan.peak, 128u);
}

TEST(PlanMemory, TensorsThatLiveTogetherNeverOverlap) {
  for (uint64_t seed = 0; seed < 201; ++seed) {
    Stream stream(seed);
    std::vector<TensorLifetime> tensors;
    const uint32_t count = seed == 200 ? 5000 : 1 + static_cast<uint32_t>(stream.Next() % 40);
    for (uint32_t i = 0; i < count; ++i) {
      const auto first = static_cast<uint32_t>(stream.Next() % (count / 2 + 1));
      tensors.push_back(
          {i, static_cast<size_t>(stream.Next() % 1000), first, first + static_cast<uint32_t>(stream.Next() % 6)});
    }
    const MemoryPlan plan = PlanMemory(tensors);
    size_t end = 0;
    for (size_t a = 0; a < count; ++a) {
      EXPECT_EQ(plan.offsets[a] % kMemoryAlignment, 0u);
      end = std::max(end, plan.offsets[a] + Aligned(tensors[a].bytes));
      for (size_t b = a + 1; b < count; ++b) {
        if (tensors[a].last < tensors[b].first || tensors[b].last < tensors[a].first) continue;
        ASSERT_TRUE(plan.offsets[a] + tensors[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + tensors[b].bytes <= plan.offsets[a] || tensors[a].bytes == 0 ||
                    tensors[b].bytes == 0)
            << "seed " << seed << ", tensors " << a << " and " << b;
      }
    }
    EXPECT_EQ(plan.peak, end);
  }
}

}  // namespace
}  // namespace assay
