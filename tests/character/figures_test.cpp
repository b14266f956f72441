// Several characters in one file: each has a size of its own.
#include "sinew/character/figures.h"

#include <gtest/gtest.h>

#include "sinew/character/simulation_surface.h"
#include "sinew/character/size.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

// The character again, with a skeleton, a skin and a mesh of its own, `away` from the first.
void add_another(Character& character, const Vec3& away, double size = 1) {
  const Character one = test::two_bone_tube(8, 8, 1.7 * size, 0.2 * size, [](double height) { return height; });
  const auto joints = static_cast<int>(character.skeleton.joints.size()),
             skins = static_cast<int>(character.skins.size());
  for (Joint joint : one.skeleton.joints) {
    if (joint.parent >= 0)
      joint.parent += joints;
    else
      joint.rest.translation = joint.rest.translation + away;
    character.skeleton.parents_first.push_back(static_cast<int>(character.skeleton.joints.size()));
    character.skeleton.joints.push_back(joint);
  }
  Skin skin = one.skins[0];
  for (int& joint : skin.joints) joint += joints;
  character.skins.push_back(skin);
  Part part = one.parts[0];
  part.joint += joints;
  part.skin = skins;
  character.parts.push_back(part);
}

TEST(Figures, AFarOneChangesNothingOfTheFirst) {
  Character alone;
  add_another(alone, {});
  for (const double away : {3.0, 10.0, 40.0}) {
    Character pair = alone;
    add_another(pair, {away, 0, 0}, 0.9);
    EXPECT_EQ(figures_of_parts(pair), (std::vector<int>{0, 1}));
    const SimulationSurface both = simulation_surface(pair), one = simulation_surface(alone);
    EXPECT_EQ(longest_side(both), longest_side(one));
    EXPECT_EQ(standing_height(both), standing_height(one));
    EXPECT_EQ(decide_size(pair, {}, {}).sentence, decide_size(alone, {}, {}).sentence);
  }
}

// A cord has less in it than a figure, however long it is.
TEST(Figures, ALongRopeIsNotTheMainOne) {
  Character character;
  add_another(character, {});
  add_another(character, {2, 0, 0}, 1);
  Part& rope = character.parts[1];
  for (Vec3& x : rope.surface.positions) x = {0.05 * x.x, 12 * x.y, 0.05 * x.z};
  EXPECT_EQ(figures_of_parts(character), (std::vector<int>{0, 1}));
  EXPECT_NEAR(longest_side(simulation_surface(character)), 1.7, 1e-9);
}

TEST(Figures, PartsOfOneSkeletonAreOne) {
  Character character;
  add_another(character, {});
  character.parts.push_back(character.parts[0]);
  EXPECT_EQ(figures_of_parts(character), (std::vector<int>{0, 0}));
  EXPECT_TRUE(simulation_surface(character).figure.empty());
}

// A garment with a copy of the skeleton is worn, not another character.
TEST(Figures, WhatIsWornWithASkeletonOfItsOwnIsPartOfTheFigure) {
  Character character;
  add_another(character, {});
  add_another(character, {}, 0.8);
  EXPECT_EQ(figures_of_parts(character), (std::vector<int>{0, 0}));
}

}  // namespace
}  // namespace sinew
