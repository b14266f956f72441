// Characters made of parts on nodes that clips move: which they are, and that every part stays where its node has it.
#include "sinew/character/bind_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/character/simulation_surface.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

int add_node(Character& character, const std::string& name, int parent, const Vec3& at) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.rest.translation = at;
  joint.rest.rotation = normalized(Quat{0.1 * at.x, 0.05, -0.2 * at.y, 1});
  character.skeleton.joints.push_back(joint);
  character.skeleton.parents_first.push_back(static_cast<int>(character.skeleton.joints.size()) - 1);
  return character.skeleton.parents_first.back();
}

void add_tube(Character& character, int node, double height, double radius) {
  Part part;
  part.name = character.skeleton.joints[static_cast<std::size_t>(node)].name;
  part.joint = node;
  part.mesh = static_cast<int>(character.parts.size());
  part.primitive = 0;
  part.surface = test::upright_tube(4, 6, height, radius);
  character.parts.push_back(part);
}

void turn(Clip& clip, int node, double angle) {
  const double s = std::sin(angle / 2), c = std::cos(angle / 2);
  clip.channels.push_back(
      {node, ChannelPath::rotation, Interpolation::linear, {0, 0.5, 1}, 4, {0, 0, 0, 1, s, 0, 0, c, 0, s, 0, c}});
}

// A root that a clip moves; a torso that none moves by itself, with a badge on it; an arm that turns and a hand on it
// that grows; a floor beside them.
struct Figure {
  Character character;
  int root, torso, badge, arm, hand, floor;

  Figure() {
    character.file = "figure.glb";
    root = add_node(character, "root", -1, {0, 1, 0});
    torso = add_node(character, "torso", root, {0, 0.2, 0});
    badge = add_node(character, "badge", torso, {0, 0.5, 0.3});
    arm = add_node(character, "arm", torso, {0.4, 0.9, 0});
    hand = add_node(character, "hand", arm, {0, 0.5, 0});
    floor = add_node(character, "floor", -1, {0, -1, 0});
    add_tube(character, torso, 1, 0.3);
    add_tube(character, badge, 0.1, 0.05);
    add_tube(character, arm, 0.5, 0.1);
    add_tube(character, hand, 0.2, 0.12);
    Clip clip{
        "wave", {{root, ChannelPath::translation, Interpolation::linear, {0, 1}, 3, {0, 1, 0, 0.3, 1.2, 0}}}, 0, 1};
    turn(clip, arm, 1.2);
    clip.channels.push_back({hand, ChannelPath::scale, Interpolation::linear, {0, 1}, 3, {1, 1, 1, 2, 1, 0.5}});
    character.clips.push_back(clip);
  }
};

void expect_parts_where_nodes_have_them(const Character& before, const Character& bound) {
  for (const Clip& clip : before.clips)
    for (double time = -0.1; time < 1.2; time += 0.05) {
      const Pose pose = sample(bound.skeleton, &clip, time);
      for (std::size_t p = 0; p < before.parts.size(); ++p) {
        const std::vector<Vec3> now = posed_positions(bound, bound.parts[p], pose);
        const Affine& node = pose.world[static_cast<std::size_t>(before.parts[p].joint)];
        for (std::size_t v = 0; v < now.size(); ++v)
          ASSERT_LT(distance(now[v], node * before.parts[p].surface.positions[v]), 1e-14 * 10) << p << " at " << time;
      }
    }
}

int bone_of(const Character& character, std::size_t part) {
  const int skin = character.parts[part].skin;
  return skin < 0 ? -1 : character.skins[static_cast<std::size_t>(skin)].joints.at(0);
}

TEST(BindParts, EachFollowsTheNodeThatMovesIt) {
  const Figure before;
  Figure figure;
  const std::string sentence = bind_parts_to_nodes(figure.character);
  EXPECT_NE(sentence.find("4 parts"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("3 nodes"), std::string::npos) << sentence;
  EXPECT_EQ(bone_of(figure.character, 0), figure.root);
  EXPECT_EQ(bone_of(figure.character, 1), figure.root);
  EXPECT_EQ(bone_of(figure.character, 2), figure.arm);
  EXPECT_EQ(bone_of(figure.character, 3), figure.hand);
  expect_parts_where_nodes_have_them(before.character, figure.character);
  for (const Part& part : figure.character.parts) EXPECT_TRUE(moves_as_its_node(figure.character, part));
  EXPECT_EQ(bind_parts_to_nodes(figure.character), "");  // which have skins now
}

TEST(BindParts, TheBodyIsAsTheFileShowsIt) {
  Figure figure;
  const Pose pose = sample(figure.character.skeleton, nullptr, 0);
  std::vector<std::vector<Vec3>> shown;
  for (const Part& part : figure.character.parts) shown.push_back(posed_positions(figure.character, part, pose));
  bind_parts_to_nodes(figure.character);
  const SimulationSurface surface = simulation_surface(figure.character);
  EXPECT_EQ(surface.bones.size(), 3u);
  ASSERT_EQ(surface.parts.size(), shown.size());
  for (std::size_t k = 0; k < shown.size(); ++k)
    for (std::size_t v = 0; v < shown[k].size(); ++v)
      EXPECT_LT(distance(surface.rest.positions[static_cast<std::size_t>(surface.vertex_of[k][v])], shown[k][v]),
                1e-12);
}

TEST(BindParts, WhatStandsStillIsBoundToItselfUnlessItIsLarge) {
  Figure figure;
  const int hat = add_node(figure.character, "lamp", -1, {1, 0, 0});
  add_tube(figure.character, hat, 0.3, 0.1);
  add_tube(figure.character, figure.floor, 0.1, 20);
  const Character before = figure.character;
  bind_parts_to_nodes(figure.character);
  EXPECT_EQ(bone_of(figure.character, 4), hat);
  EXPECT_EQ(bone_of(figure.character, 5), -1);
  expect_parts_where_nodes_have_them(before, figure.character);
}

// Groups without a mesh that clips move, and boxes without keys below them.
TEST(BindParts, PartsBelowMovedGroupsAreToo) {
  Character character;
  const int body = add_node(character, "body", -1, {0, 0, 0});
  Clip clip{"walk", {}, 0, 1};
  for (int limb = 0; limb < 4; ++limb) {
    const int group = add_node(character, "group", body, {0.3 * limb, 0.5, 0});
    turn(clip, group, 0.3 + limb);
    for (int box = 0; box < 2; ++box)
      add_tube(character, add_node(character, "box", group, {0, 0.2 * box, 0.1}), 0.3, 0.1);
  }
  character.clips.push_back(clip);
  EXPECT_TRUE(is_made_of_parts(character));
  const Character before = character;
  bind_parts_to_nodes(character);
  expect_parts_where_nodes_have_them(before, character);
}

TEST(BindParts, OthersAreLeftAlone) {
  // A body below a moved root, and a sword in a hand: its limbs are to be bound to joints that show nothing.
  Character knight;
  const int root = add_node(knight, "root", -1, {0, 0, 0}), hand = add_node(knight, "hand", root, {0.5, 1, 0});
  add_tube(knight, add_node(knight, "body", root, {0, 0, 0}), 2, 0.3);
  add_tube(knight, add_node(knight, "sword", hand, {0, 0, 0}), 0.8, 0.03);
  Clip clip{"slash", {}, 0, 1};
  turn(clip, root, 0.2);
  turn(clip, hand, 2);
  knight.clips.push_back(clip);
  EXPECT_FALSE(is_made_of_parts(knight));
  EXPECT_EQ(bind_parts_to_nodes(knight), "");
  EXPECT_TRUE(knight.skins.empty());

  Figure still;  // no clip: nothing is moved
  still.character.clips.clear();
  EXPECT_FALSE(is_made_of_parts(still.character));

  Figure keyed_once;  // keys that change nothing
  for (Channel& channel : keyed_once.character.clips[0].channels)
    for (std::size_t k = 0; k < channel.values.size(); ++k)
      channel.values[k] = channel.values[k % static_cast<std::size_t>(channel.components)];
  keyed_once.character.clips[0].channels.erase(keyed_once.character.clips[0].channels.begin() + 1);
  keyed_once.character.clips[0].channels.pop_back();
  EXPECT_FALSE(is_made_of_parts(keyed_once.character));

  Figure skinned;
  skinned.character.skins.push_back({"skin", {skinned.root}, {Affine{}}});
  skinned.character.parts[0].skin = skinned.character.parts[0].node_skin = 0;
  skinned.character.parts[0].influences.assign(skinned.character.parts[0].surface.positions.size(), {1, {0}, {1}});
  EXPECT_FALSE(is_made_of_parts(skinned.character));
}

TEST(BindParts, AnotherSkinIsNotTheNodesMotion) {
  Figure figure;
  bind_parts_to_nodes(figure.character);
  Part& hand = figure.character.parts[3];
  Skin& skin = figure.character.skins[static_cast<std::size_t>(hand.skin)];
  const Skin own = skin;
  skin.inverse_bind[0].translation.x += 0.1;
  EXPECT_FALSE(moves_as_its_node(figure.character, hand));
  skin = own;
  skin.joints[0] = figure.arm;  // between them is a node that is moved
  EXPECT_FALSE(moves_as_its_node(figure.character, hand));
  skin = own;
  EXPECT_TRUE(moves_as_its_node(figure.character, hand));
  hand.influences[0].count = 0;
  EXPECT_FALSE(moves_as_its_node(figure.character, hand));
}

}  // namespace
}  // namespace sinew
