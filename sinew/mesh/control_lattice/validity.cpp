#include "sinew/mesh/control_lattice/validity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/control_lattice/cell_complex.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/tetrahedra_overlap.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/tetrahedron.h"

namespace sinew {
namespace {

double volume_of(const std::array<Vec3, 4>& p) { return volume(p[0], p[1], p[2], p[3]); }

// True if two tetrahedra with volume that share a face are on opposite sides of it.
bool share_a_face(const Tetrahedron& a, const Tetrahedron& b) {
  int shared = 0;
  for (int v : a) shared += std::find(b.begin(), b.end(), v) != b.end();
  return shared >= 3;
}

template <class Items>
void sort_unique(Items& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Number of connected pieces of `cells`, which are connected through the given faces.
std::size_t pieces(const CellComplex& complex, const std::vector<int>& cells, const std::vector<int>& faces) {
  DisjointSets sets(cells.size());
  const auto local = [&](int side) {
    const int cell = complex.side_cell[index(side)];
    return static_cast<int>(std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin());
  };
  std::size_t count = cells.size();
  for (int f : faces) {
    const std::span<const int> sides = complex.face_sides[index(f)];
    for (std::size_t k = 1; k < sides.size(); ++k) {
      if (sets.find(local(sides[0])) == sets.find(local(sides[k]))) continue;
      sets.unite(local(sides[0]), local(sides[k]));
      --count;
    }
  }
  return count;
}

LatticeHinges find_hinges(const CellComplex& complex) {
  LatticeHinges hinges;
  std::vector<std::vector<int>> edge_faces(complex.edges.size()), vertex_faces(index(complex.cells.vertices));
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    for (int e : complex.face_edges[f]) edge_faces[index(e)].push_back(static_cast<int>(f));
    for (int v : complex.faces[f]) vertex_faces[index(v)].push_back(static_cast<int>(f));
  }
  const auto falls_apart = [&](const std::vector<int>& faces) {
    std::vector<int> cells;
    for (int f : faces)
      for (int s : complex.face_sides[index(f)]) cells.push_back(complex.side_cell[index(s)]);
    sort_unique(cells);
    return pieces(complex, cells, faces) > 1;
  };
  for (std::size_t e = 0; e < complex.edges.size(); ++e)
    if (falls_apart(edge_faces[e])) hinges.edges.push_back(complex.edges[e]);
  for (std::size_t v = 0; v < vertex_faces.size(); ++v)
    if (falls_apart(vertex_faces[v])) hinges.vertices.push_back(static_cast<int>(v));
  return hinges;
}

bool is_folded(const std::array<Vec3, 4>& corners, double length) {
  return !(volume_of(corners) > smallest_volume * length * length * length);
}

ParameterizationDefects check_tetrahedra(const TetrahedralMesh& mesh, const std::vector<int>& cell) {
  const std::size_t count = mesh.tetrahedra.size();
  std::vector<Box> boxes(count);
  std::vector<double> length(count);
  std::vector<char> folded(count);
  for (std::size_t t = 0; t < count; ++t) {
    const std::array<Vec3, 4> corners = corners_of(mesh, t);
    for (const Vec3& p : corners) boxes[t].include(p);
    length[t] = longest_edge(corners);
    folded[t] = is_folded(corners, length[t]);
  }
  const BoxTree tree(boxes);
  std::vector<std::vector<int>> overlapping(count);  // cells that have a tetrahedron with a higher number over this one
  parallel_for(count, 256, [&](std::size_t t) {
    if (folded[t]) return;
    const std::array<Vec3, 4> a = corners_of(mesh, t);
    tree.for_each_overlapping(boxes[t], [&](int other) {
      const std::size_t o = index(other);
      if (o <= t || folded[o] || share_a_face(mesh.tetrahedra[t], mesh.tetrahedra[o])) return;
      const double depth = overlap_tolerance * std::min(length[t], length[o]);
      if (tetrahedra_overlap(a, corners_of(mesh, o), depth)) overlapping[t].push_back(cell[o]);
    });
  });
  ParameterizationDefects defects;
  for (std::size_t t = 0; t < count; ++t) {
    if (folded[t]) defects.folded_cells.push_back(cell[t]);
    for (int other : overlapping[t])
      defects.overlapping_cells.push_back({std::min(cell[t], other), std::max(cell[t], other)});
  }
  sort_unique(defects.folded_cells);
  sort_unique(defects.overlapping_cells);
  return defects;
}

// Cells by their tetrahedra. A tetrahedral cell is mapped linearly, and is not divided.
struct CellTetrahedra {
  TetrahedralMesh mesh;
  std::vector<int> cell;  // per tetrahedron
};
CellTetrahedra tetrahedra_of_cells(const ControlLattice& lattice, int levels) {
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, levels);
  LatticeTetrahedra pieces = cut_into_tetrahedra(fine);
  CellTetrahedra result;
  result.mesh.positions = std::move(pieces.mesh.positions);  // those of the lattice come first
  std::vector<char> whole(lattice.cells());
  for (std::size_t c = 0; c < lattice.cells(); ++c) {
    const PlainCell plain = plain_cell(lattice, c);
    whole[c] = plain.shape == CellShape::tetrahedron;
    if (!whole[c]) continue;
    result.mesh.tetrahedra.push_back({plain.corners[0], plain.corners[1], plain.corners[2], plain.corners[3]});
    result.cell.push_back(static_cast<int>(c));
  }
  for (std::size_t t = 0; t < pieces.mesh.tetrahedra.size(); ++t) {
    const int cell = fine.cell[index(pieces.hexahedron[t])];
    if (whole[index(cell)]) continue;
    result.mesh.tetrahedra.push_back(pieces.mesh.tetrahedra[t]);
    result.cell.push_back(cell);
  }
  return result;
}

}  // namespace

ParameterizationDefects check_parameterization(const SubdividedLattice& lattice, const LatticeTetrahedra& tetrahedra) {
  std::vector<int> cell;
  cell.reserve(tetrahedra.hexahedron.size());
  for (int h : tetrahedra.hexahedron) cell.push_back(lattice.cell[index(h)]);
  return check_tetrahedra(tetrahedra.mesh, cell);
}

std::vector<int> folded_cells(const ControlLattice& lattice, int levels) {
  const CellTetrahedra tetrahedra = tetrahedra_of_cells(lattice, levels);
  std::vector<int> folded;
  for (std::size_t t = 0; t < tetrahedra.cell.size(); ++t) {
    const std::array<Vec3, 4> corners = corners_of(tetrahedra.mesh, t);
    if (is_folded(corners, longest_edge(corners))) folded.push_back(tetrahedra.cell[t]);
  }
  sort_unique(folded);
  return folded;
}

LatticeHinges lattice_hinges(const ControlLattice& lattice) { return find_hinges(cell_complex(sides_of(lattice))); }

LatticeValidity check_lattice(const ControlLattice& lattice, int levels, std::size_t limit) {
  LatticeValidity validity;
  validity.defects = structural_defects(lattice, limit);
  if (validity.defects.any()) return validity;
  const CellComplex complex = cell_complex(sides_of(lattice));
  std::vector<char> used(lattice.positions.size(), 0);
  for (int v : lattice.corner) used[index(v)] = 1;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (!used[v])
      validity.defects.add("vertex " + std::to_string(v) + " of the lattice is in no cell; delete it, or use it.");
  LatticeHinges hinges = find_hinges(complex);
  validity.hinge_edges = std::move(hinges.edges);
  validity.hinge_vertices = std::move(hinges.vertices);

  const CellTetrahedra tetrahedra = tetrahedra_of_cells(lattice, levels);
  const ParameterizationDefects found = check_tetrahedra(tetrahedra.mesh, tetrahedra.cell);
  validity.folded_cells = found.folded_cells;
  for (int cell : found.folded_cells)
    validity.defects.add("cell " + std::to_string(cell) +
                         " of the lattice is folded or inside out; move its vertices apart or turn it round.");
  for (const std::array<int, 2>& pair : found.overlapping_cells) {
    if (pair[0] != pair[1]) {
      validity.overlapping_cells.push_back(pair);
      continue;
    }
    if (std::binary_search(found.folded_cells.begin(), found.folded_cells.end(), pair[0])) continue;
    validity.self_overlapping_cells.push_back(pair[0]);
    validity.defects.add("cell " + std::to_string(pair[0]) + " of the lattice overlaps itself; straighten it.");
  }
  return validity;
}

}  // namespace sinew
