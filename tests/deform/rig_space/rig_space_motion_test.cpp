// Rig-space dynamics against the equations that it solves: oscillators, falling bodies, bodies at rest.
#include "sinew/deform/rig_space/rig_space_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/rig/offset_rig.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

std::vector<int> all_free(const Rig& rig) {
  std::vector<int> free;
  for (std::size_t i = 0; i < rig.parameters().size(); ++i) free.push_back(static_cast<int>(i));
  return free;
}

Eigen::VectorXd vector_of(std::span<const double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), row(values.size()));
}

// Dynamics of the body as drawn, solved as far as rounding allows.
RigSpaceDynamics exact_dynamics() {
  RigSpaceDynamics dynamics;
  dynamics.rest = RestShape::body;
  dynamics.tolerance = 1e-15;
  dynamics.limit_stiffness = 0;
  return dynamics;
}

// Velocities G rate of the body's vertices.
std::vector<Vec3> velocities(const ReducedSystem& system, const Eigen::VectorXd& rate) {
  const Eigen::VectorXd numbers = system.basis * rate;
  std::vector<Vec3> result;
  for (Eigen::Index i = 0; i < numbers.size(); i += 3) result.push_back({numbers(i), numbers(i + 1), numbers(i + 2)});
  return result;
}

// Two shears, coupled, that turn their sign when x is mirrored, and no rotation among them: elastic energy is even in
// them, so that what makes it other than quadratic is of the square of the strain.
std::vector<std::vector<Vec3>> shears(const RigSpaceBody& body) {
  return {mode(body,
               [](const Vec3& x) {
                 return Vec3{x.y, 0, 0};
               }),
          mode(body, [](const Vec3& x) {
            return Vec3{x.z - 0.3 * x.y, 0, 0};
          })};
}

// Waves in all directions: in every element another strain.
std::vector<std::vector<Vec3>> waves(const RigSpaceBody& body) {
  std::vector<std::vector<Vec3>> modes;
  Noise noise(14);
  for (int k = 0; k < 10; ++k) {
    const Vec3 wave = 12.0 * noise.vector(), phase = 3.0 * noise.vector(), direction = noise.vector();
    modes.push_back(mode(body, [=](const Vec3& x) {
      const double along = dot(wave, x);
      return Vec3{direction.x * std::sin(along + phase.x), direction.y * std::sin(along + phase.y),
                  direction.z * std::sin(along + phase.z)} *
             x.y;
    }));
  }
  return modes;
}

// Follows the motion by the recurrence of implicit Euler,
//   M (p+ - 2 p + p-) / h^2 + D (p+ - p) / h + K p+ = 0,
// and returns the largest difference, as a share of the largest value.
double difference_to_recurrence(RigSpaceMotion& motion, const ReducedSystem& system, const Eigen::MatrixXd& damping,
                                const Eigen::VectorXd& rate, double h, int steps) {
  const std::vector<double> still(static_cast<std::size_t>(rate.size()), 0.0);
  motion.reset(still, still, h);
  motion.push(velocities(system, rate));
  Eigen::VectorXd now = Eigen::VectorXd::Zero(rate.size()), before = -h * rate;
  const Eigen::MatrixXd inverse = test::inverse(system.mass / (h * h) + damping / h + system.stiffness);
  double worst = 0, largest = 0;
  for (int step = 0; step < steps; ++step) {
    const Eigen::VectorXd next = inverse * (system.mass * (2 * now - before) / (h * h) + damping * now / h);
    before = now;
    now = next;
    motion.advance(still, h);
    worst = std::max(worst, (vector_of(motion.free_values()) - now).cwiseAbs().maxCoeff());
    largest = std::max(largest, now.cwiseAbs().maxCoeff());
  }
  return worst / largest;
}

class Oscillators : public testing::TestWithParam<HyperelasticLaw> {};

TEST_P(Oscillators, FollowTheRecurrenceOfImplicitEuler) {
  auto body = rig_space_block({.law = GetParam()});
  LinearRig rig(boundary_of(*body), shears(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  for (const double damped : {0.0, 1.0}) {
    RigSpaceDynamics dynamics = exact_dynamics();
    dynamics.stiffness_damping = 0.01 * damped;
    dynamics.mass_damping = 0.7 * damped;
    RigSpaceMotion motion(body, rig, all_free(rig), dynamics);
    const Eigen::MatrixXd damping = dynamics.stiffness_damping * system.stiffness + dynamics.mass_damping * system.mass;
    const Eigen::VectorXd rate =
        1e-4 * Eigen::Vector2d(3, -2);  // strains of 1e-5: their squares, and rounding over them
    EXPECT_LT(difference_to_recurrence(motion, system, damping, rate, 0.01, 100), 1e-8);
    // One Jacobian is enough: the rig is linear.
    EXPECT_EQ(motion.statistics().jacobians, 1);
    EXPECT_EQ(motion.statistics().roll_backs, 0);
    EXPECT_EQ(motion.statistics().steps, 100);
  }
}

// In modes that strain every element in its own way the energy has third powers: what is not linear is of the strain.
TEST_P(Oscillators, OfManyModesFollowItToo) {
  auto body = rig_space_block({.law = GetParam()});
  LinearRig rig(boundary_of(*body), waves(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  RigSpaceDynamics dynamics = exact_dynamics();
  dynamics.stiffness_damping = 0.004;
  RigSpaceMotion motion(body, rig, all_free(rig), dynamics);
  Eigen::VectorXd rate(10);
  Noise noise(31);
  for (Eigen::Index i = 0; i < rate.size(); ++i) rate(i) = 1e-7 * noise();
  EXPECT_LT(difference_to_recurrence(motion, system, 0.004 * system.stiffness, rate, 0.005, 60), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(OfAllLaws, Oscillators,
                         testing::Values(HyperelasticLaw::modified_st_venant_kirchhoff,
                                         HyperelasticLaw::st_venant_kirchhoff, HyperelasticLaw::corotated));

// A exp(-zeta w t) cos(w_d t): half of the step, half of the error.
TEST(Oscillator, ConvergesToTheDampedCosine) {
  auto body = rig_space_block({.law = HyperelasticLaw::corotated});
  LinearRig rig(boundary_of(*body), {mode(*body, [](const Vec3& x) { return Vec3{x.y, 0, 0}; })});
  const ReducedSystem system = reduced_system(*body, rig.modes());
  const double mass = system.mass(0, 0), stiffness = system.stiffness(0, 0);
  const double frequency = std::sqrt(stiffness / mass), zeta = 0.1, amplitude = 1e-5;
  const double damped = frequency * std::sqrt(1 - zeta * zeta), period = 2 * std::numbers::pi / damped;
  RigSpaceDynamics dynamics = exact_dynamics();
  dynamics.stiffness_damping = 1.2 * zeta / frequency;  // of both kinds: zeta = (a w + b / w) / 2
  dynamics.mass_damping = 0.8 * zeta * frequency;
  std::vector<double> errors;
  for (const int steps : {300, 600, 1200}) {
    const double h = 2 * period / steps;
    RigSpaceMotion motion(body, rig, {0}, dynamics);
    const std::vector<double> still{0};
    motion.reset(still, still, h);
    // From the amplitude on, with the rate that belongs to it.
    RigSpaceState state = motion.state();
    const std::vector<Vec3> unit = velocities(system, Eigen::VectorXd::Ones(1));
    state.free = {amplitude};
    for (std::size_t v = 0; v < unit.size(); ++v) {
      state.x[v] = body->mesh.positions[v] + amplitude * unit[v];
      state.velocity[v] = -zeta * frequency * amplitude * unit[v];
    }
    motion.set_state(state);
    double worst = 0;
    for (int step = 1; step <= steps; ++step) {
      motion.advance(still, h);
      const double t = step * h;
      worst = std::max(worst, std::abs(motion.free_values()[0] -
                                       amplitude * std::exp(-zeta * frequency * t) * std::cos(damped * t)));
    }
    errors.push_back(worst / amplitude);
  }
  EXPECT_LT(errors[0], 0.1);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.15);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.08);
}

// The energies that are told are those of the oscillator.
TEST(Oscillator, HasItsEnergies) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), shears(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  RigSpaceMotion motion(body, rig, all_free(rig), exact_dynamics());
  const std::vector<double> still(2, 0.0);
  motion.reset(still, still, 0.01);
  const Eigen::VectorXd rate = 1e-4 * Eigen::Vector2d(1, 2);
  motion.push(velocities(system, rate));
  EXPECT_NEAR(motion.kinetic_energy(), 0.5 * rate.dot(system.mass * rate), 1e-12 * motion.kinetic_energy());
  EXPECT_LT(motion.elastic_energy(), 1e-20);
  motion.advance(still, 0.01);
  const Eigen::VectorXd p = vector_of(motion.free_values()), now = p / 0.01;
  EXPECT_NEAR(motion.kinetic_energy(), 0.5 * now.dot(system.mass * now), 1e-8 * motion.kinetic_energy());
  EXPECT_NEAR(motion.elastic_energy(), 0.5 * p.dot(system.stiffness * p), 1e-7 * motion.elastic_energy());
}

// What a step leaves out: h/2 times the change of velocity, as a share of the height.
TEST(Oscillator, NotesTheErrorOfItsSteps) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), {mode(*body, [](const Vec3&) { return Vec3{0, 1, 0}; })});
  RigSpaceDynamics dynamics = exact_dynamics();
  dynamics.gravity = {0, -9.81, 0};
  RigSpaceMotion motion(body, rig, {0}, dynamics);
  const std::vector<double> still{0};
  motion.reset(still, still, 0.01);
  double mass = 0, outer = 0;  // of the whole body, and of the boundary, over which the mean is taken
  for (std::size_t v = 0; v < body->mass.size(); ++v) {
    mass += body->mass[v];
    if (v < body->boundary_vertices()) outer += body->mass[v];
  }
  for (int step = 0; step < 3; ++step) motion.advance(still, 0.01);
  EXPECT_NEAR(motion.statistics().step_error, 0.005 * 9.81 * 0.01 * std::sqrt(mass / outer) / body->height, 1e-9);
}

// A rig that moves the whole body about: what pushes it keeps it going, and gravity lets it fall.
TEST(FreeBody, KeepsItsVelocity) {
  auto body = rig_space_block();
  const auto axis = [&](std::size_t k) {
    return mode(*body, [k](const Vec3&) {
      Vec3 unit;
      unit[k] = 1;
      return unit;
    });
  };
  LinearRig rig(boundary_of(*body), {axis(0), axis(1), axis(2)}, 10);
  for (const RestShape shape : {RestShape::body, RestShape::pose}) {
    RigSpaceDynamics dynamics;
    dynamics.rest = shape;
    dynamics.limit_stiffness = 0;
    RigSpaceMotion motion(body, rig, {0, 1, 2}, dynamics);
    const std::vector<double> still(3, 0.0);
    motion.reset(still, still, 0.01);
    const Vec3 velocity{0.3, -0.2, 0.5};
    motion.push(std::vector<Vec3>(body->mesh.positions.size(), velocity));
    for (int step = 1; step <= 50; ++step) {
      motion.advance(still, 0.01);
      for (std::size_t k = 0; k < 3; ++k) ASSERT_NEAR(motion.free_values()[k], 0.01 * step * velocity[k], 1e-12);
    }
    for (std::size_t v = 0; v < body->mesh.positions.size(); ++v) {
      EXPECT_LT(distance(motion.velocities()[v], velocity), 1e-11);
      EXPECT_LT(distance(motion.positions()[v], body->mesh.positions[v] + 0.5 * velocity), 1e-11);
    }
    EXPECT_LT(motion.elastic_energy(), 1e-18);
  }
}

// A parameter that is no distance: the body goes by sinh(p). Free, it keeps its speed, though p' falls as p rises. What
// a linearised rig leaves out of a step, sinh(p) u^2 / 2, is of the order of what accelerates; it must not stay as the
// steps get shorter.
TEST(FreeBody, KeepsItsSpeedWhereTheRigIsCurved) {
  auto body = rig_space_block();
  FunctionRig rig = mapping_rig(*body, numbered_parameters(1, 10), [](std::span<const double> p, const Vec3& x) {
    return x + Vec3{std::sinh(p[0]), 0, 0};
  });
  const double speed = 1.5, seconds = 1;
  std::vector<double> errors;
  for (const int steps : {50, 100, 200}) {
    RigSpaceDynamics dynamics;
    dynamics.deferred = false;
    dynamics.limit_stiffness = 0;
    RigSpaceMotion motion(body, rig, {0}, dynamics);
    const std::vector<double> still{0};
    const double h = seconds / steps;
    motion.reset(still, still, h);
    motion.push(std::vector<Vec3>(body->mesh.positions.size(), Vec3{speed, 0, 0}));
    for (int step = 1; step <= steps; ++step) motion.advance(still, h);
    errors.push_back(std::abs(std::sinh(motion.free_values()[0]) - speed * seconds));
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
  EXPECT_LT(errors[2], 0.01);
}

TEST(FreeBody, FallsAsImplicitEulerDoes) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), {mode(*body, [](const Vec3&) { return Vec3{0, 2, 0}; })}, 100);
  RigSpaceDynamics dynamics;
  dynamics.rest = RestShape::body;
  dynamics.gravity = {0, -9.81, 0};
  dynamics.limit_stiffness = 0;
  RigSpaceMotion motion(body, rig, {0}, dynamics);
  const std::vector<double> still{0};
  const double h = 0.01;
  motion.reset(still, still, h);
  for (int n = 1; n <= 40; ++n) {
    motion.advance(still, h);
    // x_n = g h^2 n (n + 1) / 2; the parameter is in half metres.
    ASSERT_NEAR(motion.free_values()[0], -9.81 * h * h * n * (n + 1) / 4, 1e-11);
  }
}

// Free parameters go on with the velocity that the keyed ones give the body.
TEST(FreeBody, BeginsWithTheAnimatorsVelocity) {
  auto body = rig_space_block();
  const std::vector<Vec3> along = mode(*body, [](const Vec3&) { return Vec3{1, 0, 0}; });
  LinearRig rig(boundary_of(*body), {along, mode(*body, [](const Vec3& x) { return Vec3{x.y, 0, 0}; })}, 10);
  RigSpaceDynamics dynamics = exact_dynamics();
  RigSpaceMotion motion(body, rig, {1}, dynamics);
  const double h = 0.01, speed = 0.7;
  std::vector<double> p{0, 0}, next{h * speed, 0};
  motion.reset(p, next, h);
  for (const Vec3& v : motion.velocities()) EXPECT_LT(distance(v, {speed, 0, 0}), 1e-12);
  // As long as it goes on evenly the body does not bend; where it stops, the body does, forwards.
  for (int step = 1; step <= 5; ++step) {
    p[0] = step * h * speed;
    motion.advance(p, h);
    EXPECT_NEAR(motion.free_values()[0], 0, 1e-12);
  }
  motion.advance(p, h);
  EXPECT_GT(motion.free_values()[0], 1e-3);
}

BlockPose far_pose() { return {.bend = 0.8, .twist = -0.6, .squeeze = 0.2}; }

// p[0] poses the block, far; the others push its sides about, not linearly.
FunctionRig posing_rig(const RigSpaceBody& body, std::size_t pushes, double range = 1) {
  std::vector<RigParameter> parameters = numbered_parameters(1 + pushes, range);
  return mapping_rig(body, std::move(parameters), [pushes](std::span<const double> p, const Vec3& x) {
    const Vec3 size{0.4, 0.2, 0.2};
    BlockPose pose{
        .bend = p[0] * far_pose().bend, .twist = p[0] * far_pose().twist, .squeeze = p[0] * far_pose().squeeze};
    Vec3 moved = x;
    for (std::size_t i = 1; i <= pushes; ++i) {
      const double wave = std::sin(2.1 * static_cast<double>(i) * x.x / size.x + 0.3);
      const double turn = 0.8 * p[i];
      moved += 0.08 * wave * Vec3{0, std::sin(turn), 1 - std::cos(turn)} * (i % 2 == 0 ? 1.0 : x.y / size.y);
    }
    return posed(pose, size, moved);
  });
}

BlockOptions long_moving_block() { return {.cells = {4, 2, 2}, .size = {0.4, 0.2, 0.2}}; }

TEST(RestOfThePose, AStandingPoseDoesNotMove) {
  for (const InteriorVertices interior : {InteriorVertices::skinning, InteriorVertices::equilibrium}) {
    auto body = rig_space_block(long_moving_block());
    FunctionRig rig = posing_rig(*body, 4);
    RigSpaceDynamics dynamics;
    dynamics.interior = interior;
    dynamics.gravity = {0, -9.81, 0};  // every pose carries its own weight
    RigSpaceMotion motion(body, rig, {1, 2, 3, 4}, dynamics);
    const std::vector<double> p{1, 0, 0, 0, 0};
    motion.reset(p, p, 0.01);
    const std::vector<Vec3> begin(motion.positions().begin(), motion.positions().end());
    for (int step = 0; step < 50; ++step) motion.advance(p, 0.01);
    for (const double value : motion.free_values()) EXPECT_LT(std::abs(value), 1e-12);
    std::vector<Vec3> s(rig.vertices());
    rig.evaluate(p, s);
    for (std::size_t v = 0; v < begin.size(); ++v) EXPECT_LT(distance(motion.positions()[v], begin[v]), 1e-12);
    for (std::size_t v = 0; v < s.size(); ++v) EXPECT_LT(distance(motion.positions()[v], s[v]), 1e-12);
  }
}

TEST(RestOfThePose, EvenWhereThatFlattensTheBody) {
  auto body = rig_space_block(long_moving_block());
  FunctionRig rig = mapping_rig(*body, numbered_parameters(2), [](std::span<const double> p, const Vec3& x) {
    return Vec3{x.x + 0.3 * p[1] * x.y, (1 - p[0]) * x.y, x.z + 0.2 * p[1] * std::sin(9 * x.x)};
  });
  RigSpaceMotion motion(body, rig, {1}, {});
  const std::vector<double> flat{1, 0}, inside_out{1.3, 0};
  for (const std::vector<double>& p : {flat, inside_out}) {
    motion.reset(p, p, 0.01);
    for (int step = 0; step < 20; ++step) motion.advance(p, 0.01);
    EXPECT_LT(std::abs(motion.free_values()[0]), 1e-12);
  }
}

TEST(RestOfThePose, APushSettlesThere) {
  for (const InteriorVertices interior : {InteriorVertices::skinning, InteriorVertices::equilibrium}) {
    auto body = rig_space_block(long_moving_block());
    FunctionRig rig = posing_rig(*body, 4);
    RigSpaceDynamics dynamics;
    dynamics.interior = interior;
    dynamics.stiffness_damping = 0.02;
    RigSpaceMotion motion(body, rig, {1, 2, 3, 4}, dynamics);
    const std::vector<double> p{1, 0, 0, 0, 0};
    motion.reset(p, p, 0.01);
    Noise noise(12);
    std::vector<Vec3> push;
    for (std::size_t v = 0; v < body->mesh.positions.size(); ++v)
      push.push_back(1.5 * std::sin(std::numbers::pi * body->mesh.positions[v].x / 0.4) * Vec3{0, 1, 0.4});
    motion.push(push);
    double furthest = 0;
    for (int step = 0; step < 120; ++step) {
      motion.advance(p, 0.01);
      furthest = std::max(furthest, vector_of(motion.free_values()).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(furthest, 0.05);
    EXPECT_LT(vector_of(motion.free_values()).cwiseAbs().maxCoeff(), 1e-6 * furthest);
    EXPECT_LT(motion.kinetic_energy(), 1e-12);
  }
}

// Keys of what is free are a goal: held, they stay, far from rest too, and what pushes the body gives it no more energy
// than that; it comes back to them.
TEST(RestOfThePose, KeysOfFreeParametersAreAGoal) {
  auto body = rig_space_block(long_moving_block());
  FunctionRig rig = posing_rig(*body, 4);
  OffsetRig offsets(rig, {1, 2, 3, 4});
  for (const double damping : {0.0, 0.02}) {
    RigSpaceDynamics dynamics;
    dynamics.stiffness_damping = damping;
    dynamics.gravity = {0, -9.81, 0};
    RigSpaceMotion motion(body, offsets, offsets.offsets(), dynamics);
    const std::vector<double> p{1, 0.5, -0.4, 0.3, 0.6, 0, 0, 0, 0};
    motion.reset(p, p, 0.01);
    for (int step = 0; step < 30; ++step) motion.advance(p, 0.01);
    for (const double value : motion.free_values()) EXPECT_LT(std::abs(value), 1e-12);

    std::vector<Vec3> push;
    for (std::size_t v = 0; v < body->mesh.positions.size(); ++v)
      push.push_back(0.5 * std::sin(std::numbers::pi * body->mesh.positions[v].x / 0.4) * Vec3{0, 1, 0.4});
    motion.push(push);
    const double given = motion.kinetic_energy();
    double furthest = 0, most = 0;
    for (int step = 0; step < 120; ++step) {
      motion.advance(p, 0.01);
      furthest = std::max(furthest, vector_of(motion.free_values()).cwiseAbs().maxCoeff());
      most = std::max(most, motion.kinetic_energy() + motion.elastic_energy());
    }
    EXPECT_LE(most, given);
    EXPECT_GT(furthest, 0.01);
    if (damping > 0) {
      EXPECT_LT(vector_of(motion.free_values()).cwiseAbs().maxCoeff(), 1e-5 * furthest);
    }
  }
}

// As drawn without stress, and heavy: it comes to rest where stiffness carries the weight.
TEST(RestOfTheBody, SettlesUnderItsWeight) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), waves(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  RigSpaceDynamics dynamics = exact_dynamics();
  dynamics.gravity = {1e-6, -3e-6, 2e-6};
  dynamics.stiffness_damping = 0.02;
  dynamics.mass_damping = 2;
  RigSpaceMotion motion(body, rig, all_free(rig), dynamics);
  const std::vector<double> still(10, 0.0);
  motion.reset(still, still, 0.05);
  for (int step = 0; step < 300; ++step) motion.advance(still, 0.05);
  std::vector<Vec3> weight;
  for (const double m : body->mass) weight.push_back(m * dynamics.gravity);
  const Eigen::VectorXd expected = test::solved(system.stiffness, system.basis.transpose() * flattened(weight));
  EXPECT_LT((vector_of(motion.free_values()) - expected).norm(), 1e-5 * expected.norm());
}

// A parameter meets a stop before the end of its range, whatever pushes it: a sudden push spends the stop's energy,
//   (K / 2 + limit_stiffness K (1 - limit_start) / 3) range^2 = 2.17 K range^2,
// one that stays is held by its force, limit_stiffness K range.
TEST(SoftStops, HoldParametersWithinTheirRanges) {
  auto body = rig_space_block({.law = HyperelasticLaw::corotated});
  LinearRig rig(boundary_of(*body), {mode(*body, [](const Vec3& x) { return Vec3{x.y, 0, 0}; })}, 0.2);
  const ReducedSystem system = reduced_system(*body, rig.modes());
  std::vector<Vec3> unit;
  for (const double m : body->mass) unit.push_back({m, 0, 0});
  const double force = (system.basis.transpose() * flattened(unit))(0);
  struct Way {
    double furthest = 0, end = 0;
  };
  // `push`: as many times what displaces it by its range where nothing stops it.
  const auto pushed = [&](RigSpaceDynamics dynamics, double push) {
    dynamics.gravity = {push * 0.2 * system.stiffness(0, 0) / force, 0, 0};
    RigSpaceMotion motion(body, rig, {0}, dynamics);
    const std::vector<double> still{0};
    motion.reset(still, still, 0.002);
    Way way;
    for (int step = 0; step < 200; ++step) {
      motion.advance(still, 0.002);
      way.end = motion.free_values()[0];
      way.furthest = std::max(way.furthest, std::abs(way.end));
    }
    return way;
  };
  RigSpaceDynamics dynamics;
  dynamics.rest = RestShape::body;
  RigSpaceDynamics slow = dynamics, loose = dynamics, half = dynamics;
  slow.stiffness_damping = 2;  // creeps there
  loose.limit_stiffness = 0;
  half.range = {0.5};
  for (const double sign : {-1.0, 1.0}) {
    const Way sudden = pushed(dynamics, sign * 2);
    EXPECT_LT(sudden.furthest, 0.2);
    EXPECT_GT(sudden.furthest, 0.75 * 0.2);
    EXPECT_GT(pushed(loose, sign * 2).furthest, 0.3);
    EXPECT_LT(pushed(half, sign).furthest, 0.1);

    const Way lasting = pushed(slow, sign * 15);
    EXPECT_LT(lasting.furthest, 0.2);
    // K (p + 20 range t^2) = 15 K range, p = range (3 + t) / 4.
    const double t = (std::sqrt(1.0 / 16 + 4 * 20 * (15 - 0.75)) - 0.25) / 40;
    EXPECT_NEAR(lasting.end, sign * 0.2 * (0.75 + 0.25 * t), 0.002);
  }
}

// Where the stop is not reached it does not act.
TEST(SoftStops, LeaveTheRestAlone) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), shears(*body), 0.5);
  const ReducedSystem system = reduced_system(*body, rig.modes());
  std::vector<std::vector<double>> ends;
  for (const double stiffness : {0.0, 20.0}) {
    RigSpaceDynamics dynamics;
    dynamics.limit_stiffness = stiffness;
    RigSpaceMotion motion(body, rig, {0, 1}, dynamics);
    const std::vector<double> still(2, 0.0);
    motion.reset(still, still, 0.01);
    motion.push(velocities(system, Eigen::Vector2d(2, -1)));
    for (int step = 0; step < 30; ++step) motion.advance(still, 0.01);
    ends.emplace_back(motion.free_values().begin(), motion.free_values().end());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(RigSpaceMotionInput, BadRigsAreOneSentence) {
  auto body = rig_space_block();
  const std::vector<Vec3> shear = mode(*body, [](const Vec3& x) { return Vec3{x.y, 0, 0}; });
  std::vector<Vec3> twice = shear, other = mode(*body, [](const Vec3&x) { return Vec3{0, x.x, 0}; }), sum = other;
  for (std::size_t v = 0; v < twice.size(); ++v) {
    twice[v] *= -2;
    sum[v] += 3.0 * shear[v];
  }
  const auto said = [&](std::vector<std::vector<Vec3>> modes) {
    LinearRig rig(boundary_of(*body), std::move(modes));
    RigSpaceMotion motion(body, rig, all_free(rig), {});
    const std::vector<double> still(rig.parameters().size(), 0.0);
    return refusal(ErrorKind::input, [&] { motion.reset(still, still, 0.01); });
  };
  EXPECT_EQ(
      said({shear, std::vector<Vec3>(shear.size())}),
      "the parameter '1' moves nothing of the body, so that physics cannot move it; leave it out of the free ones.");
  EXPECT_EQ(
      said({shear, other, twice}),
      "the parameters '0' and '2' have the same effect, so that physics cannot tell them apart; free one of them.");
  EXPECT_NE(said({shear, other, sum}).find("what the parameter '2' does the other free ones can do together"),
            std::string::npos);

  LinearRig rig(boundary_of(*body), {shear});
  EXPECT_NE(refusal(ErrorKind::usage, [&] { RigSpaceMotion(body, rig, {}, {}); }).find("needs a free parameter"),
            std::string::npos);
  auto bare = std::make_shared<RigSpaceBody>(*body);
  bare->interior = {};
  EXPECT_NE(refusal(ErrorKind::usage, [&] { RigSpaceMotion(bare, rig, {0}, {}); }).find("no map"), std::string::npos);
}

// What goes wrong in the rig is told as the rig's, in the middle of a motion too, and the state stays.
TEST(RigSpaceMotionInput, RigsThatFailAreTold) {
  auto body = rig_space_block();
  const std::vector<Vec3> rest = boundary_of(*body);
  enum class Wrong { nothing, throws, count, nan } wrong = Wrong::nothing;
  FunctionRig rig("shaky", numbered_parameters(1), rest.size(), [&](std::span<const double> p) {
    std::vector<Vec3> s;
    for (const Vec3& x : rest) s.push_back({x.x + p[0] * x.y, x.y, x.z});
    if (wrong == Wrong::throws) throw std::runtime_error("out of clay");
    if (wrong == Wrong::count) s.pop_back();
    if (wrong == Wrong::nan) s[3].y = std::nan("");
    return s;
  });
  RigSpaceMotion motion(body, rig, {0}, {});
  const std::vector<double> still{0};
  motion.reset(still, still, 0.01);
  motion.push(std::vector<Vec3>(body->mesh.positions.size(), Vec3{0.3, 0, 0}));
  motion.advance(still, 0.01);
  const RigSpaceState before = motion.state();
  for (const Wrong how : {Wrong::throws, Wrong::count, Wrong::nan}) {
    wrong = how;
    const std::string sentence = refusal(ErrorKind::input, [&] { motion.advance(still, 0.01); });
    EXPECT_NE(sentence.find("shaky"), std::string::npos) << sentence;
    EXPECT_EQ(motion.state().free, before.free);
    EXPECT_EQ(motion.state().x, before.x);
    EXPECT_EQ(motion.state().velocity, before.velocity);
    wrong = Wrong::nothing;
  }
  motion.advance(still, 0.01);
  EXPECT_NE(motion.state().free, before.free);
}

}  // namespace
}  // namespace sinew
