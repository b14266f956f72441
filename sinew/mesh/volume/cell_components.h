// Connected pieces of the solid within lattice tetrahedra, and one copy of a tetrahedron per piece (the virtual nodes
// of Molino, Bao and Fedkiw 2004, with connectivity decided by the solid itself and not by cuts).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/topology.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

// Tetrahedra of the lattice; nodes may have moved from the regular positions.
struct LatticeMesh {
  std::vector<Vec3> positions;                 // per node
  std::vector<std::array<int, 4>> tetrahedra;  // positive volume
  std::vector<CubeIndex> cube;                 // per tetrahedron, the lower of its two cubes
};

// One copy of a tetrahedron for each piece of the solid in it.
struct CellPieces {
  std::vector<int> tetrahedron;  // per piece, index into LatticeMesh::tetrahedra; increasing
  Rows nodes;                    // per piece, its graph nodes (SolidSampling), increasing
  std::vector<char> full;        // per piece, 1 where no surface meets its tetrahedron, which is then entirely solid
};

// A tetrahedron has one piece for each connected component of the solid and its surface within the tetrahedron grown by
// `growth`, if the component reaches deeper than `touch` into the tetrahedron itself. Lengths in metres.
CellPieces find_cell_pieces(const SolidSampling& sampling, const LatticeMesh& lattice, double growth, double touch);

}  // namespace sinew
