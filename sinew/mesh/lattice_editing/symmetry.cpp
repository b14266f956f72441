#include "sinew/mesh/lattice_editing/symmetry.h"

#include <algorithm>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {
namespace {

constexpr double reach_share = 1e-4;  // of the extent

}  // namespace

Vec3 mirrored(Vec3 position, const SymmetryPlane& plane) {
  position[plane.axis] = 2 * plane.at - position[plane.axis];
  return position;
}

Vec3 mirrored_direction(Vec3 direction, const SymmetryPlane& plane) {
  direction[plane.axis] = -direction[plane.axis];
  return direction;
}

std::vector<int> mirror_partners(const ControlLattice& lattice, const SymmetryPlane& plane) {
  const std::vector<Vec3>& positions = lattice.positions;
  std::vector<int> nearest(positions.size(), -1);
  if (positions.empty()) return nearest;
  const Box box = bounds(positions);
  const double reach = reach_share * norm(box.upper - box.lower);
  std::vector<Box> points(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) points[v].include(positions[v]);
  const BoxTree tree(points);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const Vec3 image = mirrored(positions[v], plane);
    double least = reach;
    const Vec3 margin{reach, reach, reach};
    tree.for_each_overlapping({image - margin, image + margin}, [&](int other) {
      const double far = distance(positions[index(other)], image);
      if (far < least || (far == least && other < nearest[v])) least = far, nearest[v] = other;
    });
  }
  std::vector<int> partners(positions.size(), -1);
  for (std::size_t v = 0; v < positions.size(); ++v)
    if (nearest[v] >= 0 && nearest[index(nearest[v])] == static_cast<int>(v)) partners[v] = nearest[v];
  return partners;
}

std::vector<int> partners_of(const std::vector<int>& partners, const std::vector<int>& vertices) {
  std::vector<int> others;
  for (const int v : vertices) {
    const int other = v >= 0 && index(v) < partners.size() ? partners[index(v)] : -1;
    if (other < 0)
      throw usage_error("Vertex " + std::to_string(v) +
                        " has no partner on the other side; edit the two sides one by one.");
    others.push_back(other);
  }
  return others;
}

}  // namespace sinew
