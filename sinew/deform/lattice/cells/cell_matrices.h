// Contributions of each cell of a control lattice to the equations of motion: symmetric matrices over the functions
// that do not vanish on it. During simulation a cell's elastic matrix is turned by one rotation, that of the flesh in
// it, so that nothing is reassembled when the pose changes (element-wise warping, docs/flesh.md).
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

// `sample_cell`: cell of each strain sample, in [0, cells). `density` and `bone_stiffness`: per tetrahedron, times the
// fraction inside: kg/m^3, and N/m per m^3 of the bone displacement energy (Capell 2004, 5.11). `tetrahedron_cell`:
// cell of each tetrahedron.
CellMatrices cell_matrices(const StrainSamples& samples, std::span<const int> sample_cell, int cells,
                           const TetrahedralMesh& mesh, const TetrahedronBasis& basis,
                           std::span<const int> tetrahedron_cell, std::span<const double> density,
                           std::span<const double> bone_stiffness);

// Coefficients of a linear combination of a cell's matrices.
struct CellFactors {
  double mass = 0, stiffness = 0, hold = 0;
};

// Assembly map from cell matrices to a matrix over some of the functions; it does not depend on stiffness or mass.
struct CellPattern {
  BlockMatrix matrix;      // rows and columns; no blocks
  std::vector<int> block;  // per pair of functions of a cell: its block of the matrix, or -1
};
// Builds the pattern over the functions with unknown[f] >= 0, where `unknown` numbers them from 0, ascending and
// without gaps.
CellPattern cell_pattern(const CellMatrices& cells, std::span<const int> unknown);

// Assembles mass M + stiffness S + hold H of the unrotated cells. `factors`: one per cell, or one for all.
BlockMatrix assemble_cells(const CellMatrices& cells, const CellPattern& pattern, std::span<const CellFactors> factors);
BlockMatrix assemble_cells(const CellMatrices& cells, std::span<const int> unknown,
                           std::span<const CellFactors> factors);

// Assembles the scalar matrix of mass or hold over the functions with slot[f] >= 0; `slots`: number of rows.
SparseRows assemble_scalars(const CellMatrices& cells, std::span<const double> per_pair, std::span<const int> slot,
                            int slots);

// Returns the factors of cell c; `factors` has one entry per cell or one for all.
inline const CellFactors& factors_of(std::span<const CellFactors> factors, std::size_t c) {
  return factors.size() == 1 ? factors[0] : factors[c];
}

// Multiplies `per_pair` by one number per cell.
std::vector<double> scaled_by_cell(const CellMatrices& cells, std::span<const double> per_pair,
                                   std::span<const double> per_cell);

}  // namespace sinew
