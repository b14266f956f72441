// Problems of a lattice, each with the place where it is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct LatticeProblem {
  // folded: a cell is flat or inside out. itself: a cell overlaps itself. overlap: two cells overlap, as copies of
  // parts that nearly touch do. hinge: cells meet at an edge or a vertex alone. outside: the skin is outside the cells.
  enum class Kind { folded, itself, overlap, hinge, outside };
  Kind kind = Kind::folded;
  std::string text;           // a sentence
  std::vector<int> cells;     // those it concerns
  std::vector<int> vertices;  // of the lattice; a hinge's one or two
  Vec3 place;                 // metres, rest space
  bool prevents_use = false;  // whether the lattice cannot carry the body like this
};

struct LatticeProblems {
  std::vector<LatticeProblem> problems;  // those that prevent use first; at most as many as asked for
  std::size_t count = 0;                 // of all
  bool one_to_one = true;                // whether no cell is folded and none overlaps itself or another
  bool usable = true;                    // whether no problem prevents use
};

// Checks the map of the lattice (check_lattice()) and, if `skin` is not null, that its vertices are inside the cells,
// up to enclosure_tolerance. The lattice must have no structural_defects().
LatticeProblems lattice_problems(const ControlLattice& lattice, const TriangleMesh* skin, std::size_t limit = 50);

// Distance, as a share of the surface's extent, up to which a point outside all cells still counts as inside.
inline constexpr double enclosure_tolerance = 1e-6;

// Surface vertices outside all cells, by the nearest cell.
struct OutsideCell {
  int cell = -1;
  int count = 0, farthest_vertex = -1;  // of the surface
  double farthest = 0;                  // metres
};
std::vector<OutsideCell> vertices_outside(const ControlLattice& lattice, const TriangleMesh& surface);

}  // namespace sinew
