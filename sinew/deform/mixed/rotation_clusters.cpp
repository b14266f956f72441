#include "sinew/deform/mixed/rotation_clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/sparse_pattern.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr std::size_t rotation_clusters_grain = 1024;
constexpr std::size_t bones_at_once = 8;  // bones looked at side by side
constexpr int outside_samples = 16;       // intervals of a bone outside the body

// Lower bound of the ratio of a straight distance to the length of the path along edges: 0.71 for cubes of six
// tetrahedra, more for other meshes with well-shaped elements.
constexpr double straightness = 0.7;

// Compared lexicographically. `turn` is minus the cosine of the angle between the segment and the direction from the
// joint to the point, if the nearest point is a joint; else 0, which continues it.
struct Cost {
  double distance = HUGE_VAL;  // metres
  double turn = HUGE_VAL;

  auto operator<=>(const Cost&) const = default;
};

// Larger than any cosine: a segment of zero length has no direction.
constexpr double no_direction = 2;

Cost cost_at_joint(const Vec3& point, const Vec3& joint, const Vec3& other_end) {
  const Vec3 along = other_end - joint, to_point = point - joint;
  const double lengths = norm(along) * norm(to_point);
  const double turn = norm(along) == 0 ? no_direction : lengths > 0 ? -dot(to_point, along) / lengths : 0;
  return {norm(to_point), turn};
}

Cost segment_cost(const Vec3& point, const BoneSegment& segment) {
  const Vec3 axis = segment.tail - segment.head;
  const double along = dot(point - segment.head, axis), length = squared_norm(axis);
  if (along <= 0) return cost_at_joint(point, segment.head, segment.tail);
  if (along >= length) return cost_at_joint(point, segment.tail, segment.head);
  return {distance(point, segment.head + axis * (along / length)), 0};
}

Cost midpoint_cost(const Vec3& point, const BoneSegment& segment) {
  return {distance(point, (segment.head + segment.tail) * 0.5), 0};
}

Cost joint_cost(const Vec3& point, const BoneSegment& segment) {
  return std::min(cost_at_joint(point, segment.head, segment.tail), cost_at_joint(point, segment.tail, segment.head));
}

Cost bone_cost(const Vec3& point, const Bone& bone, ClusterRule rule) {
  Cost least;
  for (const BoneSegment& segment : bone.segments)
    least = std::min(least, rule == ClusterRule::segment    ? segment_cost(point, segment)
                            : rule == ClusterRule::midpoint ? midpoint_cost(point, segment)
                                                            : joint_cost(point, segment));
  return least;
}

void check_arguments(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> given) {
  if (bones.empty()) throw usage_error("there are no bones whose rotations the body could take; give at least one.");
  if (mesh.tetrahedra.empty()) throw usage_error("the body has no elements; mesh it first.");
  for (const Bone& bone : bones) {
    bool finite = !bone.segments.empty();
    for (const BoneSegment& segment : bone.segments)
      finite = finite && is_finite(segment.head) && is_finite(segment.tail);
    if (!finite) throw usage_error("bone '" + bone.name + "' has no finite segment; mend its joint's rest transform.");
  }
  if (given.empty()) return;
  if (given.size() != mesh.tetrahedra.size())
    throw usage_error("there are " + std::to_string(given.size()) + " bones given for " +
                      std::to_string(mesh.tetrahedra.size()) + " elements; give one each, -1 for none.");
  for (std::size_t t = 0; t < given.size(); ++t)
    if (given[t] < -1 || given[t] >= static_cast<int>(bones.size()))
      throw usage_error("element " + std::to_string(t) + " is given bone " + std::to_string(given[t]) + " of " +
                        std::to_string(bones.size()) + "; give one that there is, or -1.");
}

std::vector<Vec3> barycentres(const TetrahedralMesh& mesh) {
  std::vector<Vec3> centres;
  centres.reserve(mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Vec3 sum;
    for (const int v : t) sum += mesh.positions[index(v)];
    centres.push_back(sum / 4);
  }
  return centres;
}

// Per vertex, those that share an edge with it.
Rows neighbours_of_vertices(const TetrahedralMesh& mesh) {
  std::vector<int> corners;
  corners.reserve(4 * mesh.tetrahedra.size());
  for (const Tetrahedron& t : mesh.tetrahedra) corners.insert(corners.end(), t.begin(), t.end());
  SparsePattern pattern = element_pattern(static_cast<int>(mesh.positions.size()), corners, 4);
  return {std::move(pattern.row_start), std::move(pattern.column)};
}

std::size_t nearest_position(std::span<const Vec3> positions, const Vec3& point) {
  const auto nearer = [&](const Vec3& a, const Vec3& b) { return squared_norm(a - point) < squared_norm(b - point); };
  return static_cast<std::size_t>(std::min_element(positions.begin(), positions.end(), nearer) - positions.begin());
}

// Starting elements of paths to a bone through the body: the tetrahedra whose sphere around the barycentre the bone
// passes through, or, if there are none, those nearest to points along the bone. (The sphere is larger than the
// tetrahedron; elements that the bone does not really meet do not become nearer by that.)
std::vector<int> tetrahedra_at_bone(const TetrahedralMesh& mesh, std::span<const Vec3> centres, const Bone& bone) {
  std::vector<int> met;
  for (std::size_t t = 0; t < centres.size(); ++t) {
    double radius = 0;
    for (const int v : mesh.tetrahedra[t]) radius = std::max(radius, distance(mesh.positions[index(v)], centres[t]));
    if (distance_to_bone(bone, centres[t]) <= radius) met.push_back(static_cast<int>(t));
  }
  if (!met.empty()) return met;
  for (const BoneSegment& segment : bone.segments)
    for (int k = 0; k <= outside_samples; ++k) {
      const double along = static_cast<double>(k) / outside_samples;
      met.push_back(static_cast<int>(nearest_position(centres, segment.head * (1 - along) + segment.tail * along)));
    }
  return met;
}

// Length of the shortest path from each vertex to the bone along edges of the mesh, metres; infinite if there is none.
// (Dijkstra)
std::vector<double> path_lengths_to_bone(const TetrahedralMesh& mesh, std::span<const Vec3> centres,
                                         const Rows& neighbours, const Bone& bone) {
  std::vector<double> length_to(mesh.positions.size(), HUGE_VAL);
  using Arrival = std::pair<double, int>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> queue;
  const auto arrive = [&](int v, double length) {
    if (length >= length_to[index(v)]) return;
    length_to[index(v)] = length;
    queue.push({length, v});
  };
  for (const int t : tetrahedra_at_bone(mesh, centres, bone))
    for (const int v : mesh.tetrahedra[index(t)]) arrive(v, distance_to_bone(bone, mesh.positions[index(v)]));
  while (!queue.empty()) {
    const auto [length, v] = queue.top();
    queue.pop();
    if (length > length_to[index(v)]) continue;
    for (const int next : neighbours[index(v)])
      arrive(next, length + distance(mesh.positions[index(v)], mesh.positions[index(next)]));
  }
  return length_to;
}

// Cost of a bone per tetrahedron; infinite if no path leads to it.
std::vector<Cost> costs_of_bone(const TetrahedralMesh& mesh, std::span<const Vec3> centres, const Rows& neighbours,
                                const Bone& bone, ClusterRule rule) {
  const std::vector<double> length_to = path_lengths_to_bone(mesh, centres, neighbours, bone);
  std::vector<Cost> costs(centres.size());
  for (std::size_t t = 0; t < centres.size(); ++t) {
    // No straight line within the body is shorter than this.
    double bound = HUGE_VAL;
    for (const int v : mesh.tetrahedra[t])
      bound = std::min(bound, straightness * length_to[index(v)] - distance(mesh.positions[index(v)], centres[t]));
    if (bound == HUGE_VAL) continue;
    costs[t] = bone_cost(centres[t], bone, rule);
    costs[t].distance = std::max(costs[t].distance, bound);
  }
  return costs;
}

// The bone of least cost of each tetrahedron; -1 if there is no path to any.
std::vector<int> cheapest_bones(const TetrahedralMesh& mesh, std::span<const Vec3> centres, std::span<const Bone> bones,
                                ClusterRule rule) {
  const Rows neighbours = neighbours_of_vertices(mesh);
  std::vector<int> cheapest(centres.size(), -1);
  std::vector<Cost> least(centres.size());
  std::vector<std::vector<Cost>> costs(bones_at_once);
  for (std::size_t first = 0; first < bones.size(); first += bones_at_once) {
    const std::size_t count = std::min(bones_at_once, bones.size() - first);
    parallel_for(count, 1,
                 [&](std::size_t k) { costs[k] = costs_of_bone(mesh, centres, neighbours, bones[first + k], rule); });
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t t = 0; t < centres.size(); ++t)
        if (costs[k][t] < least[t]) {
          least[t] = costs[k][t];
          cheapest[t] = static_cast<int>(first + k);
        }
  }
  return cheapest;
}

// Gives tetrahedra without a bone that of the nearest one that has any.
void follow_nearest(std::span<const Vec3> centres, std::vector<int>& cluster, std::span<const char> boneless) {
  // Points are triangles without extent; ordered by position, so that the numbering of elements does not matter.
  std::vector<int> sources;
  for (std::size_t t = 0; t < centres.size(); ++t)
    if (!boneless[t]) sources.push_back(static_cast<int>(t));
  if (sources.empty() || sources.size() == centres.size()) return;
  std::sort(sources.begin(), sources.end(), [&](int a, int b) {
    const Vec3 &p = centres[index(a)], &q = centres[index(b)];
    return std::array{p.x, p.y, p.z} < std::array{q.x, q.y, q.z};
  });
  TriangleMesh points;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    points.positions.push_back(centres[index(sources[k])]);
    const auto corner = static_cast<int>(k);
    points.triangles.push_back({corner, corner, corner});
  }
  const BoundingVolumeHierarchy tree(points);
  parallel_for(centres.size(), rotation_clusters_grain, [&](std::size_t t) {
    if (!boneless[t]) return;
    cluster[t] = cluster[index(sources[index(tree.closest_point(centres[t]).triangle)])];
  });
}

}  // namespace

double distance_to_bone(const Bone& bone, const Vec3& point) {
  double least = HUGE_VAL;
  for (const BoneSegment& segment : bone.segments) least = std::min(least, segment_cost(point, segment).distance);
  return least;
}

void follow_nearest_elements(const TetrahedralMesh& mesh, RotationClusters& clusters) {
  follow_nearest(barycentres(mesh), clusters.bone, clusters.boneless);
}

RotationClusters rotation_clusters(const TetrahedralMesh& mesh, std::span<const Bone> bones, ClusterRule rule,
                                   std::span<const int> given) {
  check_arguments(mesh, bones, given);
  const std::vector<Vec3> centres = barycentres(mesh);
  RotationClusters clusters{cheapest_bones(mesh, centres, bones, rule), {}};
  for (const int bone : clusters.bone) clusters.boneless.push_back(bone < 0);
  follow_nearest(centres, clusters.bone, clusters.boneless);
  for (std::size_t t = 0; t < given.size(); ++t)
    if (given[t] >= 0) clusters.bone[t] = given[t];
  return clusters;
}

}  // namespace sinew
