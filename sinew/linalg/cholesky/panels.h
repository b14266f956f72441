// The factor as it is stored, and the kernels that pass over it.
//
// With A = W D W^T, W unit block lower triangular and D block diagonal, one block per supernode
// (the supernodal form of L D L^T), a supernode with n columns and m rows below them keeps
//   W   m x n, column-major: the rows of W below its diagonal block, and
//   D^-1  n x n, symmetric: see packed_size.
// Forward substitution is then y -= W b, backward x = D^-1 b - W^T y: dense products without the
// chain of dependent divisions of a triangular solve, and the diagonal block is read once, not twice.
#pragma once

#include <cstddef>

namespace sinew::cholesky {

// D^-1 is kept in groups of `group` columns, each column-major from the group's first row down to
// the last: the lower triangle, and the small upper triangles of the group's own diagonal blocks.
inline constexpr std::size_t group_columns = 4;

// Numbers in the packed form of an n x n symmetric matrix.
std::size_t packed_size(std::size_t n);

// Where the group that starts at `column` begins.
std::size_t packed_offset(std::size_t n, std::size_t column);

// All vectors have room for `vector_padding` numbers behind their end, which may be overwritten.
inline constexpr std::size_t vector_padding = 16;

// y[0 .. rows) = W b with W stored with `stride` between columns.
template <class Real>
void panel_times(const Real* w, std::size_t stride, std::size_t rows, std::size_t columns, const Real* b, Real* y);

// x[0 .. columns) -= W^T y
template <class Real>
void subtract_panel_transposed_times(const Real* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                     const Real* y, Real* x);

// x += what the groups from `begin` up to `end` (columns, multiples of group_columns or n) of D^-1
// contribute to D^-1 b, n numbers each.
template <class Real>
void add_packed_times(const Real* inverse, std::size_t n, std::size_t begin, std::size_t end, const Real* b, Real* x);

// The same in plain loops: what the tests hold the kernels to.
template <class Real>
void panel_times_reference(const Real* w, std::size_t stride, std::size_t rows, std::size_t columns, const Real* b,
                           Real* y);
template <class Real>
void subtract_panel_transposed_times_reference(const Real* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                               const Real* y, Real* x);
template <class Real>
void add_packed_times_reference(const Real* inverse, std::size_t n, std::size_t begin, std::size_t end, const Real* b,
                                Real* x);

}  // namespace sinew::cholesky
