// Makes the triangles of a dirty surface face outward, as far as that means anything.
#pragma once

#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Per triangle, 1 where its winding should be reversed. Triangles are made consistent across edges
// that exactly two of them share; a closed shell whose outside then lies within (negative volume) is
// turned round, unless it lines a cavity of the rest of the surface; an open shell keeps the sense
// that the larger part of its area had.
std::vector<char> triangles_to_flip(const TriangleMesh& mesh);

}  // namespace sinew
