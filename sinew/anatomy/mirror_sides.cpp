#include "sinew/anatomy/mirror_sides.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

// Largest distance between mirror images, and largest asymmetry of a character for a plane to be used; relative to its
// size.
constexpr double mirror_distance = 0.1, least_symmetry = 0.06;
// A plane that contains all bones is weak evidence: a body without pairs must be more symmetric by this.
constexpr double without_pairs = 0.02;

std::vector<int> parents(const BoneRegions& regions) {
  std::vector<int> parent(regions.bones.size(), -1);
  for (std::size_t b = 0; b < regions.children.size(); ++b)
    for (const int child : regions.children[b]) parent[static_cast<std::size_t>(child)] = static_cast<int>(b);
  return parent;
}

// True if one is an ancestor of the other: links of a chain, such as a snake that lies across, are not a pair.
bool in_line(const std::vector<int>& parent, std::size_t a, std::size_t b) {
  for (const auto& [low, high] : {std::pair{a, b}, {b, a}})
    for (int up = parent[low]; up >= 0; up = parent[static_cast<std::size_t>(up)])
      if (up == static_cast<int>(high)) return true;
  return false;
}

}  // namespace

std::vector<Side> sides_of(const BoneRegions& regions, double size) {
  Vec3 centre;
  for (const BoneRegion& region : regions.bones) centre += region.area * region.centre;
  centre = centre / regions.area;
  const std::vector<int> parent = parents(regions);
  std::vector<Side> best(regions.bones.size(), Side::unknown);
  double least = least_symmetry * size;
  for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
    std::vector<Side> sides(regions.bones.size(), Side::unknown);
    double sum = 0;
    for (std::size_t b = 0; b < sides.size(); ++b) {
      const BoneRegion& region = regions.bones[b];
      if (region.area <= 0) continue;
      Vec3 image = region.centre;
      image[axis] = 2 * centre[axis] - image[axis];
      const double itself = distance(image, region.centre);
      double other = mirror_distance * size;
      for (std::size_t c = 0; c < sides.size(); ++c)
        if (c != b && !in_line(parent, b, c) && regions.bones[c].area > 0.5 * region.area &&
            regions.bones[c].area < 2 * region.area)
          other = std::min(other, distance(image, regions.bones[c].centre));
      if (std::min(itself, other) < mirror_distance * size) sides[b] = itself <= other ? Side::middle : Side::paired;
      sum += region.area * std::min(itself, other);
    }
    const bool pairs = std::find(sides.begin(), sides.end(), Side::paired) != sides.end();
    const double asymmetry = sum / regions.area + (pairs ? 0 : without_pairs * size);
    if (asymmetry >= least) continue;
    least = asymmetry;
    best = sides;
  }
  return best;
}

}  // namespace sinew
