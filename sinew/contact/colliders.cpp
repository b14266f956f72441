#include "sinew/contact/colliders.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"

namespace sinew {
namespace {

Vec3 any_across(const Vec3& axis) {
  const Vec3 other = std::abs(axis.x) <= std::abs(axis.y) && std::abs(axis.x) <= std::abs(axis.z) ? Vec3{1, 0, 0}
                     : std::abs(axis.y) <= std::abs(axis.z)                                         ? Vec3{0, 1, 0}
                                                                                                    : Vec3{0, 0, 1};
  const Vec3 across = cross(axis, other);
  return squared_norm(across) > 0 ? normalized(across) : Vec3{0, 1, 0};
}

}  // namespace

void check_colliders(const Colliders& colliders) {
  for (std::size_t k = 0; k < colliders.planes.size(); ++k) {
    const PlaneCollider& plane = colliders.planes[k];
    if (!is_finite(plane.point) || !is_finite(plane.normal) || !(norm(plane.normal) > 0))
      throw usage_error("collider " + std::to_string(k) +
                        " is no plane; give a point and a normal of finite numbers, the normal not zero.");
  }
  for (std::size_t k = 0; k < colliders.capsules.size(); ++k) {
    const CapsuleCollider& capsule = colliders.capsules[k];
    if (!is_finite(capsule.from) || !is_finite(capsule.to) || !(capsule.radius > 0) || !std::isfinite(capsule.radius))
      throw usage_error("collider " + std::to_string(colliders.planes.size() + k) +
                        " is no sphere or capsule; give finite ends and a positive radius.");
  }
}

Gap gap_to(const Colliders& colliders, std::size_t collider, const Vec3& point) {
  if (collider < colliders.planes.size()) {
    const PlaneCollider& plane = colliders.planes[collider];
    const Vec3 normal = normalized(plane.normal);
    return {dot(normal, point - plane.point), normal};
  }
  const CapsuleCollider& capsule = colliders.capsules[collider - colliders.planes.size()];
  const Vec3 axis = capsule.to - capsule.from;
  const double squared = squared_norm(axis);
  const double along = squared > 0 ? std::clamp(dot(point - capsule.from, axis) / squared, 0.0, 1.0) : 0;
  const Vec3 away = point - (capsule.from + axis * along);
  const double distance = norm(away);
  return {distance - capsule.radius, distance > 0 ? away / distance : any_across(axis)};
}

}  // namespace sinew
