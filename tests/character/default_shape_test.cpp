// The shape that morph targets give a character by default: what its body is made of.
#include "sinew/character/character.h"

#include <gtest/gtest.h>

#include "sinew/character/simulation_surface.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

// A tube with one target, which moves all of it by 0.1 m in z.
Character tube_with_target(double weight) {
  Character character = test::two_bone_tube(8, 8, 1.7, 0.2, [](double height) { return height; });
  Part& part = character.parts[0];
  part.targets.assign(1, std::vector<Vec3>(part.surface.positions.size(), {0, 0, 0.1}));
  character.skeleton.joints[static_cast<std::size_t>(part.joint)].rest_weights = {weight};
  return character;
}

Channel weights_at(const Character& character, std::vector<double> values) {
  return {character.parts[0].joint, ChannelPath::weights, Interpolation::linear, {0, 1}, 1, std::move(values)};
}

double z_of_body(Character character) {
  apply_default_shape(character);
  return simulation_surface(character).rest.positions[0].z;
}

TEST(DefaultShape, IsWhatWeightsShow) {
  const double flat = z_of_body(tube_with_target(0));
  EXPECT_NEAR(z_of_body(tube_with_target(1)), flat + 0.1, 1e-12);
  EXPECT_NEAR(z_of_body(tube_with_target(-0.5)), flat - 0.05, 1e-12);
}

// A clip that holds a weight says what is shown; one that changes it is an expression.
TEST(DefaultShape, IsWhatClipsHold) {
  Character character = tube_with_target(0);
  const double flat = z_of_body(character);
  character.clips = {{"held", {weights_at(character, {0.5, 0.5})}, 0, 1}};
  EXPECT_NEAR(z_of_body(character), flat + 0.05, 1e-12);
  character.clips[0].channels[0].values = {0.5, 1};
  EXPECT_EQ(z_of_body(character), flat);
}

// Poses are where the file has them, whatever the surface has in it, and however often it is asked for.
TEST(DefaultShape, ChangesNoPose) {
  Character character = tube_with_target(0.75);
  character.clips = {{"talks", {weights_at(character, {0, 1})}, 0, 1}};
  const auto posed = [&](double seconds) {
    const Pose pose = sample(character.skeleton, &character.clips[0], seconds);
    return posed_positions(character, character.parts[0], pose);
  };
  const std::vector<Vec3> before[] = {posed(0), posed(0.4), posed(1)};
  for (int times = 0; times < 2; ++times) {
    apply_default_shape(character);
    std::size_t k = 0;
    for (const double seconds : {0.0, 0.4, 1.0}) {
      const std::vector<Vec3> now = posed(seconds);
      for (std::size_t v = 0; v < now.size(); ++v) EXPECT_LT(distance(now[v], before[k][v]), 1e-15);
      ++k;
    }
  }
}

}  // namespace
}  // namespace sinew
