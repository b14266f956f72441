#include "sinew/cook/parts_on_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "sinew/base/index.h"
#include "sinew/base/smooth_step.h"
#include "sinew/cook/keep_rigid.h"
#include "sinew/linalg/symmetric_eigen.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/winding_number.h"

namespace sinew {
namespace {

constexpr double touching = 0.01;  // of the longest side: distance below which parts and skin touch
constexpr double fades = 0.5;      // of the part's extent: distance over which the skin beyond follows less and less
// Share of the part's bone and its relatives in a vertex's weight: the vertex begins to follow at the first, and
// follows fully at the second.
constexpr double least_belonging = 0.2, full_belonging = 0.6;
constexpr std::size_t fewest_feet = 3;
constexpr double steady = 0.25;   // of the part's RMS radius
constexpr double free_lever = 2;  // stands_free()
constexpr double same_skin = 0.25;

Box grown_by(const Box& box, double reach) {
  const Vec3 margin{reach, reach, reach};
  Box grown = box;
  grown.include(box.lower - margin);
  grown.include(box.upper + margin);
  return grown;
}

double longest_side_of(const Box& box) {
  const Vec3 sides = box.upper - box.lower;
  return std::max({sides.x, sides.y, sides.z});
}

Box box_of(const TriangleMesh& rest, const RigidPart& part) {
  Box box;
  for (const int v : part.vertices) box.include(rest.positions[index(v)]);
  return box;
}

Box box_of(const TriangleMesh& rest, const std::vector<Foot>& feet) {
  Box box;
  for (const Foot& foot : feet) box.include(rest.positions[index(foot.vertex)]);
  return box;
}

// Number of each surface vertex's part, or -1.
std::vector<int> part_of_vertex(const SimulationSurface& surface, const std::vector<RigidPart>& parts) {
  std::vector<int> of(surface.rest.positions.size(), -1);
  for (std::size_t k = 0; k < parts.size(); ++k)
    for (const int v : parts[k].vertices) of[index(v)] = static_cast<int>(k);
  return of;
}

TriangleMesh triangles_of(const TriangleMesh& mesh, const std::vector<int>& part_at, int part) {
  TriangleMesh result{mesh.positions, {}};
  for (const Triangle& t : mesh.triangles)
    if (std::all_of(t.begin(), t.end(), [&](int v) { return part_at[index(v)] == part; }))
      result.triangles.push_back(t);
  return result;
}

double share_of_kin(const SimulationSurface& surface, int vertex, int bone) {
  const auto parent = [&](int b) { return b < 0 ? -1 : surface.bones[index(b)].parent; };
  const Influences& on = surface.influences[index(vertex)];
  double share = 0;
  for (std::size_t k = 0; k < index(on.count); ++k) {
    const int other = on.joint[k];
    if (other == bone || other == parent(bone) || parent(other) == bone ||
        (parent(bone) >= 0 && parent(other) == parent(bone)))
      share += on.weight[k];
  }
  return share;
}

// Share, [0, 1], by which a skin vertex can follow a part on this bone.
double belonging(const SimulationSurface& surface, int vertex, int bone) {
  return smooth_step((share_of_kin(surface, vertex, bone) - least_belonging) / (full_belonging - least_belonging));
}

// The part's vertices on triangles of skin that they touch and that belong to it.
std::vector<Foot> feet_of(const SimulationSurface& surface, const BoundingVolumeHierarchy& skin, const RigidPart& part,
                          double near) {
  std::vector<Foot> feet;
  for (const int v : part.vertices) {
    const ClosestPoint found = skin.closest_point(surface.rest.positions[index(v)], near);
    if (found.triangle < 0) continue;
    const Triangle& corners = skin.surface().triangles[index(found.triangle)];
    if (std::all_of(corners.begin(), corners.end(), [&](int c) { return belonging(surface, c, part.bone) > 0; }))
      feet.push_back({v, corners, found.barycentric});
  }
  return feet;
}

// Union-find over numbers [0, count): a parent is never larger than its child.
struct Joined {
  std::vector<int> parent;
  explicit Joined(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
  int root(int k) const {
    while (parent[index(k)] != k) k = parent[index(k)];
    return k;
  }
  void join(int a, int b) {
    a = root(a), b = root(b);
    parent[index(std::max(a, b))] = std::min(a, b);
  }
};

bool touch(const TriangleMesh& rest, const RigidPart& a, const BoundingVolumeHierarchy& b, double near) {
  return std::any_of(a.vertices.begin(), a.vertices.end(),
                     [&](int v) { return b.closest_point(rest.positions[index(v)], near).triangle >= 0; });
}

// Parts that are joined, as one; `first`: number of the first of them.
struct Merged {
  std::vector<RigidPart> parts;
  std::vector<std::size_t> first;
};

Merged merged(const std::vector<RigidPart>& parts, const Joined& joined) {
  Merged whole;
  std::vector<int> place(parts.size(), -1);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    int& at = place[index(joined.root(static_cast<int>(k)))];
    if (at < 0) {
      at = static_cast<int>(whole.parts.size());
      whole.parts.push_back(parts[k]);
      whole.first.push_back(k);
      continue;
    }
    std::vector<int>& vertices = whole.parts[index(at)].vertices;
    vertices.insert(vertices.end(), parts[k].vertices.begin(), parts[k].vertices.end());
    std::sort(vertices.begin(), vertices.end());
  }
  return whole;
}

// Parts of one bone that touch each other are one.
std::vector<RigidPart> joined_where_they_touch(const SimulationSurface& surface, const std::vector<int>& part_at,
                                               const std::vector<RigidPart>& parts, double near) {
  Joined joined(parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const TriangleMesh mesh = triangles_of(surface.rest, part_at, static_cast<int>(k));
    const BoundingVolumeHierarchy tree(mesh);
    const Box around = grown_by(box_of(surface.rest, parts[k]), near);
    for (std::size_t other = 0; other < parts.size(); ++other)
      if (other != k && parts[other].bone == parts[k].bone &&
          joined.root(static_cast<int>(k)) != joined.root(static_cast<int>(other)) &&
          overlap(around, box_of(surface.rest, parts[other])) && touch(surface.rest, parts[other], tree, near))
        joined.join(static_cast<int>(k), static_cast<int>(other));
  }
  return merged(parts, joined).parts;
}

// Shares of a part's weight that skin vertices carry; their sum is 1.
std::map<int, double> carried_shares(const std::vector<Foot>& feet) {
  std::map<int, double> share;
  for (const Foot& foot : feet)
    for (std::size_t k = 0; k < 3; ++k) share[foot.corners[k]] += foot.place[k] / static_cast<double>(feet.size());
  return share;
}

// Parts of one bone that follow the same skin are one: those that have more than `same_skin` of their shares in common.
// Two eyes between which the skin has a single vertex have a hundredth. `own`: per part, 1 if it follows its own flesh.
Merged joined_on_skin(const SimulationSurface& surface, const BoundingVolumeHierarchy& skin,
                      const std::vector<RigidPart>& parts, const std::vector<char>& own, double near) {
  std::map<int, std::vector<std::pair<int, double>>> on_vertex;  // parts on a vertex of skin, with their shares
  std::map<std::pair<int, int>, double> common;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (own[k]) continue;
    for (const auto& [vertex, share] : carried_shares(feet_of(surface, skin, parts[k], near))) {
      for (const auto& [other, of_other] : on_vertex[vertex])
        if (parts[index(other)].bone == parts[k].bone)
          common[{other, static_cast<int>(k)}] += std::min(share, of_other);
      on_vertex[vertex].emplace_back(static_cast<int>(k), share);
    }
  }
  Joined joined(parts.size());
  for (const auto& [pair, share] : common)
    if (share > same_skin) joined.join(pair.first, pair.second);
  return merged(parts, joined);
}

// `own`: the part follows its own flesh.
RigidFooting footing_of(const SimulationSurface& surface, const RigidPart& part, std::vector<Foot> feet, bool own) {
  RigidFooting footing;
  footing.on = rigid_group(part);
  if (own || feet.size() < fewest_feet) return footing;
  Vec3 middle;
  double square = 0;
  const std::vector<Vec3>& x = surface.rest.positions;
  for (std::size_t k = 0; k < part.vertices.size(); ++k) middle += footing.on.weight[k] * x[index(part.vertices[k])];
  for (std::size_t k = 0; k < part.vertices.size(); ++k)
    square += footing.on.weight[k] * squared_norm(x[index(part.vertices[k])] - middle);
  footing.steadying = steady * steady * square;
  footing.on.vertices.clear();
  for (const Foot& foot : feet) footing.on.vertices.push_back(foot.vertex);
  footing.on.weight.assign(feet.size(), 1.0 / static_cast<double>(feet.size()));
  footing.feet = std::move(feet);
  return footing;
}

// Skin vertices with their distance to a part, metres; 0 inside it and at the corners of triangles that it lies on.
std::map<int, double> skin_near(const TriangleMesh& rest, const BoundingVolumeHierarchy& skin,
                                const std::vector<Foot>& feet, const Box& box, const BoundingVolumeHierarchy& part,
                                double reach) {
  std::map<int, double> near;
  for (const Foot& foot : feet)
    for (const int corner : foot.corners) near[corner] = 0;
  const WindingNumber winding(part);
  skin.for_each_overlapping(grown_by(box, reach), [&](int triangle) {
    for (const int v : skin.surface().triangles[index(triangle)]) {
      if (near.contains(v)) continue;
      const Vec3& x = rest.positions[index(v)];
      if (const ClosestPoint found = part.closest_point(x, reach); found.triangle >= 0)
        near.try_emplace(v, std::abs(winding(x)) > 0.5 ? 0 : distance(found.point, x));
    }
  });
  return near;
}

// The list is sorted by vertices. A vertex that several parts move is shared between them.
void share_skin(std::vector<GluedVertex>& glued) {
  std::stable_sort(glued.begin(), glued.end(),
                   [](const GluedVertex& a, const GluedVertex& b) { return a.vertex < b.vertex; });
  for (std::size_t k = 0; k < glued.size();) {
    std::size_t end = k;
    double sum = 0;
    for (; end < glued.size() && glued[end].vertex == glued[k].vertex; ++end) sum += glued[end].weight;
    for (; k < end; ++k) glued[k].weight /= std::max(sum, 1.0);
  }
}

}  // namespace

// The sum of the two largest eigenvalues of M - 4 C is positive for such an axis, where M and C are the mean outer
// products of the arms of the vertices and of the feet: the mean squared distance from an axis a is tr(M) - a^T M a.
bool stands_free(std::span<const Vec3> rest, const RigidPart& part, std::span<const Foot> feet) {
  if (feet.empty()) return true;
  Vec3 middle;
  for (const Foot& foot : feet) middle += rest[index(foot.vertex)] / static_cast<double>(feet.size());
  Mat3 spread = Mat3::zero();
  const auto add = [&](int vertex, double weight) {
    const Vec3 arm = rest[index(vertex)] - middle;
    spread += outer(arm, arm) * weight;
  };
  for (const int v : part.vertices) add(v, 1 / static_cast<double>(part.vertices.size()));
  for (const Foot& foot : feet) add(foot.vertex, -free_lever * free_lever / static_cast<double>(feet.size()));
  std::array<double, 9> numbers{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) numbers[3 * i + j] = spread(i, j);
  const std::vector<double> values = symmetric_eigen(numbers, 3).values;
  return values[0] + values[1] > 0;
}

PartsOnSkin parts_on_skin(const SimulationSurface& surface, const std::vector<RigidPart>& parts,
                          const std::function<bool(const RigidPart&)>& has_flesh) {
  PartsOnSkin on;
  const std::vector<int> first = part_of_vertex(surface, parts);
  const TriangleMesh skin = triangles_of(surface.rest, first, -1);
  const BoundingVolumeHierarchy skin_tree(skin);
  const double near = touching * longest_side(surface);
  const std::vector<RigidPart> touching_parts = joined_where_they_touch(surface, first, parts, near);
  std::vector<char> own;
  for (const RigidPart& part : touching_parts)
    own.push_back(has_flesh && has_flesh(part) &&
                  stands_free(surface.rest.positions, part, feet_of(surface, skin_tree, part, near)));
  Merged whole = joined_on_skin(surface, skin_tree, touching_parts, own, near);
  on.parts = std::move(whole.parts);
  const std::vector<int> part_at = part_of_vertex(surface, on.parts);
  for (std::size_t g = 0; g < on.parts.size(); ++g) {
    const RigidPart& part = on.parts[g];
    const bool follows_own = own[whole.first[g]] != 0;
    std::vector<Foot> feet = feet_of(surface, skin_tree, part, near);
    const TriangleMesh mesh = triangles_of(surface.rest, part_at, static_cast<int>(g));
    if (!feet.empty() && !mesh.triangles.empty()) {
      const Box box = box_of(surface.rest, part);
      const Box standing = follows_own ? box_of(surface.rest, feet) : box;
      const double fading = std::max(near, fades * longest_side_of(standing));
      for (const auto& [v, away] :
           skin_near(surface.rest, skin_tree, feet, box, BoundingVolumeHierarchy(mesh), near + fading))
        if (const double weight = smooth_step(1 - (away - near) / fading) * belonging(surface, v, part.bone);
            weight > 0)
          on.glued.push_back({v, static_cast<int>(g), weight});
    }
    on.footing.push_back(footing_of(surface, part, std::move(feet), follows_own));
  }
  share_skin(on.glued);
  return on;
}

}  // namespace sinew
