#include "sinew/anatomy/accessories.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/vertex_areas.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// An accessory sits on the nearest skin and on skin that is farther by up to this: a fraction of the accessory's
// diagonal, clamped to fractions of the character's height.
constexpr double sits_within = 0.1, least_within = 0.005, most_within = 0.03;
// Weight of skin on bones below the one that the accessory is attached to, relative to that bone's own.
constexpr double less_below = 0.1;
// Meshes nearer to each other than this touch: a fraction of the character's height.
constexpr double touches_within = 0.005;
// Least radius of an anchor from which an accessory's rotation can be determined, relative to the accessory's as seen
// from the anchor.
constexpr double least_anchor = 0.5;
// Fraction of the anchor's own squared extent that keeps a patch along a line from rotating about it.
constexpr double about_a_line = 1e-9;
constexpr std::size_t points_per_task = 64;

// A node with meshes that is attached to a bone.
struct Hanging {
  int node = -1, bone = -1;
  TriangleMesh rest;  // rest space, metres
  Box box;
};

// A bone's skin, and that of the bones below it.
struct Seat {
  TriangleMesh skin;          // vertices are the surface's own
  std::vector<double> share;  // per triangle: its weight
};

// Per joint: itself or its nearest ancestor that is a bone, or -1.
std::vector<int> bone_above(const Character& character, const SimulationSurface& surface) {
  std::vector<int> result(character.skeleton.joints.size(), -1);
  for (std::size_t b = 0; b < surface.bones.size(); ++b)
    result[static_cast<std::size_t>(surface.bones[b].joint)] = static_cast<int>(b);
  for (const int j : character.skeleton.parents_first) {
    const int parent = character.skeleton.joints[static_cast<std::size_t>(j)].parent;
    if (int& bone = result[static_cast<std::size_t>(j)]; bone < 0 && parent >= 0)
      bone = result[static_cast<std::size_t>(parent)];
  }
  return result;
}

std::vector<char> skin_bearers(const SimulationSurface& surface) {
  std::vector<char> bears(surface.bones.size(), 0);
  for (const Influences& influences : surface.influences)
    if (influences.count > 0) bears[static_cast<std::size_t>(influences.joint[0])] = 1;
  return bears;
}

bool is_at_or_below(const SimulationSurface& surface, int bone, int ancestor) {
  while (bone >= 0 && bone != ancestor) bone = surface.bones[static_cast<std::size_t>(bone)].parent;
  return bone >= 0;
}

Seat seat_of(const SimulationSurface& surface, int bone) {
  Seat seat;
  seat.skin.positions = surface.rest.positions;
  for (const Triangle& triangle : surface.rest.triangles) {
    double share = 1;
    for (const int v : triangle) {
      const Influences& influences = surface.influences[static_cast<std::size_t>(v)];
      const int carrier = influences.count > 0 ? influences.joint[0] : -1;
      share = std::min(share, carrier == bone ? 1.0 : is_at_or_below(surface, carrier, bone) ? less_below : 0.0);
    }
    if (share == 0) continue;
    seat.skin.triangles.push_back(triangle);
    seat.share.push_back(share);
  }
  return seat;
}

// The meshes in their pose relative to the bone in the default pose.
std::vector<Hanging> hanging_meshes(const Character& character, const SimulationSurface& surface) {
  const std::vector<int> bones = bone_above(character, surface);
  const std::vector<char> with_joints = bears_joints(character);
  const Pose pose = sample(character.skeleton, nullptr, 0);
  std::map<int, Hanging> found;
  for (const Part& part : character.parts) {
    const auto node = static_cast<std::size_t>(part.joint);
    if (part.skin >= 0 || part.node_skin >= 0 || !part.triangles || part.surface.triangles.empty() || bones[node] < 0)
      continue;
    // Other meshes may refer to such a node for its morph targets; those stay.
    if (with_joints[node] && !part.targets.empty()) continue;
    const Bone& bone = surface.bones[static_cast<std::size_t>(bones[node])];
    const Affine to_rest =
        inverse(bone.rest_to_joint) * inverse(pose.world[static_cast<std::size_t>(bone.joint)]) * pose.world[node];
    Hanging& hanging = found[part.joint];
    hanging.node = part.joint;
    hanging.bone = bones[node];
    const auto first = static_cast<int>(hanging.rest.positions.size());
    for (const Vec3& x : part.surface.positions) hanging.rest.positions.push_back(to_rest * x);
    for (const Triangle& t : part.surface.triangles)
      hanging.rest.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  std::vector<Hanging> result;
  for (auto& [node, hanging] : found) {
    if (!std::all_of(hanging.rest.positions.begin(), hanging.rest.positions.end(), is_finite)) continue;
    hanging.box = bounds(hanging.rest.positions);
    result.push_back(std::move(hanging));
  }
  return result;
}

bool comes_within(double distance, const Hanging& a, const Hanging& b) {
  const Vec3 margin{distance, distance, distance};
  if (!overlap({a.box.lower - margin, a.box.upper + margin}, b.box)) return false;
  const BoundingVolumeHierarchy tree(b.rest);
  return std::any_of(a.rest.positions.begin(), a.rest.positions.end(),
                     [&](const Vec3& x) { return tree.closest_point(x, distance).triangle >= 0; });
}

bool touch(double distance, const Hanging& a, const Hanging& b) {
  return comes_within(distance, a, b) || comes_within(distance, b, a);
}

bool hangs_below(const Skeleton& skeleton, int node, int ancestor) {
  while (node >= 0 && node != ancestor) node = skeleton.joints[static_cast<std::size_t>(node)].parent;
  return node >= 0;
}

// Meshes that move together, each group in the order of its nodes.
std::vector<std::vector<const Hanging*>> groups_of(const Character& character, const std::vector<Hanging>& meshes,
                                                   double height) {
  DisjointSets sets(meshes.size());
  for (std::size_t a = 0; a < meshes.size(); ++a)
    for (std::size_t b = a + 1; b < meshes.size(); ++b) {
      if (meshes[a].bone != meshes[b].bone || sets.find(static_cast<int>(a)) == sets.find(static_cast<int>(b)))
        continue;
      if (hangs_below(character.skeleton, meshes[a].node, meshes[b].node) ||
          hangs_below(character.skeleton, meshes[b].node, meshes[a].node) ||
          touch(touches_within * height, meshes[a], meshes[b]))
        sets.unite(static_cast<int>(a), static_cast<int>(b));
    }
  std::map<int, std::vector<const Hanging*>> groups;
  for (std::size_t k = 0; k < meshes.size(); ++k) groups[sets.find(static_cast<int>(k))].push_back(&meshes[k]);
  std::vector<std::vector<const Hanging*>> result;
  for (auto& [set, group] : groups) result.push_back(std::move(group));
  return result;
}

struct Samples {
  std::vector<Vec3> points;
  std::vector<double> area;  // of each point, or 1 for all if they have none
  double diagonal = 0;
};

Samples samples_of(const std::vector<const Hanging*>& group) {
  Samples samples;
  Box box;
  for (const Hanging* mesh : group) {
    box.include(mesh->box);
    const std::vector<double> area = vertex_areas(mesh->rest);
    for (std::size_t v = 0; v < area.size(); ++v)
      if (area[v] > 0) {
        samples.points.push_back(mesh->rest.positions[v]);
        samples.area.push_back(area[v]);
      }
  }
  if (samples.points.empty()) {
    samples.points.push_back(group.front()->rest.positions.front());
    samples.area.push_back(1);
  }
  samples.diagonal = norm(box.upper - box.lower);
  return samples;
}

// The skin around an accessory: each point of the accessory weighs the skin nearest to it, by its distance.
RigidGroup anchor_on(const Seat& seat, const BoundingVolumeHierarchy& tree, const Samples& samples, double height) {
  std::vector<ClosestPoint> closest(samples.points.size());
  parallel_for(closest.size(), points_per_task,
               [&](std::size_t i) { closest[i] = tree.closest_point(samples.points[i]); });
  double nearest = HUGE_VAL;
  for (const ClosestPoint& point : closest) nearest = std::min(nearest, std::sqrt(point.squared_distance));
  const double within = std::clamp(sits_within * samples.diagonal, least_within * height, most_within * height);
  std::map<int, double> weights;
  double sum = 0;
  for (std::size_t i = 0; i < closest.size(); ++i) {
    const double farther = (std::sqrt(closest[i].squared_distance) - nearest) / within;
    if (farther >= 1) continue;
    const auto triangle = static_cast<std::size_t>(closest[i].triangle);
    const double counts = samples.area[i] * seat.share[triangle] * (1 - farther * farther) * (1 - farther * farther);
    for (std::size_t k = 0; k < 3; ++k) {
      const double weight = counts * closest[i].barycentric[k];
      if (weight > 0) weights[seat.skin.triangles[triangle][k]] += weight;
      sum += weight;
    }
  }
  RigidGroup anchor;
  for (const auto& [vertex, weight] : weights) {
    anchor.vertices.push_back(vertex);
    anchor.weight.push_back(weight / sum);
  }
  return anchor;
}

// Decides how much the accessory is kept from rotating.
void measure(const SimulationSurface& surface, const Samples& samples, Accessory& accessory) {
  const auto at = [&](std::size_t k) -> const Vec3& {
    return surface.rest.positions[static_cast<std::size_t>(accessory.anchor.vertices[k])];
  };
  const std::vector<double>& weight = accessory.anchor.weight;
  Vec3 centre;
  for (std::size_t k = 0; k < weight.size(); ++k) centre += weight[k] * at(k);
  double anchor_square = 0, square = 0, area = 0;
  for (std::size_t k = 0; k < weight.size(); ++k) anchor_square += weight[k] * squared_norm(at(k) - centre);
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    const double here = squared_norm(samples.points[i] - centre);
    square += samples.area[i] * here;
    area += samples.area[i];
    accessory.reach = std::max(accessory.reach, std::sqrt(here));
  }
  const double lacking = least_anchor * least_anchor * square / area - anchor_square;
  accessory.steadying = std::max(lacking / 3, about_a_line * anchor_square);
}

// True if an anatomy file keeps the accessory with the rig.
bool stays_with_rig(const Character& character, const Accessory& accessory) {
  const std::string& name = character.skeleton.joints[static_cast<std::size_t>(accessory.nodes.front())].name;
  const auto& overrides = character.anatomy.accessories;
  return std::any_of(overrides.begin(), overrides.end(),
                     [&](const auto& of) { return !of.follows && of.node == name; });
}

}  // namespace

std::vector<char> bears_joints(const Character& character) {
  std::vector<char> bears(character.skeleton.joints.size(), 0);
  for (const Skin& skin : character.skins)
    for (int j : skin.joints)
      for (; j >= 0 && !bears[static_cast<std::size_t>(j)];
           j = character.skeleton.joints[static_cast<std::size_t>(j)].parent)
        bears[static_cast<std::size_t>(j)] = 1;
  return bears;
}

std::vector<Accessory> find_accessories(const Character& character, const SimulationSurface& surface) {
  if (!surface.weighted || character.parts.empty()) return {};
  const std::vector<Hanging> meshes = hanging_meshes(character, surface);
  if (meshes.empty()) return {};
  const double height = standing_height(surface);
  const std::vector<char> bears_skin = skin_bearers(surface);
  std::map<int, std::pair<Seat, std::optional<BoundingVolumeHierarchy>>> seats;
  std::vector<Accessory> result;
  for (const std::vector<const Hanging*>& group : groups_of(character, meshes, height)) {
    Accessory accessory;
    for (const Hanging* mesh : group) accessory.nodes.push_back(mesh->node);
    if (stays_with_rig(character, accessory)) continue;
    accessory.bone = group.front()->bone;
    while (accessory.bone >= 0 && !bears_skin[static_cast<std::size_t>(accessory.bone)])
      accessory.bone = surface.bones[static_cast<std::size_t>(accessory.bone)].parent;
    if (accessory.bone < 0) continue;
    auto& [seat, tree] = seats[accessory.bone];
    if (!tree) {
      seat = seat_of(surface, accessory.bone);
      tree.emplace(seat.skin);
    }
    if (seat.skin.triangles.empty()) continue;
    const Samples samples = samples_of(group);
    accessory.anchor = anchor_on(seat, *tree, samples, height);
    if (accessory.anchor.vertices.empty()) continue;
    measure(surface, samples, accessory);
    result.push_back(std::move(accessory));
  }
  return result;
}

}  // namespace sinew
