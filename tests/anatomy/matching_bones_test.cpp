#include "sinew/anatomy/matching_bones.h"

#include <gtest/gtest.h>

#include "sinew/anatomy/skin_limbs.h"
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

TEST(MatchingBones, OneThatLooksBackIsTurned) {
  const Person source = with_names(person());
  Person target = with_names(person());
  const auto back = [](Vec3& p) { p = {-p.x, p.y, -p.z}; };
  for (Vec3& p : target.figure.surface.rest.positions) back(p);
  for (Bone& bone : target.figure.surface.bones)
    for (BoneSegment& segment : bone.segments) back(segment.head), back(segment.tail);
  const MatchedBones matched = matching_bones(source.figure.surface, target.figure.surface);
  EXPECT_GT(matched.skin.size(), 20u);
  for (PointPair pair : matched.skin) {
    back(pair.target);
    EXPECT_LT(distance(pair.source, pair.target), 1e-9);
  }
}

TEST(MatchingBones, SkinBelongsToLimbs) {
  const Person p = with_names(person());
  const SimulationSurface& surface = p.figure.surface;
  const MatchedBones matched = matching_bones(surface, surface);
  EXPECT_EQ(matched.source_limb, matched.target_limb);
  EXPECT_EQ(matched.source_limb[static_cast<std::size_t>(p.chest)], 0);
  const int arm = matched.source_limb[static_cast<std::size_t>(p.arm[0])];
  EXPECT_GT(arm, 0);
  EXPECT_EQ(matched.source_limb[static_cast<std::size_t>(p.hand[0])], arm);
  const SkinLimbs limbs = skin_limbs(surface, matched.source_limb);
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) {
    const Vec3& x = surface.rest.positions[v];
    if (x.x > 0.4) {
      EXPECT_EQ(limbs.of_vertex[v], arm);
    }
    if (x.y < 0.9) {
      EXPECT_EQ(limbs.of_vertex[v], 0);
    }
  }
  for (const int t : limbs.triangles[static_cast<std::size_t>(arm)])
    for (const int v : surface.rest.triangles[static_cast<std::size_t>(t)])
      EXPECT_GT(surface.rest.positions[static_cast<std::size_t>(v)].x, 0);
}

TEST(MatchingBones, ATrunkAloneIsNoReason) {
  Figure line;
  const int low = line.bone(-1, {0, 0, 0}), high = line.bone(low, {0, 1, 0});
  line.piece(capsule({0, 0, 0}, {0, 2, 0}, 0.2), [=](const Vec3& x) { return between(low, high, x.y - 0.5); });
  line.surface.bones[0].name = "lower", line.surface.bones[1].name = "upper";
  EXPECT_EQ(matching_bones(line.surface, line.surface).bones.size(), 2u) << "by equal names";
  Figure other = line;
  other.surface.bones[0].name = "first", other.surface.bones[1].name = "second";
  EXPECT_TRUE(matching_bones(line.surface, other.surface).bones.empty());
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
