#include "sinew/linalg/cholesky/panels.h"

#include <algorithm>

// Compiled three times, and chosen by the processor at run time: portable, AVX2 with FMA, AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/linalg/cholesky/panels.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#if defined(__clang__)
#define SINEW_UNROLL _Pragma("unroll")
#else
#define SINEW_UNROLL _Pragma("GCC unroll 8")
#endif

HWY_BEFORE_NAMESPACE();
namespace sinew::cholesky {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Tag = hn::ScalableTag<Real>;
template <class Real>
constexpr size_t lane_count = HWY_TARGET == HWY_SCALAR ? 1 : HWY_MAX_BYTES / sizeof(Real);

template <class Real>
HWY_INLINE hn::Vec<Tag<Real>> load(Tag<Real> d, const Real* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE hn::Vec<Tag<float>> load(Tag<float> d, const Half* from) {
  const hn::Rebind<hwy::float16_t, Tag<float>> half;
  return hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from)));
}

// Loads the last, partial vector of a column without reading past its end.
template <class Real>
HWY_INLINE hn::Vec<Tag<Real>> load_first(Tag<Real> d, const Real* from, size_t count) {
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
}
// Half-precision panels are read as whole vectors; values past the end are finite, and are multiplied by zeros or
// stored in padding.
HWY_INLINE hn::Vec<Tag<float>> load_first(Tag<float> d, const Half* from, size_t) { return load(d, from); }

// y += the next N columns of W times their numbers of b.
template <int N, class Entry, class Real>
HWY_INLINE void add_columns(const Entry* HWY_RESTRICT w, size_t stride, size_t rows, const Real* HWY_RESTRICT b,
                            Real* HWY_RESTRICT y) {
  const Tag<Real> d;
  using Vector = hn::Vec<Tag<Real>>;
  constexpr size_t lanes = lane_count<Real>;
  Vector factor[N];
  SINEW_UNROLL for (int j = 0; j < N; ++j) factor[j] = hn::Set(d, b[j]);
  size_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    Vector sum = hn::LoadU(d, y + i);
    SINEW_UNROLL for (int j = 0; j < N; ++j) sum =
        hn::MulAdd(load(d, w + static_cast<size_t>(j) * stride + i), factor[j], sum);
    hn::StoreU(sum, d, y + i);
  }
  if (i == rows) return;
  Vector sum = hn::LoadU(d, y + i);
  SINEW_UNROLL for (int j = 0; j < N; ++j) sum =
      hn::MulAdd(load_first(d, w + static_cast<size_t>(j) * stride + i, rows - i), factor[j], sum);
  hn::StoreU(sum, d, y + i);
}

// x[0 .. N) -= the next N columns of W, transposed, times y.
template <int N, class Entry, class Real>
HWY_INLINE void subtract_dots(const Entry* HWY_RESTRICT w, size_t stride, size_t rows, const Real* HWY_RESTRICT y,
                              Real* HWY_RESTRICT x) {
  const Tag<Real> d;
  using Vector = hn::Vec<Tag<Real>>;
  constexpr size_t lanes = lane_count<Real>;
  Vector sum[N];
  SINEW_UNROLL for (int j = 0; j < N; ++j) sum[j] = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    const Vector factor = hn::LoadU(d, y + i);
    SINEW_UNROLL for (int j = 0; j < N; ++j) sum[j] =
        hn::MulAdd(load(d, w + static_cast<size_t>(j) * stride + i), factor, sum[j]);
  }
  if (i != rows) {
    const Vector factor = load_first(d, y + i, rows - i);
    SINEW_UNROLL for (int j = 0; j < N; ++j) sum[j] =
        hn::MulAdd(load_first(d, w + static_cast<size_t>(j) * stride + i, rows - i), factor, sum[j]);
  }
  SINEW_UNROLL for (int j = 0; j < N; ++j) x[j] -= hn::GetLane(hn::SumOfLanes(d, sum[j]));
}

// Eight columns at a time, the rest by four, two and one.
template <class Entry, class Real>
HWY_INLINE void panel_times_any(const Entry* w, size_t stride, size_t rows, size_t columns, const Real* b, Real* y) {
  std::fill(y, y + rows, Real(0));
  size_t j = 0;
  for (; j + 8 <= columns; j += 8) add_columns<8>(w + j * stride, stride, rows, b + j, y);
  if (columns & 4) {
    add_columns<4>(w + j * stride, stride, rows, b + j, y);
    j += 4;
  }
  if (columns & 2) {
    add_columns<2>(w + j * stride, stride, rows, b + j, y);
    j += 2;
  }
  if (columns & 1) add_columns<1>(w + j * stride, stride, rows, b + j, y);
}

template <class Entry, class Real>
HWY_INLINE void subtract_panel_transposed_times_any(const Entry* w, size_t stride, size_t rows, size_t columns,
                                                    const Real* y, Real* x) {
  size_t j = 0;
  for (; j + 8 <= columns; j += 8) subtract_dots<8>(w + j * stride, stride, rows, y, x + j);
  if (columns & 4) {
    subtract_dots<4>(w + j * stride, stride, rows, y, x + j);
    j += 4;
  }
  if (columns & 2) {
    subtract_dots<2>(w + j * stride, stride, rows, y, x + j);
    j += 2;
  }
  if (columns & 1) subtract_dots<1>(w + j * stride, stride, rows, y, x + j);
}

// own = the diagonal block of a group of N columns, times b.
template <int N, class Real>
HWY_INLINE void multiply_block(const Real* HWY_RESTRICT block, size_t stride, const Real* HWY_RESTRICT b, Real* own) {
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) own[i] += block[static_cast<size_t>(j) * stride + static_cast<size_t>(i)] * b[j];
}
template <int N>
HWY_INLINE void multiply_block(const Half* HWY_RESTRICT block, size_t stride, const float* HWY_RESTRICT b, float* own) {
  const hn::CappedTag<float, group_columns> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> half;
  for (size_t i = 0; i < static_cast<size_t>(N); i += hn::MaxLanes(d)) {
    auto sum = hn::Zero(d);
    for (int j = 0; j < N; ++j) {
      const Half* from = block + static_cast<size_t>(j) * stride + i;
      sum = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from))),
                       hn::Set(d, b[j]), sum);
    }
    hn::StoreU(sum, d, own + i);
  }
}

// One group of N columns of the packed inverse: its rows below its own N give N dot products and
// add to the rows of x; its own diagonal block is full and gives only the latter.
template <int N, class Entry, class Real>
HWY_INLINE void add_group(const Entry* HWY_RESTRICT inverse, size_t rows, const Real* HWY_RESTRICT b,
                          Real* HWY_RESTRICT x) {
  const Tag<Real> d;
  using Vector = hn::Vec<Tag<Real>>;
  constexpr size_t lanes = lane_count<Real>;
  Real own[group_columns] = {};
  multiply_block<N>(inverse, rows, b, own);
  Vector factor[N], sum[N];
  SINEW_UNROLL for (int j = 0; j < N; ++j) {
    factor[j] = hn::Set(d, b[j]);
    sum[j] = hn::Zero(d);
  }
  size_t i = N;
  for (; i + lanes <= rows; i += lanes) {
    const Vector below = hn::LoadU(d, b + i);
    Vector result = hn::LoadU(d, x + i);
    SINEW_UNROLL for (int j = 0; j < N; ++j) {
      const Vector entry = load(d, inverse + static_cast<size_t>(j) * rows + i);
      result = hn::MulAdd(entry, factor[j], result);
      sum[j] = hn::MulAdd(entry, below, sum[j]);
    }
    hn::StoreU(result, d, x + i);
  }
  if (i < rows) {
    const Vector below = load_first(d, b + i, rows - i);
    Vector result = hn::LoadU(d, x + i);
    SINEW_UNROLL for (int j = 0; j < N; ++j) {
      const Vector entry = load_first(d, inverse + static_cast<size_t>(j) * rows + i, rows - i);
      result = hn::MulAdd(entry, factor[j], result);
      sum[j] = hn::MulAdd(entry, below, sum[j]);
    }
    hn::StoreU(result, d, x + i);
  }
  SINEW_UNROLL for (int j = 0; j < N; ++j) x[j] += own[j] + hn::GetLane(hn::SumOfLanes(d, sum[j]));
}

template <class Entry, class Real>
HWY_INLINE void add_packed_times_any(const Entry* inverse, size_t n, size_t begin, size_t end, const Real* b, Real* x) {
  inverse += packed_offset(n, begin);
  for (size_t column = begin; column < end; column += group_columns) {
    const size_t rows = n - column;
    switch (std::min(group_columns, rows)) {
      case 1:
        add_group<1>(inverse, rows, b + column, x + column);
        break;
      case 2:
        add_group<2>(inverse, rows, b + column, x + column);
        break;
      case 3:
        add_group<3>(inverse, rows, b + column, x + column);
        break;
      default:
        add_group<4>(inverse, rows, b + column, x + column);
        break;
    }
    inverse += group_columns * rows;
  }
}

void panel_times_double(const double* w, size_t stride, size_t rows, size_t columns, const double* b, double* y) {
  panel_times_any(w, stride, rows, columns, b, y);
}
void panel_times_float(const float* w, size_t stride, size_t rows, size_t columns, const float* b, float* y) {
  panel_times_any(w, stride, rows, columns, b, y);
}
void panel_times_half(const Half* w, size_t stride, size_t rows, size_t columns, const float* b, float* y) {
  panel_times_any(w, stride, rows, columns, b, y);
}
void subtract_double(const double* w, size_t stride, size_t rows, size_t columns, const double* y, double* x) {
  subtract_panel_transposed_times_any(w, stride, rows, columns, y, x);
}
void subtract_float(const float* w, size_t stride, size_t rows, size_t columns, const float* y, float* x) {
  subtract_panel_transposed_times_any(w, stride, rows, columns, y, x);
}
void subtract_half(const Half* w, size_t stride, size_t rows, size_t columns, const float* y, float* x) {
  subtract_panel_transposed_times_any(w, stride, rows, columns, y, x);
}
void add_packed_double(const double* inverse, size_t n, size_t begin, size_t end, const double* b, double* x) {
  add_packed_times_any(inverse, n, begin, end, b, x);
}
void add_packed_float(const float* inverse, size_t n, size_t begin, size_t end, const float* b, float* x) {
  add_packed_times_any(inverse, n, begin, end, b, x);
}

void add_packed_half(const Half* inverse, size_t n, size_t begin, size_t end, const float* b, float* x) {
  add_packed_times_any(inverse, n, begin, end, b, x);
}

void demote(const float* from, size_t count, float scale, Half* to) {
  const Tag<float> d;
  const hn::Rebind<hwy::float16_t, Tag<float>> half;
  for (size_t i = 0; i < count; i += lane_count<float>)
    hn::StoreU(hn::DemoteTo(half, hn::Mul(hn::Set(d, scale), hn::LoadU(d, from + i))), half,
               reinterpret_cast<hwy::float16_t*>(to + i));
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew::cholesky
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::cholesky {

HWY_EXPORT(panel_times_double);
HWY_EXPORT(panel_times_float);
HWY_EXPORT(panel_times_half);
HWY_EXPORT(subtract_double);
HWY_EXPORT(subtract_float);
HWY_EXPORT(subtract_half);
HWY_EXPORT(add_packed_double);
HWY_EXPORT(add_packed_float);
HWY_EXPORT(add_packed_half);
HWY_EXPORT(demote);

std::size_t packed_offset(std::size_t n, std::size_t column) {
  // Groups g = 0, 1, ... have group_columns * (n - group_columns * g) numbers each.
  const std::size_t groups = column / group_columns;
  return group_columns * (groups * n - group_columns * (groups * (groups - (groups > 0 ? 1 : 0)) / 2));
}

std::size_t packed_size(std::size_t n) {
  const std::size_t whole = n / group_columns, rest = n % group_columns;
  return packed_offset(n, whole * group_columns) + rest * rest;
}

void to_half(const float* from, std::size_t count, float scale, Half* to) {
  HWY_DYNAMIC_DISPATCH(demote)(from, count, scale, to);
}

template <>
void panel_times<double>(const double* w, std::size_t stride, std::size_t rows, std::size_t columns, const double* b,
                         double* y) {
  HWY_DYNAMIC_DISPATCH(panel_times_double)(w, stride, rows, columns, b, y);
}
template <>
void panel_times<float>(const float* w, std::size_t stride, std::size_t rows, std::size_t columns, const float* b,
                        float* y) {
  HWY_DYNAMIC_DISPATCH(panel_times_float)(w, stride, rows, columns, b, y);
}
template <>
void panel_times<Half>(const Half* w, std::size_t stride, std::size_t rows, std::size_t columns, const float* b,
                       float* y) {
  HWY_DYNAMIC_DISPATCH(panel_times_half)(w, stride, rows, columns, b, y);
}
template <>
void subtract_panel_transposed_times<double>(const double* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                             const double* y, double* x) {
  HWY_DYNAMIC_DISPATCH(subtract_double)(w, stride, rows, columns, y, x);
}
template <>
void subtract_panel_transposed_times<float>(const float* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                            const float* y, float* x) {
  HWY_DYNAMIC_DISPATCH(subtract_float)(w, stride, rows, columns, y, x);
}
template <>
void subtract_panel_transposed_times<Half>(const Half* w, std::size_t stride, std::size_t rows, std::size_t columns,
                                           const float* y, float* x) {
  HWY_DYNAMIC_DISPATCH(subtract_half)(w, stride, rows, columns, y, x);
}
template <>
void add_packed_times<double>(const double* inverse, std::size_t n, std::size_t begin, std::size_t end, const double* b,
                              double* x) {
  HWY_DYNAMIC_DISPATCH(add_packed_double)(inverse, n, begin, end, b, x);
}
template <>
void add_packed_times<float>(const float* inverse, std::size_t n, std::size_t begin, std::size_t end, const float* b,
                             float* x) {
  HWY_DYNAMIC_DISPATCH(add_packed_float)(inverse, n, begin, end, b, x);
}

template <>
void add_packed_times<Half>(const Half* inverse, std::size_t n, std::size_t begin, std::size_t end, const float* b,
                            float* x) {
  HWY_DYNAMIC_DISPATCH(add_packed_half)(inverse, n, begin, end, b, x);
}

}  // namespace sinew::cholesky
#endif
