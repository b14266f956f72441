#include "sinew/deform/surface_dynamics/surface_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/base/same_bits.h"
#include "tests/deform/surface_motions.h"

namespace sinew {
namespace {

struct Variant {
  std::string name;
  ShapeReference reference = ShapeReference::rig;
  bool shape = false;
  SurfaceErrorOptions error;
};

// Every choice by itself, and all at once.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    const std::string name = reference == ShapeReference::rig ? "rig" : "rest";
    all.push_back({name, reference, false, {}});
    all.push_back({name + ", shape", reference, true, {}});
    all.push_back({name + ", window", reference, false, {.window = 7, .velocity_weight = 0}});
    all.push_back({name + ", velocity", reference, false, {.window = 0, .velocity_weight = 0.02}});
    all.push_back({name + ", shape, window, velocity", reference, true, {.window = 5, .velocity_weight = 0.03}});
  }
  return all;
}

// A model, and examples of another whose parameters are some way off. Frames and vertices have weights.
struct Problem {
  SurfaceModel model;
  std::vector<SurfaceExample> examples;
};

Problem problem_of(const Variant& variant, int rings = 7, int columns = 6) {
  Problem problem;
  SurfaceModel& model = problem.model = test::tube(rings, columns);
  model.reference = variant.reference;
  test::set_smooth_parameters(model);
  if (variant.shape) test::set_smooth_shape(model);
  SurfaceModel other = model;
  for (VertexParameters& p : other.parameters)
    p = {p.alpha * 1.3, p.beta * 0.7, p.gamma * 1.2, p.lambda * 0.8, p.delta * 1.4};
  problem.examples = {test::example_of(other, test::swinging_motion(model, 24)),
                      test::example_of(other, test::swinging_motion(model, 17, 3.0))};
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> weight(0.5f, 1.5f);
  problem.examples[1].weight.resize(17 * model.rest.size());
  for (float& w : problem.examples[1].weight) w = weight(generator);
  return problem;
}

// Values of all unknowns of one vertex: five parameters, then the six entries of the shape, as references.
std::vector<std::function<double&(SurfaceModel&)>> unknowns(std::size_t i, bool shape) {
  std::vector<std::function<double&(SurfaceModel&)>> all = {
      [i](SurfaceModel& m) -> double& { return m.parameters[i].alpha; },
      [i](SurfaceModel& m) -> double& { return m.parameters[i].beta; },
      [i](SurfaceModel& m) -> double& { return m.parameters[i].gamma; },
      [i](SurfaceModel& m) -> double& { return m.parameters[i].lambda; },
      [i](SurfaceModel& m) -> double& { return m.parameters[i].delta; }};
  if (!shape) return all;
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].xx; });
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].yy; });
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].zz; });
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].xy; });
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].xz; });
  all.push_back([i](SurfaceModel& m) -> double& { return m.shape[i].yz; });
  return all;
}

TEST(SurfaceError, GradientIsThatOfCentralDifferences) {
  for (const Variant& variant : variants()) {
    const Problem problem = problem_of(variant);
    std::vector<VertexGradient> gradient;
    const SurfaceError value = surface_error_gradient(problem.model, problem.examples, variant.error, gradient);
    EXPECT_GT(value.sum, 1e-4);
    for (const std::size_t i : {0u, 9u, 20u, 22u, 25u, 41u, 43u}) {
      const auto by = unknowns(i, variant.shape);
      const VertexGradient& g = gradient[i];
      const Mat3& r = g.restoration;
      const double alpha = problem.model.parameters[i].alpha;
      // Entries off the diagonal stand twice in the matrix.
      const std::vector<double> expected{g.parameter[0],      g.parameter[1],      g.parameter[2],     g.parameter[3],
                                         g.parameter[4],      alpha * r(0, 0),     alpha * r(1, 1),    alpha * r(2, 2),
                                         2 * alpha * r(0, 1), 2 * alpha * r(0, 2), 2 * alpha * r(1, 2)};
      double size = 0;
      for (const double v : g.parameter) size = std::max(size, std::abs(v));
      for (std::size_t k = 0; k < by.size(); ++k) {
        const double e = 1e-5;
        SurfaceModel plus = problem.model, minus = problem.model;
        by[k](plus) += e;
        by[k](minus) -= e;
        const double slope = (surface_error(plus, problem.examples, variant.error).sum -
                              surface_error(minus, problem.examples, variant.error).sum) /
                             (2 * e);
        EXPECT_NEAR(slope, expected[k], 1e-5 * size) << variant.name << ", vertex " << i << ", unknown " << k;
      }
    }
  }
}

TEST(SurfaceError, GradientsOwnErrorIsTheError) {
  for (const Variant& variant : variants()) {
    const Problem problem = problem_of(variant);
    std::vector<VertexGradient> gradient;
    const SurfaceError a = surface_error_gradient(problem.model, problem.examples, variant.error, gradient);
    const SurfaceError b = surface_error(problem.model, problem.examples, variant.error);
    EXPECT_EQ(a.sum, b.sum) << variant.name;
    EXPECT_EQ(a.weights, b.weights);
    EXPECT_EQ(a.goal_sum, b.goal_sum);
  }
}

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
  const Variant variant{"", ShapeReference::rest, true, {.window = 5, .velocity_weight = 0.03}};
  const Problem problem = problem_of(variant, 60, 24);  // several chunks of vertices
  test::expect_same_bits([&] {
    std::vector<VertexGradient> gradient;
    NormalEquations equations;
    std::vector<double> result{surface_error_gradient(problem.model, problem.examples, variant.error, gradient).sum,
                               surface_error(problem.model, problem.examples, variant.error, &equations).sum};
    for (const VertexGradient& g : gradient) {
      result.insert(result.end(), g.parameter.begin(), g.parameter.end());
      result.insert(result.end(), std::begin(g.restoration.m), std::end(g.restoration.m));
    }
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
  NormalEquations equations;
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
