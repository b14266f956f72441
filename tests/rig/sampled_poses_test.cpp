#include "sinew/rig/sampled_poses.h"

#include <gtest/gtest.h>

#include "sinew/character/simulation_surface.h"
#include "tests/rig/cut_clips.h"

namespace sinew {
namespace {

using Poses = std::vector<std::vector<Affine>>;

Character tube_of_two_clips() {
  Character character = test::plain_tube();
  character.clips = {test::sampled_swing(30, 1), test::sampled_swing(30, 3)};
  return character;
}

TEST(SampledPoses, OfAllClipsAreThoseOfEach) {
  const Character character = tube_of_two_clips();
  const SimulationSurface surface = simulation_surface(character);
  const Poses all = sampled_poses(character, surface, 8), first = sampled_poses(character, surface, {0}, 4),
              second = sampled_poses(character, surface, {1}, 4);
  ASSERT_EQ(all.size(), 8u);
  ASSERT_EQ(second.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_TRUE(all[k] == first[k]);
    EXPECT_TRUE(all[4 + k] == second[k]);
  }
  EXPECT_FALSE(first[0] == second[0]);
}

TEST(SampledPoses, TheRestPoseIsNoClip) {
  const Character character = tube_of_two_clips();
  const SimulationSurface surface = simulation_surface(character);
  EXPECT_TRUE(sampled_poses(character, surface, {-1}, 4).empty());
  EXPECT_TRUE(sampled_poses(character, surface, {}, 4).empty());
  EXPECT_TRUE(sampled_poses(character, surface, {-1, 1}, 4) == sampled_poses(character, surface, {1}, 4));
}

}  // namespace
}  // namespace sinew
