// Rotation clusters of characters that have skin weights: whose rotation an element takes is what the artist painted.
#pragma once

#include <span>

#include "sinew/character/character.h"
#include "sinew/cook/mixed/mixed_bones.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Each element takes the bone that has most of its corners' weights, those of bones that do not pose the body counted
// for the one that stands in for them. `influences`: of the mesh's vertices, over the surface's bones
// (body_influences). Elements without weights have the bone of the nearest element that has some, or -1
// where none has, and are boneless.
RotationClusters weight_clusters(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                                 const PosingBones& bones);

}  // namespace sinew
