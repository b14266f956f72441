#include "sinew/linalg/cholesky/dense_triangles.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew::cholesky {
namespace {

using std::size_t;

// Where a triangle is cut in two: about half, a multiple of narrow_columns.
size_t halved(size_t n) { return (n / 2 + narrow_columns - 1) / narrow_columns * narrow_columns; }

size_t factor_narrow(MatrixView a, size_t n, const double* original_diagonal, double* inverse_diagonal) {
  double l[narrow_columns][narrow_columns];  // by columns
  for (size_t j = 0; j < n; ++j) std::copy(a.at(j, j), a.at(n, j), l[j] + j);
  for (size_t j = 0; j < n; ++j) {
    const double pivot = l[j][j];
    if (!(pivot > smallest_pivot * original_diagonal[j]) || !std::isfinite(pivot)) return j;
    const double root = std::sqrt(pivot), inverse_root = 1 / root;
    l[j][j] = root;
    inverse_diagonal[j] = inverse_root;
    for (size_t i = j + 1; i < n; ++i) l[j][i] *= inverse_root;
    for (size_t k = j + 1; k < n; ++k)
      for (size_t i = k; i < n; ++i) l[k][i] -= l[j][i] * l[j][k];
  }
  for (size_t j = 0; j < n; ++j) std::copy(l[j] + j, l[j] + n, a.at(j, j));
  return n;
}

void solve_rows_with_triangle(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, size_t rows, size_t n) {
  if (n <= narrow_columns) {
    solve_narrow(r, l, inverse_diagonal, rows, n);
    return;
  }
  const size_t half = halved(n);
  solve_rows_with_triangle(r, l, inverse_diagonal, rows, half);
  subtract_product_transposed(r.from(0, half), r, l.from(half, 0), rows, n - half, half);
  solve_rows_with_triangle(r.from(0, half), l.from(half, half), inverse_diagonal + half, rows, n - half);
}

// X has been filled with zeros.
void invert_zeroed(ConstMatrixView l, const double* inverse_diagonal, MatrixView x, size_t n) {
  if (n <= narrow_columns) {
    for (size_t j = 0; j < n; ++j) *x.at(j, j) = 1;
    solve_narrow(x, l, inverse_diagonal, n, n);
    return;
  }
  // [L1 0; L2 L3]^-T = [X1, -X1 L2^T X3; 0, X3]
  const size_t half = halved(n);
  invert_zeroed(l, inverse_diagonal, x, half);
  subtract_product_transposed(x.from(0, half), x, l.from(half, 0), half, n - half, half);
  solve_with_triangle(x.from(0, half), l.from(half, half), inverse_diagonal + half, half, n - half);
  invert_zeroed(l.from(half, half), inverse_diagonal + half, x.from(half, half), n - half);
}

}  // namespace

size_t factor_triangle(MatrixView a, size_t n, const double* original_diagonal, double* inverse_diagonal) {
  if (n <= narrow_columns) return factor_narrow(a, n, original_diagonal, inverse_diagonal);
  const size_t half = halved(n), rest = n - half;
  const size_t done = factor_triangle(a, half, original_diagonal, inverse_diagonal);
  if (done < half) return done;
  solve_with_triangle(a.from(half, 0), a, inverse_diagonal, rest, half);
  subtract_product_transposed(a.from(half, half), a.from(half, 0), a.from(half, 0), rest, rest, half, Shape::lower);
  return half + factor_triangle(a.from(half, half), rest, original_diagonal + half, inverse_diagonal + half);
}

void solve_with_triangle(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, size_t rows, size_t n) {
  constexpr size_t piece = 192;  // rows: with a few hundred columns they stay in the second cache
  if (rows <= piece) return solve_rows_with_triangle(r, l, inverse_diagonal, rows, n);
  const size_t grain = rows * n * n < 2'000'000 ? (rows + piece - 1) / piece : 1;
  parallel_for((rows + piece - 1) / piece, grain, [&](size_t p) {
    solve_rows_with_triangle(r.from(p * piece, 0), l, inverse_diagonal, std::min(piece, rows - p * piece), n);
  });
}

void invert_triangle(ConstMatrixView l, const double* inverse_diagonal, MatrixView x, size_t n) {
  for (size_t j = 0; j < n; ++j) std::fill(x.at(0, j), x.at(n, j), 0.0);
  invert_zeroed(l, inverse_diagonal, x, n);
}

}  // namespace sinew::cholesky
