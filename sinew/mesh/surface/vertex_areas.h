// Areas and normals per vertex.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Per vertex: a third of the area of the triangles around it.
std::vector<double> vertex_areas(const TriangleMesh& mesh);

// Per vertex: sum of the area vectors of the triangles around it, which point along the normal.
std::vector<Vec3> vertex_area_vectors(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace sinew
