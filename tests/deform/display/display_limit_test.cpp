// How far flesh is shown, and of how much of it that is much nearer than it is.
#include "sinew/deform/display/display_limit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/rounding.h"

namespace sinew {
namespace {

// A displacement of s limits is shortened to 1 / sqrt(1 + s^2) of itself: by more than a tenth from s = 0.4843 on.
TEST(DisplayLimit, CountsWhatItShortensByMoreThanATenth) {
  const double limit = 0.02;
  std::vector<Vec3> displacement;
  for (const double share : {0.0, 0.1, 0.48, 0.49, 3.0}) displacement.push_back({0, share * limit, 0});
  std::vector<double> limits(displacement.size(), limit);
  EXPECT_DOUBLE_EQ(limit_displacements(limits, 0, displacement), 0.4);
  // A squared length, a quotient and a root.
  const double rounding = test::rounding_of(3 * limit, 10);
  EXPECT_NEAR(displacement[4].y, limit * 3 / std::sqrt(10.0), rounding);
  EXPECT_NEAR(displacement[1].y, limit * 0.1 / std::sqrt(1.01), rounding);
  // Without limits nothing is shortened.
  displacement.back() = {0, 3 * limit, 0};
  EXPECT_EQ(limit_displacements({}, 0, displacement), 0);
  EXPECT_EQ(displacement.back().y, 3 * limit);
}

TEST(DisplayLimit, MakesWayForWhatLeadsTheFlesh) {
  const double limit = 0.02, led = 0.1;
  const std::vector<double> limits(3, limit);
  std::vector<Vec3> displacement{{0, 0, 0.05}, {led, 0, 0}, {0, -5, 0}};
  EXPECT_DOUBLE_EQ(limit_displacements(limits, led, displacement), 1.0 / 3);
  EXPECT_EQ(displacement[0], (Vec3{0, 0, 0.05}));
  EXPECT_EQ(displacement[1], (Vec3{led, 0, 0}));
  EXPECT_NEAR(displacement[2].y, -(led + limit * 245 / std::sqrt(1 + 245.0 * 245.0)), 1e-12);
  displacement[2] = {0, -5, 0};
  EXPECT_EQ(limit_displacements(limits, HUGE_VAL, displacement), 0);
  EXPECT_EQ(displacement[2].y, -5);
}

// Below its share displacements are displayed to the bit; above, the length grows on at first at the same rate, and
// stays within the limit.
TEST(DisplayLimit, LeavesAShareUntouched) {
  const double most = 0.2, share = 0.5;
  const auto shown = [&](double length) {
    std::vector<Vec3> displacement = {{0, 0, length}};
    limit_displacements(std::vector{most}, 0.03, displacement, share);
    return displacement[0].z;
  };
  EXPECT_EQ(shown(0.129), 0.129);
  const double h = 1e-6, edge = 0.03 + share * most;
  EXPECT_NEAR((shown(edge + h) - shown(edge - h)) / (2 * h), 1, 1e-6);
  EXPECT_NEAR(shown(edge + 0.1), edge + 0.1 / std::sqrt(2), 1e-12);
  EXPECT_LT(shown(1e6), 0.03 + most);
  EXPECT_GT(shown(1e6), 0.03 + 0.999 * most);
}

TEST(DisplayLimit, WithoutRoomThereIsNoDisplacement) {
  std::vector<Vec3> displacement{{1, 0, 0}, {}};
  const std::vector<double> limits{0, 0};
  EXPECT_EQ(limit_displacements(limits, 0, displacement), 0.5);
  EXPECT_EQ(displacement[0], Vec3{});
}

}  // namespace
}  // namespace sinew
