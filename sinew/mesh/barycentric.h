// Barycentric coordinates in a tetrahedron.
#pragma once

#include <array>

#include "sinew/linalg/small.h"

namespace sinew {

// Weights with sum 1 for which the weighted mean of the corners is p; a weight is negative if p lies beyond the face
// opposite its corner. The tetrahedron must have volume.
inline std::array<double, 4> barycentric_weights(const std::array<Vec3, 4>& corners, const Vec3& p) {
  const Vec3 a = corners[1] - corners[0], b = corners[2] - corners[0], c = corners[3] - corners[0], d = p - corners[0];
  const Vec3 bc = cross(b, c);
  const double inverse_volume = 1 / dot(a, bc);
  const double w1 = dot(d, bc) * inverse_volume, w2 = dot(d, cross(c, a)) * inverse_volume,
               w3 = dot(d, cross(a, b)) * inverse_volume;
  return {1 - w1 - w2 - w3, w1, w2, w3};
}

}  // namespace sinew
