// The first steps that all methods with a body share: how tall the surface stands, and tetrahedra that fill it.
#pragma once

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/volume_meshing.h"

namespace sinew {

// Extent along y of what the triangles use, in the mesh's unit; for flat characters (a ray, a snake) 0.3 of the
// largest extent.
double standing_height(const TriangleMesh& mesh);

// mesh_volume, with errors that name the character's file, and a floor of 0.2 under the share of each tetrahedron
// that is inside: less would leave the outer corners of those that the surface only grazes with next to nothing to
// hold them.
VolumeMesh fill_surface(const Character& character, const TriangleMesh& rest, const VolumeMeshingOptions& options,
                        const Progress& progress = {});

}  // namespace sinew
