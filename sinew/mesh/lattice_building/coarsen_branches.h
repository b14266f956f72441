// Faces that more than two tetrahedra share, as bodies with virtual nodes have them where parts branch off side by
// side.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct UnbranchedMesh {
  TetrahedralMesh mesh;
  std::vector<int> vertex;       // per vertex, the one of the branched mesh that it stands for, or is new beside
  std::vector<int> tetrahedron;  // per tetrahedron, the one of the branched mesh that it is a part of
};

// The same tetrahedra, some of them split, such that no face has more than two tetrahedra, on its two sides.
//
// Where two fingers begin side by side at one face of a palm, the face is split in three, and each finger gets one
// piece at least. Tetrahedra that then hang together by an edge or a vertex alone come apart there, unless nothing else
// holds the bodies together that they belong to. `centre` per tetrahedron, of what it carries, decides who gets which
// piece.
UnbranchedMesh separate_branches(const TetrahedralMesh& mesh, std::span<const Vec3> centre);

}  // namespace sinew
