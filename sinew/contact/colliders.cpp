#include "sinew/contact/colliders.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/contact/solid_mesh.h"

namespace sinew {
namespace {

Vec3 any_across(const Vec3& axis) {
  const Vec3 other = std::abs(axis.x) <= std::abs(axis.y) && std::abs(axis.x) <= std::abs(axis.z) ? Vec3{1, 0, 0}
                     : std::abs(axis.y) <= std::abs(axis.z)                                       ? Vec3{0, 1, 0}
                                                                                                  : Vec3{0, 0, 1};
  const Vec3 across = cross(axis, other);
  return squared_norm(across) > 0 ? normalized(across) : Vec3{0, 1, 0};
}

// For a box at the origin whose sides are parallel to the axes.
Gap gap_to_box(const Vec3& half, double rounding, const Vec3& point) {
  Vec3 beyond, outward;
  for (std::size_t k = 0; k < 3; ++k) {
    beyond[k] = std::abs(point[k]) - (half[k] - rounding);
    outward[k] = point[k] < 0 ? -1 : 1;
  }
  const Vec3 outside = max(beyond, Vec3{});
  const double distance = norm(outside);
  if (distance > 0) {
    Vec3 normal;
    for (std::size_t k = 0; k < 3; ++k) normal[k] = outward[k] * (outside[k] / distance);
    return {distance - rounding, normal};
  }
  std::size_t nearest = 2;
  for (std::size_t k = 2; k-- > 0;)
    if (beyond[k] > beyond[nearest]) nearest = k;
  Vec3 normal;
  normal[nearest] = outward[nearest];
  return {beyond[nearest] - rounding, normal};
}

// Where the axis is nearest to a point: 0 at `from`, 1 at `to`.
double share_along(const CapsuleCollider& capsule, const Vec3& point) {
  const Vec3 axis = capsule.to - capsule.from;
  const double squared = squared_norm(axis);
  return squared > 0 ? std::clamp(dot(point - capsule.from, axis) / squared, 0.0, 1.0) : 0;
}

bool is_box(const BoxCollider& box) {
  const double least = std::min({box.half.x, box.half.y, box.half.z});
  const Mat3 turned_back = transpose(box.axes) * box.axes;
  return is_finite(box.centre) && is_finite(box.half) && least > 0 && box.rounding >= 0 && box.rounding <= least &&
         frobenius_norm(turned_back - Mat3::identity()) < 1e-6;
}

bool is_placed(const MeshCollider& mesh) {
  return mesh.solid && is_finite(mesh.placed.translation) && std::isfinite(mesh.scale) && mesh.scale > 0 &&
         std::isfinite(frobenius_norm(mesh.from_world.linear));
}

Gap gap_to_mesh(const MeshCollider& mesh, const Vec3& point) {
  const FieldValue at = distance_from(*mesh.solid, mesh.from_world * point);
  const Vec3 normal = transpose_times(mesh.from_world.linear, at.gradient);
  const double length = norm(normal);
  return {mesh.scale * at.value, length > 0 ? normal / length : Vec3{0, 1, 0}};
}

}  // namespace

void Colliders::clear() {
  planes.clear();
  capsules.clear();
  boxes.clear();
  meshes.clear();
}

MeshCollider mesh_collider(std::shared_ptr<const SolidMesh> solid, const Affine& placed) {
  return {std::move(solid), placed, inverse(placed), std::cbrt(std::abs(determinant(placed.linear)))};
}

bool same_shapes(const Colliders& one, const Colliders& other) {
  return one.planes.size() == other.planes.size() && one.capsules.size() == other.capsules.size() &&
         one.boxes.size() == other.boxes.size() &&
         std::equal(one.meshes.begin(), one.meshes.end(), other.meshes.begin(), other.meshes.end(),
                    [](const MeshCollider& a, const MeshCollider& b) { return a.solid == b.solid; });
}

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
  for (std::size_t k = 0; k < colliders.boxes.size(); ++k)
    if (!is_box(colliders.boxes[k]))
      throw usage_error(
          "collider " + std::to_string(colliders.planes.size() + colliders.capsules.size() + k) +
          " is no box; give a finite centre, axes of length 1 at right angles, positive sides and a rounding "
          "of at most half the least of them.");
  const std::size_t before_meshes = colliders.size() - colliders.meshes.size();
  for (std::size_t k = 0; k < colliders.meshes.size(); ++k)
    if (!is_placed(colliders.meshes[k]))
      throw usage_error("collider " + std::to_string(before_meshes + k) +
                        " is no placed mesh; give a mesh and a finite motion whose scale is not zero.");
}

Gap gap_to(const Colliders& colliders, std::size_t collider, const Vec3& point) {
  if (collider < colliders.planes.size()) {
    const PlaneCollider& plane = colliders.planes[collider];
    const Vec3 normal = normalized(plane.normal);
    return {dot(normal, point - plane.point), normal};
  }
  collider -= colliders.planes.size();
  if (collider >= colliders.capsules.size() + colliders.boxes.size())
    return gap_to_mesh(colliders.meshes[collider - colliders.capsules.size() - colliders.boxes.size()], point);
  if (collider >= colliders.capsules.size()) {
    const BoxCollider& box = colliders.boxes[collider - colliders.capsules.size()];
    const Gap gap = gap_to_box(box.half, box.rounding, transpose(box.axes) * (point - box.centre));
    return {gap.distance, box.axes * gap.normal};
  }
  const CapsuleCollider& capsule = colliders.capsules[collider];
  const Vec3 axis = capsule.to - capsule.from;
  const Vec3 away = point - (capsule.from + axis * share_along(capsule, point));
  const double distance = norm(away);
  return {distance - capsule.radius, distance > 0 ? away / distance : any_across(axis)};
}

Vec3 velocity_at(const Colliders& before, const Colliders& now, std::size_t collider, const Vec3& point,
                 double seconds) {
  const std::size_t planes = now.planes.size(), capsules = now.capsules.size(), boxes = now.boxes.size();
  if (collider < planes) return (now.planes[collider].point - before.planes[collider].point) / seconds;
  if (collider < planes + capsules) {
    const CapsuleCollider &is = now.capsules[collider - planes], &was = before.capsules[collider - planes];
    const double along = share_along(is, point);
    return ((is.from + along * (is.to - is.from)) - (was.from + along * (was.to - was.from))) / seconds;
  }
  if (collider >= planes + capsules + boxes) {
    const std::size_t k = collider - planes - capsules - boxes;
    return (point - before.meshes[k].placed * (now.meshes[k].from_world * point)) / seconds;
  }
  const BoxCollider &is = now.boxes[collider - planes - capsules], &was = before.boxes[collider - planes - capsules];
  return (point - (was.centre + was.axes * (transpose(is.axes) * (point - is.centre)))) / seconds;
}

}  // namespace sinew
