// Sampling of a tetrahedral mesh at points, continuous in the points and in the mesh.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/embedding.h"

namespace sinew {

// Shares of each point in the tetrahedra around it: 1 inside one, half of each on a face between two, 0 outside all. A
// share rises and falls gradually within a twentieth of the tetrahedron's height on either side of a face, so that
// rounding cannot decide which tetrahedron contains the point. Shares of a point sum to at most 1; overlapping copies
// of one cell divide them. Shares of point i are entries start[i] to start[i + 1].
struct SharesAround {
  std::vector<int> start{0};
  std::vector<int> tetrahedron;
  std::vector<double> share;
};
SharesAround shares_around(const EmbeddingSearch& search, std::span<const Vec3> points);

}  // namespace sinew
