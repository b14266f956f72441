// The surface of a solid: the faces that belong to exactly one tetrahedron.
#pragma once

#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct BoundarySurface {
  std::vector<Triangle> triangles;  // indices into the mesh's positions, counter-clockwise seen from outside
  std::vector<int> tetrahedron;     // per triangle: the tetrahedron whose face it is
};

// Triangles are in the order of the tetrahedra. Indices must be valid.
BoundarySurface boundary_surface(const TetrahedralMesh& mesh);

}  // namespace sinew
