// Merging of copies of one cell (virtual nodes).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// The merged mesh, and where its elements come from.
struct MergedMesh {
  TetrahedralMesh mesh;
  std::vector<int> vertex;       // per vertex, one of the original vertices that were merged into it
  std::vector<int> tetrahedron;  // per original tetrahedron, the one that it became
};

// Merges tetrahedra of the same `cell` whose corners correspond one by one if `alike(a, b)`, with their vertices. A
// merged vertex is placed in the middle of the original ones, or near it if tetrahedra keep positive volume only there.
// Empty if they cannot.
std::optional<MergedMesh> merge_copies(const TetrahedralMesh& mesh, std::span<const int> cell,
                                       const std::function<bool(int a, int b)>& alike);

// True if some vertex of tetrahedron b can be reached from one of a along edges within a distance in metres; `around`
// has the neighbours of each vertex.
bool are_near_along_edges(const TetrahedralMesh& mesh, std::span<const std::vector<int>> around, int a, int b,
                          double within);

}  // namespace sinew
