#include <cmath>

#include "exact_math.h"
#include "glb_writer.h"

namespace sinew::samples {
namespace {

RigidPart empty_part(const std::string& name, const Skeleton& skeleton, const std::string& joint, Index material) {
  return {name, skeleton.index(joint), material, {}, {}, {}};
}

// Rings of `around` vertices each, closed by a pole vertex at both ends. Positions hold the first
// pole, the rings, and the last pole.
void add_ring_triangles(RigidPart& part, Index rings, Index around) {
  const auto at = [&](Index ring, Index i) { return 1 + ring * around + i % around; };
  const Index last = 1 + rings * around;
  for (Index i = 0; i < around; ++i) {
    part.triangle.push_back({0, at(0, i + 1), at(0, i)});
    for (Index ring = 0; ring + 1 < rings; ++ring) {
      part.triangle.push_back({at(ring, i), at(ring, i + 1), at(ring + 1, i + 1)});
      part.triangle.push_back({at(ring, i), at(ring + 1, i + 1), at(ring + 1, i)});
    }
    part.triangle.push_back({last, at(rings - 1, i), at(rings - 1, i + 1)});
  }
}

}  // namespace

RigidPart ball(const std::string& name, const Skeleton& skeleton, const std::string& joint, Index material,
               const Vec3& centre, const Vec3& radii, const Quat& orientation) {
  constexpr Index rings = 9, around = 16;
  RigidPart part = empty_part(name, skeleton, joint, material);
  const Vec3 offset = centre - skeleton.position(joint);
  const Mat3 axes = to_matrix(orientation);
  const auto add = [&](const Vec3& unit) {
    part.position.push_back(offset + axes * Vec3{unit.x * radii.x, unit.y * radii.y, unit.z * radii.z});
    part.normal.push_back(normalized(axes * Vec3{unit.x / radii.x, unit.y / radii.y, unit.z / radii.z}));
  };
  // From the pole at -z to the pole at +z, rings running from +x to +y.
  add({0, 0, -1});
  for (Index ring = 0; ring < rings; ++ring) {
    const double polar = pi * (ring + 1) / (rings + 1);
    for (Index i = 0; i < around; ++i) {
      const double angle = 2 * pi * i / around;
      add({sine(polar) * cosine(angle), sine(polar) * sine(angle), -cosine(polar)});
    }
  }
  add({0, 0, 1});
  add_ring_triangles(part, rings, around);
  return part;
}

RigidPart horn(const std::string& name, const Skeleton& skeleton, const std::string& joint, Index material,
               const std::vector<Vec3>& path, const std::vector<double>& radius) {
  constexpr Index around = 12;
  RigidPart part = empty_part(name, skeleton, joint, material);
  const Vec3 origin = skeleton.position(joint);
  const std::size_t count = path.size();
  const auto tangent = [&](std::size_t i) {
    return normalized(path[std::min(i + 1, count - 1)] - path[i > 0 ? i - 1 : 0]);
  };
  part.position.push_back(path.front() - origin);
  part.normal.push_back(-tangent(0));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 along = tangent(i);
    const Vec3 x = normalized(cross({0, 1, 0}, along)), y = cross(along, x);
    for (Index k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      const Vec3 out = x * cosine(angle) + y * sine(angle);
      part.position.push_back(path[i] + out * radius[i] - origin);
      part.normal.push_back(out);
    }
  }
  part.position.push_back(path.back() + tangent(count - 1) * radius.back() - origin);
  part.normal.push_back(tangent(count - 1));
  add_ring_triangles(part, static_cast<Index>(count), around);
  return part;
}

}  // namespace sinew::samples
