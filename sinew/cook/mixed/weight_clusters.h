// Rotation clusters for characters with skin weights: an element takes the rotation of the bone that the artist
// painted.
#pragma once

#include <span>

#include "sinew/character/character.h"
#include "sinew/cook/mixed/mixed_bones.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Each element takes the bone with the largest sum of its corners' weights. Weights of bones that do not pose the body
// count for the bone that stands in for them. `influences` are per mesh vertex, over the surface's bones
// (body_influences()). Elements without weights take the bone of the nearest element that has some; if no element has
// any, they get -1 and are boneless.
RotationClusters weight_clusters(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                                 const PosingBones& bones);

}  // namespace sinew
