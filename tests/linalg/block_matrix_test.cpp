#include "sinew/linalg/block_matrix.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

std::vector<int> random_elements(int rows, int count, int size, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<int> elements;
  for (int e = 0; e < count * size; ++e)
    elements.push_back(static_cast<int>(generator() % static_cast<unsigned>(rows)));
  return elements;
}

TEST(BlockMatrix, PatternCouplesTheVerticesOfEachElement) {
  const int rows = 40;
  const std::vector<int> elements = random_elements(rows, 30, 4, 1);
  std::set<std::pair<int, int>> expected;
  for (int v = 0; v < rows; ++v) expected.insert({v, v});
  for (std::size_t e = 0; e < elements.size(); e += 4)
    for (std::size_t i = e; i < e + 4; ++i)
      for (std::size_t j = e; j < e + 4; ++j) expected.insert({elements[i], elements[j]});
  const BlockMatrix matrix = block_pattern(rows, elements, 4);
  std::set<std::pair<int, int>> actual;
  for (int row = 0; row < rows; ++row) {
    int previous = -1;
    for (int k = matrix.row_start[static_cast<std::size_t>(row)];
         k < matrix.row_start[static_cast<std::size_t>(row) + 1]; ++k) {
      const int column = matrix.column[static_cast<std::size_t>(k)];
      EXPECT_GT(column, previous);
      previous = column;
      actual.insert({row, column});
      EXPECT_EQ(find_block(matrix, row, column), k);
      EXPECT_EQ(matrix.block[static_cast<std::size_t>(k)], Mat3::zero());
    }
  }
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(find_block(matrix, 0, rows + 5), -1);
}

TEST(BlockMatrix, ListsOfDifferentElementSizes) {
  const std::vector<int> elements{0, 1, 2, 4, 5};
  const std::vector<int> start{0, 3, 3, 5};
  const BlockMatrix matrix = block_pattern(6, elements, start);
  EXPECT_EQ(matrix.column, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 5, 4, 5}));
}

TEST(BlockMatrix, BadIndicesAreErrors) {
  EXPECT_THROW(block_pattern(3, std::vector<int>{0, 1, 2, 3}, 4), Error);
  EXPECT_THROW(block_pattern(3, std::vector<int>{0, -1, 2, 1}, 4), Error);
  EXPECT_THROW(block_pattern(3, std::vector<int>{0, 1, 2}, 2), Error);
  EXPECT_THROW(block_pattern(3, std::vector<int>{0, 1, 2}, std::vector<int>{0, 4}), Error);
  EXPECT_THROW(block_pattern(3, std::vector<int>{0, 1, 2}, std::vector<int>{2, 1}), Error);
}

TEST(BlockMatrix, MultiplyAgreesWithPlainSumsForAnyNumberOfThreads) {
  const int rows = 3000;
  BlockMatrix matrix = block_pattern(rows, random_elements(rows, 4000, 4, 2), 4);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Mat3& block : matrix.block)
    for (double& v : block.m) v = uniform(generator);
  std::vector<double> x(9000), expected(9000, 0.0), first;
  for (double& v : x) v = uniform(generator);
  for (std::size_t row = 0; row < 3000; ++row)
    for (int k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k) {
      const std::size_t column = static_cast<std::size_t>(matrix.column[static_cast<std::size_t>(k)]);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          expected[3 * row + i] += matrix.block[static_cast<std::size_t>(k)](i, j) * x[3 * column + j];
    }
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    std::vector<double> y(9000);
    multiply(matrix, x, y);
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], expected[i], 1e-13);
    if (first.empty()) first = y;
    EXPECT_EQ(first, y);
  }
  set_thread_count(0);
  std::vector<double> short_vector(5);
  EXPECT_THROW(multiply(matrix, x, short_vector), Error);
}

TEST(BlockMatrix, PrincipalSubmatrixKeepsBlocksAndOrder) {
  BlockMatrix matrix = block_pattern(4, std::vector<int>{0, 1, 2, 2, 3, 1}, 3);
  for (std::size_t k = 0; k < matrix.block.size(); ++k) matrix.block[k].m[0] = static_cast<double>(k);
  const BlockMatrix kept = principal_submatrix(matrix, std::vector<int>{-1, 0, -1, 1}, 2);
  ASSERT_EQ(kept.rows, 2);
  EXPECT_EQ(kept.column, (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(kept.block[1].m[0], matrix.block[static_cast<std::size_t>(find_block(matrix, 1, 3))].m[0]);
  EXPECT_THROW(principal_submatrix(matrix, std::vector<int>{1, 0, -1, -1}, 2), Error);
  EXPECT_THROW(principal_submatrix(matrix, std::vector<int>{0, 1}, 2), Error);
}

}  // namespace
}  // namespace sinew
