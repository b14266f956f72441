#include "sinew/cook/skin_under_things.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/winding_number.h"

namespace sinew {
namespace {

constexpr double lies_on = 0.01;  // of the longest side: nearer than this, a thing lies on skin
constexpr double fades = 0.5;     // of the thing's extent: so far beyond that skin goes along less and less
// Share of the thing's bone in a vertex's weight: from the first on it goes along a little, from the second on as it lies.
constexpr double least_share = 0.2, full_share = 0.6;

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double share_of(const Influences& influences, int bone) {
  double share = 0;
  for (std::size_t k = 0; k < index(influences.count); ++k)
    if (influences.joint[k] == bone) share += influences.weight[k];
  return share;
}

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

TriangleMesh triangles_where(const TriangleMesh& mesh, const std::vector<int>& group_of, int group) {
  TriangleMesh part{mesh.positions, {}};
  for (const Triangle& t : mesh.triangles)
    if (std::all_of(t.begin(), t.end(), [&](int v) { return group_of[index(v)] == group; })) part.triangles.push_back(t);
  return part;
}

// Vertices of skin with how near they are to a thing, metres; 0 inside it, and for the corners of triangles that it lies on.
std::map<int, double> skin_near(const TriangleMesh& rest, const BoundingVolumeHierarchy& skin, const RigidThing& thing,
                                const BoundingVolumeHierarchy& surface, double touching, double reach) {
  std::map<int, double> near;
  Box around;
  for (const int v : thing.vertices) {
    const Vec3& x = rest.positions[index(v)];
    around.include(x);
    const ClosestPoint found = skin.closest_point(x, touching);
    if (found.triangle < 0) continue;
    for (const int corner : skin.surface().triangles[index(found.triangle)]) near[corner] = 0;
  }
  if (near.empty()) return near;
  const WindingNumber winding(surface);
  skin.for_each_overlapping(grown_by(around, reach), [&](int triangle) {
    for (const int v : skin.surface().triangles[index(triangle)]) {
      if (near.contains(v)) continue;
      const Vec3& x = rest.positions[index(v)];
      if (const ClosestPoint found = surface.closest_point(x, reach); found.triangle >= 0)
        near.try_emplace(v, std::abs(winding(x)) > 0.5 ? 0 : distance(found.point, x));
    }
  });
  return near;
}

}  // namespace

std::vector<GluedVertex> skin_under_things(const SimulationSurface& surface, const std::vector<RigidThing>& things) {
  std::vector<int> group_of(surface.rest.positions.size(), -1);
  for (std::size_t g = 0; g < things.size(); ++g)
    for (const int v : things[g].vertices) group_of[index(v)] = static_cast<int>(g);
  const TriangleMesh skin = triangles_where(surface.rest, group_of, -1);
  if (skin.triangles.empty() || things.empty()) return {};
  const BoundingVolumeHierarchy skin_tree(skin);
  const double touching = lies_on * longest_side(surface);
  std::vector<GluedVertex> glued;
  for (std::size_t g = 0; g < things.size(); ++g) {
    const TriangleMesh thing = triangles_where(surface.rest, group_of, static_cast<int>(g));
    if (thing.triangles.empty()) continue;
    Box box;
    for (const int v : things[g].vertices) box.include(surface.rest.positions[index(v)]);
    const double fading = std::max(touching, fades * longest_side_of(box));
    for (const auto& [v, away] : skin_near(surface.rest, skin_tree, things[g], BoundingVolumeHierarchy(thing), touching, touching + fading)) {
      const double share = share_of(surface.influences[index(v)], things[g].bone);
      const double weight = smooth(1 - (away - touching) / fading) * smooth((share - least_share) / (full_share - least_share));
      if (weight > 0) glued.push_back({v, static_cast<int>(g), weight});
    }
  }
  std::stable_sort(glued.begin(), glued.end(), [](const GluedVertex& a, const GluedVertex& b) { return a.vertex < b.vertex; });
  for (std::size_t k = 0; k < glued.size();) {
    std::size_t end = k;
    double sum = 0;
    for (; end < glued.size() && glued[end].vertex == glued[k].vertex; ++end) sum += glued[end].weight;
    for (; k < end; ++k) glued[k].weight /= std::max(sum, 1.0);
  }
  return glued;
}

}  // namespace sinew
