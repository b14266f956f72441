// Poses from features of the skin (Capell 2004, section 6.5.1).
#include "sinew/shape/fit_pose.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/shape/joint_turns.h"

namespace sinew {
namespace {

struct Sumo {
  Character character = read_character(std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb");
  SimulationSurface surface = simulation_surface(character);
  Pose rest = sample(character.skeleton, nullptr, 0);

  std::vector<Vec3> skin(const Pose& pose) const {
    std::vector<Vec3> positions(surface.rest.positions.size());
    linear_blend(surface.rest.positions, surface.influences, bone_transforms(character, surface, pose), positions);
    return positions;
  }
  // Every `stride`th vertex that bones of these joints carry, where `target` has it.
  std::vector<PoseFeature> features(const std::vector<std::string>& joints, const std::vector<Vec3>& target,
                                    std::size_t stride) const {
    std::vector<PoseFeature> found;
    std::size_t seen = 0;
    for (std::size_t s = 0; s < target.size(); ++s)
      for (int k = 0; k < surface.influences[s].count; ++k) {
        const Bone& bone =
            surface.bones[static_cast<std::size_t>(surface.influences[s].joint[static_cast<std::size_t>(k)])];
        if (surface.influences[s].weight[static_cast<std::size_t>(k)] > 0.8 &&
            std::find(joints.begin(), joints.end(), bone.name) != joints.end() && seen++ % stride == 0)
          found.push_back({static_cast<int>(s), target[s]});
      }
    return found;
  }
};

double farthest_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t s = 0; s < a.size(); ++s) most = std::max(most, distance(a[s], b[s]));
  return most;
}

TEST(FitPose, AHiddenBendOfAnArmComesBack) {
  const Sumo sumo;
  const std::vector<JointTurn> turns{{"upper_arm_l", 'z', 35}, {"upper_arm_l", 'x', -20}, {"forearm_l", 'y', 70}};
  const std::vector<Vec3> target = sumo.skin(turned(sumo.character, sumo.rest, turns));
  const PoseFit fit =
      fit_pose(sumo.character, sumo.surface, sumo.rest, sumo.features({"upper_arm_l", "forearm_l"}, target, 9));
  EXPECT_GT(fit.before, 0.1);
  EXPECT_LT(fit.after, 1e-3);
  EXPECT_LT(farthest_apart(sumo.skin(fit.pose), target), 5e-3);
  for (const FittedTurn& turn : fit.turns) {
    const std::string& name = sumo.character.skeleton.joints[static_cast<std::size_t>(turn.joint)].name;
    EXPECT_TRUE(name == "upper_arm_l" || name == "forearm_l") << name;
  }
}

TEST(FitPose, FeaturesAllOverMoveTheWholeBody) {
  const Sumo sumo;
  Pose moved = sumo.rest;
  const Affine whole{to_matrix(axis_angle({0, 1, 0}, 0.6)), {0.5, 0.1, -0.3}};
  for (Affine& joint : moved.world) joint = whole * joint;
  const std::vector<JointTurn> turns{{"forearm_r", 'x', 40}, {"thigh_l", 'x', -30}};
  const std::vector<Vec3> target = sumo.skin(turned(sumo.character, moved, turns));
  std::vector<PoseFeature> features;
  for (std::size_t s = 0; s < target.size(); s += 23) features.push_back({static_cast<int>(s), target[s]});
  const PoseFit fit = fit_pose(sumo.character, sumo.surface, sumo.rest, features);
  EXPECT_LT(fit.after, 2e-3);
  EXPECT_LT(farthest_apart(sumo.skin(fit.pose), target), 2e-2);
}

TEST(FitPose, TooFewFeaturesAreRefused) {
  const Sumo sumo;
  EXPECT_THROW(fit_pose(sumo.character, sumo.surface, sumo.rest, {}), Error);
  const std::vector<PoseFeature> two(2, {0, {}}), none(3, {-1, {}});
  EXPECT_THROW(fit_pose(sumo.character, sumo.surface, sumo.rest, two), Error);
  EXPECT_THROW(fit_pose(sumo.character, sumo.surface, sumo.rest, none), Error);
}

}  // namespace
}  // namespace sinew
