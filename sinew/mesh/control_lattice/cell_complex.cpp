#include "sinew/mesh/control_lattice/cell_complex.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"

namespace sinew {
namespace {

// Groups the numbers 0, 1, ... of `key` by key.
Rows group(std::size_t keys, const std::vector<int>& key) {
  Rows rows;
  rows.offsets.assign(keys + 1, 0);
  for (int k : key) ++rows.offsets[index(k) + 1];
  for (std::size_t i = 0; i < keys; ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.items.resize(key.size());
  std::vector<int> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t i = 0; i < key.size(); ++i) rows.items[index(next[index(key[i])]++)] = static_cast<int>(i);
  return rows;
}

void find_edges(CellComplex& complex) {
  const CellSides& cells = complex.cells;
  std::vector<int> smaller, larger;
  smaller.reserve(cells.corner.size());
  larger.reserve(cells.corner.size());
  for (std::size_t s = 0; s < cells.sides(); ++s) {
    const std::span<const int> side = cells.side(s);
    for (std::size_t k = 0; k < side.size(); ++k) {
      const auto [a, b] = std::minmax(side[k], side[k + 1 < side.size() ? k + 1 : 0]);
      smaller.push_back(a);
      larger.push_back(b);
    }
  }
  const Rows by_smaller = group(index(cells.vertices), smaller);
  std::vector<int> others;
  for (std::size_t v = 0; v < index(cells.vertices); ++v) {
    others.clear();
    for (int i : by_smaller[v]) others.push_back(larger[index(i)]);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (int other : others) {
      complex.vertex_edges.items.push_back(static_cast<int>(complex.edges.size()));
      complex.edges.push_back({static_cast<int>(v), other});
    }
    complex.vertex_edges.offsets.push_back(static_cast<int>(complex.edges.size()));
  }
}

// Sides with the same set of corners are one face. Faces are numbered by their smallest corner, then by the others.
void find_faces(CellComplex& complex) {
  const CellSides& cells = complex.cells;
  std::vector<int> smallest(cells.sides());
  std::vector<int> sorted = cells.corner;  // the corners of each side ascending
  for (std::size_t s = 0; s < cells.sides(); ++s) {
    std::sort(sorted.begin() + cells.face_start[s], sorted.begin() + cells.face_start[s + 1]);
    smallest[s] = sorted[index(cells.face_start[s])];
  }
  const auto key = [&](int s) {
    const int first = cells.face_start[index(s)], last = cells.face_start[index(s) + 1];
    return std::span<const int>(sorted.data() + first, index(last - first));
  };
  const auto order = [&](int a, int b) {
    const std::span<const int> x = key(a), y = key(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  const Rows by_smallest = group(index(cells.vertices), smallest);
  complex.side_face.resize(cells.sides());
  std::vector<int> sides;
  for (std::size_t v = 0; v < index(cells.vertices); ++v) {
    sides.assign(by_smallest[v].begin(), by_smallest[v].end());
    std::stable_sort(sides.begin(), sides.end(), order);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (i == 0 || order(sides[i - 1], sides[i])) {
        const std::span<const int> corners = cells.side(index(sides[i]));
        complex.faces.items.insert(complex.faces.items.end(), corners.begin(), corners.end());
        complex.faces.offsets.push_back(static_cast<int>(complex.faces.items.size()));
      }
      complex.side_face[index(sides[i])] = static_cast<int>(complex.faces.size()) - 1;
    }
  }
  complex.face_sides = group(complex.faces.size(), complex.side_face);
  complex.face_edges.offsets = complex.faces.offsets;
  complex.face_edges.items.reserve(complex.faces.items.size());
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    const std::span<const int> face = complex.faces[f];
    for (std::size_t k = 0; k < face.size(); ++k)
      complex.face_edges.items.push_back(complex.edge_between(face[k], face[k + 1 < face.size() ? k + 1 : 0]));
  }
}

void list_cell_vertices(CellComplex& complex) {
  const CellSides& cells = complex.cells;
  std::vector<std::size_t> last_cell(index(cells.vertices), cells.cells());
  complex.side_cell.resize(cells.sides());
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    for (std::size_t s = index(cells.cell_start[c]); s < index(cells.cell_start[c + 1]); ++s) {
      complex.side_cell[s] = static_cast<int>(c);
      for (int v : cells.side(s)) {
        if (last_cell[index(v)] == c) continue;
        last_cell[index(v)] = c;
        complex.cell_vertices.items.push_back(v);
      }
    }
    complex.cell_vertices.offsets.push_back(static_cast<int>(complex.cell_vertices.items.size()));
  }
}

void find_boundary(CellComplex& complex) {
  complex.boundary_face.assign(complex.faces.size(), 0);
  complex.boundary_edge.assign(complex.edges.size(), 0);
  complex.boundary_vertex.assign(index(complex.cells.vertices), 0);
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (complex.face_sides[f].size() != 1) continue;
    complex.boundary_face[f] = 1;
    for (int e : complex.face_edges[f]) complex.boundary_edge[index(e)] = 1;
    for (int v : complex.faces[f]) complex.boundary_vertex[index(v)] = 1;
  }
}

}  // namespace

CellSides sides_of(const ControlLattice& lattice) {
  return {static_cast<int>(lattice.positions.size()), lattice.cell_start, lattice.face_start, lattice.corner};
}

CellSides sides_of(int vertices, std::span<const std::array<int, 8>> hexahedra) {
  CellSides cells;
  cells.vertices = vertices;
  cells.cell_start.reserve(hexahedra.size() + 1);
  cells.face_start.reserve(6 * hexahedra.size() + 1);
  cells.corner.reserve(24 * hexahedra.size());
  for (const std::array<int, 8>& hexahedron : hexahedra) {
    for (const auto& face : hexahedron_faces) {
      for (int k : face) cells.corner.push_back(hexahedron[index(k)]);
      cells.face_start.push_back(static_cast<int>(cells.corner.size()));
    }
    cells.cell_start.push_back(static_cast<int>(cells.sides()));
  }
  return cells;
}

int CellComplex::edge_between(int a, int b) const {
  const auto [smaller, larger] = std::minmax(a, b);
  if (smaller < 0 || index(smaller) >= vertex_edges.size()) return -1;
  for (int e : vertex_edges[index(smaller)])
    if (edges[index(e)][1] == larger) return e;
  return -1;
}

CellComplex cell_complex(CellSides cells) {
  CellComplex complex;
  complex.cells = std::move(cells);
  find_edges(complex);
  find_faces(complex);
  list_cell_vertices(complex);
  find_boundary(complex);
  return complex;
}

}  // namespace sinew
