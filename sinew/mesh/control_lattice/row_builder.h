// Assembly of a sparse matrix row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sinew/linalg/sparse_rows.h"

namespace sinew {

class RowBuilder {
 public:
  explicit RowBuilder(int columns)
      : sum_(static_cast<std::size_t>(columns), 0.0), touched_(static_cast<std::size_t>(columns), 0) {
    rows_.columns = columns;
  }

  void add(int column, double weight) {
    const auto c = static_cast<std::size_t>(column);
    if (!touched_[c]) columns_.push_back(column);
    touched_[c] = 1;
    sum_[c] += weight;
  }
  void add(std::span<const int> columns, double weight) {
    for (int column : columns) add(column, weight);
  }
  // Adds `weight`, divided evenly among the columns.
  void add_mean(std::span<const int> columns, double weight) {
    add(columns, weight / static_cast<double>(columns.size()));
  }
  void add_row(const SparseRows& rows, int row, double weight) {
    const auto r = static_cast<std::size_t>(row);
    for (auto k = static_cast<std::size_t>(rows.start[r]); k < static_cast<std::size_t>(rows.start[r + 1]); ++k)
      add(rows.column[k], weight * rows.value[k]);
  }
  void add_mean_of_rows(const SparseRows& rows, std::span<const int> which, double weight) {
    for (int row : which) add_row(rows, row, weight / static_cast<double>(which.size()));
  }
  void end_row() {
    std::sort(columns_.begin(), columns_.end());
    for (int column : columns_) {
      const auto c = static_cast<std::size_t>(column);
      rows_.column.push_back(column);
      rows_.value.push_back(sum_[c]);
      sum_[c] = 0;
      touched_[c] = 0;
    }
    rows_.start.push_back(static_cast<int>(rows_.column.size()));
    columns_.clear();
  }
  SparseRows take() { return std::move(rows_); }

 private:
  SparseRows rows_;
  std::vector<double> sum_;
  std::vector<char> touched_;
  std::vector<int> columns_;
};

}  // namespace sinew
