// The matrix over free vertices that remains after stretches and multipliers are eliminated (equation 11), with the
// springs of pins:
//
//   A = sum_t V_t B_t^T ([R] H [R]^T + 2 kappa N N^T) B_t + springs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/sparse_matrix.h"

namespace sinew {

// Returns a matrix with the sparsity pattern of A; all blocks are zero.
BlockMatrix condensed_pattern(const MixedBody& body);

// Assembles A into a matrix that has its pattern, newtons per metre. `hessian`: per sample, d^2 Psi / dS dS, pascals
// (MaterialResponse). Block (i, j) of sample t is R_t K_ij R_t^T, where K_ij does not depend on R_t (equation 13).
void assemble_condensed(const MixedBody& body, std::span<const Mat3> rotations, std::span<const MandelMatrix> hessian,
                        BlockMatrix& matrix);

// Returns true if H = 2 kappa 1 in all samples, as for ARAP with kappa = mu. Then [R] H [R]^T + 2 kappa N N^T = 2 kappa
// 1, and A consists of three equal scalar matrices, one per coordinate, that do not depend on R (equation 15).
bool condenses_to_poisson(const MixedBody& body);

// Returns c per sample, pascals, if the energy expanded about S = I has no gradient and H = 2 kappa 1 + c i i^T in all
// samples (equation 14 with kappa = mu); else nothing. For all materials of mixed_materials.h c is Lame's lambda. A is
// then a Poisson matrix plus a volume part (volume_rows.h).
std::optional<std::vector<double>> volume_moduli(const MixedBody& body);

// Assembles sum_t 2 modulus_t V_t g_i . g_j and the springs, newtons per metre. `modulus`: per sample, pascals.
SparseMatrix poisson_matrix(const MixedBody& body, std::span<const double> modulus);

// Uses modulus = kappa: the matrix of condenses_to_poisson().
SparseMatrix poisson_matrix(const MixedBody& body);

}  // namespace sinew
