// Centre of what a surface encloses.
#pragma once

#include <span>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Centroid of the enclosed volume, for the mesh's triangles at `positions`. Surfaces that enclose next to nothing for
// their size, such as a sheet, have the mean of their vertices.
Vec3 surface_centroid(const TriangleMesh& mesh, std::span<const Vec3> positions);

}  // namespace sinew
