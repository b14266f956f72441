// Systems of numbers against dense Cholesky, for every remainder of the rows by three, and by their residual.
#include "sinew/linalg/scalar_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

// The graph Laplacian of a grid of points coupled with all 26 around them, plus `shift`.
SparseMatrix grid_laplacian(int nx, int ny, int nz, double shift) {
  std::vector<int> cells;
  const auto vertex = [&](int i, int j, int k) { return (i * ny + j) * nz + k; };
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j)
      for (int k = 0; k + 1 < nz; ++k)
        for (int corner = 0; corner < 8; ++corner)
          cells.push_back(vertex(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2)));
  SparseMatrix matrix = sparse_matrix(nx * ny * nz, cells, 8);
  for (int row = 0; row < matrix.rows; ++row) {
    double sum = shift;
    for (int k = matrix.row_start[std::size_t(row)]; k < matrix.row_start[std::size_t(row) + 1]; ++k) {
      const int column = matrix.column[std::size_t(k)];
      if (column == row) continue;
      matrix.value[std::size_t(k)] = -1.0 / (1 + std::abs(row - column));
      sum -= matrix.value[std::size_t(k)];
    }
    entry(matrix, row, row) = sum;
  }
  return matrix;
}

std::vector<double> waves(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t k = 0; k < count; ++k) values[k] = std::sin(1.0 + 0.7 * double(k) + 1e-3 * double(k * k));
  return values;
}

TEST(ScalarCholesky, EqualsDenseSolutions) {
  for (const int nz : {1, 2, 3, 4, 5})
    for (const int width : {1, 3, 10}) {
      const SparseMatrix matrix = grid_laplacian(2, 4, nz, 0.01);
      Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(matrix.rows, matrix.rows);
      for (int row = 0; row < matrix.rows; ++row)
        for (int k = matrix.row_start[std::size_t(row)]; k < matrix.row_start[std::size_t(row) + 1]; ++k)
          dense(row, matrix.column[std::size_t(k)]) = matrix.value[std::size_t(k)];
      ScalarCholesky cholesky;
      cholesky.factor(matrix);
      const std::vector<double> b = waves(std::size_t(matrix.rows * width));
      std::vector<double> x(b.size());
      cholesky.solve(b, x, width);
      using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const Rows expected = test::solved(dense, Eigen::Map<const Rows>(b.data(), matrix.rows, width));
      EXPECT_LT((Eigen::Map<const Rows>(x.data(), matrix.rows, width) - expected).norm(), 1e-12 * expected.norm());
    }
}

TEST(ScalarCholesky, SolvesGridsToRoundingForAnyNumberOfThreads) {
  const SparseMatrix matrix = grid_laplacian(14, 13, 11, 1e-3);
  ScalarCholesky cholesky;
  cholesky.factor(matrix);
  const std::vector<double> b = waves(3 * std::size_t(matrix.rows));
  std::vector<double> x(b.size()), product(b.size());
  cholesky.solve(b, x, 3);
  multiply(matrix, x, product, 3);
  double error = 0;
  for (std::size_t k = 0; k < b.size(); ++k) error = std::max(error, std::abs(product[k] - b[k]));
  EXPECT_LT(error, 1e-11);

  std::vector<double> alone = b;
  set_thread_count(1);
  ScalarCholesky again;
  again.factor(matrix);
  again.solve(alone, alone, 3);  // in place
  set_thread_count(0);
  EXPECT_EQ(alone, x);
}

TEST(ScalarCholesky, RefusesWhatIsNotPositiveDefinite) {
  ScalarCholesky cholesky;
  EXPECT_THROW(cholesky.factor(grid_laplacian(3, 3, 3, 0)), Error);
  EXPECT_THROW(cholesky.factor(grid_laplacian(3, 3, 3, -0.5)), Error);
  std::vector<double> numbers(7);
  EXPECT_THROW(cholesky.solve(numbers, numbers, 3), Error);
}

}  // namespace
}  // namespace sinew
