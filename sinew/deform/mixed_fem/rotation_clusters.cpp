#include "sinew/deform/mixed_fem/rotation_clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 1024;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Compared one after the other. `turn` is minus the cosine of the angle between the way from the joint to the point
// and the segment, where the nearest point is a joint; 0 elsewhere, which continues it.
struct Cost {
  double distance = HUGE_VAL;  // metres
  double turn = HUGE_VAL;

  auto operator<=>(const Cost&) const = default;
};

// More than any cosine: a segment of no length has no direction that could speak for it.
constexpr double no_direction = 2;

Cost cost_at_joint(const Vec3& point, const Vec3& joint, const Vec3& other_end) {
  const Vec3 along = other_end - joint, way = point - joint;
  const double lengths = norm(along) * norm(way);
  const double turn = norm(along) == 0 ? no_direction : lengths > 0 ? -dot(way, along) / lengths : 0;
  return {norm(way), turn};
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

// Per tetrahedron, those that share a face with it.
Rows face_neighbours(const TetrahedralMesh& mesh) {
  struct Face {
    std::array<int, 3> corners;
    int tetrahedron;
    auto operator<=>(const Face&) const = default;
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tetrahedra.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& c = mesh.tetrahedra[t];
    for (std::array<int, 3> corners : {std::array{c[1], c[2], c[3]}, std::array{c[0], c[2], c[3]},
                                       std::array{c[0], c[1], c[3]}, std::array{c[0], c[1], c[2]}}) {
      std::sort(corners.begin(), corners.end());
      faces.push_back({corners, static_cast<int>(t)});
    }
  }
  std::sort(faces.begin(), faces.end());
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t first = 0, last = 0; first < faces.size(); first = last) {
    while (last < faces.size() && faces[last].corners == faces[first].corners) ++last;
    for (std::size_t a = first; a < last; ++a)
      for (std::size_t b = first; b < last; ++b)
        if (a != b) pairs.push_back({faces[a].tetrahedron, faces[b].tetrahedron});
  }
  std::sort(pairs.begin(), pairs.end());
  Rows rows;
  for (const auto& [from, to] : pairs) {
    while (static_cast<int>(rows.size()) <= from) rows.offsets.push_back(static_cast<int>(rows.items.size()));
    rows.items.push_back(to);
    rows.offsets.back() = static_cast<int>(rows.items.size());
  }
  while (rows.size() < mesh.tetrahedra.size()) rows.offsets.push_back(static_cast<int>(rows.items.size()));
  return rows;
}

// The tetrahedra whose sphere around the barycentre a bone passes through; the nearest ones where there are none. More
// than the bone really meets do no harm: they compete at their own cost.
std::vector<int> seeds_of_bone(const TetrahedralMesh& mesh, std::span<const Vec3> centres, const Bone& bone) {
  std::vector<int> inside, nearest;
  double least = HUGE_VAL;
  for (std::size_t t = 0; t < centres.size(); ++t) {
    const double away = distance_to_bone(bone, centres[t]);
    double radius = 0;
    for (const int v : mesh.tetrahedra[t]) radius = std::max(radius, distance(mesh.positions[index(v)], centres[t]));
    if (away <= radius) inside.push_back(static_cast<int>(t));
    if (away < least) nearest.clear();
    if (away <= least) nearest.push_back(static_cast<int>(t));
    least = std::min(least, away);
  }
  return inside.empty() ? nearest : inside;
}

struct Arrival {
  Cost cost;  // the largest on the way
  int bone;
  int tetrahedron;
  auto operator<=>(const Arrival&) const = default;
};

// Dijkstra's algorithm with paths as costly as their costliest element. Arrivals come in ascending order of cost and
// bone, and an element that is taken passes on its own bone only, so that clusters hang together with their bone.
// -1 where no bone arrives.
std::vector<int> grow_clusters(const TetrahedralMesh& mesh, std::span<const Vec3> centres, std::span<const Bone> bones,
                               ClusterRule rule, const Rows& neighbours) {
  std::vector<std::vector<int>> seeds(bones.size());
  parallel_for(bones.size(), 1, [&](std::size_t b) { seeds[b] = seeds_of_bone(mesh, centres, bones[b]); });
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> queue;
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (const int t : seeds[b]) queue.push({bone_cost(centres[index(t)], bones[b], rule), static_cast<int>(b), t});

  std::vector<int> cluster(centres.size(), -1);
  while (!queue.empty()) {
    const Arrival arrival = queue.top();
    queue.pop();
    if (cluster[index(arrival.tetrahedron)] >= 0) continue;
    cluster[index(arrival.tetrahedron)] = arrival.bone;
    for (const int next : neighbours[index(arrival.tetrahedron)]) {
      if (cluster[index(next)] >= 0) continue;
      const Cost own = bone_cost(centres[index(next)], bones[index(arrival.bone)], rule);
      queue.push({std::max(arrival.cost, own), arrival.bone, next});
    }
  }
  return cluster;
}

// A path over whole elements is a little longer than the straight one, so that borders are not yet where they should
// be: lets each element change to the bone of a neighbour while that costs less. All change at once, by the state
// before, so that their order does not matter; costs only fall, which ends it.
void settle_borders(std::span<const Vec3> centres, std::span<const Bone> bones, ClusterRule rule,
                    const Rows& neighbours, std::vector<int>& cluster) {
  std::vector<int> next = cluster;
  do {
    cluster = next;
    parallel_for(centres.size(), grain, [&](std::size_t t) {
      if (cluster[t] < 0) return;
      std::pair<Cost, int> best{bone_cost(centres[t], bones[index(cluster[t])], rule), cluster[t]};
      for (const int neighbour : neighbours[t]) {
        const int bone = cluster[index(neighbour)];
        if (bone != cluster[t]) best = std::min(best, {bone_cost(centres[t], bones[index(bone)], rule), bone});
      }
      next[t] = best.second;
    });
  } while (next != cluster);
}

// Gives tetrahedra without a bone that of the nearest one that has any.
void follow_nearest(std::span<const Vec3> centres, std::vector<int>& cluster, std::span<const char> boneless) {
  // Points are triangles without extent; ordered by position, so that the numbering of elements does not matter.
  std::vector<int> sources;
  for (std::size_t t = 0; t < centres.size(); ++t)
    if (!boneless[t]) sources.push_back(static_cast<int>(t));
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
  parallel_for(centres.size(), grain, [&](std::size_t t) {
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

RotationClusters rotation_clusters(const TetrahedralMesh& mesh, std::span<const Bone> bones, ClusterRule rule,
                                   std::span<const int> given) {
  check_arguments(mesh, bones, given);
  const std::vector<Vec3> centres = barycentres(mesh);
  const Rows neighbours = face_neighbours(mesh);
  RotationClusters clusters{grow_clusters(mesh, centres, bones, rule, neighbours), {}};
  settle_borders(centres, bones, rule, neighbours, clusters.bone);
  for (const int bone : clusters.bone) clusters.boneless.push_back(bone < 0);
  if (std::find(clusters.boneless.begin(), clusters.boneless.end(), 1) != clusters.boneless.end())
    follow_nearest(centres, clusters.bone, clusters.boneless);
  for (std::size_t t = 0; t < given.size(); ++t)
    if (given[t] >= 0) clusters.bone[t] = given[t];
  return clusters;
}

}  // namespace sinew
