// Rigid parts of the skin in a body of tetrahedra: eyes, teeth, buttons and plates.
#pragma once

#include <vector>

#include "sinew/deform/display/kept_shape.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Embeds the vertices of parts that stand on skin in the flesh under that skin, so that flesh carries them: the pieces
// of the body that fill such parts are not connected to it. Other vertices stay where `embedding` has them.
Embedding carried_by_flesh(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                           const Embedding& embedding);

// Factor of the elasticity per tetrahedron: high where it carries rigid parts, so that these move as rigid bodies in
// the simulation; 1 elsewhere.
std::vector<double> rigid_stiffening(const TetrahedralMesh& mesh, const KeptShape& parts, const Embedding& embedding);

}  // namespace sinew
