#include "sinew/linalg/dense_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

TEST(DenseCholesky, SolvesAKnownSystem) {
  // Lower triangle only; L = [[2], [6, 1], [-8, 5, 3]].
  const std::vector<double> matrix{4, 99, 99, 12, 37, 99, -16, -43, 98};
  DenseCholesky cholesky;
  ASSERT_TRUE(cholesky.factor(matrix, 3));
  const std::vector<double> b{4 * 1 + 12 * 2 - 16 * 3, 12 * 1 + 37 * 2 - 43 * 3, -16 * 1 - 43 * 2 + 98 * 3};
  std::vector<double> x(3);
  cholesky.solve(b, x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(x[i], static_cast<double>(i + 1), 1e-12);
}

TEST(DenseCholesky, ReadsTheCornerOfALargerMatrixAndSolvesInPlace) {
  const std::vector<double> matrix{2, 0, 7, 7, 1, 3, 7, 7};
  DenseCholesky cholesky;
  ASSERT_TRUE(cholesky.factor(matrix, 2, 4));
  std::vector<double> x{5, 10};  // A = [[2, 1], [1, 3]]
  cholesky.solve(x, x);
  const double rounding = test::rounding_of(10, 2 * 4);  // two substitutions with roots and quotients
  EXPECT_NEAR(x[0], 1, rounding);
  EXPECT_NEAR(x[1], 3, rounding);
}

TEST(DenseCholesky, TellsWhatItCannotFactor) {
  DenseCholesky cholesky;
  EXPECT_FALSE(cholesky.factor(std::vector<double>{1, 2, 2, 1}, 2)) << "indefinite";
  EXPECT_FALSE(cholesky.factor(std::vector<double>{1, 0, std::nan(""), 1}, 2));
  EXPECT_FALSE(cholesky.factor(std::vector<double>{std::numeric_limits<double>::infinity()}, 1));
  std::vector<double> x(2);
  EXPECT_THROW(cholesky.solve(x, x), Error);
}

}  // namespace
}  // namespace sinew
