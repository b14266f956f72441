// Jacobians that are used again, and steps of adapted length: the same motion for less.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/deform/rig_space/adaptive_steps.h"
#include "sinew/deform/rig_space/rig_space_motion.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"

namespace sinew {
namespace {

using namespace test;

BlockOptions long_block() { return {.cells = {4, 2, 2}, .size = {0.4, 0.2, 0.2}}; }

// The first parameter swings the whole block about an end, as a clip may; the others turn and swell it, not linearly.
FunctionRig swinging_rig(const RigSpaceBody& body) {
  return mapping_rig(body, numbered_parameters(4), [](std::span<const double> p, const Vec3& x) {
    const double share = x.x / 0.4, swell = std::exp(0.5 * p[2] * std::sin(3 * share));
    double turn = 1.5 * p[1] * share * share;
    Vec3 at{x.x, (x.y - 0.1) * swell, (x.z - 0.1) * swell + 0.2 * std::sin(p[3]) * share};
    turn += 0.8 * p[0];
    at = {at.x * std::cos(turn) - at.y * std::sin(turn), at.x * std::sin(turn) + at.y * std::cos(turn), at.z};
    const double swung_angle = p[0];
    return Vec3{at.x * std::cos(swung_angle) - at.z * std::sin(swung_angle), at.y,
                at.x * std::sin(swung_angle) + at.z * std::cos(swung_angle)};
  });
}

double swung_angle(double t) { return 0.6 * std::sin(7 * t); }

std::vector<double> keyed_at(double t) { return {swung_angle(t), 0, 0, 0}; }

struct Swung {
  std::vector<std::vector<Vec3>> frames;  // bodies
  std::vector<std::vector<double>> values;
  RigSpaceStatistics statistics;
};

Swung swung(const RigSpaceDynamics& dynamics, int steps = 60, double h = 0.01) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = swinging_rig(*body);
  RigSpaceMotion motion(body, rig, {1, 2, 3}, dynamics);
  motion.reset(keyed_at(0), keyed_at(h), h);
  Swung run;
  for (int step = 1; step <= steps; ++step) {
    motion.advance(keyed_at(step * h), h);
    run.frames.emplace_back(motion.positions().begin(), motion.positions().end());
    run.values.emplace_back(motion.free_values().begin(), motion.free_values().end());
  }
  run.statistics = motion.statistics();
  return run;
}

// Largest distance of a vertex over all frames, as a share of the height.
double difference(const Swung& a, const Swung& b) {
  double worst = 0;
  for (std::size_t f = 0; f < a.frames.size(); ++f)
    for (std::size_t v = 0; v < a.frames[f].size(); ++v)
      worst = std::max(worst, distance(a.frames[f][v], b.frames[f][v]));
  return worst / 0.2;
}

TEST(DeferredJacobian, IsTheSameMotionOnALinearRig) {
  auto body = rig_space_block(long_block());
  LinearRig rig(boundary_of(*body), {mode(*body,
                                          [](const Vec3& x) {
                                            return Vec3{0, x.x * x.x, 0};
                                          }),
                                     mode(*body,
                                          [](const Vec3& x) {
                                            return Vec3{0, 0, std::sin(5 * x.x) * x.y};
                                          }),
                                     mode(*body, [](const Vec3&) {
                                       return Vec3{0, 1, 0.5};
                                     })});
  const auto run = [&](bool deferred) {
    RigSpaceDynamics dynamics;
    dynamics.deferred = deferred;
    dynamics.tolerance = 1e-12;  // what an old Hessian leaves more of than a new one
    RigSpaceMotion motion(body, rig, {0, 1}, dynamics);
    const auto keyed = [](double t) { return std::vector<double>{0, 0, 0.1 * std::sin(20 * t)}; };
    motion.reset(keyed(0), keyed(0.01), 0.01);
    std::vector<double> values;
    for (int step = 1; step <= 50; ++step) {
      motion.advance(keyed(0.01 * step), 0.01);
      values.insert(values.end(), motion.free_values().begin(), motion.free_values().end());
    }
    EXPECT_EQ(motion.statistics().jacobians, deferred ? 1 : 51);
    return values;
  };
  const std::vector<double> once = run(true), each = run(false);
  double largest[2] = {0, 0};
  for (std::size_t i = 0; i < each.size(); ++i) {
    EXPECT_NEAR(once[i], each[i], 1e-10);
    largest[i % 2] = std::max(largest[i % 2], std::abs(each[i]));
  }
  EXPECT_GT(largest[0], 0.1);
  EXPECT_GT(largest[1], 0.01);
}

// Where the rig is not linear the motions differ by what is accepted a step, and no more.
TEST(DeferredJacobian, DiffersByTheToleranceOnAnotherRig) {
  RigSpaceDynamics dynamics;
  dynamics.deferred = false;
  const int steps = 240;
  const Swung each = swung(dynamics, steps, 0.0025);
  EXPECT_EQ(each.statistics.jacobians, steps + 1);
  dynamics.deferred = true;
  std::vector<double> differences;
  std::vector<std::int64_t> jacobians;
  for (const double linearity : {1e-3, 1e-4, 1e-5}) {
    dynamics.linearity = linearity;
    const Swung deferred = swung(dynamics, steps, 0.0025);
    differences.push_back(difference(deferred, each));
    jacobians.push_back(deferred.statistics.jacobians);
    // Nothing but these takes a Jacobian: the first, what is seen ahead, what is rolled back.
    EXPECT_EQ(deferred.statistics.jacobians,
              1 + deferred.statistics.predicted_updates + deferred.statistics.roll_backs);
  }
  EXPECT_LT(differences[1], differences[0] / 3);
  EXPECT_LT(differences[2], differences[1] / 3);
  // What is accepted at each step is a mean over the vertices; the furthest moves thrice as far.
  EXPECT_LT(differences[2], 3 * steps * 1e-5);
  EXPECT_LT(jacobians[0], jacobians[1]);
  EXPECT_LT(jacobians[1], jacobians[2]);
  EXPECT_LT(jacobians[1], 0.6 * steps);
  EXPECT_LT(jacobians[2], steps);
}

// Without looking ahead every old Jacobian that will not do costs a step.
TEST(DeferredJacobian, LookingAheadSavesRollBacks) {
  RigSpaceDynamics dynamics;
  dynamics.linearity = 5e-5;
  dynamics.predictor = false;
  const Swung blind = swung(dynamics);
  EXPECT_GT(blind.statistics.roll_backs, 10);
  EXPECT_EQ(blind.statistics.predicted_updates, 0);
  dynamics.predictor = true;
  const Swung ahead = swung(dynamics);
  EXPECT_LT(ahead.statistics.roll_backs, blind.statistics.roll_backs / 2);
  EXPECT_GT(ahead.statistics.predicted_updates, 0);
}

// A rig that bends suddenly: the step with the old Jacobian is taken back, and the one that stays is the one that a
// new Jacobian gives.
TEST(DeferredJacobian, RolledBackStepsLeaveNothingBehind) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = mapping_rig(*body, numbered_parameters(1, 3), [](std::span<const double> p, const Vec3& x) {
    const double u = p[0] + (p[0] > 0.1 ? 4 * (p[0] - 0.1) * (p[0] - 0.1) : 0);
    return Vec3{x.x, x.y + u * x.x * x.x, x.z};
  });
  const auto run = [&](bool deferred) {
    RigSpaceDynamics dynamics;
    dynamics.deferred = deferred;
    dynamics.predictor = false;
    dynamics.linearity = 1e-9;
    RigSpaceMotion motion(body, rig, {0}, dynamics);
    const std::vector<double> still{0};
    motion.reset(still, still, 0.01);
    std::vector<Vec3> push;
    for (const Vec3& x : body->mesh.positions) push.push_back({0, 30 * x.x * x.x, 0});
    motion.push(push);
    std::vector<double> values;
    for (int step = 0; step < 12; ++step) {
      motion.advance(still, 0.01);
      values.push_back(motion.free_values()[0]);
    }
    return std::pair(values, motion.statistics());
  };
  const auto [each, each_statistics] = run(false);
  const auto [deferred, statistics] = run(true);
  EXPECT_GT(*std::max_element(each.begin(), each.end()), 0.3);
  EXPECT_GT(statistics.roll_backs, 3);
  for (std::size_t i = 0; i < each.size(); ++i) EXPECT_NEAR(deferred[i], each[i], 1e-7);
}

// Where the inside's map is exact, equilibrium finds the same: the boundary moves by affine maps, and so does all.
TEST(InteriorVertices, SkinningThatIsExactIsEquilibrium) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = mapping_rig(*body, numbered_parameters(4), [](std::span<const double> p, const Vec3& x) {
    const double turn = p[0] + 0.8 * p[1];
    const Vec3 at{x.x + p[2] * x.y, std::exp(0.5 * p[3]) * x.y, x.z};
    return Vec3{at.x * std::cos(turn) - at.y * std::sin(turn), at.x * std::sin(turn) + at.y * std::cos(turn), at.z};
  });
  std::vector<std::vector<double>> runs;
  for (const InteriorVertices interior : {InteriorVertices::skinning, InteriorVertices::equilibrium}) {
    RigSpaceDynamics dynamics;
    dynamics.interior = interior;
    dynamics.rest = RestShape::body;
    dynamics.gravity = {0, -9.81, 0};
    dynamics.deferred = false;
    dynamics.tolerance = 1e-10;
    RigSpaceMotion motion(body, rig, {1, 2, 3}, dynamics);
    motion.reset(keyed_at(0), keyed_at(0.01), 0.01);
    runs.emplace_back();
    for (int step = 1; step <= 30; ++step) {
      motion.advance(keyed_at(0.01 * step), 0.01);
      runs.back().insert(runs.back().end(), motion.free_values().begin(), motion.free_values().end());
    }
    EXPECT_GT(motion.smallest_volume_ratio(), 0);
  }
  double largest = 0;
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    EXPECT_NEAR(runs[0][i], runs[1][i], 1e-6);
    largest = std::max(largest, std::abs(runs[0][i]));
  }
  EXPECT_GT(largest, 0.1);
}

std::vector<double> numbers_of(const RigSpaceMotion& motion) {
  std::vector<double> numbers(motion.free_values().begin(), motion.free_values().end());
  for (const std::span<const Vec3> vectors :
       {motion.positions(), motion.velocities(), std::span<const Vec3>(motion.state().interior_offset)})
    for (const Vec3& x : vectors) numbers.insert(numbers.end(), {x.x, x.y, x.z});
  return numbers;
}

class RigSpaceStates : public testing::TestWithParam<InteriorVertices> {};

// From a state on goes on what went on then, to the bit, in another instance too.
TEST_P(RigSpaceStates, ResumeToTheBit) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = swinging_rig(*body), other_rig = swinging_rig(*body);
  correct_interior(*body, rig, {1, 2, 3});
  RigSpaceDynamics dynamics;
  dynamics.interior = GetParam();
  dynamics.linearity = 2e-4;
  dynamics.stiffness_damping = 0.002;
  RigSpaceMotion motion(body, rig, {1, 2, 3}, dynamics), other(body, other_rig, {1, 2, 3}, dynamics);
  const double h = 0.01;
  motion.reset(keyed_at(0), keyed_at(h), h);
  for (int step = 1; step <= 20; ++step) motion.advance(keyed_at(step * h), h);
  const RigSpaceState saved = motion.state();
  for (int step = 21; step <= 35; ++step) motion.advance(keyed_at(step * h), h);
  const std::vector<double> end = numbers_of(motion);
  const auto resumed = [&](RigSpaceMotion& from) {
    from.set_state(saved);
    for (int step = 21; step <= 35; ++step) from.advance(keyed_at(step * h), h);
    return numbers_of(from);
  };
  EXPECT_EQ(resumed(motion), end);
  other.reset(keyed_at(0), keyed_at(h), h);
  EXPECT_EQ(resumed(other), end);
}

TEST_P(RigSpaceStates, DeterministicForAnyNumberOfThreads) {
  expect_same_bits([&] {
    auto body = rig_space_block(long_block());
    FunctionRig rig = swinging_rig(*body);
    correct_interior(*body, rig, {1, 2, 3});
    RigSpaceDynamics dynamics;
    dynamics.interior = GetParam();
    RigSpaceMotion motion(body, rig, {1, 2, 3}, dynamics);
    motion.reset(keyed_at(0), keyed_at(0.01), 0.01);
    AdaptiveSteps steps;
    std::vector<double> p = keyed_at(0), numbers;
    for (int frame = 0; frame < 12; ++frame) {
      advance_adaptively(
          motion, [&](double t, std::span<double> q) { q[0] = swung_angle(0.02 * frame + t); }, 0.02, p, steps);
      const std::vector<double> now = numbers_of(motion);
      numbers.insert(numbers.end(), now.begin(), now.end());
      numbers.push_back(steps.steps);
    }
    return numbers;
  });
}

INSTANTIATE_TEST_SUITE_P(OfAllInteriors, RigSpaceStates,
                         testing::Values(InteriorVertices::skinning, InteriorVertices::corrected,
                                         InteriorVertices::equilibrium));

// Frames of a fortieth of a second; returns the free values at their ends.
std::vector<std::vector<double>> adaptively(AdaptiveSteps steps, const RigSpaceDynamics& dynamics, int& taken) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = swinging_rig(*body);
  RigSpaceMotion motion(body, rig, {1, 2, 3}, dynamics);
  const double length = 0.025;
  motion.reset(keyed_at(0), keyed_at(length / 32), length / 32);
  std::vector<double> p = keyed_at(0);
  std::vector<std::vector<double>> values;
  taken = 0;
  for (int frame = 0; frame < 24; ++frame) {
    advance_adaptively(
        motion, [&](double t, std::span<double> q) { q[0] = swung_angle(length * frame + t); }, length, p, steps);
    values.emplace_back(motion.free_values().begin(), motion.free_values().end());
    taken += steps.steps;
  }
  return values;
}

TEST(AdaptiveSteps, ConvergeToTheMotionOfFineSteps) {
  RigSpaceDynamics dynamics;
  dynamics.deferred = false;
  dynamics.stiffness_damping = 0.004;
  int fine_steps = 0;
  AdaptiveSteps finest;
  finest.tolerance = 0;
  finest.most_halvings = finest.halvings = 9;
  const std::vector<std::vector<double>> fine = adaptively(finest, dynamics, fine_steps);
  EXPECT_EQ(fine_steps, 24 * 512);
  std::vector<double> errors;
  std::vector<int> taken;
  for (const double tolerance : {4e-4, 1e-4, 2.5e-5}) {
    AdaptiveSteps steps;
    steps.most_halvings = 8;
    steps.tolerance = tolerance;
    taken.emplace_back();
    const std::vector<std::vector<double>> values = adaptively(steps, dynamics, taken.back());
    errors.push_back(0);
    for (std::size_t f = 0; f < fine.size(); ++f)
      errors.back() = std::max(errors.back(), (Eigen::Map<const Eigen::Vector3d>(values[f].data()) -
                                               Eigen::Map<const Eigen::Vector3d>(fine[f].data()))
                                                  .cwiseAbs()
                                                  .maxCoeff());
  }
  // Of first order: a quarter of the tolerance is half of the step, and half of the error.
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.2);
  EXPECT_LT(taken[0], taken[1]);
  EXPECT_LT(taken[1], taken[2]);
  EXPECT_LT(taken[2], fine_steps / 2);
}

// Steps that are taken back leave nothing behind: the same as if they had been short from the start.
TEST(AdaptiveSteps, RejectedStepsLeaveNothingBehind) {
  for (const double linearity : {1e-9, 2e-4, 1e3}) {  // with new Jacobians at every step, at some, at none
    RigSpaceDynamics dynamics;
    dynamics.linearity = linearity;
    AdaptiveSteps rejecting, knowing;
    rejecting.tolerance = knowing.tolerance = 0;
    rejecting.most_halvings = knowing.most_halvings = knowing.halvings = 3;
    int taken = 0, knowing_taken = 0;
    const auto values = adaptively(rejecting, dynamics, taken);
    EXPECT_EQ(values, adaptively(knowing, dynamics, knowing_taken));
    EXPECT_EQ(taken, knowing_taken);
    EXPECT_EQ(taken, 24 * 8);
  }
}

// They grow again where the motion is calm.
TEST(AdaptiveSteps, GrowWhereNothingMoves) {
  auto body = rig_space_block(long_block());
  FunctionRig rig = swinging_rig(*body);
  RigSpaceMotion motion(body, rig, {1, 2, 3}, {});
  std::vector<double> p = keyed_at(0);
  motion.reset(p, p, 0.01);
  AdaptiveSteps steps;
  steps.halvings = 4;
  const auto still = [](double, std::span<double> q) { q[0] = 0; };
  advance_adaptively(motion, still, 0.02, p, steps);
  EXPECT_LT(steps.steps, 16);
  advance_adaptively(motion, still, 0.02, p, steps);
  EXPECT_EQ(steps.halvings, 0);
  advance_adaptively(motion, still, 0.02, p, steps);
  EXPECT_EQ(steps.steps, 1);
}

// A step in which the numbers go wrong is halved, too; where the shortest does, that is an error, and the state stays.
TEST(AdaptiveSteps, HalveStepsThatGoWrong) {
  auto body = rig_space_block(long_block());
  const std::vector<Vec3> rest = boundary_of(*body);
  double furthest = 0, most = 0.006;  // what the first parameter may grow by at once
  FunctionRig rig("fragile", numbered_parameters(2), rest.size(), [&](std::span<const double> p) {
    if (p[0] - furthest > most) throw simulation_error("the rig broke.");
    furthest = std::max(furthest, p[0]);
    std::vector<Vec3> s;
    for (const Vec3& x : rest) s.push_back({x.x, x.y + p[1] * x.x, x.z});
    return s;
  });
  RigSpaceMotion motion(body, rig, {1}, {});
  std::vector<double> p{0, 0};
  motion.reset(p, p, 0.01);
  const auto keyed = [](double t, std::span<double> q) { q[0] = t; };
  AdaptiveSteps steps;
  steps.most_halvings = 2;
  advance_adaptively(motion, keyed, 0.02, p, steps);
  EXPECT_EQ(steps.steps, 4);
  EXPECT_EQ(motion.statistics().steps, 4);
  furthest = 0;
  most = 0.001;
  const RigSpaceState before = motion.state();
  EXPECT_EQ(refusal(ErrorKind::simulation, [&] { advance_adaptively(motion, keyed, 0.02, p, steps); }),
            "the rig broke.");
  EXPECT_EQ(motion.state().x, before.x);
  EXPECT_EQ(motion.state().free, before.free);
}

}  // namespace
}  // namespace sinew
