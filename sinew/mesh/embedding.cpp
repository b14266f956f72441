#include "sinew/mesh/embedding.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/tetrahedron.h"

namespace sinew {
namespace {

// Closest point of the tetrahedron's surface to a point outside it, as barycentric weights.
struct ClosestOnTetrahedron {
  double squared_distance = HUGE_VAL;
  std::array<double, 4> weights{};
};
ClosestOnTetrahedron closest_on_tetrahedron(const std::array<Vec3, 4>& corners, const Vec3& p) {
  ClosestOnTetrahedron best;
  for (const auto& face : outward_faces) {
    const ClosestPoint c = closest_point_on_triangle(p, corners[face[0]], corners[face[1]], corners[face[2]]);
    if (c.squared_distance >= best.squared_distance) continue;
    best.squared_distance = c.squared_distance;
    best.weights = {};
    for (std::size_t k = 0; k < 3; ++k) best.weights[face[k]] = c.barycentric[k];
  }
  return best;
}

// Embeds p in the allowed element that contains it deepest; tetrahedron -1 if it is outside all.
template <class Allowed>
EmbeddedPoint embed_inside(const EmbeddingSearch& search, const Vec3& p, const Allowed& allowed) {
  std::vector<int> candidates;
  search.tree().for_each_overlapping({p, p}, [&](int e) {
    if (allowed(e)) candidates.push_back(e);
  });
  std::sort(candidates.begin(), candidates.end());
  const EmbeddedPoint point = embed_in_best(search.mesh(), candidates, p);
  if (point.tetrahedron < 0) return point;
  const double tolerance = 1e-9 * search.mean_longest_edge();
  const std::array<Vec3, 4> corners = corners_of(search.mesh(), static_cast<std::size_t>(point.tetrahedron));
  return distance_outside(corners, p) <= tolerance ? point : EmbeddedPoint{};
}

void refuse_infinite(std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i]))
      throw input_error("point " + std::to_string(i) +
                        " has a position that is not a finite number; repair or delete it.");
}

std::vector<Box> tetrahedron_boxes(const TetrahedralMesh& mesh) {
  std::vector<Box> boxes(mesh.tetrahedra.size());
  for (std::size_t e = 0; e < boxes.size(); ++e)
    for (const Vec3& p : corners_of(mesh, e)) boxes[e].include(p);
  return boxes;
}

}  // namespace

double distance_outside(const std::array<Vec3, 4>& corners, const Vec3& p) {
  const std::array<double, 4> weights = barycentric_weights(corners, p);
  const double six_volumes = 6 * volume(corners[0], corners[1], corners[2], corners[3]);
  double worst = -HUGE_VAL;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = corners[outward_faces[i][0]], &b = corners[outward_faces[i][1]], &c = corners[outward_faces[i][2]];
    worst = std::max(worst, -weights[i] * six_volumes / norm(cross(b - a, c - a)));
  }
  return worst;
}

EmbeddedPoint embed_in_best(const TetrahedralMesh& mesh, std::span<const int> candidates, const Vec3& p) {
  EmbeddedPoint best;
  double best_distance = HUGE_VAL;
  for (int e : candidates) {
    const std::array<Vec3, 4> corners = corners_of(mesh, static_cast<std::size_t>(e));
    const double d = distance_outside(corners, p);
    if (d >= best_distance) continue;
    best_distance = d;
    best.tetrahedron = e;
    best.weights = barycentric_weights(corners, p);
  }
  return best;
}

EmbeddingSearch::EmbeddingSearch(const TetrahedralMesh& mesh) : mesh_(&mesh), tree_(tetrahedron_boxes(mesh)) {
  if (mesh.tetrahedra.empty()) throw input_error("the body mesh has no tetrahedra to embed points in.");
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    mean_longest_edge_ += longest_edge(corners_of(mesh, e)) / static_cast<double>(mesh.tetrahedra.size());
}

Embedding embed_points(const TetrahedralMesh& mesh, std::span<const Vec3> points,
                       const std::function<bool(std::size_t, int)>& allowed) {
  return embed_points(EmbeddingSearch(mesh), points, allowed);
}

Embedding embed_points(const EmbeddingSearch& search, std::span<const Vec3> points,
                       const std::function<bool(std::size_t, int)>& allowed) {
  refuse_infinite(points);
  const TetrahedralMesh& mesh = search.mesh();
  const BoxTree& tree = search.tree();
  const Box& all = tree.nodes()[0].box;
  const double reach = search.mean_longest_edge();
  Embedding embedding;
  embedding.points.resize(points.size());
  parallel_for(points.size(), 64, [&](std::size_t i) {
    const Vec3 p = points[i];
    EmbeddedPoint& point = embedding.points[i];
    const auto may_carry = [&](int e) { return !allowed || allowed(i, e); };
    point = embed_inside(search, p, may_carry);
    if (point.tetrahedron >= 0) return;
    // Outside: the nearest element, found in boxes that grow until they hold a ball up to it.
    std::vector<int> candidates;
    const auto gather = [&](double radius) {
      candidates.clear();
      const Vec3 margin{radius, radius, radius};
      tree.for_each_overlapping({p - margin, p + margin}, [&](int e) {
        if (may_carry(e)) candidates.push_back(e);
      });
      std::sort(candidates.begin(), candidates.end());
    };
    const double farthest = norm(max(all.upper - p, p - all.lower));
    double nearest = HUGE_VAL;
    for (double radius = reach;; radius *= 2) {
      gather(radius);
      ClosestOnTetrahedron closest;
      for (int e : candidates) {
        const ClosestOnTetrahedron c = closest_on_tetrahedron(corners_of(mesh, static_cast<std::size_t>(e)), p);
        if (c.squared_distance < closest.squared_distance) {
          closest = c;
          point.tetrahedron = e;
        }
      }
      nearest = std::sqrt(closest.squared_distance);
      if (nearest <= radius || radius > farthest) {
        point.weights = closest.weights;
        break;
      }
    }
    if (point.tetrahedron < 0) return;
    const std::array<Vec3, 4> corners = corners_of(mesh, static_cast<std::size_t>(point.tetrahedron));
    if (nearest <= longest_edge(corners)) point.weights = barycentric_weights(corners, p);
  });
  return embedding;
}

std::vector<Vec3> embedded_positions(const Embedding& embedding, const TetrahedralMesh& mesh,
                                     std::span<const Vec3> vertex_positions) {
  std::vector<Vec3> positions(embedding.points.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const EmbeddedPoint& point = embedding.points[i];
    if (point.tetrahedron < 0) continue;
    const Tetrahedron& t = mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    for (std::size_t k = 0; k < 4; ++k)
      positions[i] += point.weights[k] * vertex_positions[static_cast<std::size_t>(t[k])];
  }
  return positions;
}

}  // namespace sinew
