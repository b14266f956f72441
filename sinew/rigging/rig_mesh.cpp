#include "sinew/rigging/rig_mesh.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/fill_surface.h"
#include "sinew/cook/mixed/bind_automatically.h"
#include "sinew/cook/mixed/mixed_bones.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

// Distance from the mirror plane, relative to the character's longest side, within which joints are in the middle.
constexpr double middle_share = 0.01;
// Characters are modelled around the origin, and an object in one hand shifts the middle of their box: if that is this
// near to the origin, relative to the longest side, the plane is at the origin.
constexpr double origin_share = 0.1;

void check_character(const Character& character, const std::vector<PlacedJoint>& joints, const std::string& file) {
  if (has_skin_weights(character))
    throw input_error(character.file + ": is rigged already, its skin has weights; rig the mesh without a skeleton.");
  if (std::none_of(character.parts.begin(), character.parts.end(), is_surface))
    throw input_error(character.file + ": shows no triangles; there is nothing to rig.");
  std::set<std::string> nodes;
  for (const Joint& node : character.skeleton.joints) nodes.insert(node.name);
  for (const PlacedJoint& joint : joints)
    if (nodes.contains(joint.name))
      throw input_error(file + ": joint '" + joint.name + "' is called as a node that " + character.file +
                        " has already; call the joint otherwise.");
}

void add_joints(Character& character, const std::vector<PlacedJoint>& joints) {
  Skeleton& skeleton = character.skeleton;
  const int first = static_cast<int>(skeleton.joints.size());
  const std::vector<int> parent = parents_of(joints);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Vec3 origin = parent[j] < 0 ? Vec3{} : joints[index(parent[j])].position;
    Joint joint;
    joint.name = joints[j].name;
    joint.parent = parent[j] < 0 ? -1 : first + parent[j];
    joint.rest.translation = (joints[j].position - origin) / character.metres_per_unit;
    skeleton.joints.push_back(std::move(joint));
  }
  for (const int j : parents_first(joints)) skeleton.parents_first.push_back(first + j);
}

// A skin that leaves what the node shows unchanged in the default pose.
Skin skin_of_node(const std::vector<int>& joints, const Affine& node, const Pose& pose) {
  Skin skin{"rig", joints, {}};
  for (const int joint : joints) skin.inverse_bind.push_back(inverse(pose.world[index(joint)]) * node);
  return skin;
}

// Adds skins to nodes that show a surface, including their lines and points. Nodes with equal transforms share a skin.
void add_skins(Character& character, int first_joint) {
  std::set<int> nodes;
  for (const Part& part : character.parts)
    if (is_surface(part)) nodes.insert(part.joint);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::vector<int> joints;
  for (std::size_t j = index(first_joint); j < character.skeleton.joints.size(); ++j)
    joints.push_back(static_cast<int>(j));
  std::vector<std::pair<Affine, int>> skins;
  for (Part& part : character.parts) {
    if (!nodes.contains(part.joint)) continue;
    const Affine& node = pose.world[index(part.joint)];
    auto found = std::find_if(skins.begin(), skins.end(), [&](const auto& skin) { return skin.first == node; });
    if (found == skins.end()) {
      skins.emplace_back(node, static_cast<int>(character.skins.size()));
      character.skins.push_back(skin_of_node(joints, node, pose));
      found = skins.end() - 1;
    }
    part.skin = found->second;
    part.influences.assign(part.surface.positions.size(), Influences{});
  }
}

// Distance over which weights fade, in radii of the limb (SmoothWeightsOptions::reach). It is shorter than for `mixed`,
// whose morph targets correct the rest, so that a hand does not follow the upper arm; with 1 the hips of fat characters
// crease.
constexpr double rig_reach = 1.5;

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k) text += (k ? ", '" : "'") + names[k] + "'";
  return text + (names.size() > most ? " and " + std::to_string(names.size() - most) + " more" : "");
}

void note_outside(const std::vector<PlacedJoint>& joints, const TriangleMesh& rest, std::vector<std::string>& notes) {
  const BoundingVolumeHierarchy tree(rest);
  const WindingNumber winding(tree);
  for (const PlacedJoint& joint : joints) {
    if (winding(joint.position) > 0.5) continue;
    char away[32];
    std::snprintf(away, sizeof away, "%.1f", 100 * std::sqrt(tree.closest_point(joint.position).squared_distance));
    notes.push_back("Joint '" + joint.name + "' stands outside the mesh, " + away + " cm from its surface.");
  }
}

// A joint that moves nothing is not an error: it may be animated by hand or hold others.
void note_idle(const Character& character, int first_joint, std::vector<std::string>& notes) {
  std::set<int> used;
  for (const Part& part : character.parts)
    for (const Influences& vertex : part.influences)
      for (int k = 0; k < vertex.count; ++k) used.insert(vertex.joint[index(k)]);
  std::vector<std::string> idle;
  for (std::size_t j = index(first_joint); j < character.skeleton.joints.size(); ++j)
    if (!used.contains(static_cast<int>(j) - first_joint)) idle.push_back(character.skeleton.joints[j].name);
  if (!idle.empty())
    notes.push_back("No vertex follows " + list_of(idle) + ": of " + (idle.size() == 1 ? "its bone" : "their bones") +
                    " less than half lies in the flesh, or other bones are nearer everywhere.");
}

// Notes that a skinned mesh no longer moves with its node.
void note_lost_motion(const Character& character, std::vector<std::string>& notes) {
  std::set<int> moved;
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights) moved.insert(channel.joint);
  std::set<std::string> still;
  for (const Part& part : character.parts)
    for (int node = part.joint; node >= 0; node = character.skeleton.joints[index(node)].parent)
      if (moved.contains(node)) still.insert(character.skeleton.joints[index(part.joint)].name);
  if (!still.empty())
    notes.push_back("Clips of the file move " + list_of({still.begin(), still.end()}) +
                    " as a whole; bound to the joints it no longer goes along.");
}

bool same_surface(const TriangleMesh& a, const TriangleMesh& b) {
  return a.positions == b.positions && a.triangles == b.triangles;
}

void find_weights(Character& character, const SimulationSurface& surface, const RigMeshOptions& options,
                  const Progress& progress, RiggingBody& body) {
  const PosingBones posing = bones_that_pose(surface, standing_height(surface.rest));
  if (body.volume.mesh.tetrahedra.empty() || !same_surface(body.rest, surface.rest)) {
    VolumeMeshingOptions meshing;
    meshing.target_tetrahedra = options.tetrahedra;
    body.volume = fill_surface(character, surface.rest, meshing, part_of(progress, 0.1, 0.6));
    body.rest = surface.rest;
  }
  const VolumeMesh& volume = body.volume;
  report_or_stop(progress, "finding weights", 0.6);
  const RotationClusters clusters = rotation_clusters(volume.mesh, posing.bones, ClusterRule::segment);
  report_or_stop(progress, "smoothing weights", 0.8);
  bind_automatically(character, {surface, posing.bones, volume.mesh, volume.embedding, clusters}, rig_reach,
                     LoosePieces::nearest_skin);
}

}  // namespace

MirrorPlane mirror_plane(const Character& character, MirrorAxis axis) {
  const Pose pose = sample(character.skeleton, nullptr, 0);
  Box box;
  for (const Part& part : character.parts)
    for (const Vec3& position : posed_positions(character, part, pose))
      box.include(position * character.metres_per_unit);
  const Vec3 middle = (box.lower + box.upper) * 0.5, size = box.upper - box.lower;
  const double longest = std::max({size.x, size.y, size.z}), at = axis == MirrorAxis::z ? middle.z : middle.x;
  return {axis, std::abs(at) <= origin_share * longest ? 0 : at, middle_share * longest};
}

RiggedMesh rig_mesh(Character& character, const std::vector<PlacedJoint>& joints, const RigMeshOptions& options,
                    const std::string& file, const Progress& progress, RiggingBody* body) {
  check_joints(joints, file);
  RiggedMesh result;
  result.joints = mirrored_joints(joints, mirror_plane(character, options.mirror), file);
  check_character(character, result.joints, file);
  result.first_joint = static_cast<int>(character.skeleton.joints.size());
  note_lost_motion(character, result.notes);
  add_joints(character, result.joints);
  add_skins(character, result.first_joint);
  report_or_stop(progress, "placing joints", 0);
  const SimulationSurface surface = simulation_surface(character);
  note_outside(result.joints, surface.rest, result.notes);
  RiggingBody own;
  find_weights(character, surface, options, progress, body ? *body : own);
  apply_painted_weights(character, options.painted, result.joints, file);
  note_idle(character, result.first_joint, result.notes);
  for (const Part& part : character.parts) result.vertices += part.influences.size();
  return result;
}

}  // namespace sinew
