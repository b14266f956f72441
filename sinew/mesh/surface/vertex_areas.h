// Surface area per vertex.
#pragma once

#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Per vertex: a third of the area of the triangles around it.
std::vector<double> vertex_areas(const TriangleMesh& mesh);

}  // namespace sinew
