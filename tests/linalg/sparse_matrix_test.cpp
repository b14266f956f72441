#include "sinew/linalg/sparse_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "tests/base/same_bits.h"

namespace sinew {
namespace {

// Elements of four random vertices; every entry a random number, both triangles different.
SparseMatrix random_matrix(int rows, int elements, std::mt19937& generator) {
  std::vector<int> corners;
  for (int c = 0; c < 4 * elements; ++c) corners.push_back(static_cast<int>(generator() % static_cast<unsigned>(rows)));
  SparseMatrix matrix = sparse_matrix(rows, corners, 4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& value : matrix.value) value = uniform(generator);
  return matrix;
}

Eigen::MatrixXd dense(const SparseMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.rows, matrix.rows);
  for (int row = 0; row < matrix.rows; ++row)
    for (int k = matrix.row_start[index(row)]; k < matrix.row_start[index(row) + 1]; ++k)
      result(row, matrix.column[index(k)]) += matrix.value[index(k)];
  return result;
}

TEST(SparseMatrix, EntriesOfElementsAddUpWhereTheyBelong) {
  std::mt19937 generator(1);
  const int rows = 30;
  std::vector<int> corners;
  for (int c = 0; c < 4 * 20; ++c) corners.push_back(static_cast<int>(generator() % 25));  // the last rows have none
  SparseMatrix matrix = sparse_matrix(rows, corners, 4);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(rows, rows);
  double number = 1;
  for (std::size_t e = 0; e < corners.size(); e += 4)
    for (std::size_t i = e; i < e + 4; ++i)
      for (std::size_t j = e; j < e + 4; ++j) {
        entry(matrix, corners[i], corners[j]) += number;
        expected(corners[i], corners[j]) += number++;
      }
  for (int row = 0; row < rows; ++row) {
    entry(matrix, row, row) += 0.5;
    expected(row, row) += 0.5;
  }
  EXPECT_EQ(dense(matrix), expected);
  const std::vector<double> found = diagonal(matrix);
  ASSERT_EQ(found.size(), index(rows));
  for (int row = 0; row < rows; ++row) EXPECT_EQ(found[index(row)], expected(row, row));
}

TEST(SparseMatrix, ProductsOfAnyWidthAgreeWithDenseOnes) {
  std::mt19937 generator(2);
  const SparseMatrix matrix = random_matrix(90, 60, generator);
  const Eigen::MatrixXd a = dense(matrix);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int width : {1, 2, 7, 8, 9, 16, 19}) {
    std::vector<double> x(index(90 * width)), y(x.size());
    for (double& value : x) value = uniform(generator);
    multiply(matrix, x, y, width);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Rows expected = a * Eigen::Map<const Rows>(x.data(), 90, width);
    EXPECT_LT((expected - Eigen::Map<const Rows>(y.data(), 90, width)).lpNorm<Eigen::Infinity>(), 1e-13) << width;
  }
}

TEST(SparseMatrix, ProductsHaveTheSameBitsForAnyNumberOfThreadsAndAnyWidth) {
  std::mt19937 generator(3);
  const int rows = 5000, width = 8;
  const SparseMatrix matrix = random_matrix(rows, 8000, generator);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(index(rows * width)), y(x.size());
  for (double& value : x) value = uniform(generator);
  const std::vector<double> first = test::expect_same_bits([&] {
    multiply(matrix, x, y, width);
    return y;
  });
  std::vector<double> column(index(rows)), product(index(rows));
  for (int row = 0; row < rows; ++row) column[index(row)] = x[index(row * width + 5)];
  multiply(matrix, column, product);
  for (int row = 0; row < rows; ++row) EXPECT_EQ(product[index(row)], first[index(row * width + 5)]);
}

TEST(SparseMatrix, BadSizesAndIndicesAreErrors) {
  EXPECT_THROW(sparse_matrix(3, std::vector<int>{0, 1, 2, 3}, 4), Error);
  EXPECT_THROW(sparse_matrix(3, std::vector<int>{0, -1, 2, 1}, 4), Error);
  EXPECT_THROW(sparse_matrix(3, std::vector<int>{0, 1, 2}, 2), Error);
  const SparseMatrix matrix = sparse_matrix(3, std::vector<int>{0, 1, 2}, 3);
  std::vector<double> three(3), six(6);
  EXPECT_THROW(multiply(matrix, three, six), Error);
  EXPECT_THROW(multiply(matrix, six, three, 2), Error);
  EXPECT_THROW(multiply(matrix, three, three, 0), Error);
}

}  // namespace
}  // namespace sinew
