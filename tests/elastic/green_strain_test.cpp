// The nonlinear energy of Green's strain: derivatives, conservation laws, known deformations, and the energies that
// it shares limits with.
#include "sinew/elastic/green_strain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/elastic/mixed_materials.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/rotation.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/basis_samples.h"
#include "tests/elastic/finite_differences.h"

namespace sinew {
namespace {

using test::at;

std::vector<Vec3> noise_of(int functions, double size, std::uint64_t seed) {
  test::Noise noise(seed);
  std::vector<Vec3> q(at(functions));
  for (Vec3& v : q) v = noise.vector() * size;
  return q;
}

// Displacements that take rest positions to `map`.
std::vector<Vec3> displacements(const std::vector<Vec3>& positions, const Affine& map) {
  std::vector<Vec3> q;
  for (const Vec3& x : positions) q.push_back(map * x - x);
  return q;
}

TEST(GreenStrain, DerivativesAreThoseOfDifferences) {
  for (const double poisson : {0.0, 0.3, 0.45})
    for (const double size : {1e-3, 0.3, 2.0}) {  // at 2 most pieces are turned inside out
      const test::LatticeBody body = test::trilinear_body({2, 1, 1}, {2, 1, 1}, 1, {1, poisson, 1});
      GreenStrainEnergy energy(body.samples, body.count());
      test::check_derivatives(energy, noise_of(body.count(), size, 3), 1e-5 * std::max(size, 0.1), 1e-6);
    }
  const StrainSamples samples = test::random_samples(20, 7, 4, 5, 11);
  GreenStrainEnergy energy(samples, 20);
  test::check_derivatives(energy, noise_of(20, 0.5, 5), 1e-6, 1e-6);
}

TEST(GreenStrain, ProductsAreThoseOfTheMatrix) {
  const StrainSamples samples = test::random_samples(20, 7, 4, 5, 13);
  GreenStrainEnergy energy(samples, 20);
  const std::vector<Vec3> q = noise_of(20, 0.5, 5);
  const Eigen::VectorXd x = test::flat(noise_of(20, 1, 6));
  for (const GreenHessian form : {GreenHessian::exact, GreenHessian::definite}) {
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(q, form, hessian);
    energy.linearize(q, form);
    Eigen::VectorXd y(x.size());
    energy.multiply({x.data(), 60}, {y.data(), 60});
    EXPECT_LT((y - test::dense(hessian) * x).norm(), 1e-13 * y.norm());
  }
}

TEST(GreenStrain, RigidMotionsCarryNoForce) {
  const test::LatticeBody body = test::trilinear_body({2, 2, 1}, {0.3, 0.2, 0.1}, 1, {1e5, 0.45, 1000});
  GreenStrainEnergy energy(body.samples, body.count());
  for (const double angle : {0.0, 0.4, 2.0, 3.1}) {
    const Affine motion{to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), angle)), {3, -1, 2}};
    const std::vector<Vec3> q = displacements(body.positions, motion);
    const double stiffness = test::hessian_of(energy, q).norm();  // N/m
    EXPECT_LT(test::gradient_of(energy, q).norm(), 1e-13 * stiffness);
    EXPECT_LT(energy.energy(q), 1e-20 * stiffness);
  }
  EXPECT_EQ(energy.energy(std::vector<Vec3>(at(body.count()))), 0);
}

// Energy does not change with the frame, so forces sum to zero and have no torque, and turn with the body.
TEST(GreenStrain, MomentumIsConserved) {
  const test::LatticeBody body = test::trilinear_body({2, 2, 1}, {0.3, 0.2, 0.1}, 1, {1e5, 0.45, 1000});
  GreenStrainEnergy energy(body.samples, body.count());
  std::vector<Vec3> q = noise_of(body.count(), 0.05, 7), force(q.size());
  energy.gradient(q, force);
  Vec3 sum, torque;
  double size = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    sum += force[i];
    torque += cross(body.positions[i] + q[i], force[i]);
    size += norm(force[i]);
  }
  EXPECT_LT(norm(sum), 1e-13 * size);
  EXPECT_LT(norm(torque), 1e-13 * size);

  const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 1.2));
  std::vector<Vec3> turned(q.size()), turned_force(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) turned[i] = turn * (body.positions[i] + q[i]) - body.positions[i];
  energy.gradient(turned, turned_force);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_LT(norm(turned_force[i] - turn * force[i]), 1e-12 * size);
  EXPECT_NEAR(energy.energy(turned), energy.energy(q), 1e-12 * energy.energy(q));
}

// A block under a homogeneous deformation, written out by hand from equations 3.9 and 3.10 with G = mu / 4, and from
// the energy in the stretch that mixed elements use.
TEST(GreenStrain, HomogeneousDeformationsHaveTheEnergyOfTheThesis) {
  const Material material{3e4, 0.4, 1000};
  const auto [mu, lambda] = lame_moduli(material.young, material.poisson);
  const test::LatticeBody body = test::trilinear_body({2, 1, 1}, {0.4, 0.2, 0.3}, 1, material);
  GreenStrainEnergy energy(body.samples, body.count());
  test::Noise noise(17);
  for (int trial = 0; trial < 5; ++trial) {
    const Mat3 d = noise.matrix() * 0.5;
    const double volume = 0.4 * 0.2 * 0.3,
                 found = energy.energy(displacements(body.positions, {Mat3::identity() + d, {1, 2, 3}}));
    double trace = 0, squared = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double e = d(i, j) + d(j, i);
        for (std::size_t k = 0; k < 3; ++k) e += d(k, i) * d(k, j);
        squared += e * e;
        if (i == j) trace += e;
      }
    const double g = mu / 4, nu = material.poisson;
    EXPECT_NEAR(found, volume * g * (nu / (1 - 2 * nu) * trace * trace + squared), 1e-12 * found);

    const Mat3 f = Mat3::identity() + d, stretch = transpose(closest_rotation(f)) * f;
    EXPECT_NEAR(found,
                volume * stretch_energy(MixedMaterial::st_venant_kirchhoff).value(to_mandel(stretch), {mu, lambda}),
                1e-12 * found);
  }
}

TEST(GreenStrain, TheHessianAtRestIsTheRestStiffness) {
  const test::LatticeBody body = test::trilinear_body({2, 2, 2}, {1, 1, 1}, 1, {1e4, 0.45, 1000});
  GreenStrainEnergy energy(body.samples, body.count());
  const Eigen::MatrixXd rest = test::dense(rest_stiffness(body.samples, body.count()));
  EXPECT_LT((test::hessian_of(energy, std::vector<Vec3>(at(body.count()))) - rest).norm(), 1e-13 * rest.norm());
}

TEST(GreenStrain, TheDefiniteHessianIsSo) {
  const test::LatticeBody body = test::trilinear_body({2, 1, 1}, {2, 1, 1}, 1, {1, 0.45, 1});
  GreenStrainEnergy energy(body.samples, body.count());
  std::vector<Vec3> crushed = displacements(body.positions, {Mat3::identity() * 0.3, {}});
  for (std::size_t i = 0; i < crushed.size(); ++i) crushed[i] += noise_of(body.count(), 0.3, 19)[i];
  const auto lowest = [&](GreenHessian form) {
    BlockMatrix hessian = energy.hessian_pattern();
    energy.hessian(crushed, form, hessian);
    const Eigen::MatrixXd matrix = test::dense(hessian);
    return test::symmetric_eigenvalues(matrix)(0) / matrix.norm();
  };
  EXPECT_GT(lowest(GreenHessian::definite), -1e-13);
  EXPECT_LT(lowest(GreenHessian::exact), -1e-3);  // so the test above says something

  // Under tension nothing is taken away.
  const std::vector<Vec3> stretched = displacements(body.positions, {Mat3::identity() * 1.3, {}});
  BlockMatrix exact = energy.hessian_pattern(), definite = exact;
  energy.hessian(stretched, GreenHessian::exact, exact);
  energy.hessian(stretched, GreenHessian::definite, definite);
  EXPECT_EQ(test::dense(exact), test::dense(definite));
}

TEST(GreenStrain, SameBitsForAnyNumberOfThreads) {
  const test::LatticeBody body = test::trilinear_body({6, 4, 4}, {1, 1, 1}, 1, {1e4, 0.45, 1000});
  GreenStrainEnergy energy(body.samples, body.count());
  test::check_thread_independence(energy, noise_of(body.count(), 0.1, 23));
}

TEST(GreenStrain, WrongSizesAreErrors) {
  const StrainSamples samples = test::random_samples(10, 4, 2, 2, 1);
  EXPECT_THROW(GreenStrainEnergy(samples, 5), Error);
  GreenStrainEnergy energy(samples, 10);
  EXPECT_THROW(energy.energy(std::vector<Vec3>(9)), Error);
  std::vector<double> x(30), y(30);
  EXPECT_THROW(energy.multiply(x, y), Error);  // not linearized
}

}  // namespace
}  // namespace sinew
