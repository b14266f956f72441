// Rigid parts of the skin in a body of tetrahedra: eyes, teeth, buttons and plates.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Embeds the vertices of parts that stand on skin in the flesh under that skin, so that flesh carries them: the pieces
// of the body that fill such parts are not connected to it. Other vertices stay where `embedding` has them.
Embedding carried_by_flesh(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                           const Embedding& embedding);

// Per vertex of the surface, 1 where its piece of the body also carries skin outside rigid parts.
std::vector<char> on_shared_pieces(const TetrahedralMesh& mesh, const std::vector<RigidPart>& parts,
                                   const Embedding& embedding);

// Factor of the elasticity per tetrahedron: high where the surface in it is that of rigid parts, so that these move as
// rigid bodies in the simulation; 1 elsewhere. `embedding`: carried_by_flesh().
std::vector<double> rigid_stiffening(const TetrahedralMesh& mesh, const TriangleMesh& rest, const KeptShape& parts,
                                     const Embedding& embedding);

}  // namespace sinew
