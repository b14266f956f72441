#include "sinew/elastic/hyperelastic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/elastic/stiffness.h"
#include "studies/reference/hyperelastic_energy.h"
#include "studies/reference/nonlinear_equilibrium.h"

namespace sinew {
namespace {

constexpr HyperelasticLaw laws[] = {HyperelasticLaw::modified_st_venant_kirchhoff, HyperelasticLaw::st_venant_kirchhoff,
                                    HyperelasticLaw::corotated};
const LameModuli moduli{3e3, 7e3};

std::mt19937 generator(7);
double uniform() { return std::uniform_real_distribution<double>(-1, 1)(generator); }
Mat3 random_matrix(double size) {
  Mat3 a;
  for (double& v : a.m) v = size * uniform();
  return a;
}
Vec3 random_vector() { return {uniform(), uniform(), uniform()}; }
Quat random_rotation() { return normalized(Quat{uniform(), uniform(), uniform(), uniform()}); }

TEST(Hyperelastic, StressIsTheDerivativeOfTheDensity) {
  for (const HyperelasticLaw law : laws)
    for (int trial = 0; trial < 20; ++trial) {
      const Mat3 d = random_matrix(0.5), change = random_matrix(1), p = stress(law, d, moduli);
      const double h = 1e-5;
      const double difference = (density(law, d + change * h, moduli) - density(law, d - change * h, moduli)) / (2 * h);
      EXPECT_NEAR(difference, trace(transpose(p) * change), 1e-5 * (moduli.shear + frobenius_norm(p)));
    }
}

TEST(Hyperelastic, StiffnessIsTheDerivativeOfTheStress) {
  for (const HyperelasticLaw law : laws)
    for (int trial = 0; trial < 20; ++trial) {
      const Mat3 d = random_matrix(0.4);
      const Vec3 a = random_vector(), b = random_vector(), u = random_vector();
      const HyperelasticStiffness stiffness(law, HyperelasticTangent::exact, d, moduli);
      const double h = 1e-5;
      const Mat3 change = outer(u, b);
      const Vec3 difference = (stress(law, d + change * h, moduli) - stress(law, d - change * h, moduli)) * a / (2 * h);
      EXPECT_LT(distance(difference, stiffness.block(a, b) * u), 1e-5 * (moduli.shear + moduli.lambda));
      // Second derivatives do not depend on their order.
      EXPECT_LT(frobenius_norm(stiffness.block(a, b) - transpose(stiffness.block(b, a))), 1e-8 * moduli.lambda);
    }
}

TEST(Hyperelastic, TheDefiniteStiffnessIsPositiveAndTheExactOneAtRest) {
  for (const HyperelasticLaw law : laws) {
    for (int trial = 0; trial < 50; ++trial) {
      const HyperelasticStiffness stiffness(law, HyperelasticTangent::definite, random_matrix(0.8), moduli);
      // Any change of F is a sum of three of rank one.
      const Vec3 u[3] = {random_vector(), random_vector(), random_vector()};
      const Vec3 g[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      double curvature = 0;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) curvature += dot(u[i], stiffness.block(g[i], g[j]) * u[j]);
      EXPECT_GT(curvature, -1e-9 * moduli.lambda);
    }
    const Vec3 a = random_vector(), b = random_vector();
    const HyperelasticStiffness exact(law, HyperelasticTangent::exact, Mat3::zero(), moduli),
        definite(law, HyperelasticTangent::definite, Mat3::zero(), moduli);
    EXPECT_LT(frobenius_norm(exact.block(a, b) - definite.block(a, b)), 1e-9 * moduli.lambda);
  }
}

TEST(Hyperelastic, TurningCostsNothingAndTurnsTheStress) {
  for (const HyperelasticLaw law : laws)
    for (int trial = 0; trial < 10; ++trial) {
      const Mat3 r = to_matrix(random_rotation()), f = Mat3::identity() + random_matrix(0.3);
      const Mat3 turned = r * f - Mat3::identity(), still = f - Mat3::identity();
      EXPECT_NEAR(density(law, turned, moduli), density(law, still, moduli), 1e-9 * moduli.lambda);
      EXPECT_LT(frobenius_norm(stress(law, turned, moduli) - r * stress(law, still, moduli)), 1e-8 * moduli.lambda);
      EXPECT_LT(std::abs(density(law, r - Mat3::identity(), moduli)), 1e-12 * moduli.lambda);
    }
}

TEST(Hyperelastic, SmallStrainsFollowHooke) {
  for (const HyperelasticLaw law : laws)
    for (int trial = 0; trial < 10; ++trial) {
      const Mat3 d = random_matrix(1), strain = (d + transpose(d)) * 0.5;
      const double size = 1e-7;
      const double hooke = moduli.shear * frobenius_norm(strain) * frobenius_norm(strain) +
                           0.5 * moduli.lambda * trace(strain) * trace(strain);
      EXPECT_NEAR(density(law, d * size, moduli) / (size * size), hooke, 1e-5 * hooke);
    }
}

// Uniaxial stretch with free sides, worked out by hand for a law without volume term: lambda = 0 gives P = mu s (s^2 -
// 1).
TEST(Hyperelastic, StretchesAlongOneAxisAsWorkedOut) {
  for (const double s : {0.6, 0.9, 1.3, 2.0}) {
    const Mat3 d = Mat3::diagonal({s - 1, 0, 0});
    EXPECT_NEAR(stress(HyperelasticLaw::modified_st_venant_kirchhoff, d, {2e3, 0})(0, 0), 2e3 * s * (s * s - 1), 1e-8);
    EXPECT_NEAR(stress(HyperelasticLaw::corotated, d, {2e3, 0})(0, 0), 2 * 2e3 * (s - 1), 1e-8);
    // And the volume alone: lambda (J - 1) times the area across.
    EXPECT_NEAR(stress(HyperelasticLaw::modified_st_venant_kirchhoff, d, {0, 5e3})(0, 0), 5e3 * (s - 1), 1e-8);
  }
}

// The printed law rewards collapse; this one drives a tetrahedron that was turned inside out back to its own volume.
TEST(Hyperelastic, AnInvertedTetrahedronComesBack) {
  const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const TetrahedralMesh mesh{rest, {{0, 1, 2, 3}}};
  ElementFields fields;
  fields.material = {1e4, 0.4, 1000};
  const StrainSamples samples = strain_samples(mesh, Element::linear, fields);
  HyperelasticEnergy energy(samples, 4, HyperelasticLaw::modified_st_venant_kirchhoff);
  std::vector<Vec3> start(4);
  start[3] = {0.05, 0.02, -1.3};  // through the opposite face
  const std::vector<int> held{0, 1, 2};
  const NonlinearEquilibrium found = nonlinear_equilibrium(energy, start, std::vector<Vec3>(4), held);
  EXPECT_LT(norm(found.q[3]), 1e-5);
}

TEST(HyperelasticEnergy, IsTheSumThatItsDerivativesSay) {
  std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.8, 0.9, 1.1}};
  const TetrahedralMesh mesh{rest, {{0, 1, 2, 3}, {1, 2, 3, 4}}};
  ElementFields fields;
  fields.material = {1e4, 0.4, 1000};
  const StrainSamples samples = strain_samples(mesh, Element::linear, fields);
  for (const HyperelasticLaw law : laws) {
    HyperelasticEnergy energy(samples, 5, law);
    std::vector<Vec3> q(5), gradient(5), before(5), after(5), direction(5);
    for (Vec3& v : q) v = random_vector() * 0.1;
    for (Vec3& v : direction) v = random_vector();
    const double h = 1e-6;
    std::vector<Vec3> plus = q, minus = q;
    for (std::size_t i = 0; i < 5; ++i) plus[i] += direction[i] * h, minus[i] -= direction[i] * h;
    energy.gradient(q, gradient);
    energy.gradient(plus, after);
    energy.gradient(minus, before);
    double slope = 0;
    Vec3 sum;
    for (std::size_t i = 0; i < 5; ++i) slope += dot(gradient[i], direction[i]), sum += gradient[i];
    EXPECT_NEAR((energy.energy(plus) - energy.energy(minus)) / (2 * h), slope, 1e-5 * std::abs(slope) + 1e-4);
    EXPECT_LT(norm(sum), 1e-9);  // no net force
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(q, hessian);
    for (std::size_t i = 0; i < 5; ++i) {
      Vec3 product;
      for (auto k = static_cast<std::size_t>(hessian.row_start[i]);
           k < static_cast<std::size_t>(hessian.row_start[i + 1]); ++k)
        product += hessian.block[k] * direction[static_cast<std::size_t>(hessian.column[k])];
      EXPECT_LT(distance(product, (after[i] - before[i]) / (2 * h)), 1e-4);
    }
  }
}

TEST(HyperelasticEnergy, AtRestItsHessianIsTheLinearStiffness) {
  const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.8, 0.9, 1.1}};
  const TetrahedralMesh mesh{rest, {{0, 1, 2, 3}, {1, 2, 3, 4}}};
  ElementFields fields;
  fields.material = {1e4, 0.4, 1000};
  const StrainSamples samples = strain_samples(mesh, Element::linear, fields);
  const BlockMatrix linear = rest_stiffness(samples, 5);
  for (const HyperelasticLaw law : laws) {
    HyperelasticEnergy energy(samples, 5, law);
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(std::vector<Vec3>(5), hessian);
    for (std::size_t k = 0; k < linear.block.size(); ++k)
      EXPECT_LT(frobenius_norm(hessian.block[k] - linear.block[k]), 1e-9 * 1e4);
  }
}

}  // namespace
}  // namespace sinew
