#include "sinew/linalg/sparse_rows.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"

namespace sinew {

SparseRows product(const SparseRows& a, const SparseRows& b) {
  SparseRows c;
  c.columns = b.columns;
  c.start.reserve(a.start.size());
  std::vector<double> sum(static_cast<std::size_t>(b.columns), 0.0);
  std::vector<char> touched(sum.size(), 0);
  std::vector<int> columns;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    columns.clear();
    for (int k = a.start[row]; k < a.start[row + 1]; ++k) {
      const auto middle = static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)]);
      const double factor = a.value[static_cast<std::size_t>(k)];
      for (int l = b.start[middle]; l < b.start[middle + 1]; ++l) {
        const int column = b.column[static_cast<std::size_t>(l)];
        const auto j = static_cast<std::size_t>(column);
        if (!touched[j]) columns.push_back(column);
        touched[j] = 1;
        sum[j] += factor * b.value[static_cast<std::size_t>(l)];
      }
    }
    std::sort(columns.begin(), columns.end());
    for (int column : columns) {
      const auto j = static_cast<std::size_t>(column);
      c.column.push_back(column);
      c.value.push_back(sum[j]);
      sum[j] = 0;
      touched[j] = 0;
    }
    c.start.push_back(static_cast<int>(c.column.size()));
  }
  return c;
}

SparseRows transpose(const SparseRows& a) {
  SparseRows t;
  t.columns = static_cast<int>(a.rows());
  t.start.assign(static_cast<std::size_t>(a.columns) + 1, 0);
  for (int column : a.column) ++t.start[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = 1; i < t.start.size(); ++i) t.start[i] += t.start[i - 1];
  t.column.resize(a.column.size());
  t.value.resize(a.value.size());
  std::vector<int> next(t.start.begin(), t.start.end() - 1);
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (auto k = static_cast<std::size_t>(a.start[row]); k < static_cast<std::size_t>(a.start[row + 1]); ++k) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(a.column[k])]++);
      t.column[at] = static_cast<int>(row);
      t.value[at] = a.value[k];
    }
  return t;
}

void multiply(const SparseRows& a, std::span<const Vec3> x, std::span<Vec3> y) {
  parallel_for(a.rows(), 512, [&](std::size_t row) { y[row] = row_times(a, row, x); });
}

void multiply(const SparseRows& a, std::span<const double> x, std::span<double> y, int width) {
  const auto w = static_cast<std::size_t>(width);
  parallel_for(a.rows(), 512, [&](std::size_t row) {
    for (std::size_t c = 0; c < w; ++c) {
      double sum = 0;
      for (auto k = static_cast<std::size_t>(a.start[row]); k < static_cast<std::size_t>(a.start[row + 1]); ++k)
        sum += a.value[k] * x[static_cast<std::size_t>(a.column[k]) * w + c];
      y[row * w + c] = sum;
    }
  });
}

}  // namespace sinew
