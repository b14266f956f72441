// Every defect of a character is found, on its elements and nowhere else.
#include "sinew/character/defects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Two joints, one above the other, that share a triangle; a clip that moves the second. No defects.
Character sound() {
  Character character;
  character.skeleton.joints.resize(3);
  character.skeleton.joints[1].parent = 0;
  character.skeleton.joints[2].parent = 1;
  character.skeleton.joints[1].rest.translation = {0, 1, 0};
  character.skeleton.joints[2].rest.translation = {0, 1, 0};
  character.skeleton.parents_first = {0, 1, 2};
  character.skins.push_back({"skin", {0, 1}, {Affine{}, Affine{}}});
  Part part;
  part.name = "body";
  part.joint = 2;
  part.skin = 0;
  part.surface.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  part.surface.triangles = {{0, 1, 2}};
  part.influences = {Influences{1, {0}, {1.0}}, Influences{2, {0, 1}, {0.5, 0.5}}, Influences{1, {1}, {1.0}}};
  character.parts.push_back(part);
  Clip clip;
  clip.channels.push_back({1, ChannelPath::translation, Interpolation::step, {0}, 3, {0, 1, 0}});
  character.clips.push_back(clip);
  return character;
}

const Defect* find(const std::vector<Defect>& defects, const std::string& name) {
  for (const Defect& defect : defects)
    if (defect.name == name) return &defect;
  return nullptr;
}

void expect_only(const Character& character, const std::string& name, const std::vector<int>& elements,
                 bool fatal = false) {
  const std::vector<Defect> defects = find_defects(character);
  ASSERT_EQ(defects.size(), 1u) << name;
  EXPECT_EQ(defects[0].name, name);
  EXPECT_EQ(defects[0].elements, elements);
  EXPECT_EQ(defects[0].fatal, fatal);
  EXPECT_FALSE(defects[0].action.empty());
}

TEST(Defects, ASoundCharacterHasNone) { EXPECT_TRUE(find_defects(sound()).empty()); }

TEST(Defects, Scales) {
  Character character = sound();
  character.skeleton.joints[1].rest.scale = {1, 2, 1};
  expect_only(character, "non-uniform scale", {1});
  character.skeleton.joints[1].rest.scale = {-1, 1, 1};
  expect_only(character, "negative scale", {1});
  character.skeleton.joints[1].rest.scale = {-1, -1, 1};  // a rotation
  EXPECT_TRUE(find_defects(character).empty());
  character.skeleton.joints[1].rest.scale = {1, 0, 1};
  expect_only(character, "zero scale", {1});
}

TEST(Defects, Bones) {
  Character character = sound();
  character.skins[0].joints = {0, 1, 2};
  character.skins[0].inverse_bind.resize(3);
  character.parts[0].influences[0] = Influences{1, {2}, {1.0}};
  EXPECT_TRUE(find_defects(character).empty());
  character.skeleton.joints[2].rest.translation = {0, 0, 0};
  expect_only(character, "zero-length bone", {2});
}

TEST(Defects, InverseBindMatrices) {
  Character character = sound();
  character.skins[0].inverse_bind[1].linear = Mat3::diagonal({1, 1, 0});
  expect_only(character, "singular inverse bind matrix", {1});
  character.skins[0].inverse_bind[1].linear = Mat3::diagonal({1e-5, 1e-5, 1e-5});  // other units
  EXPECT_TRUE(find_defects(character).empty());
  character.skins[0].inverse_bind[1].linear = Mat3::diagonal({1, 1, std::numeric_limits<double>::quiet_NaN()});
  const std::vector<Defect> defects = find_defects(character);
  ASSERT_NE(find(defects, "NaN"), nullptr);
  EXPECT_TRUE(find(defects, "NaN")->fatal);
}

TEST(Defects, Joints) {
  Character character = sound();
  character.parts[0].influences.assign(3, Influences{1, {1}, {1.0}});
  expect_only(character, "unused joint", {0});
  character = sound();
  character.skins[0].joints = {0, 1, 1};
  character.skins[0].inverse_bind.resize(3);
  character.parts[0].influences[0] = Influences{1, {2}, {1.0}};
  expect_only(character, "joint listed twice", {2});
}

TEST(Defects, PartsWithoutSkinAnimationOrSurface) {
  Character character = sound();
  Part prop = character.parts[0];
  prop.skin = -1;
  prop.influences.clear();
  character.parts.push_back(prop);
  expect_only(character, "part without skin", {1});
  character.parts[1].triangles = false;
  expect_only(character, "points or lines", {1});

  character = sound();
  character.clips.clear();
  expect_only(character, "no animation", {});

  character = sound();
  character.parts = {prop};
  character.skins.clear();
  expect_only(character, "no skin", {});
  character.parts.clear();
  expect_only(character, "no surface", {}, true);
}

TEST(Defects, PaintBeyondTheRangeOfItsRow) {
  Character character = sound();
  std::vector<double>& stiffness = character.parts[0].fields[field("stiffness")];
  std::vector<double>& poisson = character.parts[0].fields[field("poisson")];
  stiffness = {0.01, 100, 1};
  poisson = {-1, -0.3, 0.49};  // below 0 the setting's own value counts
  EXPECT_TRUE(find_defects(character).empty());
  stiffness = {0, 1, 500};
  expect_only(character, "paint out of range", {0, 2});
  EXPECT_EQ(sentence(find_defects(character)[0]),
            "paint out of range in body (vertex 0 and 1 more): _SINEW_STIFFNESS is beyond its range, 0.01 to 100, at 2 "
            "vertices, where it counts as the nearer end; paint values from 0.01 to 100.");
  stiffness.clear();
  poisson[1] = 0.6;
  expect_only(character, "paint out of range", {1});
  poisson.clear();
  character.parts[0].fields[field("lambda")] = {0.5, -1, 0.75};
  expect_only(character, "paint out of range", {2});
  EXPECT_NE(
      find_defects(character)[0].action.find("at 1 vertex, which `sinew fit` refuses; paint values from 0 to 0.5."),
      std::string::npos);
}

TEST(Defects, PositionsThatCannotBePosed) {
  Character character = sound();
  character.parts[0].surface.positions[1].x = std::numeric_limits<double>::infinity();
  expect_only(character, "NaN", {1}, true);
}

}  // namespace
}  // namespace sinew
