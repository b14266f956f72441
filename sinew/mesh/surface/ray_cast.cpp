#include "sinew/mesh/surface/ray_cast.h"

#include <algorithm>

namespace sinew {
namespace {

// Parameter at which the ray enters the box, at least `nearest`; beyond `farthest` if it misses.
double entry(const Box& box, const Vec3& origin, const Vec3& inverse, double nearest, double farthest) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double a = (box.lower[axis] - origin[axis]) * inverse[axis],
                 b = (box.upper[axis] - origin[axis]) * inverse[axis];
    // A ray along a face of the box gives nan, which these comparisons ignore; std::fmin() and fmax() would be function
    // calls.
    const double first = a < b ? a : b, last = a < b ? b : a;
    if (first > nearest) nearest = first;
    if (last < farthest) farthest = last;
  }
  return nearest <= farthest ? nearest : HUGE_VAL;
}

void meet(const TriangleMesh& surface, int triangle, const Vec3& origin, const Vec3& direction, double nearest,
          double farthest, RayHit& hit) {
  const Triangle& corners = surface.triangles[static_cast<std::size_t>(triangle)];
  const Vec3& a = surface.positions[static_cast<std::size_t>(corners[0])];
  const Vec3 ab = surface.positions[static_cast<std::size_t>(corners[1])] - a;
  const Vec3 ac = surface.positions[static_cast<std::size_t>(corners[2])] - a;
  const Vec3 across = cross(direction, ac);
  const double volume = dot(ab, across);
  if (volume == 0) return;
  const Vec3 from = origin - a;
  const double u = dot(from, across) / volume;
  if (!(u >= 0 && u <= 1)) return;
  const Vec3 turned = cross(from, ab);
  const double v = dot(direction, turned) / volume;
  if (!(v >= 0 && u + v <= 1)) return;
  const double distance = dot(ac, turned) / volume;
  if (!(distance >= nearest && distance <= farthest)) return;
  if (distance < hit.distance || (distance == hit.distance && triangle < hit.triangle))
    hit = {triangle, distance, volume < 0};
}

}  // namespace

RayHit cast_ray(const BoundingVolumeHierarchy& tree, const Vec3& origin, const Vec3& direction, double nearest,
                double farthest) {
  RayHit hit;
  const auto nodes = tree.nodes();
  if (nodes.empty()) return hit;
  const Vec3 inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
  struct Entry {
    int node;
    double distance;
  };
  Entry stack[128];
  int top = 0;
  const auto push = [&](int node) {
    const double at =
        entry(nodes[static_cast<std::size_t>(node)].box, origin, inverse, nearest, std::min(farthest, hit.distance));
    if (at < HUGE_VAL) stack[top++] = {node, at};
  };
  push(0);
  while (top > 0) {
    const Entry at = stack[--top];
    if (at.distance > hit.distance) continue;
    const auto& node = nodes[static_cast<std::size_t>(at.node)];
    if (node.right < 0) {
      for (int k = node.first; k < node.first + node.count; ++k)
        meet(tree.surface(), tree.order()[static_cast<std::size_t>(k)], origin, direction, nearest, farthest, hit);
      continue;
    }
    const int first = top;
    push(node.right);
    push(at.node + 1);
    if (top - first == 2 && stack[first].distance < stack[first + 1].distance)
      std::swap(stack[first], stack[first + 1]);
  }
  return hit;
}

}  // namespace sinew
