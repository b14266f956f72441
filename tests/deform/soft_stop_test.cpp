#include "sinew/deform/rig_space/soft_stop.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

// Rest beside the middle of the range, so that both sides are told apart.
constexpr SoftStop stop{.rest = 0.5, .lower = 2, .upper = 1, .begin = 0.75, .stiffness = 30};

TEST(SoftStop, IsTheDerivativeOfItsEnergy) {
  constexpr double h = 1e-5;
  for (const double value : {-2.0, -1.51, -1.2, -0.9, 0.5, 1.2, 1.3, 1.6, 3.0}) {
    const SoftStopForce at = soft_stop_force(stop, value), less = soft_stop_force(stop, value - h),
                        more = soft_stop_force(stop, value + h);
    EXPECT_NEAR(at.force, (more.energy - less.energy) / (2 * h), 1e-6 * (1 + std::abs(at.force))) << value;
    EXPECT_NEAR(at.stiffness, (more.force - less.force) / (2 * h), 1e-4 * (1 + std::abs(at.stiffness))) << value;
  }
}

TEST(SoftStop, BeginsWithinTheRangeAndIsStiffAtItsEnd) {
  EXPECT_EQ(soft_stop_force(stop, 0.5 + 0.75).force, 0);
  EXPECT_GT(soft_stop_force(stop, 0.5 + 0.76).force, 0);
  EXPECT_NEAR(soft_stop_force(stop, 0.5 + 1).force, 30 * 1, 1e-12);
  EXPECT_EQ(soft_stop_force(stop, 0.5 - 1.5).force, 0);
  EXPECT_NEAR(soft_stop_force(stop, 0.5 - 2).force, -30 * 2, 1e-12);
}

TEST(SoftStop, NoStiffnessOrNoRangeIsNoStop) {
  SoftStop none = stop, open = stop;
  none.stiffness = 0;
  open.upper = 0;
  EXPECT_EQ(soft_stop_force(none, 100).energy, 0);
  EXPECT_EQ(soft_stop_force(open, 100).energy, 0);
  EXPECT_LT(soft_stop_force(open, -100).force, 0);
}

}  // namespace
}  // namespace sinew
