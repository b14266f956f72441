#include "sinew/linalg/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew {
namespace {

TEST(SymmetricEigen, KnownPairsByFallingValue) {
  // (1, 1) with 3 and (1, -1) with 1; what stands above the diagonal is not read.
  const SymmetricEigen eigen = symmetric_eigen(std::vector<double>{2, 77, 1, 2}, 2);
  EXPECT_NEAR(eigen.values[0], 3, 1e-14);
  EXPECT_NEAR(eigen.values[1], 1, 1e-14);
  EXPECT_NEAR(eigen.vector(0)[0], eigen.vector(0)[1], 1e-14);
  EXPECT_NEAR(eigen.vector(1)[0], -eigen.vector(1)[1], 1e-14);
  EXPECT_NEAR(std::hypot(eigen.vector(0)[0], eigen.vector(0)[1]), 1, 1e-14);
}

TEST(SymmetricEigen, GeneralizedPairsRiseAndAreOrthonormalInB) {
  // Two masses of 1 and 4 between three equal springs: det(A - l B) = 4 l^2 - 10 l + 3.
  const std::vector<double> a{2, 77, -1, 2}, b{1, 77, 0, 4};
  const auto eigen = generalized_symmetric_eigen(a, b, 2);
  ASSERT_TRUE(eigen.has_value());
  EXPECT_NEAR(eigen->values[0], (10 - std::sqrt(52.0)) / 8, 1e-14);
  EXPECT_NEAR(eigen->values[1], (10 + std::sqrt(52.0)) / 8, 1e-14);
  const auto v = eigen->vector(0), w = eigen->vector(1);
  EXPECT_NEAR(v[0] * v[0] + 4 * v[1] * v[1], 1, 1e-14);
  EXPECT_NEAR(v[0] * w[0] + 4 * v[1] * w[1], 0, 1e-14);
  EXPECT_NEAR(2 * v[0] - v[1], eigen->values[0] * v[0], 1e-14);
}

TEST(SymmetricEigen, AMassThatIsNotDefiniteHasNoPairs) {
  EXPECT_FALSE(
      generalized_symmetric_eigen(std::vector<double>{1, 0, 0, 1}, std::vector<double>{1, 0, 0, -1}, 2).has_value());
  EXPECT_FALSE(generalized_symmetric_eigen(std::vector<double>{std::nan("")}, std::vector<double>{1}, 1).has_value());
}

}  // namespace
}  // namespace sinew
