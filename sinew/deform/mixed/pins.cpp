#include "sinew/deform/mixed/pins.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/topology.h"

namespace sinew {
namespace {

// Further pins of a part are looked for among the vertices at least this share of the largest distance away.
constexpr double spread = 0.25;
// Pins are in one place or in line where they are no farther from it than this share of the part's size.
constexpr double in_line = 1e-6;

void check_arguments(const TetrahedralMesh& mesh, std::span<const Bone> bones, const RotationClusters& clusters,
                     const BonePinOptions& options) {
  if (options.least_per_part < 1 || options.least_per_part > 3)
    throw usage_error("a part of the body gets at least 1 to 3 pins, not " + std::to_string(options.least_per_part) +
                      "; give one of these.");
  if (clusters.bone.size() != mesh.tetrahedra.size() || clusters.boneless.size() != mesh.tetrahedra.size())
    throw usage_error("there are bones for " + std::to_string(clusters.bone.size()) + " elements of " +
                      std::to_string(mesh.tetrahedra.size()) + "; give one each.");
  for (std::size_t t = 0; t < clusters.bone.size(); ++t)
    if (clusters.bone[t] < 0 || index(clusters.bone[t]) >= bones.size())
      throw usage_error("element " + std::to_string(t) + " has bone " + std::to_string(clusters.bone[t]) + " of " +
                        std::to_string(bones.size()) + "; give one that there is.");
}

// Per bone, the vertices of its cluster where the bone reaches, ascending.
std::vector<std::vector<int>> cluster_vertices(const TetrahedralMesh& mesh, std::size_t bones,
                                               const RotationClusters& clusters) {
  std::vector<std::vector<int>> vertices(bones);
  for (std::size_t t = 0; t < clusters.bone.size(); ++t)
    for (std::size_t k = 0; k < 4 && !clusters.boneless[t]; ++k)
      vertices[index(clusters.bone[t])].push_back(mesh.tetrahedra[t][k]);
  for (std::vector<int>& of_bone : vertices) {
    std::sort(of_bone.begin(), of_bone.end());
    of_bone.erase(std::unique(of_bone.begin(), of_bone.end()), of_bone.end());
  }
  return vertices;
}

// Joints and midpoints that a bone is pinned at.
std::vector<Vec3> pinned_places(std::span<const Bone> bones, const Bone& bone) {
  std::vector<Vec3> points;
  const auto add = [&](const Vec3& p) {
    if (std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
  };
  for (const BoneSegment& segment : bone.segments) add(segment.head);
  for (const BoneSegment& segment : bone.segments) add((segment.head + segment.tail) * 0.5);
  for (const BoneSegment& segment : bone.segments) {
    bool begins_another = false;
    for (const Bone& other : bones)
      for (const BoneSegment& s : other.segments) begins_another = begins_another || s.head == segment.tail;
    if (!begins_another) add(segment.tail);
  }
  return points;
}

// The vertex that is not taken yet and has the least score; -1 where there is none. `score` is infinite for vertices
// that do not come into question.
template <class Score>
int best_vertex(std::span<const int> vertices, std::span<const char> taken, const Score& score) {
  int best = -1;
  double least = HUGE_VAL;
  for (const int v : vertices) {
    if (taken[index(v)]) continue;
    if (const double s = score(v); s < least) {
      least = s;
      best = v;
    }
  }
  return best;
}

void pin(BonePins& pins, std::vector<char>& taken, int vertex, int bone) {
  pins.vertex.push_back(vertex);
  pins.bone.push_back(bone);
  taken[index(vertex)] = 1;
}

void pin_bones(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::size_t pinned,
               const RotationClusters& clusters, BonePins& pins, std::vector<char>& taken) {
  const std::vector<std::vector<int>> vertices = cluster_vertices(mesh, bones.size(), clusters);
  for (std::size_t b = 0; b < std::min(bones.size(), pinned); ++b)
    for (const Vec3& place : pinned_places(bones, bones[b])) {
      const int v = best_vertex(vertices[b], taken, [&](int u) { return distance(mesh.positions[index(u)], place); });
      if (v >= 0) pin(pins, taken, v, static_cast<int>(b));
    }
}

// Parts of the body, numbered by their first vertex.
struct Parts {
  std::vector<int> of_vertex;              // -1 where no element uses it
  std::vector<std::vector<int>> vertices;  // per part, ascending
};

Parts connected_parts(const TetrahedralMesh& mesh) {
  DisjointSets sets(mesh.positions.size());
  std::vector<char> used(mesh.positions.size(), 0);
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const int v : t) {
      sets.unite(t[0], v);
      used[index(v)] = 1;
    }
  Parts parts{std::vector<int>(mesh.positions.size(), -1), {}};
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    // The smallest member represents its set, and comes first.
    const std::size_t first = index(sets.find(static_cast<int>(v)));
    if (first == v) {
      parts.of_vertex[v] = static_cast<int>(parts.vertices.size());
      parts.vertices.emplace_back();
    }
    parts.of_vertex[v] = parts.of_vertex[first];
    parts.vertices[index(parts.of_vertex[v])].push_back(static_cast<int>(v));
  }
  return parts;
}

// The bone of each vertex: the lowest of the clusters around it, -1 where there is no element.
std::vector<int> bones_of_vertices(const TetrahedralMesh& mesh, std::span<const int> clusters) {
  std::vector<int> bone(mesh.positions.size(), -1);
  for (std::size_t t = 0; t < clusters.size(); ++t)
    for (const int v : mesh.tetrahedra[t])
      bone[index(v)] = bone[index(v)] < 0 ? clusters[t] : std::min(bone[index(v)], clusters[t]);
  return bone;
}

// The smallest point, line or plane that holds the points added, up to the plane.
class Flat {
 public:
  void add(const Vec3& p) {
    if (points_ == 0) origin_ = p;
    if (points_ == 1) axis_ = normalized(p - origin_);
    ++points_;
  }
  int points() const { return points_; }  // that span it
  // Distance of p from the point or line, metres; infinite while there is none.
  double distance_to(const Vec3& p) const {
    if (points_ == 0) return HUGE_VAL;
    const Vec3 offset = p - origin_;
    return norm(points_ == 1 ? offset : offset - axis_ * dot(offset, axis_));
  }

 private:
  int points_ = 0;
  Vec3 origin_, axis_;
};

// The point, line or plane that pinned vertices span. The farthest vertex is added next, so that the line is long.
Flat flat_through(std::span<const int> pinned, std::span<const Vec3> rest, double tolerance) {
  Flat flat;
  while (flat.points() < 3) {
    double most = tolerance;
    int farthest = -1;
    for (const int v : pinned)
      if (const double away = flat.distance_to(rest[index(v)]); away > most) {
        most = away;
        farthest = v;
      }
    if (farthest < 0) break;
    flat.add(rest[index(farthest)]);
  }
  return flat;
}

void complete_part(const TetrahedralMesh& mesh, std::span<const Bone> bones, std::span<const int> bone_of_vertex,
                   std::span<const int> vertices, int least, BonePins& pins, std::vector<char>& taken) {
  const std::vector<Vec3>& rest = mesh.positions;
  std::vector<int> pinned;
  Box box;
  for (const int v : vertices) {
    if (taken[index(v)]) pinned.push_back(v);
    box.include(rest[index(v)]);
  }
  Flat flat = flat_through(pinned, rest, in_line * distance(box.lower, box.upper));
  while (flat.points() < least) {
    double most = 0;
    for (const int v : vertices) most = std::max(most, flat.distance_to(rest[index(v)]));
    const int v = best_vertex(vertices, taken, [&](int u) {
      const Vec3& p = rest[index(u)];
      return flat.distance_to(p) >= spread * most ? distance_to_bone(bones[index(bone_of_vertex[index(u)])], p)
                                                  : HUGE_VAL;
    });
    if (v < 0) break;
    pin(pins, taken, v, bone_of_vertex[index(v)]);
    flat.add(rest[index(v)]);
  }
}

std::vector<BonelessPart> boneless_parts(const TetrahedralMesh& mesh, std::size_t bones,
                                         const RotationClusters& clusters, const Parts& parts) {
  std::vector<char> reached(parts.vertices.size(), 0);
  std::vector<std::vector<int>> tetrahedra(parts.vertices.size());
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const std::size_t part = index(parts.of_vertex[index(mesh.tetrahedra[t][0])]);
    if (clusters.boneless[t])
      tetrahedra[part].push_back(static_cast<int>(t));
    else
      reached[part] = 1;
  }
  std::vector<BonelessPart> result;
  for (std::size_t part = 0; part < parts.vertices.size(); ++part) {
    if (reached[part]) continue;
    std::vector<double> volume_of_bone(bones, 0.0);
    for (const int t : tetrahedra[part]) {
      const auto x = [&](std::size_t k) { return mesh.positions[index(mesh.tetrahedra[index(t)][k])]; };
      volume_of_bone[index(clusters.bone[index(t)])] += volume(x(0), x(1), x(2), x(3));
    }
    const auto most = std::max_element(volume_of_bone.begin(), volume_of_bone.end());
    BonelessPart report{
        static_cast<int>(parts.vertices[part].size()), static_cast<int>(most - volume_of_bone.begin()), {}};
    for (const int v : parts.vertices[part]) report.centre += mesh.positions[index(v)] / report.vertices;
    result.push_back(report);
  }
  return result;
}

}  // namespace

BonePins bone_pins(const TetrahedralMesh& mesh, std::span<const Bone> bones, const RotationClusters& clusters,
                   const BonePinOptions& options, BonePins given) {
  check_arguments(mesh, bones, clusters, options);
  BonePins pins = std::move(given);
  std::vector<char> taken(mesh.positions.size(), 0);
  for (const int v : pins.vertex) taken[index(v)] = 1;
  pin_bones(mesh, bones, options.pinned_bones, clusters, pins, taken);
  const Parts parts = connected_parts(mesh);
  const std::vector<int> bone_of_vertex = bones_of_vertices(mesh, clusters.bone);
  for (const std::vector<int>& vertices : parts.vertices)
    complete_part(mesh, bones, bone_of_vertex, vertices, options.least_per_part, pins, taken);
  pins.boneless_parts = boneless_parts(mesh, bones.size(), clusters, parts);
  return pins;
}

MixedPins held_pins(const BonePins& pins) { return {pins.vertex, {}, {}}; }

MixedPins tied_pins(const BonePins& pins, double stiffness, std::size_t held) {
  if (!(stiffness > 0) || !std::isfinite(stiffness))
    throw usage_error("springs without stiffness tie nothing; give pins a positive number of newtons per metre.");
  const auto first_tied = pins.vertex.begin() + static_cast<std::ptrdiff_t>(std::min(held, pins.vertex.size()));
  MixedPins result{{pins.vertex.begin(), first_tied}, {first_tied, pins.vertex.end()}, {}};
  result.spring.assign(result.tied.size(), stiffness);
  return result;
}

std::vector<Vec3> pin_positions(const BonePins& pins, std::span<const Vec3> rest, std::span<const Affine> bones) {
  std::vector<Vec3> positions;
  positions.reserve(pins.vertex.size());
  for (std::size_t k = 0; k < pins.vertex.size(); ++k) {
    if (index(pins.bone[k]) >= bones.size() || index(pins.vertex[k]) >= rest.size())
      throw usage_error("vertex " + std::to_string(pins.vertex[k]) + " is pinned to bone " +
                        std::to_string(pins.bone[k]) + ", but the pose or the body has fewer; give all of them.");
    positions.push_back(bones[index(pins.bone[k])] * rest[index(pins.vertex[k])]);
  }
  return positions;
}

}  // namespace sinew
