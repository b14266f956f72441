// How far flesh is shown, and of how much of it that is much nearer than it is.
#include "sinew/deform/flesh/display_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sinew {
namespace {

// A displacement of s limits is shortened to 1 / sqrt(1 + s^2) of itself: by more than a tenth from s = 0.4843 on.
TEST(DisplayLimit, CountsWhatItShortensByMoreThanATenth) {
  const double limit = 0.02;
  std::vector<Vec3> displacement;
  for (const double share : {0.0, 0.1, 0.48, 0.49, 3.0}) displacement.push_back({0, share * limit, 0});
  std::vector<double> limits(displacement.size(), limit);
  EXPECT_DOUBLE_EQ(limit_displacements(limits, 0, displacement), 0.4);
  EXPECT_NEAR(displacement[4].y, limit * 3 / std::sqrt(10.0), 1e-15);
  EXPECT_NEAR(displacement[1].y, limit * 0.1 / std::sqrt(1.01), 1e-15);
  // What hands lead is not limited, and without limits nothing is.
  displacement.back() = {0, 3 * limit, 0};
  EXPECT_EQ(limit_displacements(limits, 1, displacement), 0);
  EXPECT_EQ(limit_displacements({}, 0, displacement), 0);
  EXPECT_EQ(displacement.back().y, 3 * limit);
}

TEST(DisplayLimit, WithoutRoomThereIsNoDisplacement) {
  std::vector<Vec3> displacement{{1, 0, 0}, {}};
  const std::vector<double> limits{0, 0};
  EXPECT_EQ(limit_displacements(limits, 0, displacement), 0.5);
  EXPECT_EQ(displacement[0], Vec3{});
}

}  // namespace
}  // namespace sinew
