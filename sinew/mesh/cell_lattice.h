// Bodies of plain shape, made of cuboid cells in the body-centred lattice: bars, blocks, and whatever cells fill.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct CellLattice {
  TetrahedralMesh mesh;    // twelve tetrahedra a cell; corners of cells first, then their centres
  std::array<int, 3> cells;
  std::vector<int> corner;  // per corner of the grid: its vertex, or -1 where no filled cell has it

  // The vertex at a corner of the grid, 0 <= i <= cells[0] and so on.
  int vertex(int i, int j, int k) const {
    return corner[static_cast<std::size_t>((i * (cells[1] + 1) + j) * (cells[2] + 1) + k)];
  }
};

// The filled ones of cells[0] x cells[1] x cells[2] cells of the given size, from the origin; `filled` empty: all.
// Between two filled cells four tetrahedra join both centres to the edges of their face; under a face of the boundary
// there are two. Throws usage_error for a grid that is not positive, or where no cell is filled.
CellLattice cell_lattice(std::array<int, 3> cells, const Vec3& cell_size,
                         const std::function<bool(int i, int j, int k)>& filled = {});

}  // namespace sinew
