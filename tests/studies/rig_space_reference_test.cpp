// The reference method of rig-space physics: a minimum of its own equation, and the fast method where both are exact.
#include "studies/rig_space/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/deform/rig_space/rig_space_motion.h"
#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"

namespace sinew {
namespace {

using namespace test;

BlockOptions small_block() { return {.cells = {4, 2, 2}, .size = {0.4, 0.2, 0.2}}; }

FunctionRig bending_rig(const RigSpaceBody& body) {
  return mapping_rig(body, numbered_parameters(3), [](std::span<const double> p, const Vec3& x) {
    const double share = x.x / 0.4, turn = 1.5 * p[1] * share * share + p[0], swell = std::exp(0.6 * p[2] * share);
    const Vec3 at{x.x, (x.y - 0.1) * swell, (x.z - 0.1) * swell};
    return Vec3{at.x * std::cos(turn) - at.y * std::sin(turn), at.x * std::sin(turn) + at.y * std::cos(turn), at.z};
  });
}

std::vector<double> keyed_at(double t) { return {0.5 * std::sin(9 * t), 0, 0}; }

// The method of the paper with a linear rig, and without inertia inside: both solve the same equations.
TEST(RigSpaceReferenceMethod, IsTheFastOneOnALinearRig) {
  for (const HyperelasticLaw law : {HyperelasticLaw::modified_st_venant_kirchhoff, HyperelasticLaw::corotated}) {
    BlockOptions options = small_block();
    options.law = law;
    auto body = rig_space_block(options);
    for (std::size_t v = body->boundary_vertices(); v < body->mass.size(); ++v) body->mass[v] = 0;
    LinearRig rig(boundary_of(*body), {mode(*body,
                                            [](const Vec3& x) {
                                              return Vec3{0, x.x * x.x, 0};
                                            }),
                                       mode(*body,
                                            [](const Vec3& x) {
                                              return Vec3{0, 0, std::sin(6 * x.x) * x.y};
                                            }),
                                       mode(*body, [](const Vec3&) {
                                         return Vec3{0, 1, 0};
                                       })});
    RigSpaceDynamics dynamics;
    dynamics.rest = RestShape::body;
    dynamics.interior = InteriorVertices::equilibrium;
    dynamics.limit_stiffness = 0;
    dynamics.gravity = {0, -9.81, 3};
    dynamics.tolerance = 1e-10;
    RigSpaceMotion motion(body, rig, {0, 1}, dynamics);
    RigSpaceReferenceOptions exact;
    exact.gravity = dynamics.gravity;
    exact.tolerance = 1e-10;
    RigSpaceReference reference(body, rig, {0, 1}, exact);
    const auto keyed = [](double t) { return std::vector<double>{0, 0, 0.1 * std::sin(15 * t)}; };
    motion.reset(keyed(0), keyed(0.01), 0.01);
    reference.reset(keyed(0), keyed(0.01), 0.01);
    double largest = 0;
    for (int step = 1; step <= 25; ++step) {
      motion.advance(keyed(0.01 * step), 0.01);
      reference.advance(keyed(0.01 * step), 0.01);
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(motion.free_values()[i], reference.free_values()[i], 1e-7);
        largest = std::max(largest, std::abs(motion.free_values()[i]));
      }
      for (std::size_t v = 0; v < body->mesh.positions.size(); ++v)
        EXPECT_LT(distance(motion.positions()[v], reference.positions()[v]), 1e-7);
    }
    EXPECT_GT(largest, 0.2);
    EXPECT_EQ(reference.statistics().steps, 25);
  }
}

// H of equation 3, put together from the independent energy.
struct Objective {
  const RigSpaceBody& body;
  Rig& rig;
  StrainSamples samples = samples_of(body);
  HyperelasticEnergy energy{samples, static_cast<int>(body.mesh.positions.size()), body.material.law};
  Vec3 gravity;
  std::vector<Vec3> target;
  double h = 0;

  Objective(const RigSpaceBody& of, Rig& with) : body(of), rig(with) {}

  double value(const std::vector<double>& p, std::span<const Vec3> positions) {
    std::vector<Vec3> x(positions.begin(), positions.end()), s(rig.vertices()), q;
    rig.evaluate(p, s);
    place_boundary(body, s, x);
    double sum = 0;
    for (std::size_t v = 0; v < x.size(); ++v) {
      const Vec3 away = x[v] - target[v];
      sum += body.mass[v] * (0.5 * squared_norm(away) / (h * h) - dot(gravity, away));
      q.push_back(x[v] - body.mesh.positions[v]);
    }
    return sum + energy.energy(q);
  }
};

// Every step ends where H is stationary, and least among what is near.
TEST(RigSpaceReferenceMethod, StepsEndAtMinimaOfItsEquation) {
  auto body = rig_space_block(small_block());
  FunctionRig rig = bending_rig(*body);
  RigSpaceReferenceOptions options;
  options.gravity = {0, -9.81, 0};
  options.tolerance = 1e-9;
  RigSpaceReference reference(body, rig, {1, 2}, options);
  Objective objective(*body, rig);
  objective.gravity = options.gravity;
  const double h = objective.h = 0.01;
  reference.reset(keyed_at(0), keyed_at(h), h);
  const auto positions = [&] { return std::vector<Vec3>(reference.positions().begin(), reference.positions().end()); };
  std::vector<Vec3> before = positions();
  reference.advance(keyed_at(h), h);
  Noise noise(5);
  for (int step = 2; step <= 6; ++step) {
    const std::vector<Vec3> now = positions();
    objective.target = now;
    for (std::size_t v = 0; v < now.size(); ++v) objective.target[v] += now[v] - before[v];
    before = now;
    reference.advance(keyed_at(step * h), h);
    std::vector<double> p = keyed_at(step * h);
    p[1] = reference.free_values()[0];
    p[2] = reference.free_values()[1];
    const std::vector<Vec3> there = positions();
    const double least = objective.value(p, there);
    for (int trial = 0; trial < 20; ++trial) {
      // A step into any direction of all unknowns: no slope, and upwards.
      const Vec3 by{0, noise(), noise()};
      std::vector<Vec3> direction(there.size());
      for (std::size_t v = body->boundary_vertices(); v < there.size(); ++v) direction[v] = 0.1 * noise.vector();
      const auto away = [&](double share) {
        std::vector<double> q = p;
        std::vector<Vec3> x = there;
        q[1] += share * by.y;
        q[2] += share * by.z;
        for (std::size_t v = 0; v < x.size(); ++v) x[v] += share * direction[v];
        return objective.value(q, x);
      };
      constexpr double small = 1e-4;
      const double slope = (away(small) - away(-small)) / (2 * small),
                   curve = (away(small) + away(-small) - 2 * least) / (small * small);
      EXPECT_GT(curve, 0);
      // Of Newton's steps the last was of 1e-9 of the height.
      EXPECT_LT(std::abs(slope), 1e-5 * curve);
    }
  }
}

// With and without second derivatives of the rig: other ways, one minimum.
TEST(RigSpaceReferenceMethod, GaussNewtonGetsToTheSamePlace) {
  auto body = rig_space_block(small_block());
  FunctionRig rig = bending_rig(*body);
  std::vector<std::vector<double>> runs;
  std::vector<RigSpaceReferenceStatistics> statistics;
  for (const bool second : {true, false}) {
    RigSpaceReferenceOptions options;
    options.second_derivatives = second;
    options.tolerance = 1e-9;
    options.max_iterations = 200;
    RigSpaceReference reference(body, rig, {1, 2}, options);
    reference.reset(keyed_at(0), keyed_at(0.01), 0.01);
    runs.emplace_back();
    for (int step = 1; step <= 20; ++step) {
      reference.advance(keyed_at(0.01 * step), 0.01);
      runs.back().insert(runs.back().end(), reference.free_values().begin(), reference.free_values().end());
    }
    statistics.push_back(reference.statistics());
  }
  double largest = 0;
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_NEAR(runs[0][i], runs[1][i], 1e-6);
    largest = std::max(largest, std::abs(runs[0][i]));
  }
  EXPECT_GT(largest, 0.05);
  EXPECT_LE(statistics[0].all_iterations, statistics[1].all_iterations);
}

// The linearised method comes to the reference as its steps become short: both become the same equations of motion.
TEST(RigSpaceReferenceMethod, IsWhereTheFastOneGoesToWithShortSteps) {
  auto body = rig_space_block(small_block());
  for (std::size_t v = body->boundary_vertices(); v < body->mass.size(); ++v) body->mass[v] = 0;
  FunctionRig rig = bending_rig(*body);
  std::vector<double> differences;
  for (const int steps : {20, 40, 80}) {
    const double h = 0.2 / steps;
    RigSpaceDynamics dynamics;
    dynamics.rest = RestShape::body;
    dynamics.interior = InteriorVertices::equilibrium;
    dynamics.limit_stiffness = 0;
    dynamics.deferred = false;
    dynamics.tolerance = 1e-9;
    RigSpaceMotion motion(body, rig, {1, 2}, dynamics);
    RigSpaceReferenceOptions options;
    options.tolerance = 1e-9;
    RigSpaceReference reference(body, rig, {1, 2}, options);
    motion.reset(keyed_at(0), keyed_at(h), h);
    reference.reset(keyed_at(0), keyed_at(h), h);
    differences.push_back(0);
    for (int step = 1; step <= steps; ++step) {
      motion.advance(keyed_at(h * step), h);
      reference.advance(keyed_at(h * step), h);
      for (std::size_t i = 0; i < 2; ++i)
        differences.back() =
            std::max(differences.back(), std::abs(motion.free_values()[i] - reference.free_values()[i]));
    }
  }
  EXPECT_LT(differences[0], 0.05);
  EXPECT_LT(differences[1], 0.6 * differences[0]);
  EXPECT_LT(differences[2], 0.6 * differences[1]);
}

TEST(RigSpaceReferenceMethod, DeterministicForAnyNumberOfThreads) {
  expect_same_bits([] {
    auto body = rig_space_block(small_block());
    FunctionRig rig = bending_rig(*body);
    RigSpaceReference reference(body, rig, {1, 2}, {});
    reference.reset(keyed_at(0), keyed_at(0.01), 0.01);
    std::vector<double> numbers;
    for (int step = 1; step <= 5; ++step) {
      reference.advance(keyed_at(0.01 * step), 0.01);
      for (const Vec3& x : reference.positions()) numbers.insert(numbers.end(), {x.x, x.y, x.z});
    }
    return numbers;
  });
}

}  // namespace
}  // namespace sinew
