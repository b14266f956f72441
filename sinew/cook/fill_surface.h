// Tetrahedral meshes that fill a character's surface: the first step of every method with a body.
#pragma once

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew {

// Calls mesh_volume() with errors that name the character's file. Every tetrahedron counts as at least 0.2 full: with
// less, the outer corners of tetrahedra that the surface only grazes would have almost no stiffness to hold them.
VolumeMesh fill_surface(const Character& character, const TriangleMesh& rest, const VolumeMeshingOptions& options,
                        const Progress& progress = {});
// Fills the surface with the fine mesh that a lattice is coarsened from: mesh_to_coarsen() in place of mesh_volume().
VolumeMesh fill_surface_to_coarsen(const Character& character, const TriangleMesh& rest,
                                   const VolumeMeshingOptions& options, const Progress& progress = {});

}  // namespace sinew
