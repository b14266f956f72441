// The vertex-only matrix that is left when stretches and multipliers are eliminated (equation 11), over the free
// vertices, springs of pins included:
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

// The pattern of A; all blocks zero.
BlockMatrix condensed_pattern(const MixedBody& body);

// Fills a matrix that has that pattern, newtons per metre. `hessian`: per sample, d^2 Psi / dS dS, pascals
// (MaterialResponse). Block (i, j) of sample t is R_t K_ij R_t^T with K_ij free of R_t (equation 13).
void assemble_condensed(const MixedBody& body, std::span<const Mat3> rotations, std::span<const MandelMatrix> hessian,
                        BlockMatrix& matrix);

// True where H = 2 kappa 1 in all samples, as for ARAP with kappa = mu: then [R] H [R]^T + 2 kappa N N^T = 2 kappa 1,
// and A is a matrix of numbers that does not depend on R, once for each coordinate (equation 15).
bool condenses_to_poisson(const MixedBody& body);

// Where the energy expanded about S = I has no gradient and H = 2 kappa 1 + c i i^T in all samples (equation 14 with
// kappa = mu): per sample c, pascals; Lame's lambda for all materials of mixed_materials.h. Else nothing. The matrix is
// then Poisson's and a volume part (volume_rows.h).
std::optional<std::vector<double>> volume_moduli(const MixedBody& body);

// sum_t 2 modulus_t V_t g_i . g_j and the springs, newtons per metre; `modulus`: per sample, pascals.
SparseMatrix poisson_matrix(const MixedBody& body, std::span<const double> modulus);

// With modulus = kappa: the matrix of condenses_to_poisson().
SparseMatrix poisson_matrix(const MixedBody& body);

}  // namespace sinew
