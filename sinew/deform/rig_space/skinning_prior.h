// Prior of volumetric skinning that needs no examples: how the interior of a body follows arbitrary motion of its
// boundary.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Scalar fields over the vertices of a body, each with mean square one over the boundary, row by row: `count` numbers
// per vertex.
struct HarmonicFields {
  int count = 0;
  std::vector<double> value;  // vertices x count
};

// Computes random fields that are smooth along the boundary, alternately over a few edges and over many, and extended
// harmonically to the interior: K_qq f_q = -K_qb f_b with the stiffness of linear elements, which is roughly how each
// coordinate of a displacement behaves in an elastic body. `boundary`: distinct vertices, some in every piece of the
// body. The same bits for any number of threads. Throws simulation_error if elements have no volume, Stopped if
// `progress` requests it.
HarmonicFields harmonic_fields(const TetrahedralMesh& mesh, std::span<const int> boundary, int count,
                               const Progress& progress = {});

}  // namespace sinew
