// Connected pieces of the solid within lattice tetrahedra, and the copies of a tetrahedron that they
// ask for: one for each piece (the virtual nodes of Molino, Bao and Fedkiw 2004, with connectivity
// decided by the solid itself and not by cuts).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/mesh/topology.h"
#include "sinew/mesh/volume/solid_sampling.h"

namespace sinew {

// Tetrahedra of the lattice over nodes that may have moved.
struct LatticeMesh {
  std::vector<Vec3> positions;                 // per node
  std::vector<std::array<int, 4>> tetrahedra;  // positive volume
  std::vector<CubeIndex> cube;                 // per tetrahedron, the lower of its two cubes
};

// One copy of a tetrahedron for each piece of the solid in it.
struct CellPieces {
  std::vector<int> tetrahedron;  // per piece, index into LatticeMesh::tetrahedra; increasing
  Rows nodes;                    // per piece, the graph nodes (SolidSampling) in it, increasing
  std::vector<char> full;        // per piece, 1 where no surface meets its tetrahedron: all of it is solid
};

// A tetrahedron has a piece for each connected component of the solid and its surface within the
// tetrahedron grown by `growth`, provided that the component reaches into the tetrahedron itself,
// deeper than `touch`. Lengths in metres.
CellPieces find_cell_pieces(const SolidSampling& sampling, const LatticeMesh& lattice, double growth, double touch);

}  // namespace sinew
