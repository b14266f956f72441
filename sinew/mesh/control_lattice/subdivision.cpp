#include "sinew/mesh/control_lattice/subdivision.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_complex.h"
#include "sinew/mesh/control_lattice/lattice_structure.h"
#include "sinew/mesh/control_lattice/refinement.h"
#include "sinew/mesh/control_lattice/subdivision_masks.h"

namespace sinew {
namespace {

// Bones' edges and their vertices are sharp, which makes the smooth schemes linear along bones (section 5.1).
SharpFeatures sharp_features(const ControlLattice& lattice, const CellComplex& complex) {
  SharpFeatures sharp;
  sharp.edge.assign(complex.edges.size(), 0);
  sharp.vertex.assign(lattice.positions.size(), 0);
  const auto mark_edge = [&](int a, int b) { sharp.edge[index(complex.edge_between(a, b))] = 1; };
  for (const LatticeBone& bone : lattice.bones)
    for (std::size_t k = 0; k < bone.vertices.size(); ++k) {
      sharp.vertex[index(bone.vertices[k])] = 1;
      if (k > 0) mark_edge(bone.vertices[k - 1], bone.vertices[k]);
    }
  for (const std::array<int, 2>& edge : lattice.sharp_edges) mark_edge(edge[0], edge[1]);
  for (int v : lattice.sharp_vertices) sharp.vertex[index(v)] = 1;
  return sharp;
}

SparseRows rows_of_scheme(SubdivisionScheme scheme, const CellComplex& complex, const RefinedCells& refined,
                          const SharpFeatures& sharp) {
  switch (scheme) {
    case SubdivisionScheme::maccracken_joy:
      return maccracken_joy_rows(complex, sharp);
    case SubdivisionScheme::mlca:
      return mlca_rows(complex, refined, sharp);
    case SubdivisionScheme::trilinear:
      break;
  }
  return trilinear_rows(complex);
}

SparseRows identity(int size) {
  SparseRows rows;
  rows.columns = size;
  for (int i = 0; i < size; ++i) {
    rows.column.push_back(i);
    rows.value.push_back(1);
    rows.start.push_back(i + 1);
  }
  return rows;
}

// Gives each row from `first` on a function of its own; none may have entries beyond column `first`.
void add_functions(SparseRows& rows, int first) {
  SparseRows wider;
  wider.columns = static_cast<int>(rows.rows());
  wider.column.reserve(rows.column.size() + rows.rows());
  wider.value.reserve(wider.column.capacity());
  for (int i = 0; i < wider.columns; ++i) {
    const auto begin = rows.start[index(i)], end = rows.start[index(i) + 1];
    wider.column.insert(wider.column.end(), rows.column.begin() + begin, rows.column.begin() + end);
    wider.value.insert(wider.value.end(), rows.value.begin() + begin, rows.value.begin() + end);
    if (i >= first) {
      wider.column.push_back(i);
      wider.value.push_back(1);
    }
    wider.start.push_back(static_cast<int>(wider.column.size()));
  }
  rows = std::move(wider);
}

// Numbers of vertices and of matrix entries have to fit into int.
void check_size(const CellComplex& complex, int levels) {
  constexpr double most = 2e7;
  const double hexahedra = static_cast<double>(complex.cell_vertices.items.size()) * std::pow(8.0, levels - 1);
  if (hexahedra > most)
    throw usage_error("a lattice of " + std::to_string(complex.cells.cells()) + " cells subdivided " +
                      std::to_string(levels) + " times has more than 20 million hexahedra; subdivide it less.");
}

void check_level(const SubdividedLattice& lattice, int level) {
  if (level < 0 || index(level) > lattice.refine.size())
    throw usage_error("level " + std::to_string(level) + " of a lattice was asked for that is subdivided " +
                      std::to_string(lattice.refine.size()) + " times.");
}

}  // namespace

SubdividedLattice subdivide(const ControlLattice& lattice, SubdivisionScheme scheme, int levels) {
  if (levels < 1) throw usage_error("a lattice is subdivided at least once, not " + std::to_string(levels) + " times.");
  throw_if_any(structural_defects(lattice, 1));
  SubdividedLattice result;
  result.positions = lattice.positions;
  result.vertices = {static_cast<int>(lattice.positions.size())};
  for (const LatticeBone& bone : lattice.bones) result.bones.push_back(bone.vertices);
  CellComplex complex = cell_complex(sides_of(lattice));
  check_size(complex, levels);
  SharpFeatures sharp = sharp_features(lattice, complex);
  for (int level = 0; level < levels; ++level) {
    RefinedCells refined = refine_cells(complex);
    const int count = refined_vertices(complex).count;
    for (std::vector<int>& chain : result.bones) chain = refine_chain(chain, complex);
    if (level > 0)
      for (int& parent : refined.parent) parent = result.cell[index(parent)];
    result.refine.push_back(rows_of_scheme(scheme, complex, refined, sharp));
    std::vector<Vec3> positions(index(count));
    multiply(result.refine.back(), result.positions, positions);
    if (level + 1 < levels) {
      CellComplex fine = cell_complex(sides_of(count, refined.hexahedra));
      sharp = refine_features(sharp, complex, fine);
      complex = std::move(fine);
    }
    result.positions = std::move(positions);
    result.vertices.push_back(count);
    result.hexahedra = std::move(refined.hexahedra);
    result.cell = std::move(refined.parent);
  }
  return result;
}

SparseRows hierarchical_to_nodal(const SubdividedLattice& lattice, int basis_levels) {
  check_level(lattice, basis_levels - 1);
  SparseRows basis = identity(lattice.vertices[0]);
  for (std::size_t k = 0; k + 1 < index(basis_levels); ++k) {
    basis = product(lattice.refine[k], basis);
    add_functions(basis, lattice.vertices[k]);
  }
  return basis;
}

SparseRows hierarchical_basis(const SubdividedLattice& lattice, int basis_levels) {
  SparseRows basis = hierarchical_to_nodal(lattice, basis_levels);
  for (std::size_t k = index(basis_levels - 1); k < lattice.refine.size(); ++k)
    basis = product(lattice.refine[k], basis);
  return basis;
}

SparseRows nodal_basis(const SubdividedLattice& lattice, int level) {
  check_level(lattice, level);
  SparseRows basis = identity(lattice.vertices[index(level)]);
  for (std::size_t k = index(level); k < lattice.refine.size(); ++k) basis = product(lattice.refine[k], basis);
  return basis;
}

}  // namespace sinew
