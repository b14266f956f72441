#include "sinew/linalg/cholesky/dense_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "sinew/base/parallel.h"

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

// What all targets share.
#ifndef SINEW_DENSE_KERNELS_SHARED
#define SINEW_DENSE_KERNELS_SHARED
namespace sinew::cholesky {
namespace {

using std::size_t;

constexpr size_t tile_size = 192;   // of C: a multiple of every target's micro tile
constexpr size_t depth_size = 192;  // of one packed slice of the inner dimension

struct Product {
  double* c;
  size_t c_stride;
  ConstMatrixView a, b;  // m x k and n x k
  size_t m, n, k;
  bool lower;
};

// One tile's packed slices of A and B; one pair per thread, kept between calls.
struct PackBuffers {
  hwy::AlignedFreeUniquePtr<double[]> a = hwy::AllocateAligned<double>(tile_size * depth_size);
  hwy::AlignedFreeUniquePtr<double[]> b = hwy::AllocateAligned<double>(tile_size * depth_size);
};

PackBuffers& pack_buffers() {
  thread_local PackBuffers buffers;
  return buffers;
}

// Rows [0, rows) of a slice in strips of `strip` rows, each strip column by column, padded with zeros.
inline void pack(const ConstMatrixView& from, size_t rows, size_t depth, size_t strip, double* to) {
  for (size_t begin = 0; begin < rows; begin += strip) {
    const size_t count = std::min(strip, rows - begin);
    const double* source = from.data + begin;
    for (size_t k = 0; k < depth; ++k, to += strip) {
      const double* column = source + k * from.stride;
      if (count == strip) {
        std::memcpy(to, column, strip * sizeof(double));
        continue;
      }
      for (size_t i = 0; i < count; ++i) to[i] = column[i];
      for (size_t i = count; i < strip; ++i) to[i] = 0;
    }
  }
}

}  // namespace
}  // namespace sinew::cholesky
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::cholesky {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t lanes = HWY_TARGET == HWY_SCALAR ? 1 : HWY_MAX_BYTES / sizeof(double);
constexpr size_t micro_rows = 3 * lanes;
constexpr size_t micro_columns = lanes >= 8 ? 8 : 4;  // as many accumulators as registers hold
static_assert(tile_size % micro_rows == 0 && tile_size % micro_columns == 0);

// product (micro_rows x micro_columns, column-major) = packed strip of A times packed strip of B.
HWY_INLINE void micro_product(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, size_t depth,
                              double* HWY_RESTRICT c, size_t c_stride) {
  const hn::ScalableTag<double> d;
  using Vector = hn::Vec<decltype(d)>;
  Vector sum[micro_columns][3];
  SINEW_UNROLL for (size_t j = 0; j < micro_columns; ++j) SINEW_UNROLL for (size_t i = 0; i < 3; ++i) sum[j][i] =
      hn::LoadU(d, c + j * c_stride + i * lanes);
  for (size_t k = 0; k < depth; ++k, a += micro_rows, b += micro_columns) {
    const Vector a0 = hn::Load(d, a), a1 = hn::Load(d, a + lanes), a2 = hn::Load(d, a + 2 * lanes);
    SINEW_UNROLL for (size_t j = 0; j < micro_columns; ++j) {
      const Vector factor = hn::Set(d, b[j]);
      sum[j][0] = hn::NegMulAdd(a0, factor, sum[j][0]);
      sum[j][1] = hn::NegMulAdd(a1, factor, sum[j][1]);
      sum[j][2] = hn::NegMulAdd(a2, factor, sum[j][2]);
    }
  }
  SINEW_UNROLL for (size_t j = 0; j < micro_columns; ++j) SINEW_UNROLL for (size_t i = 0; i < 3; ++i)
      hn::StoreU(sum[j][i], d, c + j * c_stride + i * lanes);
}

void subtract_tile(const Product& product) {
  PackBuffers& buffers = pack_buffers();
  HWY_ALIGN double edge[micro_rows * micro_columns];
  for (size_t k = 0; k < product.k; k += depth_size) {
    const size_t depth = std::min(depth_size, product.k - k);
    ConstMatrixView a = product.a, b = product.b;
    a.data += k * a.stride;
    b.data += k * b.stride;
    pack(a, product.m, depth, micro_rows, buffers.a.get());
    pack(b, product.n, depth, micro_columns, buffers.b.get());
    for (size_t j = 0; j < product.n; j += micro_columns) {
      const size_t columns = std::min(micro_columns, product.n - j);
      for (size_t i = 0; i < product.m; i += micro_rows) {
        if (product.lower && i + micro_rows <= j) continue;
        const size_t rows = std::min(micro_rows, product.m - i);
        const double* packed_a = buffers.a.get() + i * depth;
        const double* packed_b = buffers.b.get() + j * depth;
        double* c = product.c + i + j * product.c_stride;
        if (rows == micro_rows && columns == micro_columns) {
          micro_product(packed_a, packed_b, depth, c, product.c_stride);
          continue;
        }
        for (size_t column = 0; column < columns; ++column)
          std::memcpy(edge + column * micro_rows, c + column * product.c_stride, rows * sizeof(double));
        micro_product(packed_a, packed_b, depth, edge, micro_rows);
        for (size_t column = 0; column < columns; ++column)
          std::memcpy(c + column * product.c_stride, edge + column * micro_rows, rows * sizeof(double));
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::cholesky
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::cholesky {
namespace {

HWY_EXPORT(subtract_tile);

void subtract(const Product& product) {
  struct Tile {
    size_t row, column;
  };
  std::vector<Tile> tiles;
  for (size_t column = 0; column < product.n; column += tile_size)
    for (size_t row = 0; row < product.m; row += tile_size)
      if (!product.lower || row + tile_size > column) tiles.push_back({row, column});
  const auto run = HWY_DYNAMIC_DISPATCH(subtract_tile);
  const auto tile_product = [&](const Tile& tile) {
    Product part = product;
    part.c += tile.row + tile.column * product.c_stride;
    part.a.data += tile.row;
    part.b.data += tile.column;
    part.m = std::min(tile_size, product.m - tile.row);
    part.n = std::min(tile_size, product.n - tile.column);
    part.lower = product.lower && tile.row == tile.column;
    run(part);
  };
  constexpr size_t worth_threads = 4'000'000;  // multiplications
  const size_t grain = product.m * product.n * product.k < worth_threads ? tiles.size() : 1;
  parallel_for(tiles.size(), grain, [&](size_t t) { tile_product(tiles[t]); });
}

}  // namespace

void subtract_product_transposed(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m, std::size_t n,
                                 std::size_t k, Shape shape) {
  if (m == 0 || n == 0 || k == 0) return;
  subtract({c.data, c.stride, a, b, m, n, k, shape == Shape::lower});
}

void subtract_product_transposed_reference(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m,
                                           std::size_t n, std::size_t k) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t l = 0; l < k; ++l)
        c.data[i + j * c.stride] -= a.data[i + l * a.stride] * b.data[j + l * b.stride];
}

}  // namespace sinew::cholesky
#endif
