#include "sinew/mesh/lattice_editing/lattice_edit.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

int smallest_corner(const CellFaces& cell) {
  int smallest = cell[0][0];
  for (const FaceCorners& face : cell) smallest = std::min(smallest, *std::min_element(face.begin(), face.end()));
  return smallest;
}

// The smallest of the corners that an edge of the cell joins to this one.
int smallest_neighbour(const CellFaces& cell, int corner) {
  int smallest = -1;
  for (const FaceCorners& face : cell)
    for (std::size_t k = 0; k < face.size(); ++k) {
      if (face[k] != corner) continue;
      const int next = face[(k + 1) % face.size()];
      if (smallest < 0 || next < smallest) smallest = next;
    }
  return smallest;
}

// Puts the face first that plain_cell() is to begin with: a triangle of a prism, and elsewhere the face that makes the
// smallest corner number 0 and its smallest neighbour number 1.
void put_base_first(CellFaces& cell) {
  const int first = smallest_corner(cell), second = smallest_neighbour(cell, first);
  const auto triangles = std::count_if(cell.begin(), cell.end(), [](const FaceCorners& f) { return f.size() == 3; });
  const bool prism = triangles == 2 && cell.size() == 5;
  for (std::size_t f = 0; f < cell.size(); ++f) {
    FaceCorners face = cell[f];
    const auto at = std::find(face.begin(), face.end(), first);
    if (at == face.end()) continue;
    std::rotate(face.begin(), at, face.end());
    if (prism ? face.size() != 3 : face.back() != second) continue;
    cell.erase(cell.begin() + static_cast<std::ptrdiff_t>(f));
    cell.insert(cell.begin(), std::move(face));
    return;
  }
}

void sort_faces(CellFaces& cell) {
  for (FaceCorners& face : cell) std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  std::sort(cell.begin(), cell.end());
}

template <std::size_t N>
std::array<int, N> corner_array(const std::vector<int>& corners) {
  std::array<int, N> array{};
  std::copy_n(corners.begin(), N, array.begin());
  return array;
}

void append_in_standard_form(ControlLattice& lattice, CellFaces cell) {
  put_base_first(cell);
  ControlLattice alone;
  add_polyhedron(alone, cell);
  const PlainCell plain = plain_cell(alone, 0);
  switch (plain.shape) {
    case CellShape::tetrahedron:
      return add_tetrahedron(lattice, corner_array<4>(plain.corners));
    case CellShape::prism:
      return add_prism(lattice, corner_array<6>(plain.corners));
    case CellShape::hexahedron:
      return add_hexahedron(lattice, corner_array<8>(plain.corners));
    case CellShape::polyhedron:
      sort_faces(cell);
      return add_polyhedron(lattice, cell);
  }
}

}  // namespace

std::vector<CellFaces> cells_of(const ControlLattice& lattice) {
  std::vector<CellFaces> cells(lattice.cells());
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t f = index(lattice.cell_start[c]); f < index(lattice.cell_start[c + 1]); ++f) {
      const std::span<const int> face = lattice.face(f);
      cells[c].emplace_back(face.begin(), face.end());
    }
  return cells;
}

void set_cells(ControlLattice& lattice, const std::vector<CellFaces>& cells) {
  lattice.cell_start.assign(1, 0);
  lattice.face_start.assign(1, 0);
  lattice.corner.clear();
  for (const CellFaces& cell : cells)
    if (!cell.empty()) append_in_standard_form(lattice, cell);
}

ControlLattice in_standard_form(ControlLattice lattice) {
  set_cells(lattice, cells_of(lattice));
  return lattice;
}

LatticeEdit without_unused_vertices(ControlLattice lattice) {
  LatticeEdit edit;
  edit.new_vertex.assign(lattice.positions.size(), -1);
  for (const int v : lattice.corner) edit.new_vertex[index(v)] = 0;
  int next = 0;
  for (int& number : edit.new_vertex)
    if (number == 0) number = next++;
  const auto compact = [&](auto& values) {
    if (values.empty()) return;
    for (std::size_t v = 0; v < edit.new_vertex.size(); ++v)
      if (edit.new_vertex[v] >= 0) values[index(edit.new_vertex[v])] = values[v];
    values.resize(index(next));
  };
  compact(lattice.positions);
  compact(lattice.stiffness);
  compact(lattice.damping);
  compact(lattice.density);
  const auto renumber = [&](auto& vertices) {
    for (int& v : vertices) v = edit.new_vertex[index(v)];
  };
  renumber(lattice.corner);
  renumber(lattice.sharp_vertices);
  for (LatticeBone& bone : lattice.bones) renumber(bone.vertices);
  for (std::array<int, 2>& edge : lattice.sharp_edges) renumber(edge);
  edit.lattice = std::move(lattice);
  return edit;
}

void drop_lost_edges(ControlLattice& lattice) {
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::vector<char> used(lattice.positions.size(), 0);
  for (const int v : lattice.corner) used[index(v)] = 1;
  std::vector<LatticeBone> pieces;
  for (const LatticeBone& bone : lattice.bones) {
    LatticeBone piece{bone.name, {}};
    for (const int v : bone.vertices) {
      const bool joined = !piece.vertices.empty() && complex.edge_between(piece.vertices.back(), v) >= 0;
      if (!joined && !piece.vertices.empty()) pieces.push_back(std::exchange(piece, {bone.name, {}}));
      if (used[index(v)]) piece.vertices.push_back(v);
    }
    if (!piece.vertices.empty()) pieces.push_back(std::move(piece));
  }
  lattice.bones = std::move(pieces);
  std::erase_if(lattice.sharp_edges, [&](const auto& edge) { return complex.edge_between(edge[0], edge[1]) < 0; });
  std::erase_if(lattice.sharp_vertices, [&](int v) { return !used[index(v)]; });
}

void require_legal(const ControlLattice& before, const ControlLattice& after, const char* what) {
  if (after.cells() > most_edited_cells)
    throw usage_error(std::string(what) + ": the lattice would have more than " + std::to_string(most_edited_cells) +
                      " cells.");
  if (const LatticeDefects defects = structural_defects(after, 1); defects.any())
    throw usage_error(std::string(what) + ", because then " + defects.sentences[0]);
  const std::vector<int> folded = folded_cells(after);
  if (folded.size() > folded_cells(before).size())
    throw usage_error(std::string(what) + ", because a cell would fold; move its vertices first.");
}

int add_vertex(ControlLattice& lattice, const Vec3& position, std::span<const int> from) {
  lattice.positions.push_back(position);
  const auto append_mean = [&](std::vector<double>& values) {
    if (values.empty()) return;
    double sum = 0;
    for (const int v : from) sum += values[index(v)];
    values.push_back(from.empty() ? 1 : sum / static_cast<double>(from.size()));
  };
  append_mean(lattice.stiffness);
  append_mean(lattice.damping);
  append_mean(lattice.density);
  return static_cast<int>(lattice.positions.size()) - 1;
}

void require_vertex(const ControlLattice& lattice, int vertex) {
  if (vertex < 0 || index(vertex) >= lattice.positions.size())
    throw usage_error("The lattice has no vertex " + std::to_string(vertex) + ".");
}

void require_cell(const ControlLattice& lattice, int cell) {
  if (cell < 0 || index(cell) >= lattice.cells())
    throw usage_error("The lattice has no cell " + std::to_string(cell) + ".");
}

int require_edge(const CellComplex& complex, const std::array<int, 2>& edge) {
  const int found = complex.edge_between(edge[0], edge[1]);
  if (found < 0)
    throw usage_error("The lattice has no edge between vertices " + std::to_string(edge[0]) + " and " +
                      std::to_string(edge[1]) + ".");
  return found;
}

int require_face(const CellComplex& complex, const std::vector<int>& corners) {
  std::vector<int> wanted = corners;
  std::sort(wanted.begin(), wanted.end());
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    const std::span<const int> face = complex.faces[f];
    if (face.size() != wanted.size()) continue;
    std::vector<int> sorted(face.begin(), face.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted == wanted) return static_cast<int>(f);
  }
  std::string names;
  for (const int v : corners) names += (names.empty() ? "" : ", ") + std::to_string(v);
  throw usage_error("The lattice has no face with the vertices " + names + ".");
}

std::vector<std::vector<int>> faces_around_edges(const CellComplex& complex) {
  std::vector<std::vector<int>> faces(complex.edges.size());
  for (std::size_t f = 0; f < complex.faces.size(); ++f)
    for (const int e : complex.face_edges[f]) faces[index(e)].push_back(static_cast<int>(f));
  return faces;
}

}  // namespace sinew
