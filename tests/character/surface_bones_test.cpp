// Bones and paint of the simulation surface, also where a file's binds are broken.
#include "sinew/character/simulation_surface.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "tests/character/influences.h"

namespace sinew {
namespace {

// A chain of three joints along +Y, one metre each, and one triangle per joint that follows it alone; one
// more vertex hangs between the last two.
Character chain() {
  Character character;
  character.file = "chain.glb";
  Skin skin;
  Part part;
  part.skin = 0;
  part.joint = 0;
  for (int j = 0; j < 3; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.rest.translation = {0, j > 0 ? 1.0 : 0.0, 0};
    character.skeleton.joints.push_back(joint);
    character.skeleton.parents_first.push_back(j);
    skin.joints.push_back(j);
    skin.inverse_bind.push_back({Mat3::identity(), {0, -static_cast<double>(j), 0}});
    const double y = j;
    for (const Vec3& corner : {Vec3{0, y, 0}, Vec3{1, y, 0}, Vec3{0, y + 0.5, 1}}) {
      part.surface.positions.push_back(corner);
      part.influences.push_back(test::on(j));
    }
    part.surface.triangles.push_back({3 * j, 3 * j + 1, 3 * j + 2});
  }
  part.influences.back() = test::between(1, 2, 0.6);
  character.skins.push_back(skin);
  character.parts.push_back(part);
  return character;
}

Affine flat(const Affine& matrix) {
  Affine result = matrix;
  result.linear = Mat3::zero();
  result.linear(0, 0) = 1;
  return result;
}

TEST(SurfaceBones, OnePerJoint) {
  const SimulationSurface surface = simulation_surface(chain());
  ASSERT_EQ(surface.bones.size(), 3u);
  EXPECT_EQ(surface.bones[2].parent, 1);
  EXPECT_EQ(surface.influences[8].count, 2);
  EXPECT_TRUE(names_of_painted(surface.fields).empty());
}

TEST(SurfaceBones, AJointWithASingularBindFollowsItsNearestAncestor) {
  Character character = chain();
  character.skins[0].inverse_bind[2] = flat(character.skins[0].inverse_bind[2]);
  EXPECT_FALSE(is_invertible(character.skins[0].inverse_bind[2]));
  const SimulationSurface surface = simulation_surface(character);
  ASSERT_EQ(surface.bones.size(), 2u);
  for (const Bone& bone : surface.bones) {
    EXPECT_NE(bone.joint, 2);
    for (const BoneSegment& segment : bone.segments) EXPECT_TRUE(is_finite(segment.head) && is_finite(segment.tail));
  }
  EXPECT_EQ(surface.bones[static_cast<std::size_t>(surface.influences[6].joint[0])].joint, 1);
  // Both of its joints are one bone now: its weights are added.
  EXPECT_EQ(surface.influences[8].count, 1);
  EXPECT_EQ(surface.influences[8].weight[0], 1.0);
  for (const Vec3& p : surface.rest.positions) EXPECT_TRUE(is_finite(p));
}

TEST(SurfaceBones, ARootWithASingularBindFollowsTheFirstBone) {
  Character character = chain();
  character.skins[0].inverse_bind[0] = flat(character.skins[0].inverse_bind[0]);
  const SimulationSurface surface = simulation_surface(character);
  ASSERT_EQ(surface.bones.size(), 2u);
  EXPECT_EQ(surface.bones[static_cast<std::size_t>(surface.influences[0].joint[0])].joint, 1);
}

TEST(SurfaceBones, WithoutAnyBoneThereIsASentence) {
  Character character = chain();
  for (Affine& bind : character.skins[0].inverse_bind) bind = flat(bind);
  try {
    simulation_surface(character);
    FAIL() << "a skin without bones was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("chain.glb"), std::string::npos) << error.what();
  }
}

TEST(SurfaceBones, ColorsPaintOnRequestWhereNothingIsPainted) {
  Character character = chain();
  character.parts[0].colors.assign(9, {0.25, 0.5, 1});
  EXPECT_TRUE(names_of_painted(simulation_surface(character).fields).empty());
  const SimulationSurface colored = simulation_surface(character, true);
  EXPECT_EQ(colored.fields[field("stiffness")].at(4), 0.25);
  EXPECT_TRUE(colored.fields[field("damping")].empty());
  character.parts[0].fields[field("stiffness")].assign(9, 3.0);
  EXPECT_EQ(simulation_surface(character, true).fields[field("stiffness")].at(4), 3.0);
}

}  // namespace
}  // namespace sinew
