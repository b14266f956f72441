#include "studies/common/collider_meshes.h"

#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr int around = 32, from_pole_to_equator = 8;

// Two unit vectors at right angles to a unit vector, right-handed with it.
std::pair<Vec3, Vec3> across(const Vec3& unit) {
  const Vec3 other = std::abs(unit.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 first = normalized(cross(other, unit));
  return {first, cross(unit, first)};
}

TriangleMesh square(const PlaneCollider& plane, const PlaneExtent& extent) {
  const Vec3 normal = normalized(plane.normal);
  const Vec3 centre = extent.centre - dot(extent.centre - plane.point, normal) * normal;
  const auto [a, b] = across(normal);
  const Vec3 u = extent.half * a, v = extent.half * b;
  return {{centre - u - v, centre + u - v, centre + u + v, centre - u + v}, {{0, 1, 2}, {0, 2, 3}}};
}

// Circles of latitude from pole to pole: those of the first half around `from`, the others around `to`.
TriangleMesh rounded(const CapsuleCollider& capsule) {
  const Vec3 axis = distance(capsule.from, capsule.to) > 0 ? normalized(capsule.to - capsule.from) : Vec3{0, 1, 0};
  const auto [a, b] = across(axis);
  TriangleMesh mesh;
  constexpr int circles = 2 * from_pole_to_equator + 2;
  for (int i = 0; i < circles; ++i) {
    const bool second = i > from_pole_to_equator;
    const double latitude = std::numbers::pi / 2 * ((second ? i - 1 : i) - from_pole_to_equator) / from_pole_to_equator;
    for (int k = 0; k < around; ++k) {
      const double longitude = 2 * std::numbers::pi * k / around;
      const Vec3 out =
          std::sin(latitude) * axis + std::cos(latitude) * (std::cos(longitude) * a + std::sin(longitude) * b);
      mesh.positions.push_back((second ? capsule.to : capsule.from) + capsule.radius * out);
    }
  }
  for (int i = 0; i + 1 < circles; ++i)
    for (int k = 0; k < around; ++k) {
      const int here = i * around + k, beside = i * around + (k + 1) % around;
      mesh.triangles.push_back({here, beside, beside + around});
      mesh.triangles.push_back({here, beside + around, here + around});
    }
  return mesh;
}

// The box without rounding. Faces are oriented outward.
TriangleMesh box_of(const BoxCollider& box) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 at{corner & 1 ? box.half.x : -box.half.x, corner & 2 ? box.half.y : -box.half.y,
                  corner & 4 ? box.half.z : -box.half.z};
    mesh.positions.push_back(box.centre + box.axes * at);
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

}  // namespace

std::vector<TriangleMesh> collider_meshes(const Colliders& colliders, const PlaneExtent& planes) {
  std::vector<TriangleMesh> meshes;
  for (const PlaneCollider& plane : colliders.planes) meshes.push_back(square(plane, planes));
  for (const CapsuleCollider& capsule : colliders.capsules) meshes.push_back(rounded(capsule));
  for (const BoxCollider& box : colliders.boxes) meshes.push_back(box_of(box));
  return meshes;
}

}  // namespace sinew
