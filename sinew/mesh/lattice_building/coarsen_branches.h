// Separation of faces that more than two tetrahedra share. Bodies with virtual nodes have such faces where parts branch
// off side by side.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// The separated mesh, and where its elements come from.
struct UnbranchedMesh {
  TetrahedralMesh mesh;
  // Per vertex, the vertex of the branched mesh that it stands for, or next to which it was added.
  std::vector<int> vertex;
  std::vector<int> tetrahedron;  // per tetrahedron, the one of the branched mesh that contains it
};

// Splits tetrahedra until no face has more than two, one on each side.
//
// Where two fingers start side by side at one face of a palm, the face is split in three and each finger gets at least
// one piece. Tetrahedra that are then connected only by an edge or a vertex are separated there, unless it is the only
// connection between their bodies. `centre`: per tetrahedron, the centre of its part of the body; it decides which body
// gets which piece.
UnbranchedMesh separate_branches(const TetrahedralMesh& mesh, std::span<const Vec3> centre);

}  // namespace sinew
