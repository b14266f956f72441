// Normals for smooth shading, one per triangle corner.
#pragma once

#include <array>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Angle-weighted averages of the unit normals of the triangles around a corner's point that differ by less than
// `crease_angle` (radians) from the corner's own triangle. Vertices at the same place count as one point, so that
// texture seams do not show. Degenerate triangles have zero normals.
std::vector<std::array<Vec3, 3>> corner_normals(const TriangleMesh& surface, double crease_angle);

}  // namespace sinew
