#include "sinew/linalg/cholesky/dense_kernels.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/linalg/cholesky/dense_kernels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>

#if defined(__clang__)
#define SINEW_UNROLL _Pragma("unroll")
#else
#define SINEW_UNROLL _Pragma("GCC unroll 8")
#endif

// Declarations common to all targets.
#ifndef SINEW_DENSE_KERNELS_SHARED
#define SINEW_DENSE_KERNELS_SHARED
namespace sinew::cholesky {
namespace {

using std::size_t;

constexpr size_t depth_size = 192;                     // of one slice of the inner dimension
constexpr size_t tile_rows = 768, tile_columns = 384;  // of C at most: multiples of every target's micro tile
constexpr size_t packed_rows = 96;                     // of A at a time: such a slice stays in the second cache
constexpr size_t most_micro_columns = 8;

// Operation that combines C with the product A B^T.
enum class Into { subtracted, assigned, added };

struct Product {
  MatrixView c;
  ConstMatrixView a, b;  // m x k and n x k
  size_t m, n, k;
  bool lower;
  Into into;
};

// Packed slices of A and B; one pair per thread, kept between calls.
struct PackBuffers {
  hwy::AlignedFreeUniquePtr<double[]> a = hwy::AllocateAligned<double>(packed_rows * depth_size);
  hwy::AlignedFreeUniquePtr<double[]> b = hwy::AllocateAligned<double>(tile_columns * depth_size);
};

PackBuffers& pack_buffers() {
  thread_local PackBuffers buffers;
  return buffers;
}

}  // namespace
}  // namespace sinew::cholesky
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::cholesky {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

constexpr size_t lanes = HWY_TARGET == HWY_SCALAR ? 1 : HWY_MAX_BYTES / sizeof(double);
constexpr size_t micro_rows = 3 * lanes;
constexpr size_t micro_columns = lanes >= 8 ? 8 : 4;  // as many accumulators as registers hold
static_assert(tile_rows % micro_rows == 0 && tile_columns % micro_columns == 0 && packed_rows % micro_rows == 0);
static_assert(micro_columns <= most_micro_columns);

// Rows [0, rows) of a slice in strips of `vectors` vectors of rows, each strip column by column, padded with zeros.
// Read column by column, as it lies in memory.
template <size_t vectors>
HWY_INLINE void pack(const ConstMatrixView& from, size_t rows, size_t depth, double* to) {
  constexpr size_t strip = vectors * lanes;
  const Doubles d;
  const size_t whole = rows / strip * strip;
  for (size_t k = 0; k < depth; ++k, to += strip) {
    const double* column = from.at(0, k);
    double* strip_to = to;
    for (size_t i = 0; i < whole; i += strip, strip_to += strip * depth)
      SINEW_UNROLL for (size_t v = 0; v < vectors; ++v)
          hn::StoreU(hn::LoadU(d, column + i + v * lanes), d, strip_to + v * lanes);
    if (whole == rows) continue;
    for (size_t i = whole; i < whole + strip; ++i) strip_to[i - whole] = i < rows ? column[i] : 0;
  }
}

// A strip of at most R vectors of rows. If it is not whole, memory past its end is neither read nor written.
template <size_t R, bool Whole>
struct Strip {
  Doubles d;
  hn::Mask<Doubles> last;

  explicit HWY_INLINE Strip(size_t rows) : d(), last(hn::FirstN(d, Whole ? lanes : rows - (R - 1) * lanes)) {}
  HWY_INLINE Vector load(const double* from, size_t i) const {
    if (!Whole && i + 1 == R) return hn::MaskedLoad(last, d, from + i * lanes);
    return hn::LoadU(d, from + i * lanes);
  }
  HWY_INLINE void store(Vector v, double* to, size_t i) const {
    if (!Whole && i + 1 == R)
      hn::BlendedStore(v, last, d, to + i * lanes);
    else
      hn::StoreU(v, d, to + i * lanes);
  }
};

// The first `columns` <= N columns of a micro tile. B has N rows, A and C `rows`, of R vectors.
template <size_t R, size_t N, bool Whole>
HWY_INLINE void micro_product(const double* HWY_RESTRICT a, size_t a_stride, const double* HWY_RESTRICT b,
                              size_t b_stride, size_t depth, double* HWY_RESTRICT c, size_t c_stride, size_t rows,
                              size_t columns, Into into) {
  const Strip<R, Whole> strip(rows);
  const Doubles d;
  Vector sum[N][R];
  SINEW_UNROLL for (size_t j = 0; j < N; ++j) SINEW_UNROLL for (size_t i = 0; i < R; ++i) sum[j][i] = hn::Zero(d);
  for (size_t k = 0; k < depth; ++k, a += a_stride, b += b_stride) {
    Vector left[R];
    SINEW_UNROLL for (size_t i = 0; i < R; ++i) left[i] = strip.load(a, i);
    SINEW_UNROLL for (size_t j = 0; j < N; ++j) {
      const Vector factor = hn::Set(d, b[j]);
      SINEW_UNROLL for (size_t i = 0; i < R; ++i) sum[j][i] = hn::MulAdd(left[i], factor, sum[j][i]);
    }
  }
  SINEW_UNROLL for (size_t j = 0; j < N; ++j) {
    if (j >= columns) continue;
    double* to = c + j * c_stride;
    SINEW_UNROLL for (size_t i = 0; i < R; ++i) {
      if (into == Into::subtracted)
        strip.store(hn::Sub(strip.load(to, i), sum[j][i]), to, i);
      else if (into == Into::added)
        strip.store(hn::Add(strip.load(to, i), sum[j][i]), to, i);
      else
        strip.store(sum[j][i], to, i);
    }
  }
}

template <size_t N>
HWY_INLINE void micro_product_of(const double* a, size_t a_stride, const double* b, size_t b_stride, size_t depth,
                                 double* c, size_t c_stride, size_t rows, size_t columns, Into into) {
  if (rows == micro_rows)
    micro_product<3, N, true>(a, a_stride, b, b_stride, depth, c, c_stride, rows, columns, into);
  else if (rows > 2 * lanes)
    micro_product<3, N, false>(a, a_stride, b, b_stride, depth, c, c_stride, rows, columns, into);
  else if (rows > lanes)
    micro_product<2, N, false>(a, a_stride, b, b_stride, depth, c, c_stride, rows, columns, into);
  else
    micro_product<1, N, false>(a, a_stride, b, b_stride, depth, c, c_stride, rows, columns, into);
}

// Columns of C by strips of micro_columns; A in one piece, or packed in strips of micro_rows.
HWY_INLINE void multiply_strip(const Product& product, size_t j, const double* b, size_t b_stride, bool packed_a,
                               const double* a, size_t depth, size_t row_begin, size_t row_end, Into into) {
  const size_t columns = std::min(micro_columns, product.n - j);
  for (size_t i = row_begin; i < row_end; i += micro_rows) {
    if (product.lower && i + micro_rows <= j) continue;
    const size_t rows = std::min(micro_rows, row_end - i);
    const double* strip = packed_a ? a + (i - row_begin) * depth : a + (i - row_begin);
    const size_t stride = packed_a ? micro_rows : product.a.stride;
    double* c = product.c.at(i, j);
    if (columns <= micro_columns / 2)
      micro_product_of<micro_columns / 2>(strip, stride, b, b_stride, depth, c, product.c.stride, rows, columns, into);
    else
      micro_product_of<micro_columns>(strip, stride, b, b_stride, depth, c, product.c.stride, rows, columns, into);
  }
}

// Small products read A and B without packing.
HWY_INLINE void multiply_in_place(const Product& product, size_t k, size_t depth, Into into) {
  HWY_ALIGN double last[most_micro_columns * depth_size];
  for (size_t j = 0; j < product.n; j += micro_columns) {
    const double* b = product.b.at(j, k);
    size_t b_stride = product.b.stride;
    if (product.n - j < micro_columns) {
      pack<micro_columns / lanes>(product.b.from(j, k), product.n - j, depth, last);
      b = last;
      b_stride = micro_columns;
    }
    multiply_strip(product, j, b, b_stride, false, product.a.at(0, k), depth, 0, product.m, into);
  }
}

HWY_INLINE void multiply_packed(const Product& product, size_t k, size_t depth, Into into) {
  PackBuffers& buffers = pack_buffers();
  pack<micro_columns / lanes>(product.b.from(0, k), product.n, depth, buffers.b.get());
  for (size_t begin = 0; begin < product.m; begin += packed_rows) {
    const size_t end = std::min(begin + packed_rows, product.m);
    pack<3>(product.a.from(begin, k), end - begin, depth, buffers.a.get());
    for (size_t j = 0; j < product.n; j += micro_columns)
      multiply_strip(product, j, buffers.b.get() + j * depth, micro_columns, true, buffers.a.get(), depth, begin, end,
                     into);
  }
}

void multiply_tile(const Product& product) {
  constexpr size_t worth_packing = 32;  // columns and depth
  const bool packed =
      product.n > worth_packing && product.k > worth_packing && product.m >= 2 * micro_rows && product.a.stride > 256;
  for (size_t k = 0; k < product.k; k += depth_size) {
    const size_t depth = std::min(depth_size, product.k - k);
    const Into into = product.into == Into::assigned && k > 0 ? Into::added : product.into;
    if (packed)
      multiply_packed(product, k, depth, into);
    else
      multiply_in_place(product, k, depth, into);
  }
}

// Columns from left to right, each less the earlier ones times their entries of L; a strip stays in registers.
template <size_t N, size_t R, bool Whole>
HWY_INLINE void solve_strip(double* r, size_t stride, const double* l, size_t l_stride, const double* inverse_diagonal,
                            size_t rows) {
  const Strip<R, Whole> strip(rows);
  const Doubles d;
  Vector column[N][R];
  SINEW_UNROLL for (size_t j = 0; j < N; ++j) SINEW_UNROLL for (size_t i = 0; i < R; ++i) column[j][i] =
      strip.load(r + j * stride, i);
  SINEW_UNROLL for (size_t j = 0; j < N; ++j) {
    const Vector inverse = hn::Set(d, inverse_diagonal[j]);
    SINEW_UNROLL for (size_t i = 0; i < R; ++i) {
      column[j][i] = hn::Mul(column[j][i], inverse);
      strip.store(column[j][i], r + j * stride, i);
    }
    SINEW_UNROLL for (size_t k = j + 1; k < N; ++k) {
      const Vector factor = hn::Set(d, l[k + j * l_stride]);
      SINEW_UNROLL for (size_t i = 0; i < R; ++i) column[k][i] = hn::NegMulAdd(column[j][i], factor, column[k][i]);
    }
  }
}

template <size_t N>
HWY_INLINE void solve_rows(double* r, size_t stride, const double* l, size_t l_stride, const double* inverse_diagonal,
                           size_t rows) {
  constexpr size_t vectors = lanes >= 8 ? 2 : 1, step = vectors * lanes;
  size_t i = 0;
  for (; i + step <= rows; i += step) solve_strip<N, vectors, true>(r + i, stride, l, l_stride, inverse_diagonal, step);
  for (; i < rows; i += lanes)
    solve_strip<N, 1, false>(r + i, stride, l, l_stride, inverse_diagonal, std::min(lanes, rows - i));
}

void solve_narrow_columns(double* r, size_t stride, const double* l, size_t l_stride, const double* inverse_diagonal,
                          size_t rows, size_t n) {
  switch (n) {
    case 1:
      return solve_rows<1>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 2:
      return solve_rows<2>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 3:
      return solve_rows<3>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 4:
      return solve_rows<4>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 5:
      return solve_rows<5>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 6:
      return solve_rows<6>(r, stride, l, l_stride, inverse_diagonal, rows);
    case 7:
      return solve_rows<7>(r, stride, l, l_stride, inverse_diagonal, rows);
    default:
      return solve_rows<8>(r, stride, l, l_stride, inverse_diagonal, rows);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::cholesky
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::cholesky {
namespace {

HWY_EXPORT(multiply_tile);
HWY_EXPORT(solve_narrow_columns);

constexpr size_t worth_threads = 500'000;  // multiplications

void multiply(const Product& product) {
  if (product.m == 0 || product.n == 0 || product.k == 0) return;
  const auto run = HWY_DYNAMIC_DISPATCH(multiply_tile);
  if (product.m <= tile_rows && product.n <= tile_columns && product.m * product.n * product.k < worth_threads) {
    run(product);
    return;
  }
  // Entries are computed in the same way for any tile size: small tiles suit several threads, large ones pack less.
  size_t rows = tile_rows, columns = tile_columns;
  const auto pieces = [](size_t count, size_t size) { return (count + size - 1) / size; };
  if (thread_count() > 1)
    while (pieces(product.m, rows) * pieces(product.n, columns) < 12 && std::max(rows, columns) > 48)
      (rows >= columns ? rows : columns) /= 2;
  const size_t tiles_down = pieces(product.m, rows), tiles_across = pieces(product.n, columns);
  parallel_for(tiles_down * tiles_across, 1, [&](size_t t) {
    const size_t row = t % tiles_down * rows, column = t / tiles_down * columns;
    if (product.lower && row + rows <= column) return;
    Product part = product;
    part.m = std::min(rows, product.m - row);
    part.n = std::min(columns, product.n - column);
    part.c = product.c.from(row, column);
    part.a = product.a.from(row, 0);
    part.b = product.b.from(column, 0);
    // Where a tile begins below the diagonal of its first column, its own lower triangle does not suffice.
    if (product.lower && row > column) {
      part.lower = false;
      part.n = std::min(part.n, row + part.m - column);
    }
    run(part);
  });
}

}  // namespace

void subtract_product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                                 std::size_t k, Shape shape) {
  multiply({c, a, b, m, n, k, shape == Shape::lower, Into::subtracted});
}

void product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                        std::size_t k) {
  multiply({c, a, b, m, n, k, false, Into::assigned});
}

void solve_narrow(MatrixView r, ConstMatrixView l, const double* inverse_diagonal, std::size_t rows, std::size_t n) {
  if (rows == 0 || n == 0) return;
  HWY_DYNAMIC_DISPATCH(solve_narrow_columns)(r.data, r.stride, l.data, l.stride, inverse_diagonal, rows, n);
}

}  // namespace sinew::cholesky
#endif
