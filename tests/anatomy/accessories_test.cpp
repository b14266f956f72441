// What hangs on a tube of two bones, and the skin that it sits on.
#include "sinew/anatomy/accessories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/character/two_bones.h"

namespace sinew {
namespace {

using namespace test;

// One unit high; "lower" carries the lower half of it and "upper" the upper one.
Character tube() {
  return two_bone_tube(40, 24, 1, 0.12, [](double y) { return y < 0.45 ? 0.0 : y > 0.55 ? 1.0 : (y - 0.45) / 0.1; });
}

// Below a joint, at `place` in the world. Returns its node.
int hang(Character& character, int parent, const TriangleMesh& mesh, const Vec3& place) {
  const auto node = static_cast<int>(character.skeleton.joints.size());
  Joint joint;
  joint.name = "accessory";
  joint.parent = parent;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  joint.rest.translation = parent < 0 ? place : inverse(pose.world[static_cast<std::size_t>(parent)]) * place;
  character.skeleton.joints.push_back(joint);
  character.skeleton.parents_first.push_back(node);
  Part part;
  part.joint = node;
  part.surface = mesh;
  character.parts.push_back(part);
  return node;
}

std::vector<Accessory> found(const Character& character) {
  return find_accessories(character, simulation_surface(character));
}

TEST(Accessories, AHatSitsOnTheSkinInsideIt) {
  Character character = tube();
  const int hat = hang(character, 2, upright_tube(8, 24, 0.3, 0.14), {0, 0.75, 0});
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<Accessory> accessories = find_accessories(character, surface);
  ASSERT_EQ(accessories.size(), 1u);
  const Accessory& accessory = accessories[0];
  EXPECT_EQ(accessory.nodes, std::vector<int>{hat});
  EXPECT_EQ(surface.bones[static_cast<std::size_t>(accessory.bone)].joint, 2);
  EXPECT_NEAR(std::accumulate(accessory.anchor.weight.begin(), accessory.anchor.weight.end(), 0.0), 1, 1e-12);
  for (const int v : accessory.anchor.vertices) EXPECT_GT(surface.rest.positions[static_cast<std::size_t>(v)].y, 0.7);
  EXPECT_GE(accessory.anchor.vertices.size(), 24u);
  EXPECT_LT(accessory.steadying, 1e-9);
}

TEST(Accessories, SizeAndUnitDoNotMatter) {
  const auto with_hat = [](double unit) {
    Character character = tube();
    hang(character, 2, upright_tube(8, 24, 0.3, 0.14), {0, 0.75, 0});
    character.metres_per_unit = unit;
    return found(character).at(0);
  };
  const double unit = 1.0 / 128;  // a power of two, so that all digits are the same
  const Accessory large = with_hat(1), small = with_hat(unit);
  EXPECT_EQ(small.anchor.vertices, large.anchor.vertices);
  EXPECT_EQ(small.anchor.weight, large.anchor.weight);
  EXPECT_EQ(small.reach, unit * large.reach);
  EXPECT_EQ(small.steadying, unit * unit * large.steadying);
}

TEST(Accessories, WhatTouchesIsOneAndWhatDoesNotIsTwo) {
  Character character = tube();
  const int hat = hang(character, 2, upright_tube(8, 24, 0.3, 0.14), {0, 0.75, 0}),
            feather = hang(character, 2, sphere({0, 0, 0}, 0.03, 8), {0.16, 0.9, 0}),
            band = hang(character, 2, upright_tube(2, 24, 0.02, 0.13), {0, 0.6, 0}),
            below_the_band = hang(character, band, sphere({0, 0, 0}, 0.02, 8), {0.3, 0.6, 0});
  const std::vector<Accessory> accessories = found(character);
  ASSERT_EQ(accessories.size(), 2u);
  EXPECT_EQ(accessories[0].nodes, (std::vector<int>{hat, feather}));
  EXPECT_EQ(accessories[1].nodes, (std::vector<int>{band, below_the_band}));
}

TEST(Accessories, WhatHangsOnNoSkinStays) {
  Character character = tube();
  hang(character, -1, sphere({0, 0, 0}, 0.1, 8), {0, 0.9, 0});  // beside the skeleton
  EXPECT_TRUE(found(character).empty());
  // On a bone above all skin: a shadow below the feet.
  character.skeleton.joints.push_back({"root", -1, {}, {}, {}});
  character.skeleton.parents_first.insert(character.skeleton.parents_first.begin(), 4);
  character.skeleton.joints[1].parent = 4;
  character.skins[0].joints.push_back(4);
  character.skins[0].inverse_bind.emplace_back();
  hang(character, 4, sheet(2, [](double u, double v) { return Vec3{u - 0.5, 0, v - 0.5}; }), {0, 0, 0});
  EXPECT_TRUE(found(character).empty());
}

// A slot for weapons is a bone that carries no skin; what hangs there sits on the bone above.
TEST(Accessories, ABoneWithoutSkinStandsForTheOneAbove) {
  Character character = tube();
  character.skeleton.joints.push_back({"slot", 2, {}, {}, {}});
  character.skeleton.parents_first.push_back(3);
  character.skins[0].joints.push_back(3);
  character.skins[0].inverse_bind.push_back(character.skins[0].inverse_bind[1]);
  hang(character, 3, sphere({0, 0, 0}, 0.05, 8), {0.15, 0.8, 0});
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<Accessory> accessories = find_accessories(character, surface);
  ASSERT_EQ(accessories.size(), 1u);
  EXPECT_EQ(surface.bones[static_cast<std::size_t>(accessories[0].bone)].joint, 2);
}

// The skin of a hand is nearer to a sword's grip than any other, but where the blade passes by another bone's skin that
// does not hold it.
TEST(Accessories, SkinOfOtherBonesDoesNotHold) {
  Character character = tube();
  hang(character, 1, box({-0.01, -0.45, -0.01}, {0.01, 0.45, 0.01}), {0.14, 0.5, 0});
  const SimulationSurface surface = simulation_surface(character);
  const std::vector<Accessory> accessories = find_accessories(character, surface);
  ASSERT_EQ(accessories.size(), 1u);
  double above = 0;
  for (std::size_t k = 0; k < accessories[0].anchor.vertices.size(); ++k)
    if (surface.rest.positions[static_cast<std::size_t>(accessories[0].anchor.vertices[k])].y > 0.55)
      above += accessories[0].anchor.weight[k];
  EXPECT_LT(above, 0.2);
  // A long rod on a small patch is kept from turning.
  Character rod = tube();
  hang(rod, 2, box({0, -0.01, -0.01}, {1, 0.01, 0.01}), {0.13, 0.8, 0});
  EXPECT_GT(found(rod).at(0).steadying, 0.01);
}

TEST(Accessories, CollapsedOnesHaveAnAnchorToo) {
  Character character = tube();
  const int hat = hang(character, 2, upright_tube(8, 24, 0.3, 0.14), {0, 0.9, 0});
  character.skeleton.joints[static_cast<std::size_t>(hat)].rest.scale = {0, 0, 0};
  const std::vector<Accessory> accessories = found(character);
  ASSERT_EQ(accessories.size(), 1u);
  EXPECT_FALSE(accessories[0].anchor.vertices.empty());
  EXPECT_TRUE(std::isfinite(accessories[0].steadying));
}

}  // namespace
}  // namespace sinew
