// How the volume of a body changes when it moves.
#pragma once

#include <span>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct VolumeMeasures {
  double ratio = 1;    // of the whole body, over rest
  double min_det = 1;  // smallest determinant of the deformation gradient over all tetrahedra
};

// `positions`: of the mesh's vertices as they are now; the mesh has those at rest.
VolumeMeasures measure_volumes(const TetrahedralMesh& mesh, std::span<const Vec3> positions);

}  // namespace sinew
