// The rigs in samples/rigs: the same characters as the samples, with controls for their flesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sinew/base/glob.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/files/rig_file.h"
#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "sinew/rig/wire_deformer.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

fs::path sample_path(const std::string& name) { return fs::path(SINEW_SOURCE_DIR) / "samples" / name; }

// A character and its rig.
struct Rigged {
  explicit Rigged(const std::string& name)
      : character(read_character(sample_path(name))), surface(simulation_surface(character)), rig(character, surface) {}

  int node(const std::string& name) const {
    for (std::size_t j = 0; j < character.skeleton.joints.size(); ++j)
      if (character.skeleton.joints[j].name == name) return static_cast<int>(j);
    return -1;
  }
  // What `--free` selects by these patterns over controls.
  std::vector<int> selected(const std::vector<std::string>& patterns) const {
    std::vector<int> parameters;
    for (std::size_t i = 0; i < rig.parameters().size(); ++i) {
      const RigParameter& parameter = rig.parameters()[i];
      if (parameter.free_by_default && std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
            return matches(pattern, parameter.control);
          }))
        parameters.push_back(static_cast<int>(i));
    }
    return parameters;
  }
  // Names of the nodes that the patterns choose.
  std::vector<std::string> nodes(const std::vector<std::string>& patterns) const {
    std::vector<std::string> names;
    for (const Joint& joint : character.skeleton.joints)
      if (std::any_of(patterns.begin(), patterns.end(),
                      [&](const std::string& pattern) { return matches(pattern, joint.name); }))
        names.push_back(joint.name);
    return names;
  }
  bool is_keyed(const std::string& name) const {
    const int joint = node(name);
    for (const Clip& clip : character.clips)
      for (const Channel& channel : clip.channels)
        if (channel.joint == joint) return true;
    return false;
  }

  Character character;
  SimulationSurface surface;
  CharacterRig rig;
};

const std::vector<std::string> flesh_patterns{"belly*", "chest*", "cheek*", "hair*", "buttock*", "flesh*"};

std::vector<Vec3> goal(const Character& character, const Clip* clip, double seconds) {
  const Pose pose = sample(character.skeleton, clip, seconds);
  std::vector<Vec3> positions;
  for (const Part& part : character.parts) {
    const std::vector<Vec3> posed = posed_positions(character, part, pose);
    positions.insert(positions.end(), posed.begin(), posed.end());
  }
  return positions;
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::max(largest, distance(a[v], b[v]));
  return largest;
}

class SampleRigs : public testing::TestWithParam<const char*> {};

TEST_P(SampleRigs, HaveTheGoalSurfacesOfTheirOriginals) {
  const std::string name = std::string(GetParam()) + ".glb";
  const Character original = read_character(sample_path(name)), rigged = read_character(sample_path("rigs/" + name));
  ASSERT_EQ(original.parts.size(), rigged.parts.size());
  for (std::size_t p = 0; p < original.parts.size(); ++p) {
    EXPECT_EQ(original.parts[p].surface.positions, rigged.parts[p].surface.positions);
    EXPECT_EQ(original.parts[p].surface.triangles, rigged.parts[p].surface.triangles);
    EXPECT_EQ(original.parts[p].normals, rigged.parts[p].normals);
    EXPECT_EQ(original.parts[p].targets, rigged.parts[p].targets);
  }
  ASSERT_EQ(original.clips.size(), rigged.clips.size());
  for (std::size_t c = 0; c < original.clips.size(); ++c) {
    const Clip &clip = original.clips[c], &same = rigged.clips[c];
    EXPECT_EQ(clip.name, same.name);
    ASSERT_EQ(clip.end, same.end);
    // Moves, so that equality means something.
    EXPECT_GT(farthest(goal(original, &clip, 0.3 * clip.end), goal(original, nullptr, 0)), 0.05);
    for (double seconds = 0; seconds <= clip.end; seconds += 0.05)
      EXPECT_LT(farthest(goal(original, &clip, seconds), goal(rigged, &same, seconds)), 1e-6)
          << clip.name << " at " << seconds << " s";
  }
}

INSTANTIATE_TEST_SUITE_P(Both, SampleRigs, testing::Values("sumo", "elephant"));

TEST(SumoRig, Has174ParametersForItsFlesh) {
  const Rigged sumo("rigs/sumo.glb");
  EXPECT_EQ(sumo.nodes(flesh_patterns).size(), 29u);
  EXPECT_EQ(sumo.selected(flesh_patterns).size(), 174u);
  EXPECT_EQ(sumo.selected({"belly*", "chest*", "cheek*"}).size(), 17u * 6u);
}

TEST(SumoRig, KeysNoneOfThem) {
  const Rigged sumo("rigs/sumo.glb");
  ASSERT_EQ(sumo.character.clips.size(), 3u);
  for (const Clip& clip : sumo.character.clips) {
    const ClipAnimation animation(sumo.rig, clip);
    for (const int parameter : sumo.selected(flesh_patterns))
      EXPECT_FALSE(animation.keyed()[static_cast<std::size_t>(parameter)])
          << clip.name << " keys " << sumo.rig.parameters()[static_cast<std::size_t>(parameter)].name;
  }
}

// Other methods take them for what they are: joints that move flesh and have no core.
TEST(SumoRig, FleshJointsAreHelpers) {
  const Rigged sumo("rigs/sumo.glb");
  for (const std::string& name : sumo.nodes(flesh_patterns)) {
    const auto bone = std::find_if(sumo.surface.bones.begin(), sumo.surface.bones.end(),
                                   [&](const Bone& b) { return b.name == name; });
    ASSERT_NE(bone, sumo.surface.bones.end()) << name;
    EXPECT_TRUE(bone->helper) << name;
  }
}

// A triangle's normal, not normalized.
Vec3 area_vector(const std::vector<Vec3>& positions, const Triangle& t) {
  const auto at = [&](std::size_t corner) { return positions[static_cast<std::size_t>(t[corner])]; };
  return cross(at(1) - at(0), at(2) - at(0));
}

// Translated by three per cent of the height (cheeks and hair: one), every flesh joint moves a part of the surface by
// half of that at least, and turns none of its triangles by 90 degrees or more.
TEST(SumoRig, EveryFleshJointMovesItsPartSmoothly) {
  Rigged sumo("rigs/sumo.glb");
  std::vector<double> p;
  for (const RigParameter& parameter : sumo.rig.parameters()) p.push_back(parameter.rest);
  std::vector<Vec3> rest(sumo.rig.vertices()), moved(rest.size());
  sumo.rig.evaluate(p, rest);
  for (const std::string& name : sumo.nodes(flesh_patterns)) {
    const bool small = matches("cheek*", name) || matches("hair*", name);
    const double step = small ? 0.017 : 0.05;
    for (const int axis : {0, 1, 2})
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> changed = p;
        changed[static_cast<std::size_t>(sumo.rig.first_parameter(sumo.node(name)) + axis)] += sign * step;
        sumo.rig.evaluate(changed, moved);
        EXPECT_GT(farthest(rest, moved), 0.5 * step) << name;
        EXPECT_LT(farthest(rest, moved), 1.001 * step) << name;
        int turned = 0;
        for (const Triangle& t : sumo.surface.rest.triangles)
          turned += dot(area_vector(rest, t), area_vector(moved, t)) <= 0;
        EXPECT_EQ(turned, 0) << name << ", axis " << axis << ", sign " << sign;
      }
  }
}

// Left and right are each other's mirror image, up to the surface, which is meshed as it comes.
TEST(SumoRig, ControlsComeInPairs) {
  const Rigged sumo("rigs/sumo.glb");
  std::map<std::string, Vec3> place;
  const Pose pose = sample(sumo.character.skeleton, nullptr, 0);
  for (const std::string& name : sumo.nodes(flesh_patterns))
    place[name] = pose.world[static_cast<std::size_t>(sumo.node(name))].translation;
  int pairs = 0;
  for (const auto& [name, position] : place) {
    if (!matches("*_l", name)) continue;
    const auto other = place.find(name.substr(0, name.size() - 1) + "r");
    ASSERT_NE(other, place.end()) << name;
    EXPECT_LT(distance(other->second, {-position.x, position.y, position.z}), 1e-6) << name;
    ++pairs;
  }
  EXPECT_EQ(pairs, 12);
}

std::vector<RigFileWires::Wire> elephant_wires() {
  const RigFile file = read_rig_file(sample_path("rigs/elephant.rig.json"));
  std::vector<RigFileWires::Wire> wires;
  for (const auto& layer : file.layers) {
    const RigFileWires& of_layer = std::get<RigFileWires>(layer);
    wires.insert(wires.end(), of_layer.wires.begin(), of_layer.wires.end());
  }
  return wires;
}

// "trunk" of "trunk_wire_1".
std::string body_part(const std::string& control) { return control.substr(0, control.find('_')); }

TEST(ElephantRig, HasWiresWith13And36Parameters) {
  Rigged elephant("rigs/elephant.glb");
  add_layers(read_rig_file(sample_path("rigs/elephant.rig.json")), elephant.rig);
  const std::vector<int> trunk = elephant.selected({"trunk_wire*"}), belly = elephant.selected({"belly*"});
  EXPECT_EQ(trunk.size() + 1, 13u);  // one of them with its scale
  EXPECT_EQ(belly.size(), 36u);
  for (const Clip& clip : elephant.character.clips) {
    const ClipAnimation animation(elephant.rig, clip);
    for (const std::vector<int>& parameters : {trunk, belly})
      for (const int parameter : parameters)
        EXPECT_FALSE(animation.keyed()[static_cast<std::size_t>(parameter)])
            << clip.name << " keys " << elephant.rig.parameters()[static_cast<std::size_t>(parameter)].name;
  }
  // The patterns that a user would take choose the wires' nodes and no others.
  std::set<std::string> listed;
  for (const RigFileWires::Wire& wire : elephant_wires()) {
    EXPECT_EQ(wire.controls.size(), 4u);
    for (const std::string& name : wire.controls) EXPECT_TRUE(listed.insert(name).second) << name;
  }
  const std::vector<std::string> nodes = elephant.nodes({"trunk_wire*", "belly*"});
  EXPECT_EQ(std::set<std::string>(nodes.begin(), nodes.end()), listed);
}

// In the middle of a jump too, what a control point is moved by takes the surface along, and hardly further than
// itself; the thirteenth parameter of the trunk thickens its tip.
TEST(ElephantRig, EveryControlMovesTheSurface) {
  Rigged elephant("rigs/elephant.glb");
  add_layers(read_rig_file(sample_path("rigs/elephant.rig.json")), elephant.rig);
  std::vector<double> p;
  for (const RigParameter& parameter : elephant.rig.parameters()) p.push_back(parameter.rest);
  ASSERT_EQ(elephant.character.clips[2].name, "jump");
  const ClipAnimation jump(elephant.rig, elephant.character.clips[2]);
  jump.sample(0.9, p);
  std::vector<Vec3> goal(elephant.rig.vertices()), moved(goal.size());
  elephant.rig.evaluate(p, goal);
  for (const int parameter : elephant.selected({"trunk_wire*", "belly*"})) {
    std::vector<double> changed = p;
    changed[static_cast<std::size_t>(parameter)] += 0.05;
    elephant.rig.evaluate(changed, moved);
    const std::string& name = elephant.rig.parameters()[static_cast<std::size_t>(parameter)].name;
    EXPECT_GT(farthest(goal, moved), 0.3 * 0.05) << name;
    EXPECT_LT(farthest(goal, moved), 1.2 * 0.05) << name;
  }
  const auto scale = std::find_if(elephant.rig.parameters().begin(), elephant.rig.parameters().end(),
                                  [](const RigParameter& q) { return q.name == "trunk_wire_4.scale"; });
  ASSERT_NE(scale, elephant.rig.parameters().end());
  std::vector<double> changed = p;
  changed[static_cast<std::size_t>(scale - elephant.rig.parameters().begin())] += 0.2;
  elephant.rig.evaluate(changed, moved);
  EXPECT_GT(farthest(goal, moved), 0.005);
}

TEST(ElephantRig, ControlsCarryNoSkinAndNoKeysAndRideOnJoints) {
  const Rigged elephant("rigs/elephant.glb");
  const std::map<std::string, std::string> rides{{"trunk_wire_1", "trunk_3"}, {"trunk_wire_2", "trunk_5"},
                                                 {"trunk_wire_3", "trunk_7"}, {"trunk_wire_4", "trunk_9"},
                                                 {"belly_wire_1_1", "chest"}, {"belly_wire_1_4", "chest"},
                                                 {"belly_wire_2_2", "spine"}, {"belly_wire_3_3", "hips"}};
  for (const std::string& name : elephant.nodes({"*wire*"})) {
    const int node = elephant.node(name);
    EXPECT_FALSE(elephant.is_keyed(name)) << name;
    for (const Skin& skin : elephant.character.skins)
      EXPECT_EQ(std::count(skin.joints.begin(), skin.joints.end(), node), 0) << name;
    const auto ride = rides.find(name);
    if (ride != rides.end()) {
      EXPECT_EQ(elephant.character.skeleton.joints[static_cast<std::size_t>(node)].parent, elephant.node(ride->second));
    }
  }
  EXPECT_EQ(elephant.nodes({"*wire*"}).size(), 16u);
  EXPECT_TRUE(elephant.is_keyed("trunk_3"));  // so is_keyed() can say yes
}

// The trunk's wire holds it from under the mouth to its tip, and those of the belly hold all of it between the legs.
TEST(ElephantRig, WiresReachWhatTheyAreFor) {
  const Rigged elephant("rigs/elephant.glb");
  const Pose pose = sample(elephant.character.skeleton, nullptr, 0);
  const std::vector<Vec3>& surface = elephant.surface.rest.positions;
  std::map<std::string, std::vector<double>> influence;  // per part of the body: the largest of its wires, per vertex
  for (const RigFileWires::Wire& wire : elephant_wires()) {
    std::vector<Vec3> controls;
    for (const std::string& name : wire.controls)
      controls.push_back(pose.world[static_cast<std::size_t>(elephant.node(name))].translation);
    std::vector<double>& largest = influence[body_part(wire.controls[0])];
    largest.resize(surface.size());
    for (const WireVertex& held : bind_wire(controls, wire.radius, surface)) {
      double& there = largest[static_cast<std::size_t>(held.vertex)];
      there = std::max(there, held.influence);
    }
  }
  int trunk = 0, belly = 0;
  for (std::size_t v = 0; v < surface.size(); ++v) {
    const Vec3& p = surface[v];
    if (p.z > 1.7 && p.y < 1.3 && std::fabs(p.x) < 0.2) {
      ++trunk;
      EXPECT_GT(influence["trunk"][v], 0.4) << p.x << " " << p.y << " " << p.z;
    }
    if (p.z > -0.4 && p.z < 0.3 && p.y > 0.8 && p.y < 1.3) {  // not the legs
      ++belly;
      EXPECT_GT(influence["belly"][v], 0.4) << p.x << " " << p.y << " " << p.z;
    }
    // Neither takes hold of the back or of each other's place.
    if (p.y > 1.8 && p.z < 1) {
      EXPECT_EQ(influence["belly"][v] + influence["trunk"][v], 0);
    }
    if (p.z > 1.3) {
      EXPECT_EQ(influence["belly"][v], 0);
    }
  }
  EXPECT_GT(trunk, 300);
  EXPECT_GT(belly, 100);
}

}  // namespace
}  // namespace sinew
