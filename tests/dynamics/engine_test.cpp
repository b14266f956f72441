// The engine for rigid bodies against laws of mechanics: energy, periods, momentum, friction.
#include <gtest/gtest.h>

#include <numbers>

#include "sinew/base/error.h"
#include "sinew/dynamics/joint_drives.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "tests/dynamics/chains.h"

namespace sinew::test {
namespace {

// Largest change of a double pendulum's energy in ten seconds from the horizontal, as a share of the energy of its
// swing: two balls of 1 kg on rods of 1 m fall by up to 1 m and 2 m.
double energy_drift(double step, bool accurate) {
  const ArticulatedBody body = pendulum(2, 1, 1, 0.05);
  EngineOptions options;
  options.step = step;
  options.has_ground = false;
  options.root_is_held = true;
  options.accurate = accurate;
  RigidBodyEngine engine(body, options);
  const std::vector<Vec3> none(2);
  const double before = engine.energy();
  double most = 0;
  for (int s = 0; s < std::lround(10 / step); ++s) {
    engine.step(none, {});
    most = std::max(most, std::abs(engine.energy() - before));
  }
  return most / (3 * 9.81);
}

TEST(RigidBodyEngine, ADoublePendulumKeepsItsEnergy) {
  // Runge-Kutta's drift of the engine falls with the third power of the step; semi-implicit Euler's stays bounded and
  // falls with the first.
  const double accurate = energy_drift(1e-3, true);
  EXPECT_LT(accurate, 1e-5);
  EXPECT_GT(energy_drift(2e-3, true) / accurate, 6);
  const double usual = energy_drift(1e-3, false), rougher = energy_drift(2e-3, false);
  EXPECT_LT(usual, 0.03);
  EXPECT_NEAR(rougher / usual, 2, 0.3);
}

TEST(RigidBodyEngine, APendulumHasThePeriodOfItsLength) {
  // A ball of radius r on a rod of length l from amplitude a: T = 2 pi sqrt((l^2 + 2/5 r^2) / (g l)) (1 + a^2/16 +
  // ...).
  const double length = 0.8, radius = 0.1, amplitude = 0.2;
  const ArticulatedBody body = pendulum(1, length, 3, radius);
  EngineOptions options;
  options.has_ground = false;
  options.root_is_held = true;
  RigidBodyEngine engine(body, options);
  BodyState state = at_rest(body);
  // From x to straight down, and the amplitude beyond.
  state.pose.local[0] = axis_angle({0, 0, 1}, -std::numbers::pi / 2 + amplitude);
  engine.set_state(state);
  const std::vector<Vec3> none(1);
  std::vector<double> crossings;
  double before = amplitude;
  for (int s = 0; s < 10000; ++s) {
    engine.step(none, {});
    const Vec3 down = rotate(engine.state().pose.local[0], {1, 0, 0});
    const double angle = std::atan2(down.x, -down.y);
    if (before < 0 && angle >= 0) crossings.push_back((s + before / (before - angle)) * options.step);
    before = angle;
  }
  ASSERT_GE(crossings.size(), 4u);
  const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  const double expected = 2 * std::numbers::pi *
                          std::sqrt((length * length + 0.4 * radius * radius) / (9.81 * length)) *
                          (1 + amplitude * amplitude / 16);
  EXPECT_NEAR(period, expected, 2e-4 * expected);
}

// A chain of four unlike links that flies and turns while drives bend it: the change of momentum and of angular
// momentum in two seconds, as shares.
std::pair<Vec3, Vec3> momentum_drift(double step) {
  ArticulatedBody body = pendulum(4, 0.3, 2, 0.06);
  body.tree.mass = {3, 1, 0.5, 2};
  body.tree.parent = {-1, 0, 1, 0};
  body.tree.offset[3] = {-0.2, 0.1, 0};
  std::vector<JointDrive> drives(4, JointDrive{60, 3, 1e3, 0});
  EngineOptions options;
  options.step = step;
  options.has_ground = false;
  options.gravity = {};
  options.inertia_added = inertia_added(drives, step);
  RigidBodyEngine engine(body, options);
  BodyState state = at_rest(body);
  state.root_velocity = {0.4, 1, -0.2};
  state.spin[0] = {1, 2, -1};
  state.spin[2] = {0, 3, 2};
  engine.set_state(state);
  const BodyMomentum before = engine.momentum();
  std::vector<JointTarget> targets(4);
  std::vector<Vec3> torque(4);
  for (int s = 0; s < std::lround(2 / step); ++s) {
    const double t = s * step;
    for (std::size_t k = 1; k < 4; ++k) {
      const double rate = 2 + static_cast<double>(k);
      const Vec3 axis = normalized(Vec3{1, static_cast<double>(k), 0.5});
      targets[k] = {axis_angle(axis, 0.8 * std::sin(rate * t)), axis * (0.8 * rate * std::cos(rate * t))};
    }
    drive_torques(body, drives, targets, engine.state(), step, torque);
    engine.step(torque, {});
  }
  const BodyMomentum now = engine.momentum();
  return {(now.linear - before.linear) / norm(before.linear), (now.angular - before.angular) / norm(before.angular)};
}

TEST(RigidBodyEngine, DrivesChangeNoMomentumInFlight) {
  const auto [linear, angular] = momentum_drift(1e-3);
  const auto [linear_half, angular_half] = momentum_drift(5e-4);
  EXPECT_LT(norm(linear), 0.05);
  EXPECT_LT(norm(angular), 0.05);
  // What is left is the error of the time step and vanishes with it: extrapolated to no step at all there is no change.
  EXPECT_LT(norm(2.0 * linear_half - linear), 0.1 * norm(linear) + 1e-6);
  EXPECT_LT(norm(2.0 * angular_half - angular), 0.1 * norm(angular) + 1e-6);
}

TEST(RigidBodyEngine, AStiffDriveIsStableAtAnyStep) {
  // A drive whose own period is a fraction of the step, and no damping: an explicit one explodes.
  const ArticulatedBody body = pendulum(2, 0.2, 0.1, 0.02);
  const double step = 1.0 / 100;
  const std::vector<JointDrive> drives(2, JointDrive{5000, 50, 1e9, 0});
  EngineOptions options;
  options.step = step;
  options.has_ground = false;
  options.root_is_held = true;
  options.inertia_added = inertia_added(drives, step);
  RigidBodyEngine engine(body, options);
  std::vector<JointTarget> targets(2);
  targets[1].local = axis_angle({0, 0, 1}, 1);
  std::vector<Vec3> torque(2);
  for (int s = 0; s < 300; ++s) {
    drive_torques(body, drives, targets, engine.state(), step, torque);
    engine.step(torque, {});
  }
  const Quat error = engine.state().pose.local[1] * conjugate(targets[1].local);
  EXPECT_LT(std::abs(2 * std::acos(std::min(1.0, std::abs(error.w)))), 2e-3);
}

TEST(RigidBodyEngine, LimitsDriveAJointBack) {
  ArticulatedBody body = pendulum(2, 0.3, 1, 0.05);
  body.tree.limits.resize(2);
  body.tree.limits[1] = JointLimits{{}, {1, 0, 0}, {0, 0, 1}, {0, 0}, {-0.3, 0.1}, {0, 0}};
  const double step = 1e-3;
  const std::vector<JointDrive> drives(2, JointDrive{0, 0.5, 1e9, 400});
  EngineOptions options;
  options.step = step;
  options.has_ground = false;
  options.inertia_added = inertia_added(drives, step);
  options.root_is_held = true;
  RigidBodyEngine engine(body, options);
  std::vector<JointTarget> targets(2);
  std::vector<Vec3> torque(2);
  double most = 0;
  for (int s = 0; s < 4000; ++s) {
    drive_torques(body, drives, targets, engine.state(), step, torque);
    engine.step(torque, {});
    most = std::max(most, beyond_limits(*body.tree.limits[1], engine.state().pose.local[1]));
  }
  EXPECT_GT(most, 0.0);  // they were reached
  // The second ball's weight in its fastest swing, 5 m g at 0.3 m, gives 0.04 rad at this stiffness.
  EXPECT_LT(most, 0.08);
}

TEST(RigidBodyEngine, ABallFliesOnItsParabolaAndHits) {
  ArticulatedBody body = pendulum(1, 0, 5, 0.2);
  body.capsule[0] = {{}, {}, 0.2};
  EngineOptions options;
  options.has_ground = false;
  RigidBodyEngine engine(body, options, std::vector<EngineBall>{{0.1, 2}});
  BodyState state = at_rest(body);
  state.pose.root = {100, 0, 0};
  engine.set_state(state);
  const std::vector<Vec3> none(1);
  engine.place_ball(0, {0, 0, 0}, {3, 4, 0});
  for (int s = 0; s < 500; ++s) engine.step(none, {});
  EXPECT_NEAR(engine.ball_place(0).x, 1.5, 1e-9);
  EXPECT_NEAR(engine.ball_place(0).y, 2 - 0.5 * 9.81 * 0.25, 0.5 * 9.81 * 0.5 * options.step * 1.01);
  // A hit changes momentum of the link and of the ball alike.
  engine.set_state(at_rest(body));
  engine.place_ball(0, {-1, 0, 0}, {10, 0, 0});
  for (int s = 0; s < 200; ++s) engine.step(none, {});
  EXPECT_GT(engine.state().root_velocity.x, 10 * 2.0 / 7 * 0.9);
}

TEST(RigidBodyEngine, ABlockSlidesAsFarAsFrictionLetsIt) {
  // Eight corners of a block of 4 kg, 2 m/s, friction 0.5: v^2 / (2 mu g).
  ArticulatedBody body = pendulum(1, 0, 4, 0.2);
  for (const double x : {-0.3, 0.3})
    for (const double z : {-0.3, 0.3})
      for (const double y : {-0.05, 0.05}) body.skin_points[0].push_back({x, y, z});
  EngineOptions options;
  options.friction = 0.5;
  RigidBodyEngine engine(body, options);
  BodyState state = at_rest(body);
  state.pose.root = {0, 0.05, 0};
  const std::vector<Vec3> none(1);
  engine.set_state(state);
  for (int s = 0; s < 500; ++s) engine.step(none, {});  // it settles
  EXPECT_NEAR(engine.state().pose.root.y, 0.05, 2e-3);
  double weight = 0;
  for (const Vec3& force : engine.ground_forces()) weight += force.y;
  EXPECT_NEAR(weight, 4 * 9.81, 0.02 * 4 * 9.81);
  state = engine.state();
  const double from = state.pose.root.x;
  state.root_velocity = {2, 0, 0};
  engine.set_state(state);
  for (int s = 0; s < 2000; ++s) engine.step(none, {});
  EXPECT_NEAR(engine.state().pose.root.x - from, 4 / (2 * 0.5 * 9.81), 0.04);
  // At rest it stays.
  const double there = engine.state().pose.root.x;
  for (int s = 0; s < 2000; ++s) engine.step(none, {});
  EXPECT_NEAR(engine.state().pose.root.x, there, 1e-3);
}

TEST(RigidBodyEngine, RefusesWhatIsNoBody) {
  ArticulatedBody body = pendulum(2, 1, 1, 0.1);
  body.tree.mass[1] = 0;
  EXPECT_THROW(RigidBodyEngine(body, {}), Error);
  body = pendulum(2, 1, 1, 0.1);
  body.inertia[1](0, 0) = std::nan("");
  EXPECT_THROW(RigidBodyEngine(body, {}), Error);
  body = pendulum(2, 1, 1, 0.1);
  body.tree.parent[1] = 1;
  EXPECT_THROW(RigidBodyEngine(body, {}), Error);
}

}  // namespace
}  // namespace sinew::test
