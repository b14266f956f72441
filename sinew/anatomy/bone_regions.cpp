#include "sinew/anatomy/bone_regions.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/rotation.h"
#include "sinew/mesh/vertex_areas.h"

namespace sinew {
namespace {

// A bone that carries less of the skin than this is no link of a chain.
constexpr double link_share = 1e-3;
// Twins differ by no more than this, in area and along each axis.
constexpr double twin_tolerance = 0.3;

// Area, centre, firmness and spread of each bone's own region.
void measure_regions(const SimulationSurface& surface, BoneRegions& result) {
  const std::vector<double> area = vertex_areas(surface.rest);
  for (std::size_t v = 0; v < area.size(); ++v) {
    result.area += area[v];
    const Influences& influences = surface.influences[v];
    if (influences.count == 0) continue;
    BoneRegion& region = result.bones[static_cast<std::size_t>(influences.joint[0])];
    region.area += area[v];
    region.firmness += area[v] * influences.weight[0];
    region.centre += area[v] * surface.rest.positions[v];
  }
  for (BoneRegion& region : result.bones) {
    if (region.area <= 0) continue;
    region.firmness /= region.area;
    region.centre = region.centre / region.area;
  }
  std::vector<Mat3> second(result.bones.size(), Mat3::zero());
  for (std::size_t v = 0; v < area.size(); ++v) {
    if (surface.influences[v].count == 0) continue;
    const auto bone = static_cast<std::size_t>(surface.influences[v].joint[0]);
    const Vec3 arm = surface.rest.positions[v] - result.bones[bone].centre;
    second[bone] += outer(arm, arm) * area[v];
  }
  for (std::size_t b = 0; b < second.size(); ++b) {
    BoneRegion& region = result.bones[b];
    if (region.area <= 0) continue;
    const Vec3 squares = signed_svd(second[b] * (1 / region.area)).sigma;
    region.spread = {std::sqrt(squares.x), std::sqrt(squares.y), std::sqrt(std::abs(squares.z))};
  }
}

// Bones with every child before its parent.
std::vector<std::size_t> children_first(const std::vector<Bone>& bones) {
  std::vector<int> depth(bones.size(), 0);
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (int up = bones[b].parent; up >= 0; up = bones[static_cast<std::size_t>(up)].parent) ++depth[b];
  std::vector<std::size_t> order(bones.size());
  for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  return order;
}

bool alike(double a, double b) { return std::abs(a - b) <= twin_tolerance * std::max(a, b); }

bool are_twins(const BoneRegion& a, const BoneRegion& b) {
  return alike(a.area, b.area) && alike(a.branch_area, b.branch_area) && alike(a.spread.x, b.spread.x) &&
         alike(a.spread.y, b.spread.y);
}

}  // namespace

BoneRegions bone_regions(const SimulationSurface& surface) {
  BoneRegions result;
  result.bones.resize(surface.bones.size());
  result.children.resize(surface.bones.size());
  measure_regions(surface, result);
  for (BoneRegion& region : result.bones) region.branch_area = region.area;
  for (const std::size_t b : children_first(surface.bones)) {
    const BoneRegion& region = result.bones[b];
    if (surface.bones[b].parent < 0) continue;
    const auto up = static_cast<std::size_t>(surface.bones[b].parent);
    result.children[up].push_back(static_cast<int>(b));
    result.bones[up].branch_area += region.branch_area;
    result.bones[up].branch_depth =
        std::max(result.bones[up].branch_depth, region.branch_depth + (region.area > link_share * result.area ? 1 : 0));
  }
  for (std::size_t a = 0; a < result.bones.size(); ++a)
    for (std::size_t b = a + 1; b < result.bones.size() && result.bones[a].area > 0; ++b) {
      if (result.bones[a].twin >= 0 || result.bones[b].twin >= 0 || !are_twins(result.bones[a], result.bones[b])) continue;
      // A chain of equal links is no pair.
      if (surface.bones[b].parent == static_cast<int>(a) || surface.bones[a].parent == static_cast<int>(b)) continue;
      result.bones[a].twin = static_cast<int>(b);
      result.bones[b].twin = static_cast<int>(a);
    }
  return result;
}

}  // namespace sinew
