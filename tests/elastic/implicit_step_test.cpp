// The implicit step: known amplification, signs, the system of equation 4.7 solved densely, Newton's convergence,
// momentum and energy; and the policy that keeps up with the clock.
#include "studies/reference/implicit_step.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/elastic/wall_clock_step.h"
#include "studies/reference/step_solvers.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/bar.h"
#include "tests/elastic/finite_differences.h"
#include "tests/linalg/operators.h"

namespace sinew {
namespace {

using test::at;

LinearOperator times(double factor) {
  return [factor](std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = factor * from[i];
  };
}

// A mass on a spring with friction and weight.
ImplicitForces spring(double stiffness, double friction, double weight) {
  ImplicitForces forces;
  forces.force = [=](std::span<const double> q, std::span<const double> v, std::span<double> force) {
    for (std::size_t i = 0; i < q.size(); ++i) force[i] = -weight - stiffness * q[i] - friction * v[i];
  };
  forces.stiffness = times(stiffness);
  forces.damping = times(friction);
  return forces;
}

StepSolver exact() { return unconstrained_solver({}, {1e-14, 10000, 1}); }

// Implicit Euler takes 1 / (1 + h^2 omega^2) of an oscillator's energy at every step, exactly.
TEST(ImplicitStep, AnOscillatorLosesTheEnergyOfImplicitEuler) {
  for (const double h : {0.001, 0.1, 10.0}) {
    const double mass = 2, stiffness = 50;
    std::vector<double> q{0.3, -0.1, 0.2}, v{0, 1, -0.5};
    const auto energy = [&] {
      return 0.5 * mass * test::map(v).squaredNorm() + 0.5 * stiffness * test::map(q).squaredNorm();
    };
    for (int step = 0; step < 10; ++step) {
      const double before = energy();
      implicit_step(times(mass), spring(stiffness, 0, 0), exact(), h, q, v);
      EXPECT_NEAR(energy(), before / (1 + h * h * stiffness / mass), 1e-12 * before);
    }
  }
}

TEST(ImplicitStep, FrictionSlowsAndWeightFalls) {
  std::vector<double> q{0, 0, 0}, v{3, 3, 3};
  implicit_step(times(2), spring(0, 5, 0), exact(), 0.1, q, v);
  EXPECT_NEAR(v[0], 3 / (1 + 0.1 * 5 / 2), 1e-14);
  EXPECT_NEAR(q[0], 0.1 * v[0], 1e-15);
  q = {0, 0, 0}, v = {0, 0, 0};
  implicit_step(times(2), spring(0, 0, 2 * 9.81), exact(), 0.1, q, v);
  EXPECT_NEAR(v[1], -0.981, 1e-14);
}

struct Moving {
  test::Bar bar;
  GreenStrainEnergy energy;
  ImplicitForces forces;
  std::vector<double> q, v;

  explicit Moving(test::Root root, const Vec3& gravity, double friction, std::array<int, 3> cells = {3, 1, 1})
      : bar(test::bar(root, {2e4, 0.4, 1000}, cells)),
        energy(bar.body.samples, bar.body.count()),
        forces(test::forces_of(bar, energy, gravity, friction)),
        q(bar.numbers()),
        v(bar.numbers()) {
    test::Noise noise(3);
    for (double& x : q) x = 0.02 * noise();
    for (double& x : v) x = 0.3 * noise();
  }
  Moving(const Moving&) = delete;

  double kinetic() const {
    std::vector<double> product(v.size());
    multiply(bar.mass, v, product);
    return 0.5 * test::map(v).dot(test::map(product));
  }
  double total() { return kinetic() + energy.energy(bar.spread(q)); }
};

// Against (4.7) with matrices written out.
TEST(ImplicitStep, OneIterationIsTheStepOfBaraffAndWitkin) {
  Moving moving(test::Root::loose, {0, -9.81, 0}, 2.0);
  const double h = 0.01;
  const Eigen::MatrixXd mass = test::dense(moving.bar.mass);
  const Eigen::MatrixXd stiffness = test::hessian_of(moving.energy, moving.bar.spread(moving.q));
  Eigen::VectorXd weight(mass.rows()), force(mass.rows());
  for (Eigen::Index i = 0; i < weight.size(); ++i) weight(i) = moving.bar.weight[static_cast<std::size_t>(i / 3)];
  moving.forces.force(moving.q, moving.v, {force.data(), static_cast<std::size_t>(force.size())});
  const Eigen::VectorXd v0 = test::map(moving.v), q0 = test::map(moving.q);
  const Eigen::MatrixXd system = mass + h * 2.0 * Eigen::MatrixXd(weight.asDiagonal()) + h * h * stiffness;
  const Eigen::VectorXd dv = test::solved(system, h * (force - h * stiffness * v0));

  implicit_step(test::operator_of(moving.bar.mass), moving.forces, exact(), h, moving.q, moving.v);
  EXPECT_LT((test::map(moving.v) - v0 - dv).norm(), 1e-11 * dv.norm());
  EXPECT_LT((test::map(moving.q) - q0 - h * (v0 + dv)).norm(), 1e-13 * q0.norm());
}

// The residual of (4.5) after one, two, three, ... iterations falls quadratically.
TEST(ImplicitStep, MoreIterationsSolveTheNonlinearEquations) {
  std::vector<double> residual;
  for (int iterations = 1; iterations <= 6; ++iterations) {
    Moving moving(test::Root::held, {0, -9.81, 0}, 2.0);
    const std::vector<double> before = moving.v;
    const double h = 0.02;
    const ImplicitStepResult result = implicit_step(test::operator_of(moving.bar.mass), moving.forces, exact(), h,
                                                    moving.q, moving.v, {iterations, 0});
    EXPECT_EQ(result.iterations, iterations);
    Eigen::VectorXd change = test::map(moving.v) - test::map(before), product(change.size()), force(change.size());
    const auto n = static_cast<std::size_t>(change.size());
    multiply(moving.bar.mass, {change.data(), n}, {product.data(), n});
    moving.forces.force(moving.q, moving.v, {force.data(), n});
    residual.push_back((product - h * force).norm() / product.norm());
  }
  EXPECT_GT(residual[0], 1e-3);  // one iteration is visibly not the solution here
  EXPECT_LT(residual[2], 1e-4 * residual[0]);
  EXPECT_LT(residual[5], 1e-11);
  Moving moving(test::Root::held, {0, -9.81, 0}, 2.0);
  const ImplicitStepResult stopped =
      implicit_step(test::operator_of(moving.bar.mass), moving.forces, exact(), 0.02, moving.q, moving.v, {50, 1e-8});
  EXPECT_LT(stopped.iterations, 8);
  EXPECT_LE(stopped.change, 1e-8);
}

TEST(ImplicitStep, MomentumIsKeptAndEnergyNeverGrows) {
  Moving moving(test::Root::loose, {}, 0, {4, 2, 2});
  const auto momentum = [&] {
    std::vector<double> product(moving.v.size());
    multiply(moving.bar.mass, moving.v, product);
    Vec3 sum;
    for (std::size_t i = 0; i < product.size(); ++i) sum[i % 3] += product[i];
    return sum;
  };
  const Vec3 before = momentum();
  double energy = moving.total();
  const double start = energy;
  for (int step = 0; step < 100; ++step) {
    implicit_step(test::operator_of(moving.bar.mass), moving.forces, unconstrained_solver({}, {1e-10, 1000, 1}), 0.01,
                  moving.q, moving.v, {10, 1e-8});
    EXPECT_LE(moving.total(), energy + 1e-12 * start);
    energy = moving.total();
  }
  EXPECT_LT(norm(momentum() - before), 1e-9 * norm(before));
  EXPECT_LT(energy, 0.5 * start);  // there was something to lose
}

TEST(ImplicitStep, WhatCannotBeDoneLeavesTheStateAsItWas) {
  Moving moving(test::Root::held, {}, 0);
  const std::vector<double> q = moving.q, v = moving.v;
  const LinearOperator mass = test::operator_of(moving.bar.mass);
  EXPECT_THROW(implicit_step(mass, moving.forces, unconstrained_solver({}, {1e-12, 2, 1}), 0.01, moving.q, moving.v),
               Error);
  EXPECT_THROW(implicit_step(mass, moving.forces, exact(), 0, moving.q, moving.v), Error);
  EXPECT_THROW(implicit_step(mass, moving.forces, exact(), 0.01, moving.q, std::span(moving.v).first(3)), Error);
  ImplicitForces broken = moving.forces;
  broken.force = [](std::span<const double>, std::span<const double>, std::span<double> force) {
    for (double& f : force) f = std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_THROW(implicit_step(mass, broken, exact(), 0.01, moving.q, moving.v), Error);
  EXPECT_EQ(moving.q, q);
  EXPECT_EQ(moving.v, v);
}

TEST(WallClockStep, IsTheTimeThatPassedWithinLimits) {
  const WallClockLimits limits{60, 1.0 / 15, 1e-3, 2};
  const double display = 1.0 / 60;
  EXPECT_DOUBLE_EQ(wall_clock_step(display, 0.004, limits), display);  // fast: the display's rate
  EXPECT_DOUBLE_EQ(wall_clock_step(display, 0.025, limits), 0.025);    // slow: longer steps
  EXPECT_DOUBLE_EQ(wall_clock_step(0.025, 0.04, limits), 0.04);
  EXPECT_DOUBLE_EQ(wall_clock_step(display, 0.5, limits), 2 * display);  // a hiccup counts twofold at most
  EXPECT_DOUBLE_EQ(wall_clock_step(0.05, 0.5, limits), 1.0 / 15);        // hopeless: the longest step
  EXPECT_DOUBLE_EQ(wall_clock_step(0.05, 0.004, limits), 0.025);         // and back
  EXPECT_DOUBLE_EQ(wall_clock_step(0, 0.03, limits), 0.03);              // the first step
  for (const double odd :
       {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_DOUBLE_EQ(wall_clock_step(odd, odd, limits), display);
}

// A machine that takes a fixed time per step: simulated and real time agree as soon as the step has settled.
TEST(WallClockStep, KeepsUpWithAConstantLoad) {
  const WallClockLimits limits;
  for (const double cost : {0.002, 0.02, 0.05}) {
    double step = 0, simulated = 0, real = 0;
    for (int i = 0; i < 100; ++i) {
      step = wall_clock_step(step, i == 0 ? 0 : cost, limits);
      if (i >= 10) simulated += step, real += std::max(cost, 1.0 / 60);
    }
    EXPECT_NEAR(simulated, real, 1e-12);
  }
}

}  // namespace
}  // namespace sinew
