// The vertex-only matrix that is left when stretches and multipliers are eliminated (equation 11), over the free
// vertices, springs of pins included:
//
//   A = sum_t V_t B_t^T ([R] H [R]^T + 2 kappa N N^T) B_t + springs.
#pragma once

#include <span>

#include "sinew/deform/mixed_fem/mixed_body.h"
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

// That matrix, newtons per metre.
SparseMatrix poisson_matrix(const MixedBody& body);

}  // namespace sinew
