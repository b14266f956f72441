// The precomputed quartic polynomial against direct quadrature, differences, and the thesis's formulas as printed.
#include "studies/reference/quartic_potential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "studies/reference/sample_groups.h"
#include "tests/elastic/basis_samples.h"
#include "tests/elastic/finite_differences.h"

namespace sinew {
namespace {

using test::at;
using test::LatticeBasis;

std::vector<Vec3> quartic_noise_of(int functions, double size, std::uint64_t seed) {
  test::Noise noise(seed);
  std::vector<Vec3> q(at(functions));
  for (Vec3& v : q) v = noise.vector() * size;
  return q;
}

// A tetrahedron, a prism and a hexahedron that share faces.
ControlLattice mixed_cells() {
  ControlLattice lattice;
  lattice.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},   {0, 1, 0},   {0, 0, 1},      {1, 0, 1},
                       {1, 1, 1}, {0, 1, 1}, {2, 0.4, 0}, {2, 0.4, 1}, {1.5, 0.5, 1.8}};
  add_hexahedron(lattice, {0, 1, 2, 3, 4, 5, 6, 7});
  add_prism(lattice, {1, 2, 8, 5, 6, 9});
  add_tetrahedron(lattice, {5, 9, 6, 10});
  return lattice;
}

void expect_equal(const StrainSamples& samples, int functions, double size) {
  GreenStrainEnergy quadrature(samples, functions);
  const std::vector<Vec3> q = quartic_noise_of(functions, size, 3);
  const Eigen::VectorXd gradient = test::gradient_of(quadrature, q);
  const Eigen::MatrixXd hessian = test::hessian_of(quadrature, q);
  for (const QuarticEvaluation how :
       {QuarticEvaluation::tensors, QuarticEvaluation::fastest, QuarticEvaluation::quadrature}) {
    QuarticPotential potential(samples, functions, how);
    EXPECT_NEAR(potential.energy(q), quadrature.energy(q), 1e-10 * quadrature.energy(q));
    EXPECT_LT((test::gradient_of(potential, q) - gradient).norm(), 1e-10 * gradient.norm());
    EXPECT_LT((test::hessian_of(potential, q) - hessian).norm(), 1e-10 * hessian.norm());
  }
}

TEST(QuarticPotential, EqualsDirectQuadratureOnLattices) {
  const Material material{2e4, 0.45, 1000};
  for (const double size : {1e-4, 0.05, 1.0}) {
    for (const SubdivisionScheme scheme :
         {SubdivisionScheme::trilinear, SubdivisionScheme::maccracken_joy, SubdivisionScheme::mlca}) {
      SCOPED_TRACE(static_cast<int>(scheme));
      const auto coarse = test::lattice_body(mixed_cells(), scheme, LatticeBasis::nodal, 0, 2, material);
      expect_equal(coarse.samples, coarse.count(), size);
    }
    const auto hierarchy =
        test::lattice_body(mixed_cells(), SubdivisionScheme::trilinear, LatticeBasis::hierarchical, 1, 1, material);
    expect_equal(hierarchy.samples, hierarchy.count(), size);
  }
}

TEST(QuarticPotential, EqualsDirectQuadratureOnSamplesWithoutPattern) {
  for (const int functions : {1, 4, 9})
    expect_equal(test::random_samples(12, functions, 5, 7, 21 + static_cast<unsigned>(functions)), 12, 0.5);
}

TEST(QuarticPotential, DerivativesAreThoseOfDifferences) {
  const auto body = test::trilinear_body({2, 1, 1}, {2, 1, 1}, 1, {1, 0.3, 1});
  QuarticPotential potential(body.samples, body.count(), QuarticEvaluation::tensors);
  for (const double size : {1e-3, 0.3, 2.0})
    test::check_derivatives(potential, quartic_noise_of(body.count(), size, 5), 1e-5 * std::max(size, 0.1), 1e-6);
}

// The polynomial cancels to nothing there; what is left is rounding of its terms.
TEST(QuarticPotential, RigidMotionsCarryNoForce) {
  const auto body = test::trilinear_body({2, 2, 1}, {0.3, 0.2, 0.1}, 1, {1e5, 0.45, 1000});
  QuarticPotential potential(body.samples, body.count(), QuarticEvaluation::tensors);
  const double stiffness = test::hessian_of(potential, std::vector<Vec3>(at(body.count()))).norm();  // N/m
  for (const double angle : {0.0, 0.4, 2.0, 3.1}) {
    const Mat3 turn = to_matrix(axis_angle(normalized(Vec3{1, -2, 0.5}), angle));
    std::vector<Vec3> q;
    for (const Vec3& x : body.positions) q.push_back(turn * x - x + Vec3{0.1, -0.2, 0.3});
    EXPECT_LT(test::gradient_of(potential, q).norm(), 1e-13 * stiffness);
    EXPECT_LT(std::abs(potential.energy(q)), 1e-14 * stiffness);
  }
}

// Equations A.1 to A.3 letter by letter, tensors (A.2) included, with G and nu: derivatives of (3.10), which is four
// times the physical energy.
struct Thesis {
  std::vector<Mat3> a1, a2;
  std::vector<double> b, d1, d2;
  std::vector<Vec3> c1, c2;
  std::size_t n;

  Thesis(const StrainSamples& samples, int functions) : n(at(functions)) {
    a1.assign(n * n, Mat3::zero());
    a2 = a1;
    b.assign(n * n, 0);
    c1.assign(n * n * n, {});
    c2 = c1;
    d1.assign(n * n * n * n, 0);
    d2 = d1;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      std::vector<Vec3> g(n);
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k)
        g[at(samples.vertex[at(k)])] = samples.gradient[at(k)];
      const double shear = samples.shear[s], nu = samples.lambda[s] / (2 * (samples.lambda[s] + shear));
      const double by_nu = 4 * shear * nu / (1 - 2 * nu) * samples.volume[s], by_g = 4 * shear * samples.volume[s];
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          a1[i * n + j] += outer(g[i], g[j]) * by_nu;
          a2[i * n + j] += outer(g[i], g[j]) * by_g;
          b[i * n + j] += dot(g[i], g[j]) * by_g;
          for (std::size_t k = 0; k < n; ++k) {
            c1[(i * n + j) * n + k] += g[i] * (dot(g[j], g[k]) * by_nu);
            c2[(i * n + j) * n + k] += g[i] * (dot(g[j], g[k]) * by_g);
            for (std::size_t l = 0; l < n; ++l) {
              d1[((i * n + j) * n + k) * n + l] += dot(g[i], g[j]) * dot(g[k], g[l]) * by_nu;
              d2[((i * n + j) * n + k) * n + l] += dot(g[i], g[j]) * dot(g[k], g[l]) * by_g;
            }
          }
        }
    }
  }
  const Mat3& A1(std::size_t i, std::size_t j) const { return a1[i * n + j]; }
  const Mat3& A2(std::size_t i, std::size_t j) const { return a2[i * n + j]; }
  double B(std::size_t i, std::size_t j) const { return b[i * n + j]; }
  const Vec3& C1(std::size_t i, std::size_t j, std::size_t k) const { return c1[(i * n + j) * n + k]; }
  const Vec3& C2(std::size_t i, std::size_t j, std::size_t k) const { return c2[(i * n + j) * n + k]; }
  double D1(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
    return d1[((i * n + j) * n + k) * n + l];
  }
  double D2(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
    return d2[((i * n + j) * n + k) * n + l];
  }

  Vec3 force(const std::vector<Vec3>& q, std::size_t c) const {  // (A.1)
    Vec3 f;
    for (std::size_t a = 0; a < n; ++a) {
      f += 2 * (A1(c, a) * q[a]) + A2(a, c) * q[a] + B(a, c) * q[a];
      for (std::size_t e = 0; e < n; ++e) {  // the thesis's b
        f += 2 * q[e] * dot(q[a], C1(a, e, c)) + dot(q[a], q[e]) * C1(c, a, e);
        f += q[a] * dot(q[e], C2(a, c, e)) + q[a] * dot(q[e], C2(c, a, e)) + dot(q[a], q[e]) * C2(e, a, c);
        for (std::size_t d = 0; d < n; ++d)
          f += q[d] * (dot(q[a], q[e]) * D1(a, e, c, d)) + q[a] * (dot(q[d], q[e]) * D2(a, d, c, e));
      }
    }
    return f;
  }

  Mat3 stiffness(const std::vector<Vec3>& q, std::size_t c, std::size_t d) const {  // (A.3)
    const Mat3 identity;
    Mat3 s = 2 * A1(c, d) + A2(d, c) + identity * B(d, c);
    for (std::size_t a = 0; a < n; ++a) {
      s += identity * (2 * dot(q[a], C1(a, d, c))) + 2 * outer(q[a], C1(d, a, c)) + 2 * outer(C1(c, d, a), q[a]);
      s += identity * dot(q[a], C2(d, c, a)) + outer(q[a], C2(a, c, d)) + identity * dot(q[a], C2(c, d, a));
      s += outer(q[a], C2(c, a, d)) + outer(C2(d, a, c), q[a]) + outer(C2(a, d, c), q[a]);
      for (std::size_t e = 0; e < n; ++e) {
        s += identity * (dot(q[a], q[e]) * D1(a, e, c, d)) + 2 * outer(q[e], q[a]) * D1(a, d, c, e);
        s += identity * (dot(q[a], q[e]) * D2(d, a, c, e)) + outer(q[a], q[e]) * D2(a, e, c, d) +
             outer(q[a], q[e]) * D2(a, d, c, e);
      }
    }
    return s;
  }
};

TEST(QuarticPotential, ThePrintedForceAndStiffnessAreThoseOfFourTimesTheEnergy) {
  const auto body = test::trilinear_body({1, 1, 1}, {1, 1, 1}, 1, {1, 0.3, 1});
  for (const StrainSamples& samples : {body.samples, test::random_samples(8, 6, 3, 4, 31)}) {
    const Thesis thesis(samples, 8);
    QuarticPotential potential(samples, 8, QuarticEvaluation::tensors);
    const std::vector<Vec3> q = quartic_noise_of(8, 0.4, 7);
    const Eigen::VectorXd gradient = 4 * test::gradient_of(potential, q);
    const Eigen::MatrixXd hessian = 4 * test::hessian_of(potential, q);
    Eigen::VectorXd force(24);
    Eigen::MatrixXd stiffness(24, 24);
    for (std::size_t c = 0; c < 8; ++c) {
      const Vec3 f = thesis.force(q, c);
      for (std::size_t i = 0; i < 3; ++i) force(static_cast<Eigen::Index>(3 * c + i)) = f[i];
      for (std::size_t d = 0; d < 8; ++d) {
        const Mat3 block = thesis.stiffness(q, c, d);
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            stiffness(static_cast<Eigen::Index>(3 * c + i), static_cast<Eigen::Index>(3 * d + j)) = block(i, j);
      }
    }
    EXPECT_LT((force - gradient).norm(), 1e-12 * gradient.norm());
    EXPECT_LT((stiffness - hessian).norm(), 1e-12 * hessian.norm());
  }
}

// Pieces of a cell on which some of its functions vanish are with the others; nothing else is mixed.
TEST(QuarticPotential, SamplesAreGroupedByCells) {
  const auto body = test::trilinear_body({3, 2, 1}, {3, 2, 1}, 2, {1, 0.3, 1});
  const SampleGroups groups = group_by_functions(body.samples);
  ASSERT_EQ(groups.functions.size(), 6u);
  std::vector<int> seen(body.samples.size(), 0);
  for (std::size_t g = 0; g < 6; ++g) {
    EXPECT_EQ(groups.functions[g].size(), 8u);
    EXPECT_EQ(groups.samples[g].size(), body.samples.size() / 6);
    for (const int s : groups.samples[g]) ++seen[at(s)];
  }
  EXPECT_EQ(seen, std::vector<int>(body.samples.size(), 1));
}

// By cost: many samples of few functions are precomputed, few samples of many functions are not.
TEST(QuarticPotential, TheFasterWayIsTaken) {
  const auto coarse = test::trilinear_body({2, 2, 2}, {1, 1, 1}, 2, {1, 0.3, 1});
  const QuarticPotential precomputed(coarse.samples, coarse.count());
  EXPECT_EQ(precomputed.tensor_groups(), 8);
  EXPECT_EQ(precomputed.quadrature_samples(), 0u);
  const QuarticPotential direct(test::random_samples(60, 40, 2, 8, 41), 60);
  EXPECT_EQ(direct.tensor_groups(), 0);
  EXPECT_EQ(direct.quadrature_samples(), 16u);
}

TEST(QuarticPotential, SameBitsForAnyNumberOfThreads) {
  const auto body = test::trilinear_body({5, 4, 4}, {1, 1, 1}, 1, {1e4, 0.45, 1000});
  QuarticPotential potential(body.samples, body.count(), QuarticEvaluation::tensors);
  test::check_thread_independence(potential, quartic_noise_of(body.count(), 0.1, 23));
}

TEST(QuarticPotential, WrongSizesAreErrors) {
  const StrainSamples samples = test::random_samples(10, 4, 2, 2, 1);
  EXPECT_THROW(QuarticPotential(samples, 5), Error);
  QuarticPotential potential(samples, 10);
  EXPECT_THROW(potential.energy(std::vector<Vec3>(9)), Error);
  BlockMatrix wrong;
  EXPECT_THROW(potential.hessian(std::vector<Vec3>(10), wrong), Error);
}

}  // namespace
}  // namespace sinew
