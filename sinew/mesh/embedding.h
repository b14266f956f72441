// An embedding carries points in a tetrahedral mesh: each point is a fixed barycentric combination
// of the four vertices of one tetrahedron.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct EmbeddedPoint {
  int tetrahedron = -1;                        // index into the mesh's tetrahedra
  std::array<double, 4> weights{0, 0, 0, 0};   // barycentric, sum 1; slightly negative just outside
};

struct Embedding {
  std::vector<EmbeddedPoint> points;  // one per embedded point, in the order of the points
};

}  // namespace sinew
