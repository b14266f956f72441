// Vertices and keys that lie beyond all measure are found, and nothing else is.
#include "sinew/character/outliers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "sinew/character/defects.h"
#include "tests/base/refusal.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

Character tube() {
  Character character = test::two_bone_tube(12, 16, 1.7, 0.2, [](double height) { return height; });
  character.file = "tube.glb";
  return character;
}

std::vector<int> outliers_of(const Character& character) {
  const std::vector<OutlierVertices> outliers = find_outlier_vertices(character);
  return outliers.empty() ? std::vector<int>() : outliers[0].vertices;
}

TEST(Outliers, AVertexFarOutIsFound) {
  for (const double x : {1e3, 1e9, -1e30, 3e38}) {
    Character character = tube();
    character.parts[0].surface.positions[77].x = x;
    EXPECT_EQ(outliers_of(character), std::vector<int>{77}) << x;
  }
}

// Not so far that flesh would be lost, and too far to be meant: told, and kept.
TEST(Outliers, AVertexThatSlippedIsNamed) {
  for (const double x : {20.0, 50.0, 100.0}) {
    Character character = test::two_bone_tube(24, 24, 1.7, 0.2, [](double height) { return height; });
    EXPECT_TRUE(find_far_vertices(character).empty());
    character.parts[0].surface.positions[77].x = x;
    ASSERT_EQ(find_far_vertices(character).size(), 1u) << x;
    EXPECT_EQ(find_far_vertices(character)[0].vertices, std::vector<int>{77});
    const std::vector<Defect> defects = find_defects(character);
    EXPECT_TRUE(std::any_of(defects.begin(), defects.end(),
                            [](const Defect& defect) { return defect.name == "far vertex" && !defect.fatal; }));
  }
  Character lost = tube();
  lost.parts[0].surface.positions[77].x = 1e6;
  EXPECT_TRUE(find_far_vertices(lost).empty());  // an outlier
}

TEST(Outliers, SeveralOfThemDoNotHideEachOther) {
  Character character = tube();
  std::vector<Vec3>& positions = character.parts[0].surface.positions;
  positions[3].x = 1e4;
  positions[70].y = -1e6;
  positions[110].z = 1e9;
  EXPECT_EQ(outliers_of(character), (std::vector<int>{3, 70, 110}));
  // Each no more than fifty times as far out as the one before.
  positions = tube().parts[0].surface.positions;
  double x = 50;
  for (std::size_t v = 10; v < 16; ++v, x *= 50) positions[v].x = x;
  EXPECT_EQ(outliers_of(character), (std::vector<int>{12, 13, 14, 15}));
}

TEST(Outliers, AWholePartIsFound) {
  Character character = tube();
  Part lost = character.parts[0];
  lost.name = "lost";
  lost.surface.positions.resize(48);
  lost.influences.resize(48);
  std::erase_if(lost.surface.triangles, [](const Triangle& t) { return t[0] >= 48 || t[1] >= 48 || t[2] >= 48; });
  for (Vec3& p : lost.surface.positions) p.x += 1e6;
  character.parts.push_back(lost);
  const std::vector<OutlierVertices> outliers = find_outlier_vertices(character);
  ASSERT_EQ(outliers.size(), 1u);
  EXPECT_EQ(outliers[0].part, 1);
  EXPECT_EQ(outliers[0].vertices.size(), 48u);
}

TEST(Outliers, AJointThatIsBoundFarOutIsFound) {
  Character character = tube();
  character.parts[0].influences[5] = Influences{1, {1}, {1.0}};
  for (std::size_t v = 0; v < character.parts[0].influences.size(); ++v)
    if (v != 5) character.parts[0].influences[v] = Influences{1, {0}, {1.0}};
  EXPECT_TRUE(outliers_of(character).empty());
  character.skins[0].inverse_bind[1].translation.y = 1e9;
  EXPECT_EQ(outliers_of(character), std::vector<int>{5});
}

TEST(Outliers, HonestShapesHaveNone) {
  const auto expect_none = [](const std::string& what, const std::function<void(std::vector<Vec3>&)>& shape) {
    Character character = tube();
    shape(character.parts[0].surface.positions);
    EXPECT_TRUE(outliers_of(character).empty()) << what;
  };
  expect_none("as it is", [](std::vector<Vec3>&) {});
  expect_none("a thread", [](std::vector<Vec3>& p) {
    for (Vec3& x : p) x.y *= 1000;
  });
  expect_none("a sheet", [](std::vector<Vec3>& p) {
    for (Vec3& x : p) x.z = 0;
  });
  expect_none("a point", [](std::vector<Vec3>& p) {
    for (Vec3& x : p) x = {1, 2, 3};
  });
  expect_none("a sword", [](std::vector<Vec3>& p) { p[100].x = 60; });
  expect_none("a detailed head on a long neck", [](std::vector<Vec3>& p) {
    for (std::size_t v = 0; v < p.size(); ++v)
      if (v % 10 != 0) p[v] *= 0.01;
  });
  expect_none("two far apart", [](std::vector<Vec3>& p) {
    for (std::size_t v = 0; v < p.size() / 4; ++v) p[v].x += 20;
  });
  expect_none("far from the origin", [](std::vector<Vec3>& p) {
    for (Vec3& x : p) x.x += 1e7;
  });
}

// A figure whose other faces wait at a ten-thousandth of their size until a clip shows them.
TEST(Outliers, PartsThatTheDefaultPoseHidesAreNone) {
  Character character = tube();
  character.skeleton.joints[2].rest.scale = {1e-4, 1e-4, 1e-4};
  for (std::size_t v = 0; v < character.parts[0].influences.size(); ++v)
    character.parts[0].influences[v] = Influences{1, {v % 4 == 0 ? 0 : 1}, {1.0}};
  EXPECT_TRUE(outliers_of(character).empty());
}

TEST(Outliers, JointsThatWereBoundElsewhereAreFound) {
  Character character = tube();
  EXPECT_TRUE(find_outlier_joints(character, 0).empty());
  character.skins[0].inverse_bind[1].translation.y = 100;
  EXPECT_TRUE(find_outlier_joints(character, 0).empty());
  for (const double far : {1e5, -1e9, 1e30}) {
    character.skins[0].inverse_bind[1].translation.y = far;
    EXPECT_EQ(find_outlier_joints(character, 0), std::vector<int>{1}) << far;
  }
  character.skins[0].inverse_bind = {Affine{}, Affine{}, Affine{Mat3::identity() * 1e9, {}}};
  character.skins[0].joints = {1, 2, 0};
  EXPECT_EQ(find_outlier_joints(character, 0), std::vector<int>{2});
}

Clip one_channel(ChannelPath path, double value) {
  Clip clip;
  clip.name = "walk";
  clip.end = 1;
  clip.channels = {{2, path, Interpolation::linear, {0, 1}, 3, {0, 0.85, 0, value, 0.85, 0}}};
  return clip;
}

TEST(Outliers, KeysFarOutAreFoundAndTheirClipIsRefused) {
  Character character = tube();
  character.clips = {one_channel(ChannelPath::translation, 100)};
  const double reach = reach_of(character);
  EXPECT_NEAR(reach, 0.87, 0.05);
  EXPECT_TRUE(find_outlier_channels(character, character.clips[0], reach).empty());
  refuse_outlier_clip(character, &character.clips[0]);
  refuse_outlier_clip(character, nullptr);
  for (const ChannelPath path : {ChannelPath::translation, ChannelPath::scale})
    for (const double value : {1e6, -1e9, 1e30}) {
      const Clip clip = one_channel(path, value);
      EXPECT_EQ(find_outlier_channels(character, clip, reach), std::vector<int>{0}) << value;
      const std::string sentence = test::refusal(ErrorKind::input, [&] { refuse_outlier_clip(character, &clip); });
      EXPECT_NE(sentence.find("tube.glb: stray key in clip 'walk' (channel 0): "), std::string::npos) << sentence;
    }
}

TEST(Outliers, MorphTargetsFarOutAreFound) {
  Character character = tube();
  Part& part = character.parts[0];
  std::vector<Vec3> smile(part.surface.positions.size(), Vec3{0, 50, 0}), lost = smile;
  lost[77].x = -1e9;
  lost[80].z = std::numeric_limits<double>::infinity();
  part.targets = {smile, lost};
  const std::vector<OutlierOffsets> outliers = find_outlier_offsets(part);
  ASSERT_EQ(outliers.size(), 1u);
  EXPECT_EQ(outliers[0].target, 1);
  EXPECT_EQ(outliers[0].vertices, (std::vector<int>{77, 80}));
  part.targets.resize(1);
  EXPECT_TRUE(find_outlier_offsets(part).empty());
}

TEST(Outliers, CheckNamesThem) {
  Character character = tube();
  character.clips = {one_channel(ChannelPath::translation, 1e9)};
  character.parts[0].surface.positions[77].x = 1e9;
  character.parts[0].targets = {std::vector<Vec3>(character.parts[0].surface.positions.size())};
  character.parts[0].targets[0][5].y = 1e9;
  const std::vector<Defect> defects = find_defects(character);
  const auto named = [&](const std::string& name) {
    for (const Defect& defect : defects)
      if (defect.name == name) return defect;
    ADD_FAILURE() << "no " << name;
    return Defect();
  };
  EXPECT_EQ(named("stray vertex").elements, std::vector<int>{77});
  EXPECT_TRUE(named("stray vertex").fatal);
  EXPECT_EQ(named("stray offset").where, "tube, morph target 0");
  EXPECT_EQ(named("stray offset").elements, std::vector<int>{5});
  EXPECT_FALSE(named("stray offset").fatal);
  EXPECT_EQ(named("stray key").where, "walk");
  EXPECT_FALSE(named("stray key").fatal);
  const std::string sentence = test::refusal(ErrorKind::input, [&] { refuse_fatal("tube.glb", defects); });
  EXPECT_NE(sentence.find("stray vertex in tube (vertex 77): "), std::string::npos) << sentence;
}

}  // namespace
}  // namespace sinew
