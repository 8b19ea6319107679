// Source maps against plain loops.
#include "ops/source_map.h"

#include <gmock/gmock.h>

namespace assay {
namespace {

using ::testing::ElementsAre;

const int kIn[] = {10, 11, 12, 13, 14, 15};  // as 2 x 3

std::vector<int> Moved(const SourceMap& map, size_t count) {
  std::vector<int> out(count, 0);
  map.Move(kIn, out.data(), -1);
  return out;
}

TEST(SourceMap, RowsColumnsAndNone) {
  EXPECT_THAT(StridesOf({4, 2, 3}), ElementsAre(6, 3, 1));
  SourceMap map;
  map.Add(3, 3, [](size_t k) { return k == 0 ? SourceMap::kNone : 2 - k; });
  map.Add(SourceMap::AsItIs(2, 1));
  EXPECT_THAT(Moved(map, 6), ElementsAre(-1, -1, 13, 14, 10, 11));
  SourceMap columns;
  columns.Add(SourceMap::AsItIs(2, 3));
  columns.Add(4, 1, [](size_t k) { return k == 1 ? SourceMap::kNone : k % 3; });
  EXPECT_THAT(Moved(columns, 8), ElementsAre(10, -1, 12, 10, 13, -1, 15, 13));
}

TEST(SourceMap, OneDimensionAndNone) {
  SourceMap line;
  line.Add(3, 2, [](size_t k) { return 2 - k; });
  EXPECT_THAT(Moved(line, 3), ElementsAre(14, 12, 10));
  SourceMap empty;
  empty.Add(SourceMap::AsItIs(0, 1));
  empty.Add(SourceMap::AsItIs(3, 1));
  EXPECT_THAT(Moved(empty, 1), ElementsAre(0));  // nothing is written
}

TEST(SourceMap, AlongAnAxis) {
  EXPECT_THAT(Moved(MapAlong(LinesAlong({2, 3}, 1), 2, [](size_t k) { return 2 * k; }), 4),
              ElementsAre(10, 12, 13, 15));
  EXPECT_THAT(Moved(MapAlong(LinesAlong({2, 3}, 0), 1, [](size_t) { return size_t{1}; }), 3), ElementsAre(13, 14, 15));
}

}  // namespace
}  // namespace assay
