#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/character/body_binding.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/ray_cast.h"
#include "sinew/mesh/surface/winding_number.h"
#include "sinew/mesh/triangle_geometry.h"

namespace sinew {
namespace {

constexpr std::size_t samples_per_segment = 9;
// Bones with less weight than this are not looked at for a vertex; between them, those with little weight
// seem farther away, so that the choice of bone changes where they weigh alike.
constexpr double relevant_weight = 0.02;
constexpr int solid_depth_rings = 2;
// Only this inner share of a core is rigid by constraint; the rest is held by the bone displacement energy,
// whose smooth fall hides that lattice vertices make a staircase of the core's border.
constexpr double rigid_share = 0.5;
// Bone proximity ends at this share of the way from bone to skin.
constexpr double proximity_reach = 0.9;

// Distance to the nearest skin at evenly spaced points of a segment; 0 outside the solid.
using Thickness = std::array<double, samples_per_segment>;

Thickness thickness_along(const BoneSegment& segment, const BoundingVolumeHierarchy& tree,
                          const WindingNumber& winding) {
  Thickness thickness{};
  for (std::size_t k = 0; k < samples_per_segment; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(samples_per_segment - 1);
    const Vec3 point = segment.head * (1 - t) + segment.tail * t;
    if (winding(point) > 0.5) thickness[k] = distance(tree.closest_point(point).point, point);
  }
  return thickness;
}

struct NearestBone {
  double score = HUGE_VAL;     // ratio, larger for bones with little weight
  double ratio = HUGE_VAL;     // distance to the bone over the local thickness
  double distance = HUGE_VAL;  // metres
  double thickness = 0;        // metres
  std::size_t bone = 0;
};

void consider_segment(const Vec3& point, const BoneSegment& segment, const Thickness& thickness, std::size_t bone,
                      double penalty, NearestBone& nearest) {
  const Vec3 axis = segment.tail - segment.head;
  const double length = squared_norm(axis);
  const double t = length > 0 ? std::clamp(dot(point - segment.head, axis) / length, 0.0, 1.0) : 0.0;
  const double away = distance(point, segment.head + axis * t);
  const double at = t * static_cast<double>(samples_per_segment - 1);
  const auto k = std::min(static_cast<std::size_t>(at), samples_per_segment - 2);
  const double local = thickness[k] + (at - static_cast<double>(k)) * (thickness[k + 1] - thickness[k]);
  const double ratio = local > 0 ? away / local : HUGE_VAL;
  const double score = ratio * penalty;
  if (score < nearest.score || (score == nearest.score && away < nearest.distance))
    nearest = {score, ratio, away, local, bone};
}

NearestBone nearest_bone(const Vec3& point, const Influences& influences, const SimulationSurface& surface,
                         const std::vector<std::vector<Thickness>>& thickness) {
  NearestBone nearest;
  for (int k = 0; k < influences.count; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    if (influences.weight[slot] < relevant_weight) continue;
    const auto bone = static_cast<std::size_t>(influences.joint[slot]);
    const double penalty = std::sqrt(influences.weight[0] / influences.weight[slot]);
    // Helpers have no thickness here.
    for (std::size_t s = 0; s < thickness[bone].size(); ++s)
      consider_segment(point, surface.bones[bone].segments[s], thickness[bone][s], bone, penalty, nearest);
  }
  return nearest;
}

double smooth_fall(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return 1 - t * t * (3 - 2 * t);
}

// The largest distance to the skin among the vertices inside the solid within `solid_depth_rings` edges: half the
// thickness of the part that a vertex belongs to, as the mesh sees it; 0 where it has no vertex inside.
std::vector<double> solid_depth_around(const TetrahedralMesh& mesh, const BoundingVolumeHierarchy& tree,
                                       const WindingNumber& winding) {
  std::vector<double> solid_depth(mesh.positions.size(), 0.0);
  parallel_for(solid_depth.size(), 64, [&](std::size_t v) {
    const Vec3& point = mesh.positions[v];
    if (winding(point) > 0.5) solid_depth[v] = distance(tree.closest_point(point).point, point);
  });
  for (int ring = 0; ring < solid_depth_rings; ++ring) {
    std::vector<double> widened = solid_depth;
    for (const Tetrahedron& t : mesh.tetrahedra) {
      double most = 0;
      for (int v : t) most = std::max(most, solid_depth[static_cast<std::size_t>(v)]);
      for (int v : t) widened[static_cast<std::size_t>(v)] = std::max(widened[static_cast<std::size_t>(v)], most);
    }
    solid_depth.swap(widened);
  }
  return solid_depth;
}

// Skin may be far from its bone along a fin or a wing, but no flesh is deeper under it than the solid is thick where it
// is thickest, nor than half the animal.
double greatest_depth(std::span<const double> solid_depth, std::span<const Vec3> skin) {
  if (solid_depth.empty() || skin.empty()) return 0;
  Vec3 low = skin.front(), high = low;
  for (const Vec3& x : skin) {
    low = min(low, x);
    high = max(high, x);
  }
  const Vec3 extent = high - low;
  return std::min(2 * *std::max_element(solid_depth.begin(), solid_depth.end()),
                  0.5 * std::max({extent.x, extent.y, extent.z}));
}

// How far it is from each vertex through the solid to its other side; infinite where that is open.
std::vector<double> thickness_under_skin(const TriangleMesh& skin, const BoundingVolumeHierarchy& tree) {
  constexpr double beside_skin = 1e-6;  // of the longest side
  std::vector<Vec3> normal(skin.positions.size());
  for (const Triangle& t : skin.triangles) {
    const auto at = [&](std::size_t k) -> const Vec3& { return skin.positions[static_cast<std::size_t>(t[k])]; };
    const Vec3 area = area_vector(at(0), at(1), at(2));
    for (const int v : t) normal[static_cast<std::size_t>(v)] += area;
  }
  const double near = beside_skin * longest_side(skin);
  std::vector<double> thickness(skin.positions.size(), HUGE_VAL);
  parallel_for(thickness.size(), 64, [&](std::size_t v) {
    const Vec3 inward = -normalized(normal[v]);
    if (inward == Vec3{}) return;
    const RayHit hit = cast_ray(tree, skin.positions[v] + near * inward, inward, near, HUGE_VAL);
    if (hit.triangle >= 0 && hit.leaves) thickness[v] = hit.distance + near;
  });
  return thickness;
}

}  // namespace

FleshMap map_flesh(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                   const SimulationSurface& surface, const FleshMapOptions& options) {
  const BoundingVolumeHierarchy tree(surface.rest);
  const WindingNumber winding(tree);
  std::vector<std::vector<Thickness>> thickness(surface.bones.size());
  parallel_for(surface.bones.size(), 1, [&](std::size_t b) {
    if (surface.bones[b].helper) return;
    for (const BoneSegment& segment : surface.bones[b].segments)
      thickness[b].push_back(thickness_along(segment, tree, winding));
  });

  FleshMap map;
  map.core.assign(mesh.positions.size(), 0);
  map.bone_proximity.assign(mesh.positions.size(), 0.0);
  map.bone_distance.assign(mesh.positions.size(), HUGE_VAL);
  map.thickness.assign(mesh.positions.size(), 0.0);
  map.solid_depth = solid_depth_around(mesh, tree, winding);
  map.depth.assign(surface.rest.positions.size(), 0.0);
  parallel_for(mesh.positions.size(), 256, [&](std::size_t v) {
    const NearestBone nearest = nearest_bone(mesh.positions[v], influences[v], surface, thickness);
    map.bone_distance[v] = nearest.distance;
    if (nearest.thickness <= 0) return;
    const double core = options.core_fraction[nearest.bone];
    map.thickness[v] = nearest.thickness;
    map.core[v] = nearest.ratio <= rigid_share * core && influences[v].weight[0] >= options.core_weight;
    map.bone_proximity[v] =
        smooth_fall((nearest.ratio - rigid_share * core) / std::max(proximity_reach - rigid_share * core, 1e-3));
  });
  const double deepest = greatest_depth(map.solid_depth, surface.rest.positions);
  const std::vector<double> through = thickness_under_skin(surface.rest, tree);
  parallel_for(surface.rest.positions.size(), 256, [&](std::size_t s) {
    const NearestBone nearest = nearest_bone(surface.rest.positions[s], surface.influences[s], surface, thickness);
    if (nearest.distance < HUGE_VAL)
      map.depth[s] = std::clamp(nearest.distance - options.core_fraction[nearest.bone] * nearest.thickness, 0.0,
                                std::min(deepest, through[s]));
  });
  return map;
}

void limit_depth(const TetrahedralMesh& mesh, const Embedding& embedding, FleshMap& map) {
  for (std::size_t s = 0; s < map.depth.size(); ++s) {
    if (embedding.points[s].tetrahedron < 0) continue;
    double solid_depth = 0;
    for (const int v : mesh.tetrahedra[static_cast<std::size_t>(embedding.points[s].tetrahedron)])
      solid_depth = std::max(solid_depth, map.solid_depth[static_cast<std::size_t>(v)]);
    map.depth[s] = std::min(map.depth[s], 2 * solid_depth);
  }
}

}  // namespace sinew
