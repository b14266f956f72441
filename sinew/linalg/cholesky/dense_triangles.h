// Dense Cholesky factorisation and what is done with a triangle, by recursive halving (Gustavson 1997): nearly all
// operations are products of dense_kernels.h, of shapes that grow with the triangle.
#pragma once

#include <cstddef>

#include "sinew/linalg/cholesky/dense_kernels.h"

namespace sinew::cholesky {

// The lower triangle of A (n x n) becomes L with L L^T = A; inverse_diagonal gets n numbers. A pivot has to be finite
// and larger than smallest_pivot times its number of `original_diagonal`. Returns the first column where it is not, or
// n.
inline constexpr double smallest_pivot = 1e-14;
std::size_t factor_triangle(MatrixView a, std::size_t n, const double* original_diagonal, double* inverse_diagonal);

// R := R L^-T for R rows x n. Many rows are cut into pieces that run in parallel.
void solve_with_triangle(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, std::size_t rows,
                         std::size_t n);

// X = L^-T, n x n with an upper triangle; below it are zeros.
void invert_triangle(ConstMatrixView l, const double* inverse_diagonal, MatrixView x, std::size_t n);

}  // namespace sinew::cholesky
