// Whether a control lattice can carry a body: the checks of lattice_structure.h, and whether its parameterisation r is
// one-to-one, by the tetrahedra that approximate it (Capell 2004, section 4.1).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/lattice_structure.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Of the tetrahedra that approximate r. Tetrahedra overlap where they reach into one another by more than
// overlap_tolerance of the longest edge of the shorter one; what only touches, or shares vertices, does not overlap.
struct ParameterizationDefects {
  std::vector<int> folded_cells;  // with a tetrahedron of less than smallest_volume longest edges cubed; ascending
  std::vector<std::array<int, 2>> overlapping_cells;  // each pair once, smaller first, ascending; {c, c}: with itself
};
inline constexpr double overlap_tolerance = 1e-6, smallest_volume = 1e-9;
ParameterizationDefects check_parameterization(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra);

struct LatticeValidity {
  // What no body can be built on: structure, vertices in no cell, folded cells, cells that overlap themselves.
  LatticeDefects defects;

  // What may be meant. Copies of cells that serve parts of the body which nearly touch overlap one another, and where
  // solids meet along an edge or in a vertex alone, the body hinges there.
  std::vector<std::array<int, 2>> overlapping_cells;
  std::vector<std::array<int, 2>> hinge_edges;
  std::vector<int> hinge_vertices;
};

// r is approximated with the trilinear scheme, `levels` >= 1 times subdivided; cells that are tetrahedra, which it maps
// linearly, are taken whole. At most `limit` sentences.
LatticeValidity check_lattice(const ControlLattice& lattice, int levels = 2, std::size_t limit = 10);

}  // namespace sinew
