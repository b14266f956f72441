// Lagrange multipliers with Baumgarte's stabilisation: algebra, the damped oscillation that it promises, forces of
// constraint, and the same answers as projection.
#include "sinew/elastic/lagrange_constraints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/elastic/linear_constraints.h"
#include "sinew/linalg/krylov/projected_conjugate_gradients.h"
#include "studies/reference/step_solvers.h"
#include "tests/elastic/bar.h"
#include "tests/linalg/operators.h"

namespace sinew {
namespace {

using test::at;

struct Factor {
  BlockCholesky cholesky;
  explicit Factor(const BlockMatrix& matrix) {
    cholesky.analyze(matrix);
    cholesky.factor(matrix);
  }
  LinearOperator inverse() const {
    return [this](std::span<const double> from, std::span<double> to) { cholesky.solve(from, to); };
  }
};

std::vector<double> load_of(const test::Bar& bar, const Vec3& gravity) {
  std::vector<double> load(bar.numbers());
  for (std::size_t f = 0; f < bar.weight.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) load[3 * f + c] = bar.weight[f] * gravity[c];
  return load;
}

TEST(LagrangeSystem, ThreeIterationsWithTheExactInverseWhateverTheConstraints) {
  const test::Bar bar = test::bar(test::Root::held, {2e4, 0.4, 1000});
  const Factor factor(bar.stiffness);
  const std::vector<double> load = load_of(bar, {0, -9.81, 0});
  for (const std::size_t count : {1u, 5u, 12u}) {
    test::Noise noise(1);
    std::vector<int> points;
    std::vector<Vec3> wanted;
    while (points.size() < count) {
      const int v = bar.vertex_at({0.4 + 0.2 * noise(), 0.1 + 0.1 * noise(), 0.1 + 0.1 * noise()});
      const bool reachable = bar.body.mesh.positions[at(v)].x > 0.1;
      if (!reachable || std::find(points.begin(), points.end(), v) != points.end()) continue;
      points.push_back(v);
      wanted.push_back(noise.vector() * 0.01);
    }
    const SparseRows rows = bar.rows_at(points);
    ASSERT_EQ(LinearConstraints(rows).rank(), count);
    LagrangeSystem system(rows, factor.inverse());
    std::vector<double> x(bar.numbers(), 0.0);
    std::vector<Vec3> multipliers(count);
    const KrylovResult result =
        system.solve(test::operator_of(bar.stiffness), load, wanted, x, multipliers, {1e-8, 100, 1});
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.iterations, 6);  // three in exact arithmetic
  }
}

// Against the same equilibrium by projection; the tip moved aside, one point that repeats another.
TEST(LagrangeSystem, HasTheStaticSolutionOfTheProjection) {
  const test::Bar bar = test::bar(test::Root::held, {2e4, 0.4, 1000});
  const Factor factor(bar.stiffness);
  const LinearOperator stiffness = test::operator_of(bar.stiffness);
  const std::vector<double> load = load_of(bar, {0, -9.81, 0});
  const std::vector<int> points{bar.vertex_at({0.6, 0.1, 0.1}), bar.vertex_at({0.3, 0.2, 0.05}),
                                bar.vertex_at({0.6, 0.1, 0.1})};
  const SparseRows rows = bar.rows_at(points);
  const std::vector<Vec3> wanted{{0, 0.05, 0.02}, {0, 0.01, 0}, {0, 0.05, 0.02}};

  const LinearConstraints constraints(rows);
  EXPECT_EQ(constraints.rank(), 2u);
  for (const Vec3& left : constraints.left_over(wanted)) EXPECT_LT(norm(left), 1e-15);
  std::vector<double> projected(bar.numbers(), 0.0);
  constraints.meet(wanted, projected);
  EXPECT_TRUE(ProjectedConjugateGradients()
                  .solve(stiffness, constrained_preconditioner(factor.inverse(), constraints), constraints.projection(),
                         load, projected, {1e-13, 500, 1})
                  .converged);

  LagrangeSystem system(rows, factor.inverse());
  std::vector<double> x(bar.numbers(), 0.0);
  std::vector<Vec3> multipliers(3);
  EXPECT_TRUE(system.solve(stiffness, load, wanted, x, multipliers, {1e-13, 500, 1}).converged);
  const double size = test::map(projected).norm();
  EXPECT_LT((test::map(x) - test::map(projected)).norm(), 1e-8 * size);
}

// A bar that hangs by one point: what the constraint carries is its weight, whichever way it is solved.
TEST(LagrangeSystem, TheMultiplierIsTheForceOfConstraint) {
  const test::Bar bar = test::bar(test::Root::loose, {2e5, 0.4, 1000});
  GreenStrainEnergy energy(bar.body.samples, bar.body.count());
  const Vec3 gravity{0, -9.81, 0};
  const ImplicitForces forces = test::forces_of(bar, energy, gravity, 20.0);
  const double h = 0.02;
  BlockMatrix matrix = bar.stiffness;
  for (std::size_t k = 0; k < matrix.block.size(); ++k) matrix.block[k] = matrix.block[k] * (h * h) + bar.mass.block[k];
  const Factor factor(matrix);
  LagrangeSystem system(bar.rows_at({bar.vertex_at({0, 0.2, 0.1}), bar.vertex_at({0.6, 0.2, 0.1})}), factor.inverse());
  std::vector<Vec3> change(2), impulse(2);
  const StepSolver solver = lagrange_solver(system, change, impulse, {1e-12, 500, 1});
  std::vector<double> q(bar.numbers(), 0.0), v(q);
  const LinearOperator mass = test::operator_of(bar.mass);
  for (int step = 0; step < 150; ++step) implicit_step(mass, forces, solver, h, q, v);
  double weight = 0;
  for (const double w : bar.weight) weight += w;
  EXPECT_NEAR(weight, 0.6 * 0.2 * 0.2 * 1000, 1e-9);
  // Symmetric: each carries half. The multiplier is what is taken off F, upwards here, so it points down.
  EXPECT_NEAR((impulse[0].y + impulse[1].y) / h, -weight * 9.81, 1e-6 * weight * 9.81);
  EXPECT_NEAR(impulse[0].y, impulse[1].y, 1e-6 * std::abs(impulse[0].y));
}

// C(t) of C'' + alpha C' + beta C = 0 from C = 1 at rest.
double oscillation(const Baumgarte& b, double t) {
  const double decay = b.alpha / 2, root = decay * decay - b.beta;
  if (std::abs(root) < 1e-12) return std::exp(-decay * t) * (1 + decay * t);
  const double w = std::sqrt(std::abs(root));
  if (root > 0) return std::exp(-decay * t) * (std::cosh(w * t) + decay / w * std::sinh(w * t));
  return std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
}

// Largest difference from the known oscillation over half a second, in shares of the violation at the start, of a point
// of a free bar that starts 1 cm from its target.
double largest_error(const Baumgarte& stabilization, double h) {
  const test::Bar bar = test::bar(test::Root::loose, {2e5, 0.4, 1000}, {3, 1, 1});
  GreenStrainEnergy energy(bar.body.samples, bar.body.count());
  const ImplicitForces forces = test::forces_of(bar, energy, {0, -9.81, 0}, 0.0);
  BlockMatrix matrix = bar.stiffness;
  for (std::size_t k = 0; k < matrix.block.size(); ++k) matrix.block[k] = matrix.block[k] * (h * h) + bar.mass.block[k];
  const Factor factor(matrix);
  const SparseRows rows = bar.rows_at({bar.vertex_at({0, 0.2, 0.2})});
  const LinearConstraints point(rows);  // to evaluate it
  LagrangeSystem system(rows, factor.inverse());
  std::vector<Vec3> change(1), impulse(1);
  const StepSolver solver = lagrange_solver(system, change, impulse, {1e-10, 500, 1});
  std::vector<double> q(bar.numbers(), 0.0), v(q);
  const Vec3 offset{0.01, 0, 0};
  double error = 0;
  for (int step = 1; step * h <= 0.5 + 1e-9; ++step) {
    change[0] = baumgarte_change(stabilization, point.at_points(q)[0] + offset, point.at_points(v)[0], h);
    implicit_step(test::operator_of(bar.mass), forces, solver, h, q, v);
    const Vec3 violation = point.at_points(q)[0] + offset;
    error = std::max(error, norm(violation - offset * oscillation(stabilization, step * h)) / 0.01);
  }
  return error;
}

TEST(Baumgarte, AViolatedConstraintComesBackAsTheOscillationThatItPromises) {
  for (const Baumgarte& stabilization : {critically_damped(0.05), Baumgarte{10, 900}, Baumgarte{80, 400}}) {
    const double coarse = largest_error(stabilization, 1.0 / 400), fine = largest_error(stabilization, 1.0 / 800);
    EXPECT_LT(fine, 0.04);
    EXPECT_NEAR(coarse / fine, 2, 0.3);  // first order
  }
}

TEST(Baumgarte, IsStableForAnyStep) {
  for (const double h : {1e-3, 0.1, 10.0}) {
    const Baumgarte stiff{1e4, 1e8};
    Vec3 violation{1, 0, 0}, rate;
    double largest = 0;
    for (int step = 0; step < 400; ++step) {
      rate += baumgarte_change(stiff, violation, rate, h);
      violation += rate * h;
      largest = std::max(largest, norm(violation));
    }
    EXPECT_LE(largest, 1);
    EXPECT_LT(norm(violation), 1e-9);
  }
}

TEST(LagrangeSystem, WrongSizesAndIndefinitePreconditionersAreErrors) {
  SparseRows rows;
  rows.columns = 2;
  rows.column = {0, 1};
  rows.value = {0.5, 0.5};
  rows.start = {0, 2};
  const LinearOperator minus = [](std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = -from[i];
  };
  EXPECT_THROW(LagrangeSystem(rows, minus), Error);
  const LinearOperator same = [](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), to.begin());
  };
  LagrangeSystem system(rows, same);
  std::vector<double> b(6), x(5);
  std::vector<Vec3> c(1), multipliers(1);
  EXPECT_THROW(system.solve(same, b, c, x, multipliers), Error);

  SparseRows none;
  none.columns = 2;
  LagrangeSystem unconstrained(none, same);
  x.assign(6, 0.0);
  b.assign(6, 3.0);
  EXPECT_TRUE(unconstrained.solve(same, b, {}, x, {}).converged);
  EXPECT_LT((test::map(x) - test::map(b)).norm(), 1e-5);
}

}  // namespace
}  // namespace sinew
