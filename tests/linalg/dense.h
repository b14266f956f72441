// Sparse matrices written out, for tests against dense algebra.
#pragma once

#include <Eigen/Dense>
#include <cstddef>

#include "sinew/linalg/block_matrix.h"

namespace sinew::test {

inline Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * matrix.rows, 3 * matrix.rows);
  for (int row = 0; row < matrix.rows; ++row) {
    const auto last = static_cast<std::size_t>(matrix.row_start[static_cast<std::size_t>(row) + 1]);
    for (auto k = static_cast<std::size_t>(matrix.row_start[static_cast<std::size_t>(row)]); k < last; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          result(3 * row + i, 3 * matrix.column[k] + j) =
              matrix.block[k](static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  return result;
}

}  // namespace sinew::test
