// Checks whether a control lattice can carry a body: its structure (lattice_structure.h), and whether its
// parameterisation r is one-to-one, by the tetrahedra that approximate it (Capell 2004, section 4.1).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/lattice_structure.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {

// Defects of the tetrahedra that approximate r. Tetrahedra overlap where they penetrate by more than overlap_tolerance
// of the longest edge of the shorter one; those that only touch or share vertices do not.
struct ParameterizationDefects {
  // Cells with a tetrahedron whose volume is below smallest_volume times its longest edge cubed; ascending.
  std::vector<int> folded_cells;
  // Pairs of cells, each once, smaller first, ascending; {c, c}: a cell that overlaps itself.
  std::vector<std::array<int, 2>> overlapping_cells;
};
inline constexpr double overlap_tolerance = 1e-6, smallest_volume = 1e-9;
ParameterizationDefects check_parameterization(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra);

// The cells that are folded or inside out when the trilinear scheme subdivides the lattice `levels` times; ascending.
// The lattice must have no structural_defects().
std::vector<int> folded_cells(const ControlLattice& lattice, int levels = 1);

// Edges and vertices at which cells meet that are joined by no face there.
struct LatticeHinges {
  std::vector<std::array<int, 2>> edges;
  std::vector<int> vertices;
};
LatticeHinges lattice_hinges(const ControlLattice& lattice);

// Result of the checks.
struct LatticeValidity {
  // Defects that make the lattice unusable: structure, vertices in no cell, folded cells, cells that overlap
  // themselves.
  LatticeDefects defects;
  // The cells that `defects` says are folded or overlap themselves; ascending.
  std::vector<int> folded_cells, self_overlapping_cells;

  // Possible defects. Copies of cells that serve nearly touching parts of the body overlap intentionally, and the body
  // hinges where solids meet only along an edge or at a vertex.
  std::vector<std::array<int, 2>> overlapping_cells;
  std::vector<std::array<int, 2>> hinge_edges;
  std::vector<int> hinge_vertices;
};

// Approximates r with `levels` >= 1 subdivisions of the trilinear scheme; tetrahedral cells, which it maps linearly,
// are not divided. Returns at most `limit` sentences.
LatticeValidity check_lattice(const ControlLattice& lattice, int levels = 2, std::size_t limit = 10);

}  // namespace sinew
