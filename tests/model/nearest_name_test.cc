#include "model/nearest_name.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(EditDistance, CountsReplacedAddedAndMissingLetters) {
  EXPECT_EQ(EditDistance("ADD", "ADD"), 0u);
  EXPECT_EQ(EditDistance("ADD", "AND"), 1u);
  EXPECT_EQ(EditDistance("ADD", "AD"), 1u);
  EXPECT_EQ(EditDistance("AD", "ADD"), 1u);
  EXPECT_EQ(EditDistance("", "ADD"), 3u);
  EXPECT_EQ(EditDistance("ADD", ""), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(NearestNames, AreSortedByDistanceThenByPlace) {
  const std::vector<absl::string_view> names = {"MUL", "DIV", "SUB", "ADDX", "AND", "ADD_N"};
  EXPECT_THAT(NearestNames("ADD", names), ElementsAre("ADDX", "AND", "ADD_N"));
  EXPECT_THAT(NearestNames("ADD", names, 1), ElementsAre("ADDX"));
}

TEST(NearestNames, DoNotIncludeWhatIsMuchFartherThanTheNearest) {
  const std::vector<absl::string_view> names = {"jitter:edge", "jitter:edge-high", "jitter:floor"};
  EXPECT_THAT(NearestNames("jitter:egde", names), ElementsAre("jitter:edge"));
}

TEST(NearestNames, AreNoneWhenNothingIsAlike) {
  const std::vector<absl::string_view> names = {"MUL", "DIV"};
  EXPECT_THAT(NearestNames("CONV_2D", names), IsEmpty());
  EXPECT_THAT(NearestNames("", names), IsEmpty());
}

TEST(DidYouMean, IsTheEndOfASentence) {
  EXPECT_EQ(DidYouMean("ADE", std::vector<absl::string_view>{"ADD"}), "; did you mean ADD?");
  EXPECT_EQ(DidYouMean("ADE", std::vector<absl::string_view>{"ADD", "ADA"}), "; did you mean ADD or ADA?");
  EXPECT_EQ(DidYouMean("ADE", std::vector<absl::string_view>{"ADD", "ADA", "AGE"}), "; did you mean ADD, ADA or AGE?");
  EXPECT_EQ(DidYouMean("ADE", std::vector<absl::string_view>{"RESHAPE"}), "");
}

}  // namespace
}  // namespace assay
