#include "sinew/bake/output/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

// Two points that rise with time, one of them faster by `faster`.
Track rising(double faster, std::vector<double> times) {
  Track track;
  track.name = "rising";
  track.points = 2;
  track.start = 0;
  track.end = 1;
  track.times = std::move(times);
  track.height = 2;
  track.positions_at = [faster](double t) { return std::vector<Vec3>{{0, t, 0}, {1, t * (1 + faster), 0}}; };
  return track;
}

TEST(Compare, DistancesAreThoseOfTheFormula) {
  const Track a = rising(0, {0, 0.5, 1}), b = rising(0.1, {});
  const TrackDifference difference = compare(a, b, common_times(a, b, 30));
  ASSERT_EQ(difference.frames.size(), 3u);
  EXPECT_EQ(difference.frames[0].max, 0);
  // Differences of positions up to 1.1, then squares and roots of numbers below.
  const double rounding = test::rounding_of(1.1, 2 + 6);
  EXPECT_NEAR(difference.frames[2].max, 0.1, rounding);
  EXPECT_NEAR(difference.frames[2].rms, 0.1 / std::sqrt(2.0), rounding);
  EXPECT_EQ(difference.frames[2].farthest, 1u);
  EXPECT_NEAR(difference.max, 0.1, rounding);
  EXPECT_NEAR(difference.rms, std::sqrt((0.05 * 0.05 + 0.1 * 0.1) / 6), rounding);
  EXPECT_EQ(difference.height, 2);
}

TEST(Compare, FramesComeFromTheTrackThatHasSomeElseFromTheRate) {
  const Track continuous = rising(0, {}), framed = rising(0, {0.25, 0.75, 1.5});
  EXPECT_EQ(common_times(continuous, framed, 30), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(common_times(continuous, continuous, 4), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

TEST(Compare, HeightOfUnknownTracksIsTheirExtent) {
  Track a = rising(1, {1}), b = rising(1, {1});
  a.height = b.height = 0;
  EXPECT_NEAR(compare(a, b, common_times(a, b, 30)).height, 1, test::rounding_of(1, 4));
}

TEST(Compare, DifferentSurfacesAreRefused) {
  Track a = rising(0, {}), b = rising(0, {});
  b.points = 3;
  EXPECT_THROW(compare(a, b, std::vector<double>{0.0}), Error);
  b.points = 2;
  EXPECT_THROW(compare(a, b, {}), Error);
}

}  // namespace
}  // namespace sinew
