// Intersection test of two triangles.
#pragma once

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// True if triangles s and t of the mesh meet in more than the vertices that they share by index: they cross, or overlap
// in one plane. Contact within 1e-9 of their size does not count.
bool triangles_cross(const TriangleMesh& mesh, int s, int t);

}  // namespace sinew
