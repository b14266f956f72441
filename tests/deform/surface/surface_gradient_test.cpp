#include "sinew/deform/surface/fit/surface_gradient.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tests/base/same_bits.h"
#include "tests/deform/surface/surface_problems.h"

namespace sinew {
namespace {

using test::Problem;
using test::problem_of;
using test::Variant;
using test::variants;

// The error, then all of the gradient.
std::vector<double> numbers_of(const Problem& problem, const Variant& variant) {
  std::vector<VertexGradient> gradient;
  std::vector<double> result{
      SurfaceGradient(problem.model, problem.examples, variant.error)(problem.model, gradient).sum};
  for (const VertexGradient& g : gradient) {
    result.insert(result.end(), g.parameter.begin(), g.parameter.end());
    result.insert(result.end(), std::begin(g.restoration.m), std::end(g.restoration.m));
  }
  return result;
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

TEST(SurfaceGradient, IsThatOfCentralDifferences) {
  for (const Variant& variant : variants()) {
    const Problem problem = problem_of(variant);
    std::vector<VertexGradient> gradient;
    const SurfaceError value = SurfaceGradient(problem.model, problem.examples, variant.error)(problem.model, gradient);
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

TEST(SurfaceGradient, ItsErrorIsTheError) {
  for (const Variant& variant : variants()) {
    const Problem problem = problem_of(variant);
    std::vector<VertexGradient> gradient;
    const SurfaceError a = SurfaceGradient(problem.model, problem.examples, variant.error)(problem.model, gradient);
    const SurfaceError b = surface_error(problem.model, problem.examples, variant.error);
    EXPECT_NEAR(a.sum, b.sum, 1e-11 * b.sum) << variant.name;
    EXPECT_NEAR(a.weights, b.weights, 1e-12 * b.weights);
    EXPECT_NEAR(a.goal_sum, b.goal_sum, 1e-12 * b.goal_sum);
  }
}

// Equation 5's rotation is found lane by lane in the kernel and by closest_rotation() in the error: they agree also
// where vertices are anywhere, neighbourhoods mirrored and Newton's steps lead nowhere.
TEST(SurfaceGradient, ItsErrorIsTheErrorOfTornSurfaces) {
  for (const ShapeReference reference : {ShapeReference::rig, ShapeReference::rest}) {
    Problem problem = problem_of({"", reference, false, {}});
    std::mt19937 generator(11);
    std::uniform_real_distribution<float> anywhere(-1, 1);
    for (SurfaceExample& example : problem.examples)
      for (float& offset : example.offset) offset = anywhere(generator);
    std::vector<VertexGradient> gradient;
    const SurfaceError a = SurfaceGradient(problem.model, problem.examples, {})(problem.model, gradient);
    const SurfaceError b = surface_error(problem.model, problem.examples, {});
    EXPECT_NEAR(a.sum, b.sum, 1e-10 * b.sum);
  }
}

TEST(SurfaceGradient, DoesNotDependOnTheNumberOfThreads) {
  const Variant variant{"", ShapeReference::rest, true, {.window = 5, .velocity_weight = 0.03}};
  const Problem problem = problem_of(variant, 60, 24);  // several chunks of vertices
  test::expect_same_bits([&] { return numbers_of(problem, variant); });
}

// On this processor's registers, then on smaller ones.
TEST(SurfaceGradient, IsTheSameOnEveryKindOfRegister) {
  const Variant variant{"", ShapeReference::rest, true, {.window = 5, .velocity_weight = 0.03}};
  const Problem problem = problem_of(variant, 9, 7);
  const std::vector<double> widest = numbers_of(problem, variant);
  double size = 0;
  for (const double v : widest) size = std::max(size, std::abs(v));
  for (const std::int64_t target : {std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if ((hwy::SupportedTargets() & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const std::vector<double> narrower = numbers_of(problem, variant);
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    ASSERT_EQ(widest.size(), narrower.size());
    for (std::size_t k = 0; k < widest.size(); ++k) EXPECT_NEAR(widest[k], narrower[k], 1e-11 * size) << k;
  }
}

// A model gives the same however often and after whatever other parameters it is asked for.
TEST(SurfaceGradient, RemembersNothingOfOtherParameters) {
  const Variant variant{"", ShapeReference::rig, true, {}};
  Problem problem = problem_of(variant);
  SurfaceGradient gradient(problem.model, problem.examples, variant.error);
  std::vector<VertexGradient> first, between, again;
  const double error = gradient(problem.model, first).sum;
  SurfaceModel other = problem.model;
  for (VertexParameters& p : other.parameters) p.beta *= 0.5;
  EXPECT_NE(gradient(other, between).sum, error);
  EXPECT_EQ(gradient(problem.model, again).sum, error);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].parameter, again[i].parameter);
}

}  // namespace
}  // namespace sinew
