// Fixed parameters of rig-space dynamics: they are met exactly, and the others move by the equations that are left.
#include "sinew/deform/rig_space/fixed_parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/deform/rig_space/rig_space_motion.h"
#include "tests/base/same_bits.h"
#include "tests/deform/rig_space/rig_space_bodies.h"
#include "tests/dense_algebra.h"

namespace sinew {
namespace {

using namespace test;

constexpr double h_of_fixed = 0.01;

std::vector<int> three_free() { return {0, 1, 2}; }

// Three coupled fields, none of which is a rigid motion.
std::vector<std::vector<Vec3>> coupled_fields(const RigSpaceBody& body) {
  return {mode(body,
               [](const Vec3& x) {
                 return Vec3{x.y, 0, 0};
               }),
          mode(body,
               [](const Vec3& x) {
                 return Vec3{x.z - 0.3 * x.y, 0.1 * x.y, 0};
               }),
          mode(body, [](const Vec3& x) {
            return Vec3{0, x.y * (1 + x.x), 0.2 * x.y};
          })};
}

RigSpaceDynamics dynamics_of_fixed() {
  RigSpaceDynamics dynamics;
  dynamics.rest = RestShape::body;
  dynamics.tolerance = 1e-15;
  dynamics.limit_stiffness = 0;
  return dynamics;
}

double swinging(double t) { return 1e-6 * std::sin(9 * t); }

// Strains are so small that the equations are those of the dense matrices: the row of the fixed parameter is dropped,
// and its value enters the others as known.
TEST(FixedParameters, DriveTheOthersByTheEquationsThatAreLeft) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), coupled_fields(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  RigSpaceDynamics dynamics = dynamics_of_fixed();
  dynamics.stiffness_damping = 0.004;
  RigSpaceMotion motion(body, rig, three_free(), dynamics);
  const std::vector<double> still(3, 0.0);
  motion.reset(still, still, h_of_fixed);
  const double h = h_of_fixed;
  const Eigen::Matrix3d damping = 0.004 * system.stiffness, mass = system.mass;
  const Eigen::Matrix3d left = mass / (h * h) + damping / h + system.stiffness;
  Eigen::Vector3d now = Eigen::Vector3d::Zero(), before = now;
  double worst = 0, largest = 0;
  for (int step = 1; step <= 60; ++step) {
    const double known = swinging(step * h);
    const Eigen::Vector3d right = mass * (2 * now - before) / (h * h) + damping * now / h;
    Eigen::Vector3d next(0, known, 0);
    const int others[] = {0, 2};
    Eigen::Matrix2d small;
    Eigen::Vector2d rest;
    for (int i = 0; i < 2; ++i) {
      rest(i) = right(others[i]) - left(others[i], 1) * known;
      for (int j = 0; j < 2; ++j) small(i, j) = left(others[i], others[j]);
    }
    const Eigen::Vector2d found = test::solved(small, rest);
    next(0) = found(0);
    next(2) = found(1);
    before = now;
    now = next;
    motion.fix(std::vector<FixedParameter>{{1, 0, known, 0}});
    motion.advance(still, h);
    EXPECT_EQ(motion.free_values()[1], known);
    for (int i = 0; i < 3; ++i) worst = std::max(worst, std::abs(motion.free_values()[at(i)] - now(i)));
    largest = std::max(largest, std::max(std::abs(now(0)), std::abs(now(2))));
  }
  EXPECT_GT(largest, 1e-7);
  EXPECT_LT(worst, 1e-6 * largest);
}

// In equilibrium the others take the values of least energy, and the energy is less than with the others held at rest.
TEST(FixedParameters, StartWithTheOthersInEquilibrium) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), coupled_fields(*body));
  const ReducedSystem system = reduced_system(*body, rig.modes());
  const std::vector<double> still(3, 0.0);
  RigSpaceMotion motion(body, rig, three_free(), dynamics_of_fixed());
  const double value = 1e-5, rate = 3e-4;
  motion.fix(std::vector<FixedParameter>{{1, 0, value, rate}});
  motion.reset(still, still, h_of_fixed);
  Eigen::Matrix2d small;
  const int others[] = {0, 2};
  Eigen::Vector2d right;
  for (int i = 0; i < 2; ++i) {
    right(i) = -system.stiffness(others[i], 1) * value;
    for (int j = 0; j < 2; ++j) small(i, j) = system.stiffness(others[i], others[j]);
  }
  const Eigen::Vector2d expected = test::solved(small, right);
  EXPECT_EQ(motion.free_values()[1], value);
  EXPECT_NEAR(motion.free_values()[0], expected(0), 1e-4 * expected.norm());
  EXPECT_NEAR(motion.free_values()[2], expected(1), 1e-4 * expected.norm());
  EXPECT_NEAR(motion.kinetic_energy(), 0.5 * rate * rate * system.mass(1, 1), 1e-9 * motion.kinetic_energy());
  RigSpaceMotion held(body, rig, three_free(), dynamics_of_fixed());
  held.fix(std::vector<FixedParameter>{{0, 0, 0, 0}, {1, 0, value, 0}, {2, 0, 0, 0}});
  held.reset(still, still, h_of_fixed);
  EXPECT_LT(motion.elastic_energy(), 0.95 * held.elastic_energy());
  EXPECT_NEAR(held.elastic_energy(), 0.5 * system.stiffness(1, 1) * value * value, 1e-3 * held.elastic_energy());
}

// Values of all parameters after each step of a large, nonlinear swing; those of `fixed`, where it has steps left, fix
// the parameter 1.
std::vector<std::vector<double>> large_swing(const std::vector<double>& fixed, bool deferred) {
  auto body = rig_space_block();
  // Turning the block's upper part by a parameter makes the rig nonlinear.
  FunctionRig rig = mapping_rig(*body, numbered_parameters(3), [](std::span<const double> p, const Vec3& x) {
    const double turn = p[2] * x.y / 0.3;
    return Vec3{x.x + p[0] * x.y, x.y * std::cos(turn), x.z + x.y * std::sin(turn) + p[1] * x.y * x.x};
  });
  RigSpaceDynamics dynamics = dynamics_of_fixed();
  dynamics.tolerance = 1e-10;
  dynamics.deferred = deferred;
  RigSpaceMotion motion(body, rig, three_free(), dynamics);
  const std::vector<double> still(3, 0.0);
  motion.reset(still, still, h_of_fixed);
  std::vector<Vec3> push(body->mesh.positions.size());
  for (std::size_t v = 0; v < push.size(); ++v)
    push[v] = {2 * body->mesh.positions[v].y, 0, 3 * body->mesh.positions[v].y};
  motion.push(push);
  std::vector<std::vector<double>> values;
  for (std::size_t step = 0; step < 30; ++step) {
    if (step < fixed.size())
      motion.fix(std::vector<FixedParameter>{{1, 0, fixed[step], 0}});
    else
      motion.fix({});
    motion.advance(still, h_of_fixed);
    values.emplace_back(motion.free_values().begin(), motion.free_values().end());
  }
  return values;
}

// A parameter that is fixed at the values which physics gives it changes nothing.
TEST(FixedParameters, FixedWherePhysicsPutsThemChangeNothing) {
  for (const bool deferred : {false, true}) {
    const std::vector<std::vector<double>> free = large_swing({}, deferred);
    std::vector<double> values;
    for (std::size_t step = 0; step < 20; ++step) values.push_back(free[step][1]);
    const std::vector<std::vector<double>> fixed = large_swing(values, deferred);
    double largest = 0, worst = 0;
    for (std::size_t step = 0; step < free.size(); ++step)
      for (std::size_t i = 0; i < 3; ++i) {
        largest = std::max(largest, std::abs(free[step][i]));
        worst = std::max(worst, std::abs(free[step][i] - fixed[step][i]));
      }
    EXPECT_GT(largest, 0.05);
    EXPECT_LT(worst, (deferred ? 1e-3 : 1e-7) * largest) << deferred;
  }
}

// On its way to a key a parameter begins with its own value and rate and arrives with the key's.
TEST(FixedParameters, AreLedSmoothlyToTheirValue) {
  auto body = rig_space_block();
  LinearRig rig(boundary_of(*body), coupled_fields(*body), 10);
  RigSpaceMotion motion(body, rig, three_free(), dynamics_of_fixed());
  const std::vector<double> still(3, 0.0);
  motion.reset(still, still, h_of_fixed);
  std::vector<double> values{0, 0};
  for (int step = 1; step <= 20; ++step) {
    motion.fix(std::vector<FixedParameter>{{0, 0.01 * (20 - step), 0.02, 0.1}});
    motion.advance(still, h_of_fixed);
    values.push_back(motion.free_values()[0]);
  }
  EXPECT_EQ(values.back(), 0.02);
  EXPECT_NEAR((values[21] - values[20]) / h_of_fixed, 0.1, 0.02);
  // The cubic from rest has at most this acceleration.
  for (std::size_t k = 1; k + 1 < values.size(); ++k)
    EXPECT_LT(std::abs(values[k + 1] - 2 * values[k] + values[k - 1]) / (h_of_fixed * h_of_fixed), 4.5);
}

TEST(FixedParameters, AThreadMoreDoesNotMatter) {
  expect_same_bits([] {
    std::vector<double> all;
    for (const std::vector<double>& values : large_swing({0.01, 0.02, 0.03, 0.03, 0.03}, true))
      all.insert(all.end(), values.begin(), values.end());
    return all;
  });
}

}  // namespace
}  // namespace sinew
