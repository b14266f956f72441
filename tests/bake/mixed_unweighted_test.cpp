// Characters without skin weights: which skeleton they get, which bones lie in their flesh, and the weights that are
// written for them.
#include <functional>

#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/mixed_bones.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"

namespace sinew {
namespace {

using namespace test;

MixedSettings quick_unweighted() {
  MixedSettings settings;
  settings.tetrahedra = 2000;
  return settings;
}

// What is left of a character in files of three kinds.
Character without_weights(Character character) {  // the node still names its skin
  for (Part& part : character.parts) {
    part.node_skin = part.skin;
    part.skin = -1;
    part.influences.clear();
  }
  return character;
}
Character without_skinned_nodes(Character character) {  // a skin that no node names
  character = without_weights(std::move(character));
  for (Part& part : character.parts) part.node_skin = -1;
  return character;
}
Character without_skins(Character character) {  // a bare hierarchy
  character = without_skinned_nodes(std::move(character));
  character.skins.clear();
  return character;
}

int add_joint(Character& character, const char* name, int parent, const Vec3& translation) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.rest.translation = translation;
  character.skeleton.joints.push_back(joint);
  const int index = static_cast<int>(character.skeleton.joints.size()) - 1;
  character.skeleton.parents_first.push_back(index);
  return index;
}

Character bound(Character character, const MixedSettings& settings, const std::string& root = {}) {
  adopt_skeleton(character, root);
  const CookedMixed scene = prepare_mixed(character, settings);
  bind_automatically(character, scene, settings);
  return character;
}

std::vector<std::string> names(const std::vector<Bone>& bones) {
  std::vector<std::string> result;
  for (const Bone& bone : bones) result.push_back(bone.name);
  return result;
}

TEST(AdoptSkeleton, TakesTheNodesSkinAnUnusedSkinOrAnimatedJoints) {
  const Character weighted = tube_character();
  EXPECT_TRUE(has_skin_weights(weighted));
  for (const auto& strip : {without_weights, without_skinned_nodes, without_skins}) {
    Character character = strip(weighted);
    EXPECT_FALSE(has_skin_weights(character));
    const std::string sentence = adopt_skeleton(character);
    EXPECT_NE(sentence.find("2 joints from 'lower'"), std::string::npos) << sentence;
    const Part& part = character.parts[0];
    ASSERT_GE(part.skin, 0);
    const Skin& skin = character.skins[static_cast<std::size_t>(part.skin)];
    EXPECT_EQ(skin.joints, (std::vector<int>{1, 2}));
    ASSERT_EQ(part.influences.size(), part.surface.positions.size());
    for (const Influences& influences : part.influences) EXPECT_EQ(influences.count, 0);
    // The skin leaves the surface where it is.
    const Pose rest = sample(character.skeleton, nullptr, 0);
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_LT(norm(rest.world[static_cast<std::size_t>(skin.joints[j])] * (skin.inverse_bind[j] * Vec3{1, 2, 3}) -
                     Vec3{1, 2, 3}),
                1e-12);
  }
}

TEST(AdoptSkeleton, TheNodesTransformIsInTheSkin) {
  Character character = without_skins(tube_character());
  character.skeleton.joints[0].rest.translation = {1, 2, 3};
  character.skeleton.joints[0].rest.scale = {2, 3, 4};
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const std::vector<Vec3> before = posed_positions(character, character.parts[0], rest);
  const Character after = bound(character, quick_unweighted());
  const std::vector<Vec3> skinned = posed_positions(after, after.parts[0], rest);
  for (std::size_t v = 0; v < before.size(); ++v) EXPECT_LT(distance(before[v], skinned[v]), 1e-12);
}

TEST(AdoptSkeleton, AnUnusedSkinsBindPoseCountsWhereItFitsBetter) {
  // The default pose lays the skeleton down; the surface still stands.
  Character character = without_skinned_nodes(tube_character());
  const double half = std::sqrt(0.5);
  character.skeleton.joints[1].rest.rotation = {0, 0, half, half};
  character.skeleton.joints[1].rest.translation = {3, 0, 0};
  adopt_skeleton(character);
  EXPECT_EQ(character.parts[0].skin, 0);
  EXPECT_EQ(character.skins.size(), 1u);
  const CookedMixed scene = prepare_mixed(character, quick_unweighted());
  EXPECT_EQ(scene.bones.size(), 2u);
  EXPECT_TRUE(scene.notes.empty());

  // With nothing but the hierarchy nobody can know, and the report says that little fits.
  character = without_skins(tube_character());
  add_joint(character, "a", 2, {3, 0, 0});
  add_joint(character, "b", 3, {3, 0, 0});
  add_joint(character, "c", 4, {3, 0, 0});
  adopt_skeleton(character, "lower");
  const CookedMixed beside = prepare_mixed(character, quick_unweighted());
  ASSERT_FALSE(beside.notes.empty());
  EXPECT_NE(beside.notes[0].find("of 5 joints"), std::string::npos) << beside.notes[0];
}

TEST(AdoptSkeleton, IsToldItsRoot) {
  Character character = without_skins(tube_character());
  character.clips.clear();
  EXPECT_THROW(adopt_skeleton(character), Error);
  EXPECT_NE(adopt_skeleton(character, "lower").find("2 joints from 'lower'"), std::string::npos);
  try {
    adopt_skeleton(character, "nobody");
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("nobody"), std::string::npos);
  }
}

TEST(AdoptSkeleton, RefusesFilesThatHaveNone) {
  Character character = without_skins(tube_character());
  character.clips.clear();
  const auto refuse = [&](const char* word) {
    try {
      adopt_skeleton(character);
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refuse("skeleton");
  // A clip that moves what shows the surface is no skeleton.
  Clip clip;
  clip.end = 1;
  clip.channels.push_back({0, ChannelPath::translation, Interpolation::linear, {0, 1}, 3, {0, 0, 0, 1, 0, 0}});
  character.clips.push_back(clip);
  refuse("skeleton");
  character.parts.clear();
  refuse("triangles");
}

TEST(AdoptSkeleton, WhatHangsOnALimbStaysRigid) {
  Character character = without_skins(tube_character());
  const int hand = add_joint(character, "sword node", 2, {0.5, 0.2, 0});
  Part sword = character.parts[0];
  sword.name = "sword";
  sword.joint = hand;
  character.parts.push_back(sword);
  adopt_skeleton(character);
  EXPECT_GE(character.parts[0].skin, 0);
  EXPECT_EQ(character.parts[1].skin, -1);

  // Unless everything does.
  character = without_skins(tube_character());
  character.skeleton.joints[0].parent = 2;
  character.skeleton.parents_first = {1, 2, 0};
  adopt_skeleton(character);
  EXPECT_GE(character.parts[0].skin, 0);
}

TEST(MixedBones, LieInTheFlesh) {
  Character character = without_skins(tube_character());
  const int upper = 2, lower = 1;
  add_joint(character, "pole", upper, {0, 0, 3});
  add_joint(character, "tip", upper, {0, 0.49, 0});
  const int root = add_joint(character, "root", -1, {0, -1.5, 0});
  character.skeleton.joints[static_cast<std::size_t>(lower)].parent = root;
  character.skeleton.joints[static_cast<std::size_t>(lower)].rest.translation = {0, 1.5, 0};
  std::vector<int> order{0, root, 1, 2, 3, 4};
  character.skeleton.parents_first = order;
  adopt_skeleton(character, "root");
  const SimulationSurface surface = simulation_surface(character);
  EXPECT_FALSE(surface.weighted);
  EXPECT_EQ(surface.bones.size(), 5u);
  const PosingBones posing = bones_that_pose(surface, 1);
  EXPECT_EQ(names(posing.bones), (std::vector<std::string>{"lower", "upper", "tip"}));
  EXPECT_EQ(posing.bones[0].parent, -1);
  EXPECT_EQ(posing.bones[1].parent, 0);
  // The bone from "upper" to its pole has gone.
  ASSERT_EQ(posing.bones[1].segments.size(), 1u);
  EXPECT_NEAR(posing.bones[1].segments[0].tail.y, 0.99, 1e-9);
  // The tip's own bone ends in the flesh.
  EXPECT_LE(posing.bones[2].segments[0].tail.y, 1);
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    if (surface.bones[b].name == "pole") {
      EXPECT_EQ(posing.of_surface_bone[b], 1);
    }
}

TEST(MixedBones, LeavesGoOnThroughTheFlesh) {
  Character character = without_skins(tube_character());
  adopt_skeleton(character);
  const PosingBones posing = bones_that_pose(simulation_surface(character), 1);
  ASSERT_EQ(posing.bones.size(), 2u);
  // Half of the tube lies beyond the joint "upper".
  EXPECT_LT(distance(posing.bones[1].segments.at(0).tail, Vec3{0, 0.5 + 0.8 * 0.5, 0}), 0.02);
}

TEST(MixedBones, WithWeightsThoseThatAreStrongestSomewhere) {
  Character character = tube_character();
  const int idle = add_joint(character, "idle", 1, {0, 0.1, 0});
  character.skins[0].joints.push_back(idle);
  character.skins[0].inverse_bind.push_back({Mat3::identity(), {0, -0.1, 0}});
  const PosingBones posing = bones_that_pose(simulation_surface(character), 1);
  EXPECT_EQ(names(posing.bones), (std::vector<std::string>{"lower", "upper"}));
}

TEST(BindAutomatically, GivesSmoothWeightsThatBelongToTheNearBone) {
  const Character character = bound(without_skins(tube_character()), quick_unweighted());
  const Part& part = character.parts[0];
  for (std::size_t v = 0; v < part.influences.size(); ++v) {
    const Influences& influences = part.influences[v];
    ASSERT_GE(influences.count, 1);
    ASSERT_LE(influences.count, automatic_influences);
    double sum = 0, upper = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
      sum += influences.weight[k];
      if (influences.joint[k] == 1) upper += influences.weight[k];
      if (k > 0) {
        EXPECT_LE(influences.weight[k], influences.weight[k - 1]);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    const double height = part.surface.positions[v].y;
    EXPECT_LT(upper, height < 0.1 ? 0.1 : 1.1);
    EXPECT_GT(upper, height > 0.9 ? 0.9 : -0.1);
    if (height > 0.47 && height < 0.53) {
      EXPECT_NEAR(upper, 0.5, 0.25);
    }
  }
}

// More bones than a vertex can have: weights that are left out must not leave steps.
TEST(BindAutomatically, WeightsDoNotJumpWhereTheyChangePlaces) {
  Character character = without_skins(tube_character());
  int parent = 2;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    parent = add_joint(character, name, parent, {0, 0.05, 0});
  MixedSettings settings = quick_unweighted();
  settings.smooth = 6;
  character = bound(std::move(character), settings);
  const Part& part = character.parts[0];
  const auto weight = [&](int v, int joint) {
    const Influences& influences = part.influences[static_cast<std::size_t>(v)];
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
      if (influences.joint[k] == joint) return influences.weight[k];
    return 0.0;
  };
  double steepest = 0;  // per metre
  int most = 0;
  for (const Triangle& t : part.surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      const double length = distance(part.surface.positions[static_cast<std::size_t>(a)],
                                     part.surface.positions[static_cast<std::size_t>(b)]);
      most = std::max(most, part.influences[static_cast<std::size_t>(a)].count);
      for (int joint = 0; joint < 11; ++joint)
        steepest = std::max(steepest, std::abs(weight(a, joint) - weight(b, joint)) / length);
    }
  EXPECT_EQ(most, automatic_influences);
  // 4.5 where the fifth weight is not taken off.
  EXPECT_LT(steepest, 4);
}

TEST(BindAutomatically, LinesAndPointsFollowTheNearestVertex) {
  Character character = without_skins(tube_character());
  Part line = character.parts[0];
  line.triangles = false;
  line.surface.triangles.clear();
  line.surface.positions = {{0, 1, 0.12}, {0, 0, 0.12}};
  character.parts.push_back(line);
  character = bound(character, quick_unweighted());
  ASSERT_EQ(character.parts[1].influences.size(), 2u);
  EXPECT_EQ(character.parts[1].influences[0].joint[0], 1);
  EXPECT_EQ(character.parts[1].influences[1].joint[0], 0);
}

// Where the surface is in all frames, one after the other.
std::vector<Vec3> surfaces(const Character& character, const BakeResult& result) {
  std::vector<Vec3> all;
  for (std::size_t f = 0; f < result.recording.times.size(); ++f) {
    const Pose pose = sample(character.skeleton, &character.clips[0], result.recording.times[f]);
    const std::vector<Vec3> rig = posed_positions(character, character.parts[0], pose);
    for (std::size_t v = 0; v < rig.size(); ++v) {
      const float* d = &values(result)[3 * (f * rig.size() + v)];
      all.push_back(rig[v] + Vec3{d[0], d[1], d[2]});
    }
  }
  return all;
}

// The same surface in the world, whatever kind of file it comes from, and close to that of the weighted character.
TEST(MixedUnweighted, MovesAsTheWeightedCharacterDoes) {
  const Character weighted = tube_character();
  const MixedSettings settings = quick_unweighted();
  const BakeOptions options = options_for(0, 5);
  const std::vector<Vec3> expected =
      surfaces(weighted, bake_mixed(weighted, prepare_mixed(weighted, settings), settings, options));
  std::vector<Vec3> first;
  for (const auto& strip : {without_weights, without_skinned_nodes, without_skins}) {
    Character character = strip(weighted);
    adopt_skeleton(character);
    const CookedMixed scene = prepare_mixed(character, settings);
    bind_automatically(character, scene, settings);
    const std::vector<Vec3> all = surfaces(character, bake_mixed(character, scene, settings, options));
    ASSERT_EQ(all.size(), expected.size());
    if (first.empty()) first = all;
    double squares = 0, most = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      squares += squared_norm(all[i] - expected[i]);
      most = std::max(most, distance(all[i], first[i]));
    }
    EXPECT_LT(most, 1e-6);
    // RMS below half a per cent of the height of one metre.
    EXPECT_LT(std::sqrt(squares / static_cast<double>(all.size())), 0.005);
  }
}

}  // namespace
}  // namespace sinew
