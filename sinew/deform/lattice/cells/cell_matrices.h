// What each cell of a control lattice contributes to the equations of motion: symmetric matrices over the functions
// that do not vanish on it. In motion a cell's elastic matrix is turned by one rotation, that of the flesh in it, so
// that no pose needs anything assembled (element-wise warping, docs/flesh.md).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/elastic/basis_integrals.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/sparse_rows.h"

namespace sinew {

struct CellMatrices {
  std::vector<int> start{0};           // cells + 1
  std::vector<int> function;           // ascending within a cell
  std::vector<std::size_t> offset{0};  // cells + 1, counting pairs of functions: cell c has n_c^2 of them
  std::vector<Mat3> stiffness;         // per pair, row by row: S of the elastic energy, newtons per metre, rest space
  std::vector<double> mass;            // per pair: M (3.8), kilograms
  std::vector<double> hold;            // per pair: Hessian of the bone displacement energy (5.12), newtons per metre

  std::size_t cells() const { return start.size() - 1; }
  int functions_of(std::size_t cell) const { return start[cell + 1] - start[cell]; }
};

// `sample_cell` says to which of `cells` cells each strain sample belongs. `density` and `bone_stiffness` are per
// tetrahedron, times the share inside: kg/m^3, and N/m per m^3 of the bone displacement energy (Capell 2004, 5.11);
// `tetrahedron_cell` is the cell of each tetrahedron.
CellMatrices cell_matrices(const StrainSamples& samples, std::span<const int> sample_cell, int cells,
                           const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                           std::span<const int> tetrahedron_cell, std::span<const double> density,
                           std::span<const double> bone_stiffness);

// What a combination takes of a cell's matrices.
struct CellFactors {
  double mass = 0, stiffness = 0, hold = 0;
};

// Where the numbers of the cells go in a matrix over some of the functions: the same however stiff or heavy these are.
struct CellPattern {
  BlockMatrix matrix;      // rows and columns; no blocks
  std::vector<int> block;  // per pair of functions of a cell: its block of the matrix, or -1
};
// Over the functions with unknown[f] >= 0, numbered by it, ascending from 0 without gaps.
CellPattern cell_pattern(const CellMatrices& cells, std::span<const int> unknown);

// mass M + stiffness S + hold H, factors per cell or one for all; all cells unturned.
BlockMatrix assemble_cells(const CellMatrices& cells, const CellPattern& pattern, std::span<const CellFactors> factors);
BlockMatrix assemble_cells(const CellMatrices& cells, std::span<const int> unknown,
                           std::span<const CellFactors> factors);

// The scalar matrix of mass or hold over the functions with slot[f] >= 0, numbered by it, of `slots` in all.
SparseRows assemble_scalars(const CellMatrices& cells, std::span<const double> per_pair, std::span<const int> slot,
                            int slots);

// The factors of cell c, where there is one entry per cell or one for all.
inline const CellFactors& factors_of(std::span<const CellFactors> factors, std::size_t c) {
  return factors.size() == 1 ? factors[0] : factors[c];
}

// `per_pair` times one number per cell.
std::vector<double> scaled_by_cell(const CellMatrices& cells, std::span<const double> per_pair,
                                   std::span<const double> per_cell);

}  // namespace sinew
