// The surface of a solid: the faces that belong to one tetrahedron only.
#pragma once

#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct BoundarySurface {
  std::vector<Triangle> triangles;  // indices into the mesh's positions, counter-clockwise seen from outside
  std::vector<int> tetrahedron;     // per triangle: whose face it is
};

// In the order of the tetrahedra. Indices are taken as valid.
BoundarySurface boundary_surface(const TetrahedralMesh& mesh);

}  // namespace sinew
