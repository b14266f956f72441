// The common part of all edits of control lattices by hand (Capell 2004, section 5.4): cells as lists that can be
// changed, and the checks that no edit passes with an illegal lattice.
//
// An edit is a function from a lattice to a LatticeEdit. It throws usage_error, a sentence, where it would leave a
// lattice that structural_defects() refuses, or fold a cell that was not; the lattice it was given stays as it is.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/mesh/control_lattice/cell_complex.h"
#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew {

// The most cells that a lattice may have after an edit; more would not be drawn or cooked in reasonable time.
inline constexpr std::size_t most_edited_cells = 20'000;

struct LatticeEdit {
  ControlLattice lattice;
  std::vector<int> new_vertex;  // per vertex of the lattice before, its number now; -1: it is gone
};

// A face by its corners, a cell by its faces; counter-clockwise seen from outside the cell.
using FaceCorners = std::vector<int>;
using CellFaces = std::vector<FaceCorners>;

std::vector<CellFaces> cells_of(const ControlLattice& lattice);
// Replaces the cells. Plain cells begin at their corner with the smallest number, and others list their faces in
// ascending order, so that equal cells have equal bytes however they came about. Cells without faces are left out.
void set_cells(ControlLattice& lattice, const std::vector<CellFaces>& cells);
// The lattice with its cells in that form. What has been split and merged again has the bytes of this.
ControlLattice in_standard_form(ControlLattice lattice);

// Removes vertices that no cell uses. What refers to them in bones and sharp edges must have been removed before.
LatticeEdit without_unused_vertices(ControlLattice lattice);

// Removes from bones and creases what is no longer along edges: a chain falls into pieces, single vertices of chains
// stay as long as a cell has them.
void drop_lost_edges(ControlLattice& lattice);

// Throws usage_error, beginning with `what` ("The cells cannot be merged"), if the edited lattice is illegal, too
// large, or has more folded cells than the one before.
void require_legal(const ControlLattice& before, const ControlLattice& after, const char* what);

// Adds a vertex with painted values that are the mean of those of `from`, and returns its number.
int add_vertex(ControlLattice& lattice, const Vec3& position, std::span<const int> from);

// Throws usage_error if the lattice has no such vertex, or cell.
void require_vertex(const ControlLattice& lattice, int vertex);
void require_cell(const ControlLattice& lattice, int cell);
// The edge between two vertices. Throws usage_error if there is none.
int require_edge(const CellComplex& complex, const std::array<int, 2>& edge);
// The face with exactly these corners, in any order. Throws usage_error if there is none.
int require_face(const CellComplex& complex, const std::vector<int>& corners);

// Per edge of the complex, the faces around it, ascending.
std::vector<std::vector<int>> faces_around_edges(const CellComplex& complex);

}  // namespace sinew
