// The time integration on single oscillators u'' + 2 zeta omega u' + omega^2 u = 0 and on a small body.
#include "sinew/elastic/generalized_alpha.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <iostream>
#include <numbers>

#include "sinew/elastic/stiffness.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/cholesky.h"
#include "tests/dense_algebra.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

// u_n, h v_n, h^2 a_n, h^2 f_n and u_{n-1} of an oscillator of mass 1. Extended precision, because at
// the ends of the range two eigenvalues nearly meet.
using Real = long double;
using State = Eigen::Matrix<Real, 5, 1>;
using Amplification = Eigen::Matrix<Real, 5, 5>;

// One step as the deformers take it: displacement from the balance of forces, then acceleration,
// velocity and force.
State advance(const GeneralizedAlpha& method, double omega, double damping_ratio, const State& s) {
  const Real h = method.step, stiffness = Real(omega) * omega * h * h, damping = 2 * Real(damping_ratio) * omega * h;
  const Real mass_factor = method.mass_factor() * h * h, force_factor = method.force_factor();
  const Real rate = method.velocity_factor() * h;
  const Real predicted = s(0) + s(1) + (0.5L - method.beta) * s(2);
  State next;
  next(0) = (mass_factor * predicted - method.alpha_m * s(2) + method.alpha_f * s(3) +
             force_factor * damping * (4 * s(0) - s(4)) / 2) /
            (mass_factor + force_factor * (stiffness + rate * damping));
  next(2) = (next(0) - predicted) / method.beta;
  next(1) = s(1) + (1 - Real(method.gamma)) * s(2) + method.gamma * next(2);
  next(3) = -stiffness * next(0) - damping * (3 * next(0) - 4 * s(0) + s(4)) / 2;
  next(4) = s(0);
  return next;
}

Amplification amplification(const GeneralizedAlpha& method, double omega, double damping_ratio) {
  Amplification matrix;
  for (int j = 0; j < 5; ++j) matrix.col(j) = advance(method, omega, damping_ratio, State::Unit(j));
  return matrix;
}

Eigen::Matrix<std::complex<Real>, 5, 1> eigenvalues(const Amplification& matrix) { return test::eigenvalues(matrix); }

TEST(GeneralizedAlpha, IsStableForAnyStepDampingAndSpectralRadius) {
  for (const double radius : {0.0, 0.2, 0.5, 0.8, 0.9, 1.0})
    for (const double damping : {0.0, 0.001, 0.01, 0.05, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 10.0})
      for (double exponent = -4; exponent <= 5; exponent += 0.125) {
        const GeneralizedAlpha method = generalized_alpha(1.0, radius);
        const auto values = eigenvalues(amplification(method, std::pow(10.0, exponent), damping));
        Real largest = 0;
        for (int i = 0; i < 5; ++i) largest = std::max(largest, std::abs(values(i)));
        EXPECT_LT(double(largest), 1 + 1e-8)
            << "radius " << radius << " damping " << damping << " omega h 10^" << exponent;
      }
}

TEST(GeneralizedAlpha, DampsTheHighestFrequenciesAsAsked) {
  for (const double radius : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    const auto values = eigenvalues(amplification(generalized_alpha(1.0, radius), 1e6, 0));
    Real largest = 0;
    for (int i = 0; i < 5; ++i) largest = std::max(largest, std::abs(values(i)));
    EXPECT_NEAR(double(largest), radius, 2e-3);  // a triple eigenvalue at zero radius: cube root of rounding
  }
}

// Damping that the method itself adds at the frequencies that show: share of critical damping.
double numerical_damping(double frequency, double step, double radius) {
  const auto values = eigenvalues(amplification(generalized_alpha(step, radius), 2 * std::numbers::pi * frequency, 0));
  // The physical pair turns by nearly omega h per step.
  double best = 1e9, damping = 0;
  for (int i = 0; i < 5; ++i) {
    const std::complex<Real> value = values(i);
    const double turned = double(std::arg(value)), off = std::abs(turned - 2 * std::numbers::pi * frequency * step);
    if (off < best) best = off, damping = -std::log(double(std::abs(value))) / turned;
  }
  EXPECT_LT(best, 0.05 * 2 * std::numbers::pi * frequency * step);
  return damping;
}

TEST(GeneralizedAlpha, AddsAlmostNoDampingWhereItShows) {
  const double at_3_hertz = numerical_damping(3, 1.0 / 240, 0.8);
  EXPECT_GT(at_3_hertz, 0);
  EXPECT_LT(at_3_hertz, 1e-3);
  EXPECT_LT(std::abs(numerical_damping(3, 1.0 / 240, 1.0)), 1e-12);
  for (const double frequency : {1.0, 3.0, 6.0, 12.0, 24.0})
    std::cout << frequency << " Hz at 1/240 s: " << 100 * numerical_damping(frequency, 1.0 / 240, 0.8)
              << " % of critical\n";
}

TEST(GeneralizedAlpha, IsSecondOrder) {
  const double omega = 2 * std::numbers::pi * 3, duration = 0.5;
  for (const double radius : {0.0, 0.5, 0.8, 1.0})
    for (const double damping : {0.0, 0.05, 0.3}) {
      // Largest error on the way: at a single time errors of phase and size may happen to cancel.
      const auto error = [&](int steps) {
        const double h = duration / steps, rate = omega * std::sqrt(1 - damping * damping);
        const GeneralizedAlpha method = generalized_alpha(h, radius);
        const double start_velocity = 2, a = -omega * omega - 2 * damping * omega * start_velocity;
        State s;
        s << 1, h * start_velocity, h * h * a, h * h * a, 1 - h * start_velocity;
        double largest = 0;
        for (int n = 1; n <= steps; ++n) {
          s = advance(method, omega, damping, s);
          const double t = n * h,
                       exact = std::exp(-damping * omega * t) *
                               (std::cos(rate * t) + (start_velocity + damping * omega) / rate * std::sin(rate * t));
          largest = std::max(largest, std::abs(double(s(0)) - exact));
        }
        return largest;
      };
      const double ratio = error(960) / error(1920);
      EXPECT_GT(ratio, 3.7) << radius << " " << damping;
      EXPECT_LT(ratio, 4.3) << radius << " " << damping;
    }
}

// A whole undamped body, stiff and soft modes together, thrown and let go: its energy stays.
TEST(GeneralizedAlpha, TrapezoidalRuleConservesTheEnergyOfABody) {
  const test::Block body = test::block({3, 2, 2}, {0.3, 0.2, 0.2});
  ElementFields fields;
  fields.material = {2e4, 0.45, 1000};
  const std::vector<double> mass = lumped_mass(body.mesh, fields);
  const BlockMatrix stiffness =
      rest_stiffness(strain_samples(body.mesh, Element::patch, fields), static_cast<int>(mass.size()));
  const GeneralizedAlpha method = generalized_alpha(1.0 / 240, 1.0);
  BlockMatrix system = stiffness;
  for (Mat3& block : system.block) block *= method.force_factor();
  for (int v = 0; v < system.rows; ++v)
    system.block[static_cast<std::size_t>(find_block(system, v, v))] +=
        Mat3::identity() * (method.mass_factor() * mass[static_cast<std::size_t>(v)]);
  BlockCholesky factor;
  factor.analyze(system);
  factor.factor(system);

  const std::size_t n = 3 * mass.size();
  std::vector<double> u(n), v(n), a(n), force(n), right(n), next(n);
  test::Noise noise(53);
  for (std::size_t i = 0; i < n; ++i) u[i] = 0.01 * noise(), v[i] = 0.1 * noise();
  multiply(stiffness, u, force);
  for (std::size_t i = 0; i < n; ++i) force[i] = -force[i], a[i] = force[i] / mass[i / 3];
  const auto energy = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (mass[i / 3] * v[i] * v[i] - force[i] * u[i]) / 2;
    return sum;
  };
  const double at_start = energy(), h = method.step;
  double largest_drift = 0;
  for (int step = 0; step < 10000; ++step) {
    std::vector<double> predicted(n);
    for (std::size_t i = 0; i < n; ++i) {
      predicted[i] = u[i] + h * v[i] + h * h * (0.5 - method.beta) * a[i];
      right[i] =
          mass[i / 3] * (method.mass_factor() * predicted[i] - method.alpha_m * a[i]) + method.alpha_f * force[i];
    }
    factor.solve(right, next);
    for (std::size_t i = 0; i < n; ++i) {
      const double acceleration = (next[i] - predicted[i]) / (method.beta * h * h);
      v[i] += h * ((1 - method.gamma) * a[i] + method.gamma * acceleration);
      a[i] = acceleration;
      u[i] = next[i];
    }
    multiply(stiffness, u, force);
    for (double& f : force) f = -f;
    largest_drift = std::max(largest_drift, std::abs(energy() / at_start - 1));
  }
  EXPECT_LT(largest_drift, 1e-8);
}

}  // namespace
}  // namespace sinew
