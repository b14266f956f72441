// Volume change of a deformed body.
#pragma once

#include <span>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct VolumeMeasures {
  double ratio = 1;    // volume of the whole body relative to rest
  double min_det = 1;  // smallest determinant of the deformation gradient over all tetrahedra
};

// `positions`: current positions of the mesh's vertices; the mesh has the rest positions.
VolumeMeasures measure_volumes(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

}  // namespace sinew
