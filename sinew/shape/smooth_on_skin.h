// A vector field on a skin, smoothed where it is uncertain.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Minimises sum_v a_v / r_v^2 |u_v - field_v|^2 + sum over edges |u_i - u_j|^2, a_v the area around v: each value
// becomes a mean over about `radius`, metres per vertex. Where the radius is 0, values stay as they are, to rounding.
std::vector<Vec3> smoothed_on_skin(const TriangleMesh& skin, std::span<const Vec3> field,
                                   std::span<const double> radius);

}  // namespace sinew
