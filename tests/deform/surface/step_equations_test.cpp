// Of numbers; that registers give the same is seen where the kernel's gradient is compared (surface_gradient_test.cpp).
#include "sinew/deform/surface/step_equations.h"

#include <gtest/gtest.h>

#include <random>

#include "sinew/linalg/small.h"

namespace sinew {
namespace {

namespace equations = step_equations::HWY_NAMESPACE;
using Vector = equations::Vector3<double>;

Vector of(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 of(const Vector& v) { return {v.x, v.y, v.z}; }

TEST(StepEquations, AVertexBeyondReachComesBackToItsBorder) {
  const Vector goal{1, 0, 0}, next{1, 0.5, 0};
  const equations::Motion<double> far{{1, 0.5, 3}, {0, 9, 9}};
  const equations::Motion<double> held = equations::within_reach(2.0, goal, next, far);
  EXPECT_EQ(of(held.position), (Vec3{1, 0.5, 2}));
  EXPECT_EQ(of(held.change), (Vec3{0, 0.5, 0}));
  const equations::Motion<double> free = equations::within_reach(3.1, goal, next, far);
  EXPECT_EQ(of(free.position), (Vec3{1, 0.5, 3}));
  EXPECT_EQ(of(free.change), (Vec3{0, 9, 9}));
}

// Central differences of equation 8, also where the foot is at an end and for a segment without length.
TEST(StepEquations, TheDerivativeOfASpokeIsThatOfFiniteDifferences) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> anywhere(-1, 1);
  int sliding = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Vec3 head{0.1, -0.2, 0}, axis = trial % 4 ? Vec3{0.1, 0.7, 0.4} : Vec3{};
    const double squared = squared_norm(axis);
    const equations::PosedSegment<double> segment{of(head), of(axis), squared > 0 ? 1 / squared : 0};
    const auto spoke_at = [&](const Vec3& x) { return equations::posed_spoke(segment, of(x), 1e-6, 0.5, 0.6); };
    const Vec3 x{anywhere(generator), anywhere(generator), anywhere(generator)};
    Mat3 derivative;
    for (std::size_t c = 0; c < 3; ++c) {
      Vec3 unit, plus = x, minus = x;
      unit[c] = 1;
      plus[c] += 1e-6;
      minus[c] -= 1e-6;
      const Vec3 column = of(spoke_derivative(spoke_at(x), of(unit)));
      const Vec3 slope = (of(spoke_term(spoke_at(plus))) - of(spoke_term(spoke_at(minus)))) / 2e-6;
      for (std::size_t r = 0; r < 3; ++r) {
        derivative(r, c) = column[r];
        EXPECT_NEAR(column[r], slope[r], 2e-6 * (1 + norm(column)));
      }
    }
    EXPECT_LE(frobenius_norm(derivative - transpose(derivative)), 1e-12 * (1 + frobenius_norm(derivative)));
    sliding += spoke_at(x).foot.sliding;
  }
  EXPECT_GT(sliding, 100);
  EXPECT_LT(sliding, 250);
}

}  // namespace
}  // namespace sinew
