// The kernels of the Cholesky factorisation in plain loops, which the vectorised ones are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "sinew/linalg/cholesky/dense_kernels.h"
#include "sinew/linalg/cholesky/panels.h"

namespace sinew::cholesky {

inline double plain(double entry) { return entry; }
inline float plain(float entry) { return entry; }
inline float plain(Half value) {
  const int exponent = value.bits >> 10 & 31, fraction = value.bits & 1023;
  float magnitude = 0;
  if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  else
    magnitude = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return (value.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Entry>
void panel_times_reference(const Entry* w, std::size_t stride, std::size_t rows, std::size_t columns,
                           const Arithmetic<Entry>* b, Arithmetic<Entry>* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    Arithmetic<Entry> sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += plain(w[j * stride + i]) * b[j];
    y[i] = sum;
  }
}

template <class Entry>
void subtract_panel_transposed_times_reference(const Entry* w, std::size_t stride, std::size_t rows,
                                               std::size_t columns, const Arithmetic<Entry>* y, Arithmetic<Entry>* x) {
  for (std::size_t j = 0; j < columns; ++j) {
    Arithmetic<Entry> sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += plain(w[j * stride + i]) * y[i];
    x[j] -= sum;
  }
}

template <class Entry>
void add_packed_times_reference(const Entry* inverse, std::size_t n, std::size_t begin, std::size_t end,
                                const Arithmetic<Entry>* b, Arithmetic<Entry>* x) {
  for (std::size_t first = begin; first < end; first += group_columns) {
    const Entry* group = inverse + packed_offset(n, first);
    const std::size_t columns = std::min(group_columns, n - first), rows = n - first;
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i) {
        const Arithmetic<Entry> entry = plain(group[j * rows + i]);
        x[first + i] += entry * b[first + j];
        if (i >= columns) x[first + j] += entry * b[first + i];
      }
  }
}

inline void subtract_product_transposed_reference(MatrixView c, ConstMatrixView a, ConstMatrixView b, std::size_t m,
                                                  std::size_t n, std::size_t k) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t l = 0; l < k; ++l)
        c.data[i + j * c.stride] -= a.data[i + l * a.stride] * b.data[j + l * b.stride];
}

}  // namespace sinew::cholesky
