// The first step that all methods with a body share: tetrahedra that fill the surface.
#pragma once

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// mesh_volume, with errors that name the character's file, and a floor of 0.2 under the share of each tetrahedron
// that is inside: less would leave the outer corners of those that the surface only grazes with next to nothing to
// hold them.
VolumeMesh fill_surface(const Character& character, const TriangleMesh& rest, const VolumeMeshingOptions& options,
                        const Progress& progress = {});
// Fills the surface with a mesh that a lattice is coarsened from: mesh_to_coarsen() in place of mesh_volume().
VolumeMesh fill_surface_to_coarsen(const Character& character, const TriangleMesh& rest,
                                   const VolumeMeshingOptions& options, const Progress& progress = {});

}  // namespace sinew
