// Parameters for steps of another length.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sinew/deform/surface/step_conversion.h"

namespace sinew {
namespace {

// Where a vertex is, let go at 1, after `steps` steps.
double let_go(const VertexParameters& p, double first_change, int steps) {
  const double k = p.alpha + p.beta + p.gamma, c = p.lambda + p.delta;
  double x = 1, u = first_change;
  for (int n = 0; n < steps; ++n) {
    u += -k * x - c * u;
    x += u;
  }
  return x;
}

// The same for any step: x_n = Re(a z^n) with x_0 = 1 and, here, a real.
double mean_change_before(const VertexParameters& p) {
  // u_0 such that x_1 = Re z: half the sum of the roots.
  const double k = p.alpha + p.beta + p.gamma, c = p.lambda + p.delta;
  const double x1 = (2 - k - c) / 2;
  return (x1 - 1 + k) / (1 - c);
}

TEST(StepConversion, TheSameStepChangesNothing) {
  const VertexParameters p{0.2, 0.1, 0.05, 0.04, 0.06}, same = at_step_ratio(p, 1);
  EXPECT_NEAR(same.alpha, p.alpha, 1e-14);
  EXPECT_NEAR(same.beta, p.beta, 1e-14);
  EXPECT_NEAR(same.gamma, p.gamma, 1e-14);
  EXPECT_NEAR(same.lambda, p.lambda, 1e-14);
  EXPECT_NEAR(same.delta, p.delta, 1e-14);
}

TEST(StepConversion, ASwingIsTheSameAtEveryRate) {
  const VertexParameters at_60{0.1, 0.03, 0.02, 0.02, 0.05};
  for (const int times : {2, 4}) {
    const VertexParameters finer = at_step_ratio(at_60, 1.0 / times);
    for (int n = 1; n < 60; ++n)
      EXPECT_NEAR(let_go(finer, mean_change_before(finer), times * n), let_go(at_60, mean_change_before(at_60), n),
                  1e-11)
          << times << " x " << n;
  }
}

TEST(StepConversion, ThereAndBackIsWhereItBegan) {
  for (const VertexParameters& p :
       std::array<VertexParameters, 3>{{{0.3, 0, 0, 0, 0}, {0.02, 0.01, 0, 0.1, 0.6}, {0.001, 0, 0, 0, 0.9}}}) {
    const VertexParameters back = at_step_ratio(at_step_ratio(p, 0.25), 4);
    EXPECT_NEAR(back.alpha, p.alpha, 1e-12);
    EXPECT_NEAR(back.beta, p.beta, 1e-12);
    EXPECT_NEAR(back.lambda, p.lambda, 1e-12);
    EXPECT_NEAR(back.delta, p.delta, 1e-12);
  }
}

TEST(StepConversion, WhatCannotBeHadStaysInRange) {
  for (const double ratio : {0.01, 0.5, 3.0, 50.0})
    for (const double a : {0.0, 0.5, 1.0})
      for (const double d : {0.0, 0.5, 1.0}) {
        const VertexParameters p = at_step_ratio({a, a, a, d / 2, d}, ratio);
        for (const double v : {p.alpha, p.beta, p.gamma, p.delta}) EXPECT_TRUE(v >= 0 && v <= 1) << v;
        EXPECT_TRUE(p.lambda >= 0 && p.lambda <= 0.5);
      }
}

}  // namespace
}  // namespace sinew
