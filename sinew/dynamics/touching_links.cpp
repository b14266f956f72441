#include "sinew/dynamics/touching_links.h"

#include <algorithm>

#include "sinew/base/index.h"

namespace sinew {
namespace {

// The point of a segment that is nearest to a point.
Vec3 nearest_on(const Capsule& c, const Vec3& point) {
  const Vec3 along = c.to - c.from;
  const double square = squared_norm(along);
  return square > 0 ? c.from + along * std::clamp(dot(point - c.from, along) / square, 0.0, 1.0) : c.from;
}

Capsule placed_capsule(const ArticulatedBody& body, const PlacedJoints& placed, std::size_t link) {
  const Capsule& own = body.capsule[link];
  return {placed(static_cast<int>(link), own.from), placed(static_cast<int>(link), own.to), own.radius};
}

}  // namespace

double capsule_distance(const Capsule& a, const Capsule& b) {
  // Two segments are nearest at an end of one of them, or where their lines are nearest.
  double nearest = std::min({distance(nearest_on(a, b.from), b.from), distance(nearest_on(a, b.to), b.to),
                             distance(nearest_on(b, a.from), a.from), distance(nearest_on(b, a.to), a.to)});
  const Vec3 u = a.to - a.from, v = b.to - b.from, w = a.from - b.from;
  const double uu = squared_norm(u), vv = squared_norm(v), uv = dot(u, v), determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const double s = (uv * dot(v, w) - vv * dot(u, w)) / determinant;
    const double t = (uu * dot(v, w) - uv * dot(u, w)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) nearest = std::min(nearest, distance(a.from + u * s, b.from + v * t));
  }
  return nearest - a.radius - b.radius;
}

std::vector<std::array<int, 2>> links_that_touch(const ArticulatedBody& body, std::span<const TreePose> poses) {
  std::vector<std::array<int, 2>> pairs;
  const auto n = static_cast<int>(body.size());
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      if (body.tree.parent[index(b)] != a && body.capsule[index(a)].radius > 0 && body.capsule[index(b)].radius > 0)
        pairs.push_back({a, b});
  PlacedJoints placed;
  for (const TreePose& pose : poses) {
    place_joints(body.tree, pose, placed);
    std::vector<Capsule> capsules;
    for (std::size_t k = 0; k < body.size(); ++k) capsules.push_back(placed_capsule(body, placed, k));
    std::erase_if(pairs, [&](const std::array<int, 2>& pair) {
      return capsule_distance(capsules[index(pair[0])], capsules[index(pair[1])]) < 0;
    });
  }
  return pairs;
}

}  // namespace sinew
