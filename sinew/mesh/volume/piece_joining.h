// Mesh from copies of lattice tetrahedra: copies of neighbouring tetrahedra share the nodes of their common face where
// their pieces of the solid are connected through it.
#pragma once

#include "sinew/mesh/tetrahedral_mesh.h"
#include "sinew/mesh/volume/cell_components.h"

namespace sinew {

// The mesh of all copies, and where its elements come from.
struct JoinedPieces {
  TetrahedralMesh mesh;
  std::vector<int> lattice_tetrahedron;  // per element
  std::vector<char> duplicated;          // per element, 1 where its lattice tetrahedron has other copies
  std::vector<char> full;                // per element, as in CellPieces
  Rows nodes;                            // per element, its graph nodes, increasing
};

JoinedPieces join_pieces(const LatticeMesh& lattice, const CellPieces& pieces);

// Removes the elements for which `keep` is 0, and vertices without elements.
JoinedPieces selected(const JoinedPieces& joined, const std::vector<char>& keep);

// Faces of a tetrahedral mesh: sorted vertex triples with the elements that have them.
struct TetrahedronFaces {
  std::vector<std::array<int, 3>> vertices;  // increasing within each face
  Rows elements;                             // per face, increasing
};
TetrahedronFaces tetrahedron_faces(std::span<const Tetrahedron> tetrahedra, std::size_t vertex_count);

}  // namespace sinew
