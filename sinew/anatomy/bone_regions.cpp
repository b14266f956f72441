#include "sinew/anatomy/bone_regions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/linalg/rotation.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

// Fraction of the skin below which a bone is not a link of a chain.
constexpr double link_share = 1e-3;
// Largest difference of twins, in area and along each axis.
constexpr double twin_tolerance = 0.3;

// Computes area, centre, firmness and spread of each bone's region.
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

// Number of bones above each bone.
std::vector<int> depths(const std::vector<Bone>& bones) {
  std::vector<int> depth(bones.size(), 0);
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (int up = bones[b].parent; up >= 0; up = bones[static_cast<std::size_t>(up)].parent) ++depth[b];
  return depth;
}

// Bones with every child before its parent.
std::vector<std::size_t> children_first(const std::vector<int>& depth) {
  std::vector<std::size_t> order(depth.size());
  for (std::size_t b = 0; b < order.size(); ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  return order;
}

// Dissimilarity of two regions, which is compared with twin_tolerance.
double difference(const BoneRegion& a, const BoneRegion& b) {
  double most = 0;
  for (const auto& [x, y] :
       {std::pair{a.area, b.area}, {a.branch_area, b.branch_area}, {a.spread.x, b.spread.x}, {a.spread.y, b.spread.y}})
    most = std::max(most, std::abs(x - y) / std::max({x, y, 1e-300}));
  return most;
}

struct Pair {
  double difference = 0;
  std::size_t first = 0, second = 0;
};

// Pairs the most similar regions first. Twins have the same depth in the skeleton; two links of a chain are never
// twins.
void find_twins(const std::vector<int>& depth, std::vector<BoneRegion>& regions) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < regions.size(); ++a)
    for (std::size_t b = a + 1; b < regions.size() && regions[a].area > 0; ++b) {
      if (regions[b].area <= 0 || depth[a] != depth[b]) continue;
      const double unlike = difference(regions[a], regions[b]);
      if (unlike <= twin_tolerance) pairs.push_back({unlike, a, b});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& p, const Pair& q) { return p.difference < q.difference; });
  for (const Pair& pair : pairs)
    if (regions[pair.first].twin < 0 && regions[pair.second].twin < 0) {
      regions[pair.first].twin = static_cast<int>(pair.second);
      regions[pair.second].twin = static_cast<int>(pair.first);
    }
}

}  // namespace

BoneRegions bone_regions(const SimulationSurface& surface) {
  BoneRegions result;
  result.bones.resize(surface.bones.size());
  result.children.resize(surface.bones.size());
  measure_regions(surface, result);
  for (BoneRegion& region : result.bones) region.branch_area = region.area;
  const std::vector<int> depth = depths(surface.bones);
  for (const std::size_t b : children_first(depth)) {
    const BoneRegion& region = result.bones[b];
    if (surface.bones[b].parent < 0) continue;
    const auto up = static_cast<std::size_t>(surface.bones[b].parent);
    result.children[up].push_back(static_cast<int>(b));
    result.bones[up].branch_area += region.branch_area;
    result.bones[up].branch_depth =
        std::max(result.bones[up].branch_depth, region.branch_depth + (region.area > link_share * result.area ? 1 : 0));
  }
  find_twins(depth, result.bones);
  return result;
}

}  // namespace sinew
