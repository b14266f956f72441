#include "studies/reference/cell_lattice.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

using Cell = std::array<int, 3>;

std::size_t cell_index(const Cell& c, const Cell& counts) {
  const auto wide = [](int i) { return static_cast<std::size_t>(i); };
  return (wide(c[0]) * wide(counts[1]) + wide(c[1])) * wide(counts[2]) + wide(c[2]);
}

template <class Visit>
void for_each_cell(const Cell& counts, const Visit& visit) {
  Cell c;
  for (c[0] = 0; c[0] < counts[0]; ++c[0])
    for (c[1] = 0; c[1] < counts[1]; ++c[1])
      for (c[2] = 0; c[2] < counts[2]; ++c[2]) visit(c);
}

void check_extent(const Cell& cells, const Vec3& size) {
  constexpr double most = 2e8;
  double all = 1;
  for (const int count : cells) {
    if (count < 1) throw usage_error("a lattice needs at least one cell along each axis.");
    all *= count;
  }
  if (all > most) throw usage_error("a lattice of " + std::to_string(all) + " cells is too large; give fewer.");
  if (!(size.x > 0 && size.y > 0 && size.z > 0) || !is_finite(size))
    throw usage_error("the cells of a lattice need a positive size along each axis.");
}

// The four corners of a cell's face, in order around it; `side` is 0 or 1 along `axis`.
std::array<Cell, 4> corners_of_face(const Cell& cell, std::size_t axis, int side) {
  std::array<Cell, 4> ring;
  for (std::size_t k = 0; k < 4; ++k) {
    ring[k] = cell;
    ring[k][axis] += side;
    ring[k][(axis + 1) % 3] += k == 1 || k == 2;
    ring[k][(axis + 2) % 3] += k >= 2;
  }
  return ring;
}

void add_upright(TetrahedralMesh& mesh, Tetrahedron t) {
  const auto p = [&](std::size_t c) { return mesh.positions[static_cast<std::size_t>(t[c])]; };
  if (volume(p(0), p(1), p(2), p(3)) < 0) std::swap(t[2], t[3]);
  mesh.tetrahedra.push_back(t);
}

// Adds tetrahedra around a face of a cell: to the centre behind it, or only within this cell if there is none.
void add_around_face(TetrahedralMesh& mesh, const std::array<int, 4>& ring, int here, int there) {
  if (there < 0) {
    add_upright(mesh, {here, ring[0], ring[1], ring[2]});
    add_upright(mesh, {here, ring[0], ring[2], ring[3]});
    return;
  }
  for (std::size_t k = 0; k < 4; ++k) add_upright(mesh, {here, there, ring[k], ring[(k + 1) % 4]});
}

// One tetrahedron per order of the axes: along the edges from a corner to the opposite one.
void add_six(CellLattice& lattice, const Cell& cell) {
  std::array<std::size_t, 3> axis{0, 1, 2};
  do {
    Cell at = cell;
    Tetrahedron t{lattice.vertex(at[0], at[1], at[2])};
    for (std::size_t step = 0; step < 3; ++step) {
      ++at[axis[step]];
      t[step + 1] = lattice.vertex(at[0], at[1], at[2]);
    }
    add_upright(lattice.mesh, t);
  } while (std::next_permutation(axis.begin(), axis.end()));
}

}  // namespace

CellLattice cell_lattice(std::array<int, 3> cells, const Vec3& size, const std::function<bool(int, int, int)>& filled,
                         CellDivision division) {
  check_extent(cells, size);
  const Cell grid{cells[0] + 1, cells[1] + 1, cells[2] + 1};
  CellLattice lattice{{}, cells, std::vector<int>(cell_index({grid[0], 0, 0}, grid), -1)};
  std::vector<int> centre(cell_index({cells[0], 0, 0}, cells), -1);  // -1 where the cell is not filled
  for_each_cell(cells, [&](const Cell& c) {
    if (filled && !filled(c[0], c[1], c[2])) return;
    centre[cell_index(c, cells)] = 0;
    for (const int side : {0, 1})
      for (const Cell& corner : corners_of_face(c, 0, side)) lattice.corner[cell_index(corner, grid)] = 0;
  });

  const auto add_vertex = [&](double i, double j, double k) {
    lattice.mesh.positions.push_back({i * size.x, j * size.y, k * size.z});
    return static_cast<int>(lattice.mesh.positions.size()) - 1;
  };
  for_each_cell(grid, [&](const Cell& c) {
    int& corner = lattice.corner[cell_index(c, grid)];
    if (corner >= 0) corner = add_vertex(c[0], c[1], c[2]);
  });
  if (lattice.mesh.positions.empty()) throw usage_error("a lattice without a filled cell has no body; fill some.");
  if (division == CellDivision::six) {
    for_each_cell(cells, [&](const Cell& c) {
      if (centre[cell_index(c, cells)] >= 0) add_six(lattice, c);
    });
    return lattice;
  }

  for_each_cell(cells, [&](const Cell& c) {
    int& here = centre[cell_index(c, cells)];
    if (here >= 0) here = add_vertex(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5);
  });
  for_each_cell(cells, [&](const Cell& c) {
    const int here = centre[cell_index(c, cells)];
    if (here < 0) return;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        Cell next = c;
        next[axis] += side == 1 ? 1 : -1;
        const bool inside = next[axis] >= 0 && next[axis] < cells[axis];
        const int there = inside ? centre[cell_index(next, cells)] : -1;
        if (there >= 0 && side == 0) continue;  // already made from the other side
        std::array<int, 4> ring;
        const auto around = corners_of_face(c, axis, side);
        for (std::size_t k = 0; k < 4; ++k) ring[k] = lattice.corner[cell_index(around[k], grid)];
        add_around_face(lattice.mesh, ring, here, there);
      }
  });
  return lattice;
}

}  // namespace sinew
