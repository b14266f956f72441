// Orientation of the triangles of an imperfect surface, so that they face outward where that is defined.
#pragma once

#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Per triangle, 1 where its winding should be reversed. Triangles are made consistent across edges that exactly two of
// them share. A closed shell with negative volume is then inverted, unless it lines a cavity of the rest of the
// surface; an open shell keeps the orientation of the larger part of its area.
std::vector<char> triangles_to_flip(const TriangleMesh& mesh);

}  // namespace sinew
