#include "sinew/character/adopt_skeleton.h"

#include <algorithm>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/changing_keys.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

// By so much more of the joints must lie in the surface.
constexpr double clearly_better = 0.2;

// A set of joints of the skeleton.
using Marks = std::vector<char>;

Marks showing_joints(const Character& character) {
  Marks shows(character.skeleton.joints.size(), 0);
  for (const Part& part : character.parts) shows[index(part.joint)] = 1;
  return shows;
}

// All joints below marked ones join them, but for those that show something.
void mark_descendants(const Skeleton& skeleton, const Marks& shows, Marks& marks) {
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    if (parent >= 0 && marks[index(parent)] && !shows[index(joint)]) marks[index(joint)] = 1;
  }
}

Marks below_root(const Character& character, const std::string& root) {
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& j) { return j.name == root; });
  if (found == joints.end())
    throw usage_error("--skeleton: " + character.file + " has no node '" + root + "'; `sinew info --json` lists them.");
  Marks marks(joints.size(), 0);
  marks[static_cast<std::size_t>(found - joints.begin())] = 1;
  mark_descendants(character.skeleton, showing_joints(character), marks);
  return marks;
}

Marks joints_of_skins(const Character& character) {
  Marks marks(character.skeleton.joints.size(), 0);
  for (const Skin& skin : character.skins)
    for (const int joint : skin.joints) marks[index(joint)] = 1;
  return marks;
}

Marks animated_joints(const Character& character) {
  const Marks shows = showing_joints(character);
  Marks marks(character.skeleton.joints.size(), 0);
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights && !shows[index(channel.joint)]) marks[index(channel.joint)] = 1;
  mark_descendants(character.skeleton, shows, marks);
  return marks;
}

// Per joint, the topmost joint above it.
std::vector<int> trees(const Skeleton& skeleton) {
  std::vector<int> top(skeleton.joints.size(), -1);
  for (const int joint : skeleton.parents_first) {
    const int parent = skeleton.joints[index(joint)].parent;
    top[index(joint)] = parent < 0 ? joint : top[index(parent)];
  }
  return top;
}

// A skin's joints hang together (glTF 2.0, section 3.7.3.1): of several trees the one with most of them is kept.
void keep_largest_tree(const Skeleton& skeleton, Marks& marks) {
  const std::vector<int> top = trees(skeleton);
  std::map<int, int> count;
  for (std::size_t j = 0; j < marks.size(); ++j)
    if (marks[j]) ++count[top[j]];
  const auto most =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (std::size_t j = 0; j < marks.size(); ++j) marks[j] = marks[j] && top[j] == most->first;
}

// A joint whose default transform is flat says nothing about where its bone was.
void drop_flat_joints(const Pose& pose, Marks& marks) {
  for (std::size_t j = 0; j < marks.size(); ++j) marks[j] = marks[j] && is_invertible(pose.world[j]);
}

// None where the file has no skeleton.
Marks candidate_joints(const Character& character, const std::string& root, const Pose& pose) {
  Marks marks = !root.empty()              ? below_root(character, root)
                : !character.skins.empty() ? joints_of_skins(character)
                                           : animated_joints(character);
  drop_flat_joints(pose, marks);
  return marks;
}

Marks chosen_joints(const Character& character, const std::string& root, const Pose& pose) {
  Marks marks = candidate_joints(character, root, pose);
  if (std::find(marks.begin(), marks.end(), 1) == marks.end())
    throw input_error(
        character.file +
        ": has neither skin weights nor a skeleton: no skin, and no clip moves a node that shows nothing; "
        "give the mesh joints and weights with `sinew rig`, or name the skeleton's topmost node with --skeleton.");
  keep_largest_tree(character.skeleton, marks);
  return marks;
}

// Whether a part moves with a joint of the skeleton that is not one of its roots.
bool hangs_on_limb(const Skeleton& skeleton, const Marks& marks, int joint) {
  for (int j = joint; j >= 0; j = skeleton.joints[index(j)].parent) {
    if (!marks[index(j)]) continue;
    for (int up = skeleton.joints[index(j)].parent; up >= 0; up = skeleton.joints[index(up)].parent)
      if (marks[index(up)]) return true;
    return false;
  }
  return false;
}

// Nodes whose parts are bound.
Marks bound_nodes(const Character& character, const Marks& marks) {
  Marks nodes(character.skeleton.joints.size(), 0);
  for (const bool rigid_too : {false, true}) {
    bool any = false;
    for (const Part& part : character.parts)
      if (is_surface(part) && (rigid_too || !hangs_on_limb(character.skeleton, marks, part.joint))) {
        nodes[index(part.joint)] = 1;
        any = true;
      }
    if (any) break;
  }
  return nodes;
}

// Nodes that show something and that a clip moves by keys of their own, rather than by a joint of the skeleton.
std::vector<int> keyed_surfaces(const Character& character, const Marks& marks, const Marks& bound) {
  const Marks shows = showing_joints(character);
  Marks keyed(shows.size(), 0), found(shows.size(), 0);
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights && changes(channel)) keyed[index(channel.joint)] = 1;
  for (const Part& part : character.parts) {
    if (!bound[index(part.joint)] || !is_surface(part)) continue;
    for (int node = part.joint; node >= 0; node = character.skeleton.joints[index(node)].parent)
      if (keyed[index(node)] && shows[index(node)] && !marks[index(node)]) found[index(node)] = 1;
  }
  std::vector<int> nodes;
  for (std::size_t node = 0; node < found.size(); ++node)
    if (found[node]) nodes.push_back(static_cast<int>(node));
  return nodes;
}

// Bound to the skeleton such a surface would lose its motion.
void refuse_keyed_surfaces(const Character& character, const Marks& marks, const Marks& bound) {
  const std::vector<int> nodes = keyed_surfaces(character, marks, bound);
  if (nodes.empty()) return;
  constexpr std::size_t most_named = 4;
  std::string names;
  for (std::size_t k = 0; k < std::min(nodes.size(), most_named); ++k)
    names += (k ? ", '" : "'") + character.skeleton.joints[index(nodes[k])].name + "'";
  if (nodes.size() > most_named) names += " and " + std::to_string(nodes.size() - most_named) + " more";
  throw input_error(
      character.file + ": its body is made of parts that keys of their own nodes move (" + names +
      "), and a body bound to a skeleton would lose that motion; join the parts into one mesh that is skinned "
      "to a bone for each of them, and export it again.");
}

// Whether a skin's matrices can be the bind pose of a surface: none is flat, and they differ (files that leave them
// out have as many identities).
bool has_bind_pose(const Skin& skin) {
  const auto flat = [](const Affine& matrix) { return !is_invertible(matrix); };
  if (std::any_of(skin.inverse_bind.begin(), skin.inverse_bind.end(), flat)) return false;
  return skin.joints.size() == 1 || std::any_of(skin.inverse_bind.begin(), skin.inverse_bind.end(),
                                                [&](const Affine& m) { return !(m == skin.inverse_bind.front()); });
}

// A skin that leaves what the node shows where it is in the default pose.
Skin skin_for_node(const Character& character, const std::vector<int>& joints, int node, const Pose& pose) {
  Skin skin{"automatic " + character.skeleton.joints[index(node)].name, joints, {}};
  for (const int joint : joints)
    skin.inverse_bind.push_back(inverse(pose.world[index(joint)]) * pose.world[index(node)]);
  return skin;
}

// Everything that the nodes show, as if one surface; `place` takes a part's own space to where it is wanted.
template <class Place>
TriangleMesh joined_surface(const Character& character, const Marks& nodes, const Place& place) {
  TriangleMesh surface;
  for (const Part& part : character.parts) {
    if (!nodes[index(part.joint)] || !is_surface(part)) continue;
    const int offset = static_cast<int>(surface.positions.size());
    const Affine matrix = place(part);
    for (const Vec3& x : part.surface.positions) surface.positions.push_back(matrix * x);
    for (const Triangle& t : part.surface.triangles)
      surface.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return surface;
}

double share_inside(const TriangleMesh& surface, const std::vector<Vec3>& points) {
  const BoundingVolumeHierarchy tree(surface);
  const WindingNumber winding(tree);
  double inside = 0;
  for (const Vec3& p : points) inside += winding(p) > 0.5;
  return points.empty() ? 0 : inside / static_cast<double>(points.size());
}

// Of the file's skins that no node names, the one with the most joints, if its joints lie better in the surfaces, taken
// as they are modelled, where it was bound than where the file shows both; else -1.
int better_bind_pose(const Character& character, const Marks& nodes, const Pose& pose) {
  int best = -1;
  for (std::size_t s = 0; s < character.skins.size(); ++s)
    if (has_bind_pose(character.skins[s]) &&
        (best < 0 || character.skins[s].joints.size() > character.skins[index(best)].joints.size()))
      best = static_cast<int>(s);
  if (best < 0) return -1;
  const Skin& skin = character.skins[index(best)];
  std::vector<Vec3> bound, shown;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    bound.push_back(inverse(skin.inverse_bind[j]).translation);
    shown.push_back(pose.world[index(skin.joints[j])].translation);
  }
  const auto as_modelled = [](const Part&) { return Affine{}; };
  const auto as_shown = [&](const Part& part) { return pose.world[index(part.joint)]; };
  const double share_bound = share_inside(joined_surface(character, nodes, as_modelled), bound);
  const double share_shown = share_inside(joined_surface(character, nodes, as_shown), shown);
  return share_bound > share_shown + clearly_better ? best : -1;
}

std::string description(const Character& character, const Marks& marks, int bound) {
  int joints = 0, first = -1;
  for (const int joint : character.skeleton.parents_first) {
    if (!marks[index(joint)]) continue;
    if (first < 0) first = joint;
    ++joints;
  }
  return "The file has no skin weights: " + std::to_string(bound) +
         (bound == 1 ? " surface follows " : " surfaces follow ") + "the skeleton of " + std::to_string(joints) +
         (joints == 1 ? " joint" : " joints") + " from '" + character.skeleton.joints[index(first)].name + "' on.";
}

}  // namespace

bool has_skin_weights(const Character& character) {
  return std::any_of(character.parts.begin(), character.parts.end(), is_skinned_surface);
}

bool has_skeleton_to_adopt(const Character& character) {
  if (std::none_of(character.parts.begin(), character.parts.end(), is_surface)) return false;
  const Marks marks = candidate_joints(character, {}, sample(character.skeleton, nullptr, 0));
  return std::find(marks.begin(), marks.end(), 1) != marks.end() &&
         keyed_surfaces(character, marks, bound_nodes(character, marks)).empty();
}

std::string remedy_without_weights(const Character& character) {
  return has_skeleton_to_adopt(character)
             ? "bind the mesh to its skeleton before exporting, or use --method mixed, which does without weights"
             : "give the mesh joints and weights with `sinew rig`, or bind it to a skeleton before exporting";
}

std::string adopt_skeleton(Character& character, const std::string& root) {
  if (std::none_of(character.parts.begin(), character.parts.end(), is_surface))
    throw input_error(character.file + ": shows no triangles; there is nothing to bind to a skeleton.");
  const Pose pose = sample(character.skeleton, nullptr, 0);
  const Marks marks = chosen_joints(character, root, pose);
  std::vector<int> joints;
  for (const int joint : character.skeleton.parents_first)
    if (marks[index(joint)]) joints.push_back(joint);
  const Marks nodes = bound_nodes(character, marks);
  refuse_keyed_surfaces(character, marks, nodes);
  const int unnamed = root.empty() ? better_bind_pose(character, nodes, pose) : -1;
  int bound = 0;
  std::map<int, int> skin_of_node;
  for (Part& part : character.parts) {
    if (!nodes[index(part.joint)]) continue;
    bound += is_surface(part);
    if (root.empty() && part.node_skin >= 0 && has_bind_pose(character.skins[index(part.node_skin)])) {
      part.skin = part.node_skin;
    } else if (part.node_skin < 0 && unnamed >= 0) {
      part.skin = unnamed;
    } else {
      const auto [entry, is_new] = skin_of_node.try_emplace(part.joint, static_cast<int>(character.skins.size()));
      if (is_new) character.skins.push_back(skin_for_node(character, joints, part.joint, pose));
      part.skin = entry->second;
    }
    part.influences.assign(part.surface.positions.size(), Influences{});
  }
  return description(character, marks, bound);
}

}  // namespace sinew
