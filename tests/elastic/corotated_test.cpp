// Energy, forces and Hessian of the co-rotated energy against finite differences, also where elements
// are nearly flat or turned inside out.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "sinew/elastic/stiffness.h"
#include "sinew/elastic/strain_samples.h"
#include "studies/reference/corotated.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/blocks.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using test::at;

ElementFields unit_material(double poisson) {
  ElementFields fields;
  fields.material = {1, poisson, 1};
  return fields;
}

TetrahedralMesh single_tetrahedron() {
  return {{{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {-0.1, 0.3, 1.1}}, {{0, 1, 2, 3}}};
}

// Rotations on both sides of chosen singular values: the cases that matter, at no special angle.
Mat3 with_singular_values(const Vec3& sigma) {
  return to_matrix(axis_angle(normalized(Vec3{1, 2, 3}), 0.7)) * Mat3::diagonal(sigma) *
         to_matrix(axis_angle(normalized(Vec3{-2, 1, 1}), -1.1));
}

Eigen::VectorXd flat(const std::vector<Vec3>& vectors) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(3 * vectors.size()));
  for (std::size_t v = 0; v < vectors.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) numbers(static_cast<Eigen::Index>(3 * v + c)) = vectors[v][c];
  return numbers;
}

Eigen::MatrixXd hessian_at(const StrainSamples& samples, const std::vector<Vec3>& positions, HessianForm form) {
  BlockMatrix hessian = block_pattern(static_cast<int>(positions.size()), samples.vertex, samples.start);
  add_corotated_hessian(samples, positions, form, hessian);
  return test::dense(hessian);
}

void check_derivatives(const StrainSamples& samples, const std::vector<Vec3>& positions, double step,
                       double tolerance) {
  const Eigen::VectorXd force = flat(corotated_forces(samples, positions));
  const Eigen::MatrixXd hessian = hessian_at(samples, positions, HessianForm::exact);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-10 * hessian.norm());
  Eigen::VectorXd force_by_differences(force.size());
  Eigen::MatrixXd hessian_by_differences(force.size(), force.size());
  for (std::size_t v = 0; v < positions.size(); ++v)
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<Vec3> left = positions, right = positions;
      left[v][c] -= step;
      right[v][c] += step;
      const auto i = static_cast<Eigen::Index>(3 * v + c);
      force_by_differences(i) = -(corotated_energy(samples, right) - corotated_energy(samples, left)) / (2 * step);
      hessian_by_differences.col(i) =
          -(flat(corotated_forces(samples, right)) - flat(corotated_forces(samples, left))) / (2 * step);
    }
  EXPECT_LT((force - force_by_differences).norm(), tolerance * force.norm());
  EXPECT_LT((hessian - hessian_by_differences).norm(), tolerance * hessian.norm());
}

TEST(Corotated, DerivativesOfASingleElement) {
  for (const double poisson : {0.0, 0.3, 0.49})
    for (const Vec3& sigma : {Vec3{1.3, 1.0, 0.8}, Vec3{1, 1, 0.999}, Vec3{5, 2, 0.1}, Vec3{1.2, 0.9, 1e-3},
                              Vec3{1.2, 0.9, 0}, Vec3{1.2, 0.9, -1e-3},      // flat
                              Vec3{0.1, 0.1, 0.1}, Vec3{0.02, 0.01, 0.005},  // crushed
                              Vec3{1.1, 0.9, -0.5}, Vec3{2, 1.5, -1.3}}) {   // inside out
      const StrainSamples samples = strain_samples(single_tetrahedron(), Element::linear, unit_material(poisson));
      SCOPED_TRACE(testing::Message() << poisson << ": " << sigma.x << " " << sigma.y << " " << sigma.z);
      const std::vector<Vec3> deformed =
          test::mapped(single_tetrahedron().positions, {with_singular_values(sigma), {1, 0, 2}});
      // Nearest pole: the gap sigma.y + sigma.z of the rotation's derivative.
      const double gap = sigma.y + sigma.z;
      check_derivatives(samples, deformed, 1e-4 * std::min(1.0, gap), 1e-5);
    }
}

TEST(Corotated, DerivativesOfABody) {
  for (const Element element : {Element::linear, Element::patch})
    for (const double size : {0.05, 0.4}) {  // at 0.4 some tetrahedra are turned inside out
      const test::Block body = test::perturbed_unit_cells({2, 2, 2}, 0.2, 31);
      std::vector<Vec3> deformed = body.mesh.positions;
      test::Noise noise(37);
      for (Vec3& p : deformed) p += noise.vector() * size;
      SCOPED_TRACE(size);
      check_derivatives(strain_samples(body.mesh, element, unit_material(0.45)), deformed, 1e-6, 1e-6);
    }
}

// At the poles of the rotation's derivative there is no answer, but there must be numbers.
TEST(Corotated, StaysFiniteEverywhere) {
  for (const Vec3& sigma :
       {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 0.5, -0.5}, Vec3{1, 1, -1}, Vec3{1e-9, 0, 0}, Vec3{1e6, 1, 1e-9}}) {
    const StrainSamples samples = strain_samples(single_tetrahedron(), Element::linear, unit_material(0.45));
    const std::vector<Vec3> deformed = test::mapped(single_tetrahedron().positions, {with_singular_values(sigma), {}});
    EXPECT_TRUE(std::isfinite(corotated_energy(samples, deformed)));
    for (const Vec3& f : corotated_forces(samples, deformed)) EXPECT_TRUE(is_finite(f));
    EXPECT_TRUE(hessian_at(samples, deformed, HessianForm::exact).allFinite());
    EXPECT_TRUE(hessian_at(samples, deformed, HessianForm::frozen_rotation).allFinite());
  }
}

TEST(Corotated, FrozenHessianIsTheRestStiffnessAtRest) {
  for (const Element element : {Element::linear, Element::patch}) {
    const test::Block body = test::perturbed_unit_cells({3, 2, 2}, 0.2, 41);
    const StrainSamples samples = strain_samples(body.mesh, element, unit_material(0.45));
    const Eigen::MatrixXd rest = test::dense(rest_stiffness(samples, static_cast<int>(body.mesh.positions.size())));
    for (const HessianForm form : {HessianForm::frozen_rotation, HessianForm::exact})
      EXPECT_LT((hessian_at(samples, body.mesh.positions, form) - rest).norm(), 1e-12 * rest.norm());
  }
}

TEST(Corotated, FrozenHessianIsPositiveSemiDefinite) {
  for (const Element element : {Element::linear, Element::patch}) {
    const test::Block body = test::perturbed_unit_cells({3, 2, 2}, 0.2, 43);
    const StrainSamples samples = strain_samples(body.mesh, element, unit_material(0.49));
    std::vector<Vec3> crushed = body.mesh.positions;
    test::Noise noise(47);
    for (Vec3& p : crushed) p = p * 0.4 + noise.vector() * 0.5;
    const auto lowest = [&](HessianForm form) {
      const Eigen::MatrixXd hessian = hessian_at(samples, crushed, form);
      return test::symmetric_eigenvalues(hessian)(0) / hessian.norm();
    };
    EXPECT_GT(lowest(HessianForm::frozen_rotation), -1e-13);
    EXPECT_LT(lowest(HessianForm::exact), -1e-3);  // so the test above says something
  }
}

}  // namespace
}  // namespace sinew
