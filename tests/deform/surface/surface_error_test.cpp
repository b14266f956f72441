#include "sinew/deform/surface/fit/surface_error.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/base/same_bits.h"
#include "tests/deform/surface/surface_motions.h"
#include "tests/deform/surface/surface_problems.h"

namespace sinew {
namespace {

using test::Problem;
using test::problem_of;

TEST(SurfaceError, IsThatOfAPlainSimulation) {
  const Problem problem = problem_of({"", ShapeReference::rest, true, {}});
  double sum = 0, goal_sum = 0, weights = 0;
  const std::size_t n = problem.model.rest.size();
  PosedSurface posed;
  for (const SurfaceExample& example : problem.examples) {
    const std::vector<SurfaceState> states = test::simulated(problem.model, example.motion);
    for (std::size_t k = 1; k < states.size(); ++k) {
      pose_surface(problem.model, example.motion.bones[k], posed);
      for (std::size_t i = 0; i < n; ++i) {
        const float* d = &example.offset[3 * (k * n + i)];
        const Vec3 offset{d[0], d[1], d[2]};
        const double w = example.weight.empty() ? 1 : static_cast<double>(example.weight[k * n + i]);
        sum += w * squared_norm(states[k].position[i] - posed.goal[i] - offset);
        goal_sum += w * squared_norm(offset);
        weights += w;
      }
    }
  }
  const SurfaceError error = surface_error(problem.model, problem.examples, {});
  EXPECT_NEAR(error.sum, sum, 1e-12 * sum);
  EXPECT_NEAR(error.goal_sum, goal_sum, 1e-12 * goal_sum);
  EXPECT_NEAR(error.weights, weights, 1e-9);
}

TEST(SurfaceError, VanishesForTheModelThatMadeTheExample) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    SurfaceModel model = test::tube(7, 6);
    model.reference = reference;
    test::set_smooth_parameters(model);
    const std::vector<SurfaceExample> examples{test::example_of(model, test::swinging_motion(model, 40))};
    for (const int window : {0, 7}) {
      const SurfaceError error = surface_error(model, examples, {.window = window, .velocity_weight = 0});
      EXPECT_LE(std::sqrt(error.sum / error.goal_sum), 1e-5);  // examples are in single precision
    }
  }
}

TEST(SurfaceError, DoesNotDependOnTheNumberOfThreads) {
  const Problem problem = problem_of({"", ShapeReference::rest, true, {.window = 5, .velocity_weight = 0.03}}, 60, 24);
  test::expect_same_bits([&] {
    SurfaceNormalEquations equations;
    std::vector<double> result{surface_error(problem.model, problem.examples, {}, &equations).sum};
    for (const auto& q : equations) result.insert(result.end(), q.b.begin(), q.b.end());
    return result;
  });
}

// Equation 16: with every other vertex and all positions as they are, the error of the next step as a function of one
// vertex's parameters. Where steps begin at the example, its minimum is the model that made it.
TEST(SurfaceError, EquationsAtExamplesHaveTheirMinimumAtTheModelThatMadeThem) {
  SurfaceModel model = test::tube(7, 6);
  test::set_smooth_parameters(model);
  const std::vector<SurfaceExample> examples{test::example_of(model, test::swinging_motion(model, 60))};
  SurfaceNormalEquations equations;
  equations_at_examples(model, examples, {}, equations);
  for (std::size_t i = 0; i < model.rest.size(); ++i) {
    const auto p = to_array(model.parameters[i]);
    double size = 0;
    for (const double b : equations[i].b) size = std::max(size, std::abs(b));
    for (std::size_t a = 0; a < surface_parameters; ++a) {
      double residual = -equations[i].b[a];
      for (std::size_t b = 0; b < surface_parameters; ++b) residual += equations[i].a[a][b] * p[b];
      EXPECT_LE(std::abs(residual), 1e-4 * size);
    }
    EXPECT_EQ(equations[i].upper, largest_parameter);
  }
}

}  // namespace
}  // namespace sinew
