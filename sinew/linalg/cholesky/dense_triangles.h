// Dense Cholesky factorisation and operations with triangular matrices, by recursive halving (Gustavson 1997): nearly
// all the work is in the products of dense_kernels.h, whose sizes grow with the triangle.
#pragma once

#include <cstddef>

#include "sinew/linalg/cholesky/dense_kernels.h"

namespace sinew::cholesky {

// Factors the lower triangle of A (n x n) in place, A = L L^T; inverse_diagonal receives n numbers. Each pivot must be
// finite and larger than smallest_pivot times its entry of `original_diagonal`. Returns the first column where it is
// not, or n.
inline constexpr double smallest_pivot = 1e-14;
std::size_t factor_triangle(MatrixView a, std::size_t n, const double* original_diagonal, double* inverse_diagonal);

// R := R L^-T for R rows x n. Many rows are cut into pieces that run in parallel.
void solve_with_triangle(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, std::size_t rows,
                         std::size_t n);

// X = L^-T, n x n with an upper triangle; below it are zeros.
void invert_triangle(ConstMatrixView l, const double* inverse_diagonal, MatrixView x, std::size_t n);

}  // namespace sinew::cholesky
