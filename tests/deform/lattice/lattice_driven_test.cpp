// What the skeleton drives and flesh feels of its acceleration: an oscillation in closed form, the order of the method,
// what is left of a jolt.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "tests/deform/lattice/lattice_bodies.h"
#include "tests/deform/lattice/lattice_motion.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/dense.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

LatticeBarOptions undamped(double step, double spectral_radius) {
  LatticeBarOptions options;
  options.along = 3;
  options.dynamics.step = step;
  options.dynamics.spectral_radius = spectral_radius;
  options.dynamics.tolerance = 1e-9;
  options.dynamics.max_iterations = 400;
  return options;
}

// A bar whose bones move as x(t) = reach sin(w t) sideways, undamped: u(t) = U sin(w t) with (S + H - w^2 M) U = w^2 M
// x.
class Shaken {
 public:
  explicit Shaken(const LatticeBody& body) {
    const LatticeDescription& d = body.description;
    const auto count = static_cast<int>(d.role.size());
    std::vector<int> all(d.role.size()), free;
    for (std::size_t f = 0; f < all.size(); ++f) {
      all[f] = static_cast<int>(f);
      if (d.role[f] == FunctionRole::free)
        for (int k = 0; k < 3; ++k) free.push_back(3 * static_cast<int>(f) + k);
    }
    const Eigen::MatrixXd mass = test::dense(assemble_cells(d.cells, all, std::array{CellFactors{1, 0, 0}}));
    const Eigen::MatrixXd stiffness = test::dense(assemble_cells(d.cells, all, std::array{CellFactors{0, 1, 1}}));
    const Eigen::VectorXd aside = Eigen::Vector3d(0, reach, 0).replicate(count, 1);
    const Eigen::VectorXd inertia = rate * rate * (mass * aside);
    const Eigen::VectorXd u = test::solved(stiffness(free, free) - rate * rate * mass(free, free), inertia(free));
    amplitude_.resize(d.role.size());
    for (std::size_t k = 0; k < free.size(); ++k)
      amplitude_[static_cast<std::size_t>(free[k] / 3)][static_cast<std::size_t>(free[k] % 3)] =
          u[static_cast<Eigen::Index>(k)];
  }

  static std::vector<Affine> pose(double time) {
    return bar_pose(0, rigid_motion({0, 0, 1}, 0, {0, reach * std::sin(rate * time), 0}));
  }

  // Of the motion in closed form as it passes through zero: nothing is accelerated there.
  LatticeState start(const LatticeBody& body) const {
    const LatticeDescription& d = body.description;
    LatticeState state = lattice_state(d.role.size());
    const double before = std::sin(-rate * body.method.step);
    for (std::size_t f = 0; f < d.role.size(); ++f) {
      const Vec3 way = Vec3{0, reach, 0} + amplitude_[f];
      state.position[f] = d.rest[f];
      state.previous_position[f] = d.rest[f] + before * way;
      state.velocity[f] = rate * way;
      state.previous_displacement[f] = before * amplitude_[f];
      if (d.role[f] == FunctionRole::driven) state.acceleration[f] = {0, -rate * rate * reach * before, 0};
    }
    return state;
  }

  double error(const BodyMotion& flesh, double time) const {
    double most = 0;
    for (std::size_t f = 0; f < amplitude_.size(); ++f)
      most = std::max(most, distance(flesh.local_displacements()[f], std::sin(rate * time) * amplitude_[f]));
    return most;
  }
  double largest() const {
    double most = 0;
    for (const Vec3& u : amplitude_) most = std::max(most, norm(u));
    return most;
  }

 private:
  static constexpr double rate = 2 * test::pi * 3, reach = 0.05;
  std::vector<Vec3> amplitude_;
};

TEST(LatticeDriven, AShakenBarSwingsAsItsClosedFormToSecondOrder) {
  for (const double spectral_radius : {0.8, 1.0}) {
    std::vector<double> errors;
    for (const int per_second : {60, 120, 240}) {
      const auto body = lattice_bar_body(undamped(1.0 / per_second, spectral_radius));
      const Shaken shaken(*body);
      EXPECT_GT(shaken.largest(), 1e-3);
      const auto flesh = lattice_flesh(body);
      Snapshot start;
      save_state(shaken.start(*body), start);
      flesh->load(start, {0, Shaken::pose(0)});
      double most = 0;
      for (int step = 1; step <= per_second; ++step) {
        flesh->advance({step * flesh->step(), Shaken::pose(step * flesh->step())});
        most = std::max(most, shaken.error(*flesh, step * flesh->step()));
      }
      errors.push_back(most / shaken.largest());
    }
    EXPECT_LT(errors[2], 0.005);
    EXPECT_GT(errors[0] / errors[1], 3.5);
    EXPECT_GT(errors[1] / errors[2], 3.5);
  }
}

double largest(std::span<const Vec3> vectors) {
  double most = 0;
  for (const Vec3& v : vectors) most = std::max(most, norm(v));
  return most;
}

// At spectral radius 1 the method damps nothing by itself. What is left of a jolt is what flesh remembers of it.
TEST(LatticeDriven, AJoltIsForgotten) {
  for (const int levels : {1, 2}) {
    LatticeBarOptions options = undamped(1.0 / 240, 1);
    options.levels = levels;
    options.mass_damping = 20;
    options.stiffness_damping = 0.004;
    const auto body = lattice_bar_body(options);
    const auto flesh = lattice_flesh(body);
    const std::vector<Affine> first = bar_pose(0),
                              then = bar_pose(0.4, rigid_motion({0, 1, 0}, 0.3, {0.02, 0.03, -0.01}));
    flesh->reset({0, first}, {flesh->step(), first});
    for (int step = 1; step <= 2; ++step) flesh->advance({step * flesh->step(), then});
    const double jolted = largest(state_of(*body, *flesh).impetus);
    EXPECT_GT(jolted, 100);
    for (int step = 3; step <= 720; ++step) flesh->advance({step * flesh->step(), then});
    const LatticeState state = state_of(*body, *flesh);
    EXPECT_LT(largest(state.displacement), 1e-6);
    EXPECT_LT(largest(state.impetus), 1e-6 * jolted);
    EXPECT_LT(largest(state.acceleration), 1e-6 * jolted);
    for (std::size_t f = 0; f < state.impetus.size(); ++f)
      if (body->description.role[f] != FunctionRole::free) {
        EXPECT_EQ(norm(state.impetus[f]), 0);
      }
  }
}

// Undamped flesh swings on after the jolt with the energy that it got.
TEST(LatticeDriven, AJoltedBarKeepsItsEnergy) {
  LatticeBarOptions options = undamped(1.0 / 240, 1);
  options.along = 4;
  const auto body = lattice_bar_body(options);
  const auto flesh = lattice_flesh(body);
  const std::vector<Affine> first = bar_pose(0), then = bar_pose(0, rigid_motion({0, 0, 1}, 0, {0, 0.01, 0}));
  flesh->reset({0, first}, {flesh->step(), first});
  for (int step = 1; step <= 4; ++step) flesh->advance({step * flesh->step(), then});
  Energies energies(options);
  const double begin = energies.of(*flesh, then);
  EXPECT_GT(begin, 1e-3);
  double most = 0;
  for (int step = 5; step <= 480; ++step) {
    flesh->advance({step * flesh->step(), then});
    most = std::max(most, std::abs(energies.of(*flesh, then) / begin - 1));
  }
  EXPECT_LT(most, 1e-4);
}

}  // namespace
}  // namespace sinew
