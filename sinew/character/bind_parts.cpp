#include "sinew/character/bind_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "sinew/base/index.h"
#include "sinew/character/changing_keys.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

// A node that carries a larger share, by area, of all that clips move is a body with things in its hands: its limbs are
// not the nodes.
constexpr double most_of_one_node = 0.6;
// A part that stands still and is larger than this, in diagonals of what is moved, does not belong to the body.
constexpr double largest_still_part = 2;

// Per joint: 1 where a clip has keys for its place.
std::vector<char> moved_joints(const Character& character) {
  std::vector<char> moved(character.skeleton.joints.size(), 0);
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights) moved[index(channel.joint)] = 1;
  return moved;
}

// The joint itself or the nearest one above it that clips move; -1: none.
int mover_of(const Skeleton& skeleton, const std::vector<char>& moved, int joint) {
  while (joint >= 0 && !moved[index(joint)]) joint = skeleton.joints[index(joint)].parent;
  return joint;
}

// From the joint's space to that of one above it, as long as nothing in between is moved.
Affine to_joint_above(const Skeleton& skeleton, int joint, int above) {
  Affine result;
  for (; joint != above; joint = skeleton.joints[index(joint)].parent) {
    const Joint& node = skeleton.joints[index(joint)];
    result = node.rest_matrix.value_or(to_affine(node.rest)) * result;
  }
  return result;
}

struct WorldBox {
  Vec3 least{1e300, 1e300, 1e300}, most{-1e300, -1e300, -1e300};

  void include(const Vec3& x) {
    least = min(least, x);
    most = max(most, x);
  }
  double diagonal() const { return most.x >= least.x ? norm(most - least) : 0; }
};

void include_part(const Part& part, const Pose& pose, WorldBox& box) {
  for (const Vec3& x : part.surface.positions) box.include(pose.world[index(part.joint)] * x);
}

double world_area(const Part& part, const Pose& pose) {
  const Affine& world = pose.world[index(part.joint)];
  double area = 0;
  for (const Triangle& t : part.surface.triangles)
    area += norm(area_vector(world * part.surface.positions[index(t[0])], world * part.surface.positions[index(t[1])],
                             world * part.surface.positions[index(t[2])]));
  return area;
}

// Whether some clip moves a node that shows a surface, by keys of its own that change.
bool moves_a_surface(const Character& character) {
  std::vector<char> shows(character.skeleton.joints.size(), 0);
  for (const Part& part : character.parts)
    if (is_surface(part)) shows[index(part.joint)] = 1;
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights && shows[index(channel.joint)] && changes(channel)) return true;
  return false;
}

// Whether surfaces hang on several nodes that clips move, and none carries nearly all of them.
bool hangs_on_several(const Character& character) {
  const std::vector<char> moved = moved_joints(character);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::map<int, double> area_of;
  double all = 0, largest = 0;
  for (const Part& part : character.parts) {
    const int mover = is_surface(part) ? mover_of(character.skeleton, moved, part.joint) : -1;
    if (mover < 0) continue;
    const double area = world_area(part, pose);
    all += area;
    largest = std::max(largest, area_of[mover] += area);
  }
  return area_of.size() > 1 && largest < most_of_one_node * all;
}

Skin skin_of_node(const Character& character, int node, int bone) {
  Skin skin;
  skin.name = "parts of " + character.skeleton.joints[index(node)].name;
  skin.joints = {bone};
  skin.inverse_bind = {to_joint_above(character.skeleton, node, bone)};
  return skin;
}

// Skins with one bone, one for each node that shows parts.
class NodeSkins {
 public:
  explicit NodeSkins(Character& character) : character_(character) {}

  void bind(Part& part, int bone) {
    const auto [entry, is_new] = skin_of_.try_emplace(part.joint, static_cast<int>(character_.skins.size()));
    if (is_new) character_.skins.push_back(skin_of_node(character_, part.joint, bone));
    part.skin = entry->second;
    Influences whole;
    whole.count = 1;
    whole.joint[0] = 0;
    whole.weight[0] = 1;
    part.influences.assign(part.surface.positions.size(), whole);
  }

 private:
  Character& character_;
  std::map<int, int> skin_of_;  // by the node that shows it
};

}  // namespace

void bind_to_own_nodes(Character& character) {
  NodeSkins skins(character);
  for (Part& part : character.parts)
    if (is_surface(part)) skins.bind(part, part.joint);
}

bool is_made_of_parts(const Character& character) {
  const bool skinned = std::any_of(character.parts.begin(), character.parts.end(),
                                   [](const Part& part) { return part.skin >= 0 || part.node_skin >= 0; });
  return !skinned && (moves_a_surface(character) || hangs_on_several(character));
}

bool moves_as_its_node(const Character& character, const Part& part) {
  if (part.skin < 0) return true;
  const Skin& skin = character.skins[index(part.skin)];
  const bool whole = std::all_of(part.influences.begin(), part.influences.end(),
                                 [](const Influences& vertex) { return vertex.count == 1; });
  if (skin.joints.size() != 1 || !whole) return false;
  const std::vector<char> moved = moved_joints(character);
  int joint = part.joint;
  while (joint >= 0 && joint != skin.joints[0] && !moved[index(joint)])
    joint = character.skeleton.joints[index(joint)].parent;
  return joint == skin.joints[0] && skin.inverse_bind[0] == to_joint_above(character.skeleton, part.joint, joint);
}

std::string bind_parts_to_nodes(Character& character) {
  if (!is_made_of_parts(character)) return "";
  const std::vector<char> moved = moved_joints(character);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  WorldBox box;
  for (const Part& part : character.parts)
    if (is_surface(part) && mover_of(character.skeleton, moved, part.joint) >= 0) include_part(part, pose, box);
  NodeSkins skins(character);
  std::set<int> bones;
  int bound = 0;
  for (Part& part : character.parts) {
    if (!is_surface(part)) continue;
    int bone = mover_of(character.skeleton, moved, part.joint);
    if (bone < 0) {
      WorldBox own;
      include_part(part, pose, own);
      if (own.diagonal() > largest_still_part * box.diagonal()) continue;
      bone = part.joint;
    }
    skins.bind(part, bone);
    bones.insert(bone);
    ++bound;
  }
  return "The body is made of " + std::to_string(bound) + (bound == 1 ? " part" : " parts") +
         " without a skin; each follows the node that moves it, " + std::to_string(bones.size()) +
         (bones.size() == 1 ? " node" : " nodes") + " in all, as its bone.";
}

}  // namespace sinew
