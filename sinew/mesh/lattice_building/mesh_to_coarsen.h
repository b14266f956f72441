// A volume mesh for the coarsening of lattices.
#pragma once

#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// mesh_volume(), but its boundary is drawn in by steps of few lengths (fit_in_few_lengths(), boundary_fit.h).
VolumeMesh mesh_to_coarsen(const TriangleMesh& surface, const VolumeMeshingOptions& options,
                           const Progress& progress = {});

}  // namespace sinew
