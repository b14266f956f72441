#include "sinew/anatomy/matching_bones.h"

#include <gtest/gtest.h>

#include "tests/anatomy/figures.h"

namespace sinew {
namespace {

using namespace test;

Person with_names(Person p) {
  std::vector<Bone>& bones = p.figure.surface.bones;
  const auto name = [&](int bone, const char* text) { bones[static_cast<std::size_t>(bone)].name = text; };
  name(p.hips, "hips"), name(p.spine, "spine"), name(p.chest, "chest"), name(p.head, "head");
  name(p.arm[0], "upper_arm_l"), name(p.forearm[0], "forearm_l"), name(p.hand[0], "hand_l");
  name(p.arm[1], "upper_arm_r"), name(p.forearm[1], "forearm_r"), name(p.hand[1], "hand_r");
  return p;
}

int partner(const MatchedBones& matched, int source) {
  for (const BonePair& pair : matched.bones)
    if (pair.source == source) return pair.target;
  return -1;
}

TEST(MatchingBones, ACharacterMatchesItself) {
  const SimulationSurface surface = with_names(person()).figure.surface;
  const MatchedBones matched = matching_bones(surface, surface);
  EXPECT_EQ(matched.bones.size(), surface.bones.size());
  for (const BonePair& pair : matched.bones) EXPECT_EQ(pair.source, pair.target);
  for (const PointPair& pair : matched.points) EXPECT_EQ(pair.source, pair.target);
  EXPECT_GT(matched.skin.size(), 20u);
  for (const PointPair& pair : matched.skin) EXPECT_EQ(pair.source, pair.target);
}

TEST(MatchingBones, NamesOfOtherProgramsMatch) {
  Person source = with_names(person()), target = with_names(person());
  for (Bone& bone : target.figure.surface.bones) {
    const std::string side = bone.name.ends_with("_l") ? "Left" : bone.name.ends_with("_r") ? "Right" : "";
    const bool arm = bone.name.starts_with("upper"), fore = bone.name.starts_with("fore"),
               hand = bone.name.starts_with("hand");
    bone.name = "mixamorig:" + side + (arm ? "Arm" : fore ? "ForeArm" : hand ? "Hand" : bone.name);
  }
  const MatchedBones matched = matching_bones(source.figure.surface, target.figure.surface);
  EXPECT_EQ(matched.bones.size(), source.figure.surface.bones.size());
  for (const BonePair& pair : matched.bones) EXPECT_EQ(pair.source, pair.target);
}

TEST(MatchingBones, WithoutNamesTheBuildDecides) {
  Person source = with_names(person()), target = person();  // "bone 3"
  for (Bone& bone : target.figure.surface.bones) {
    bone.rest_to_joint.translation *= 2;
    for (BoneSegment& segment : bone.segments) segment = {2 * segment.head, 2 * segment.tail};
  }
  for (Vec3& p : target.figure.surface.rest.positions) p *= 2;
  const MatchedBones matched = matching_bones(source.figure.surface, target.figure.surface);
  for (int side = 0; side < 2; ++side) {
    EXPECT_EQ(partner(matched, source.arm[side]), target.arm[side]);
    EXPECT_EQ(partner(matched, source.forearm[side]), target.forearm[side]);
    EXPECT_EQ(partner(matched, source.hand[side]), target.hand[side]);
  }
  for (const PointPair& pair : matched.points) EXPECT_LT(distance(2 * pair.source, pair.target), 0.2);
  EXPECT_FALSE(matched.points.empty());
}

TEST(MatchingBones, WithoutBonesNothingCorresponds) {
  const SimulationSurface surface = person().figure.surface;
  SimulationSurface none = surface;
  none.bones.clear();
  EXPECT_TRUE(matching_bones(surface, none).points.empty());
  EXPECT_TRUE(matching_bones(none, surface).bones.empty());
}

}  // namespace
}  // namespace sinew
