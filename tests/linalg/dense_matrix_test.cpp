#include "sinew/linalg/dense_matrix.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// By rows, as one writes it.
DenseMatrix dense(std::size_t rows, std::size_t columns, const std::vector<double>& by_rows) {
  DenseMatrix result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result(i, j) = by_rows[i * columns + j];
  return result;
}

TEST(DenseMatrix, IsKeptByColumns) {
  const DenseMatrix a = dense(2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(a.value, (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(a.column(1)[1], 5);
}

TEST(DenseMatrix, ProductsOfKnownMatrices) {
  const DenseMatrix a = dense(2, 3, {1, 2, 3, 4, 5, 6}), b = dense(3, 2, {7, 8, 9, 10, 11, 12});
  EXPECT_EQ(product(a, b).value, dense(2, 2, {58, 64, 139, 154}).value);
  EXPECT_EQ(transposed_product(b, b).value, dense(2, 2, {251, 278, 278, 308}).value);
  DenseMatrix sum(2, 2);
  sum(1, 0) = 1;
  add_gram(a, sum);
  EXPECT_EQ(sum(0, 0), 14);
  EXPECT_EQ(sum(1, 0), 33);
  EXPECT_EQ(sum(1, 1), 77);
  EXPECT_EQ(sum(0, 1), 0) << "only the lower triangle is added";
}

TEST(DenseMatrix, NoRowsOrColumnsAreNoReasonToFail) {
  EXPECT_EQ(product(DenseMatrix(3, 0), DenseMatrix(0, 2)).value, std::vector<double>(6, 0.0));
  EXPECT_TRUE(transposed_product(DenseMatrix(3, 0), DenseMatrix(3, 2)).value.empty());
}

TEST(DenseMatrix, SizesThatDoNotMatchAreRefused) {
  DenseMatrix sum(3, 3);
  EXPECT_THROW(product(DenseMatrix(2, 3), DenseMatrix(2, 3)), Error);
  EXPECT_THROW(transposed_product(DenseMatrix(2, 3), DenseMatrix(3, 3)), Error);
  EXPECT_THROW(add_gram(DenseMatrix(2, 3), sum), Error);
}

}  // namespace
}  // namespace sinew
