// Copies of one cell (virtual nodes) made one again.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct MergedMesh {
  TetrahedralMesh mesh;
  std::vector<int> vertex;       // per vertex, one of those that it was made of
  std::vector<int> tetrahedron;  // per tetrahedron of the mesh given, the one that it became
};

// Tetrahedra of the same `cell` whose corners correspond one by one are made one where `alike(a, b)`, with their
// vertices. A vertex made of several stands in the middle of them, or near it where tetrahedra keep volume only there.
// Empty where they do not.
std::optional<MergedMesh> merge_copies(const TetrahedralMesh& mesh, std::span<const int> cell,
                                       const std::function<bool(int a, int b)>& alike);

// Whether some vertex of tetrahedron b can be reached from one of a along edges, within a distance in metres; `around`
// has the neighbours of each vertex.
bool are_near_along_edges(const TetrahedralMesh& mesh, std::span<const std::vector<int>> around, int a, int b,
                          double within);

}  // namespace sinew
