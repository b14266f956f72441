// The latest poses of a skin: found again where the bones are the same, and computed where they are not.
#include "sinew/rig/skin_poses.h"

#include <gtest/gtest.h>

#include "sinew/rig/skinned_points.h"
#include "tests/character/skinned_tube.h"

namespace sinew {
namespace {

using namespace test;

std::vector<Affine> moved_to(double x) { return {Affine{Mat3::identity(), {x, 0, 0}}}; }

TEST(SkinPoses, AreComputedOncePerPose) {
  SkinPoses poses;
  int computed = 0;
  const auto at = [&](double x) {
    return poses.at(moved_to(x), [&] { return ++computed, std::vector<Vec3>{{x, 0, 0}}; })->positions()[0].x;
  };
  EXPECT_EQ(at(1), 1);
  EXPECT_EQ(at(2), 2);
  EXPECT_EQ(at(1), 1);
  EXPECT_EQ(at(2), 2);
  EXPECT_EQ(computed, 2);
  EXPECT_EQ(at(std::nextafter(1, 2)), std::nextafter(1, 2)) << "another pose";
  for (int k = 0; k < 20; ++k) at(10 + k);
  EXPECT_EQ(computed, 23);
  EXPECT_EQ(at(1), 1) << "forgotten, and computed again";
  EXPECT_EQ(computed, 24);
}

TEST(SkinPoses, ChangeNoBitOfAGoal) {
  for (const SkinningKind kind : {SkinningKind::volume, SkinningKind::implicit}) {
    const SimulationSurface keeping = skinned_tube(kind);
    SimulationSurface forgetting = keeping;
    forgetting.skinning.poses.reset();
    ASSERT_TRUE(keeping.skinning.poses);
    for (const double bend : {0.5, 2.0, 0.5, 0.5}) {
      const std::vector<Affine> bones = bent_tube(bend);
      EXPECT_EQ(posed(keeping, bones), posed(forgetting, bones));
      EXPECT_EQ(skin_correction(keeping.skinning, bones), skin_correction(forgetting.skinning, bones));
    }
  }
}

}  // namespace
}  // namespace sinew
