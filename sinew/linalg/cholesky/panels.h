// Storage of the factor, and the kernels that pass over it.
//
// With A = W D W^T, W unit block lower triangular and D block diagonal, one block per supernode
// (the supernodal form of L D L^T), a supernode with n columns and m rows below them keeps
//   W   m x n, column-major: the rows of W below its diagonal block, and
//   D^-1  n x n, symmetric: see packed_size.
// Forward substitution is then y -= W b, backward x = D^-1 b - W^T y: dense products without the
// chain of dependent divisions of a triangular solve, and the diagonal block is read once, not twice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::cholesky {

// D^-1 is stored in groups of `group_columns` columns, each column-major from the group's first row down to the last:
// the lower triangle, and the small upper triangles of the groups' own diagonal blocks.
inline constexpr std::size_t group_columns = 4;

// Numbers in the packed form of an n x n symmetric matrix.
std::size_t packed_size(std::size_t n);

// Offset of the group that starts at `column`.
std::size_t packed_offset(std::size_t n, std::size_t column);

// All vectors have room for `vector_padding` numbers after their end, which may be overwritten.
inline constexpr std::size_t vector_padding = 16;

// A panel entry in IEEE half precision, which is widened to float when read. Panels may also store double or float.
struct Half {
  std::uint16_t bits;
};
inline constexpr float largest_half = 65504;

// to[i] = scale from[i], rounded to nearest (towards zero with portable vectors). Both have vector_padding entries
// after their end.
void to_half(const float* from, std::size_t count, float scale, Half* to);

template <class Entry>
struct ArithmeticOf {
  using type = Entry;
};
template <>
struct ArithmeticOf<Half> {
  using type = float;
};
// Number type of vectors and sums for panels of `Entry`.
template <class Entry>
using Arithmetic = typename ArithmeticOf<Entry>::type;

// The kernels may read vector_padding entries past the end of a panel of Half, none past the others.

// y[0 .. rows) = W b with W stored with `stride` between columns.
template <class Entry>
void panel_times(const Entry* w, std::size_t stride, std::size_t rows, std::size_t columns, const Arithmetic<Entry>* b,
                 Arithmetic<Entry>* y);

// x[0 .. columns) -= W^T y
template <class Entry>
void subtract_panel_transposed_times(const Entry* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                     const Arithmetic<Entry>* y, Arithmetic<Entry>* x);

// x += the contribution to D^-1 b of the groups from `begin` up to `end` (columns; multiples of group_columns, or n); n
// numbers each.
template <class Entry>
void add_packed_times(const Entry* inverse, std::size_t n, std::size_t begin, std::size_t end,
                      const Arithmetic<Entry>* b, Arithmetic<Entry>* x);

}  // namespace sinew::cholesky
