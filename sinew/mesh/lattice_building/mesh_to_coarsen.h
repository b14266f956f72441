// Volume mesh from which a lattice is coarsened.
#pragma once

#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// mesh_volume(), except that its boundary is fitted in steps of a few fixed lengths (fit_in_few_lengths(),
// boundary_fit.h).
VolumeMesh mesh_to_coarsen(const TriangleMesh& surface, const VolumeMeshingOptions& options,
                           const Progress& progress = {});

}  // namespace sinew
