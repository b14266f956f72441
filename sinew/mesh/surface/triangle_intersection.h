// Do two triangles cross?
#pragma once

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// True where triangles s and t of the mesh meet in more than the vertices that they share by index:
// they cross, or lie in one plane and overlap. Contact within 1e-9 of their size is not a crossing.
bool triangles_cross(const TriangleMesh& mesh, int s, int t);

}  // namespace sinew
