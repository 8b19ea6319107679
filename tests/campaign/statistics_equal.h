// Compares what two campaigns counted.
#pragma once
#include "campaign/statistics.h"
#include "gtest/gtest.h"

namespace assay {

inline void ExpectSame(const CampaignStatistics& a, const CampaignStatistics& b) {
  EXPECT_EQ(a.ToString(), b.ToString());
  EXPECT_EQ(a.graphs, b.graphs);
  EXPECT_EQ(a.our_faults, b.our_faults);
  EXPECT_EQ(a.outside, b.outside);
  EXPECT_EQ(a.widths.Counts(), b.widths.Counts());
  EXPECT_EQ(a.not_run_reasons, b.not_run_reasons);
  EXPECT_EQ(a.coverage, b.coverage);
  EXPECT_EQ(a.groups, b.groups);
}

}  // namespace assay
