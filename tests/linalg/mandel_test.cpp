// Six numbers against the nine of the matrix.
#include "sinew/linalg/mandel.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/dense_algebra.h"
#include "tests/rounding.h"

namespace sinew {
namespace {

const Mat3 general{{0.3, -1.2, 2.5, 0.7, 1.9, -0.4, -2.2, 0.6, -1.1}};
const Mat3 other{{1.3, 0.2, -0.5, 2.7, -0.9, 0.8, 0.1, -1.6, 0.4}};

double inner(const Mat3& a, const Mat3& b) { return trace(transpose(a) * b); }
Mat3 symmetric(const Mat3& a) { return (a + transpose(a)) * 0.5; }

TEST(Mandel, IsAnIsometry) {
  EXPECT_NEAR(dot(to_mandel(general), to_mandel(other)), inner(symmetric(general), symmetric(other)), 1e-14);
  EXPECT_LT(frobenius_norm(to_matrix(to_mandel(general)) - symmetric(general)), 1e-15);
  EXPECT_EQ(to_matrix(Mandel::identity()), Mat3::identity());
  EXPECT_EQ(to_mandel(Mat3::identity()), Mandel::identity());
}

TEST(Mandel, MatricesAreTheMaps) {
  const auto map = [](const Mat3& s) { return general * s * transpose(other) + other * trace(s); };
  const Mandel s = to_mandel(other * other);
  const Mandel difference = mandel_matrix(map) * s - to_mandel(map(to_matrix(s)));
  EXPECT_LT(std::sqrt(dot(difference, difference)), 1e-13);
}

TEST(Mandel, EigenvaluesAreRaised) {
  using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  Matrix m = Matrix::Random();
  const Matrix q = test::orthonormal_columns(m);
  Eigen::Matrix<double, 6, 1> values, expected;
  values << -3, -1e-3, 0, 1e-4, 0.5, 7;
  expected << 0.01, 0.01, 0.01, 0.01, 0.5, 7;
  const auto from = [&](const Eigen::Matrix<double, 6, 1>& e) {
    MandelMatrix result;
    Eigen::Map<Matrix>(result.m) = q * e.asDiagonal() * q.transpose();
    return result;
  };
  const MandelMatrix raised = with_eigenvalues_at_least(from(values), 0.01), right = from(expected);
  // The largest eigenvalue is 7; two products of matrices of six rows, and some five sweeps of rotations between them.
  for (std::size_t k = 0; k < 36; ++k) EXPECT_NEAR(raised.m[k], right.m[k], test::rounding_of(7, 2 * 12 + 5 * 6));
  // Nothing to do: the same bits.
  EXPECT_EQ(with_eigenvalues_at_least(right, 0.009), right);
}

}  // namespace
}  // namespace sinew
