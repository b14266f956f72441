#include "sinew/linalg/cholesky/dense_triangles.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"

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

// body(begin, end) over [0, count) in pieces, side by side where so many multiplications are worth it.
template <class Body>
void for_each_piece(size_t count, size_t piece, size_t multiplications, const Body& body) {
  constexpr size_t worth_threads = 500'000;
  const size_t pieces = (count + piece - 1) / piece;
  parallel_for(pieces, multiplications < worth_threads ? pieces : 1,
               [&](size_t p) { body(p * piece, std::min(count, (p + 1) * piece)); });
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
  constexpr size_t piece = 96;  // rows: with a few hundred columns they stay in the second cache
  for_each_piece(rows, piece, rows * n * n / 2, [&](size_t begin, size_t end) {
    solve_rows_with_triangle(r.from(begin, 0), l, inverse_diagonal, end - begin, n);
  });
}

void invert_triangle(ConstMatrixView l, const double* inverse_diagonal, MatrixView x, size_t n) {
  constexpr size_t piece = 48;
  for_each_piece(n, piece, n * n * n / 6, [&](size_t begin, size_t end) {
    for (size_t j = 0; j < n; ++j) std::fill(x.at(begin, j), x.at(end, j), 0.0);
    for (size_t j = begin; j < end; ++j) *x.at(j, j) = 1;
    solve_rows_with_triangle(x.from(begin, begin), l.from(begin, begin), inverse_diagonal + begin, end - begin,
                             n - begin);
  });
}

}  // namespace sinew::cholesky
