#include "sinew/deform/flesh/turning.h"

#include <gtest/gtest.h>

#include <vector>

#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr double revolution = 2 * std::numbers::pi;

TEST(Turning, CarriesFleshFromSixHundredTurnsAMinuteOn) {
  const double step = 1.0 / 240;
  const Vec3 axis = normalized(Vec3{1, 2, -1});
  const Quat before = axis_angle({0, 0, 1}, 0.7);
  const auto carried = [&](double turns_per_minute, double sign) {
    const Quat now = axis_angle(axis, turns_per_minute / 60 * revolution * step) * before;
    return carried_by_turning(before, {sign * now.x, sign * now.y, sign * now.z, sign * now.w}, step);
  };
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(carried(0, sign), 0);
    EXPECT_EQ(carried(599, sign), 0);
    EXPECT_NEAR(carried(900, sign), 0.5, 1e-9);
    EXPECT_EQ(carried(1201, sign), 1);
    EXPECT_EQ(carried(7000, sign), 1);
  }
}

TEST(Turning, OfOneBoneIsEnough) {
  std::vector<Affine> before(3), now(3);
  now[2].translation = {5, 0, 0};
  EXPECT_FALSE(any_turns_fast(before, now, 0.01));
  now[1].linear = to_matrix(axis_angle({1, 0, 0}, 0.65));
  EXPECT_TRUE(any_turns_fast(before, now, 0.01));
  EXPECT_FALSE(any_turns_fast(before, now, 0.02));
}

}  // namespace
}  // namespace sinew
