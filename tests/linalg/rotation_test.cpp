#include "sinew/linalg/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/rounding.h"

namespace sinew {
namespace {

struct Random {
  std::mt19937 generator{1};
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }
  Mat3 matrix() {
    Mat3 a;
    for (double& v : a.m) v = uniform(-1, 1);
    return a;
  }
  Quat quaternion() {
    std::normal_distribution<double> normal;
    return normalized(Quat{normal(generator), normal(generator), normal(generator), normal(generator)});
  }
  Mat3 rotation() { return to_matrix(quaternion()); }
};

double difference(const Mat3& a, const Mat3& b) { return frobenius_norm(a - b); }

// Rounding of matrices that a handful of sweeps of three rotations made, each of some four operations.
constexpr double sweeps = 5 * 3 * 4;

void expect_rotation(const Mat3& r, double tolerance = test::rounding_of(1, sweeps)) {
  EXPECT_LT(difference(r * transpose(r), Mat3::identity()), tolerance);
  EXPECT_GT(determinant(r), 0);
}

void expect_decomposes(const Mat3& a) {
  const SignedSvd svd = signed_svd(a);
  expect_rotation(svd.u);
  expect_rotation(svd.v);
  EXPECT_GE(svd.sigma.x, svd.sigma.y * (1 - 1e-14));
  EXPECT_GE(svd.sigma.y, std::abs(svd.sigma.z) * (1 - 1e-14) - 1e-15 * svd.sigma.x);
  EXPECT_LE(difference(svd.u * Mat3::diagonal(svd.sigma) * transpose(svd.v), a),
            test::rounding_of(frobenius_norm(a), sweeps));
}

TEST(SignedSvd, RandomMatrices) {
  Random random;
  for (int i = 0; i < 100000; ++i) {
    const Mat3 a = random.matrix();
    expect_decomposes(a);
    if (HasFailure()) FAIL() << "matrix " << i;
  }
}

TEST(SignedSvd, PrescribedSingularValuesOfAnySize) {
  Random random;
  const Vec3 values[] = {{1, 1, 1},
                         {1, 1, -1},
                         {2, 1, 0},
                         {1, 0, 0},
                         {1, 1, 1e-12},
                         {1, 1e-9, -1e-9},
                         {1, 1e-200, 0},
                         {1e150, 1, 1},
                         {1e-150, 1e-151, 1e-152},
                         {1e-300, 0, 0},
                         {3, 3, -1},
                         {1, 1e-5, 1e-5},
                         {1, 1 - 1e-15, 1 - 2e-15}};
  for (const Vec3& sigma : values)
    for (int i = 0; i < 200; ++i) {
      const Mat3 a = random.rotation() * Mat3::diagonal(sigma) * random.rotation();
      expect_decomposes(a);
      const SignedSvd svd = signed_svd(a);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(svd.sigma[k], sigma[k], test::rounding_of(sigma.x, sweeps));
    }
}

TEST(SignedSvd, ExactSpecialCases) {
  expect_decomposes(Mat3::identity());
  expect_decomposes(Mat3::identity() * -1.0);
  expect_decomposes(Mat3::diagonal({0, 0, 5}));
  expect_decomposes(Mat3::diagonal({1, -2, 3}));
  expect_decomposes({{0, 1, 0, 0, 0, 1, 1, 0, 0}});
  expect_decomposes({{1, 1, 1, 1, 1, 1, 1, 1, 1}});
  const SignedSvd zero = signed_svd(Mat3::zero());
  expect_rotation(zero.u);
  expect_rotation(zero.v);
  EXPECT_EQ(zero.sigma, Vec3{});
}

TEST(ClosestRotation, MaximisesTheTraceOverRandomMatricesOfBothOrientations) {
  Random random;
  for (int i = 0; i < 100000; ++i) {
    const Mat3 a = random.matrix();
    const Mat3 r = closest_rotation(a);
    const SignedSvd svd = signed_svd(a);
    expect_rotation(r);
    // The maximum is the sum of the signed singular values.
    EXPECT_NEAR(trace(transpose(r) * a), svd.sigma.x + svd.sigma.y + svd.sigma.z, 1e-13);
    if (HasFailure()) FAIL() << "matrix " << i;
  }
}

TEST(ClosestRotation, OfRotationTimesStretchIsTheRotation) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    const Mat3 r = random.rotation(), q = random.rotation();
    const Vec3 stretch{random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(0.1, 3)};
    const Mat3 a = r * q * Mat3::diagonal(stretch) * transpose(q);
    EXPECT_LT(difference(closest_rotation(a), r), 1e-13);
    EXPECT_LT(difference(closest_rotation(a * 1e-40), r), 1e-13);
    EXPECT_LT(difference(closest_rotation(a * 1e40), r), 1e-13);
  }
}

TEST(ClosestRotation, DegenerateInput) {
  EXPECT_EQ(closest_rotation(Mat3::zero()), Mat3::identity());
  EXPECT_EQ(closest_rotation(Mat3::zero(), Quat{1, 0, 0, 0}), Quat{});
  EXPECT_EQ(closest_rotation(Mat3::diagonal({0, -1, -1}) * 1e-310), Mat3::identity());
  for (const Mat3& a :
       {Mat3::diagonal({1, 0, 0}), Mat3::diagonal({1, 1, 0}), Mat3::diagonal({1, 1, -1}), Mat3::diagonal({-1, -1, -1}),
        Mat3::diagonal({1, 1e-20, -1e-20}), Mat3::identity() * 1e-290, Mat3{{1, 2, 3, 2, 4, 6, 3, 6, 9}}}) {
    const Mat3 r = closest_rotation(a);
    expect_rotation(r);
    const SignedSvd svd = signed_svd(a);
    EXPECT_NEAR(trace(transpose(r) * a), svd.sigma.x + svd.sigma.y + svd.sigma.z, 1e-13 * frobenius_norm(a));
  }
}

TEST(ClosestRotation, DoesNotDependOnTheGuess) {
  Random random;
  for (int i = 0; i < 20000; ++i) {
    const Mat3 a = random.matrix();
    const SignedSvd svd = signed_svd(a);
    if (svd.sigma.y + svd.sigma.z < 0.05) continue;  // nearly not unique: rounding is magnified
    const Mat3 expected = svd.u * transpose(svd.v);
    EXPECT_LT(difference(to_matrix(closest_rotation(a, random.quaternion())), expected), 1e-12);
    EXPECT_LT(difference(to_matrix(closest_rotation(a, to_quaternion(expected))), expected), 1e-12);
  }
}

TEST(ClosestRotation, NotANumberIsNotHidden) {
  Mat3 a;
  a(1, 2) = std::nan("");
  EXPECT_TRUE(std::isnan(trace(closest_rotation(a))));
}

TEST(ToTransform, LeadsBackToTheMapAlsoWhereItMirrors) {
  for (const double x : {0.5, -0.5}) {
    const Affine map = to_affine({{1, 2, 3}, axis_angle({0.6, 0, 0.8}, 2.5), {x, 1, 2}}),
                 back = to_affine(to_transform(map));
    EXPECT_EQ(back.translation, map.translation);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(back.linear.m[k], map.linear.m[k], 1e-12);
  }
}

TEST(RotationDerivative, AgreesWithFiniteDifferences) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    const Mat3 a = random.matrix(), da = random.matrix();
    const SignedSvd svd = signed_svd(a);
    if (svd.sigma.y + svd.sigma.z < 0.2) continue;
    const RotationDerivative derivative = rotation_derivative(a, closest_rotation(a));
    const double h = 1e-5;
    const Mat3 finite = (closest_rotation(a + da * h) - closest_rotation(a - da * h)) * (0.5 / h);
    EXPECT_LT(difference(derivative(da), finite), 1e-6);
  }
}

TEST(RotationDerivative, IsZeroForStretchAndAntisymmetricForRotation) {
  const RotationDerivative derivative = rotation_derivative(Mat3::identity(), Mat3::identity());
  EXPECT_LT(frobenius_norm(derivative(Mat3::diagonal({1, 2, 3}))), 1e-15);
  const Mat3 spin{{0, -3, 2, 3, 0, -1, -2, 1, 0}};
  EXPECT_LT(difference(derivative(spin), spin), 1e-15);
}

TEST(RotationDerivative, StaysFiniteAtItsPoles) {
  for (const Mat3& a :
       {Mat3::zero(), Mat3::diagonal({1, 0, 0}), Mat3::diagonal({1, 1, -1}), Mat3::diagonal({1, 1e-9, 0})}) {
    const RotationDerivative derivative = rotation_derivative(a, closest_rotation(a), 1e-3);
    for (const double v : derivative({{1, 2, 3, 4, 5, 6, 7, 8, 10}}).m) {
      EXPECT_TRUE(std::isfinite(v));
      EXPECT_LT(std::abs(v), 1e5);
    }
  }
}

}  // namespace
}  // namespace sinew
