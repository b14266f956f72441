// Simple bodies made of cuboid cells: bars, blocks and any other set of cells.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

enum class CellDivision {
  // The body-centred lattice: twelve tetrahedra per cell. Between two filled cells four tetrahedra join both centres to
  // the edges of their common face; a boundary face has two.
  centred,
  six,  // Kuhn's division: around one diagonal of the cell, without additional vertices
};

struct CellLattice {
  TetrahedralMesh mesh;  // vertices: corners of cells first, then centres
  std::array<int, 3> cells;
  std::vector<int> corner;  // per corner of the grid: its vertex, or -1 where no filled cell touches it

  // The vertex at a corner of the grid, 0 <= i <= cells[0] and so on.
  int vertex(int i, int j, int k) const {
    const auto wide = [](int n) { return static_cast<std::size_t>(n); };
    return corner[(wide(i) * wide(cells[1] + 1) + wide(j)) * wide(cells[2] + 1) + wide(k)];
  }
};

// Fills cells of a grid of cells[0] x cells[1] x cells[2] cells of the given size that begins at the origin; `filled`
// empty: all. Throws usage_error for a grid that is not positive, or where no cell is filled.
CellLattice cell_lattice(std::array<int, 3> cells, const Vec3& cell_size,
                         const std::function<bool(int i, int j, int k)>& filled = {},
                         CellDivision division = CellDivision::centred);

}  // namespace sinew
