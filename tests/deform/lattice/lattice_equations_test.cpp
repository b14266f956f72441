// Steps of flesh in control lattices against their equations, dense and in double precision.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/deform/lattice/lattice_flesh.h"
#include "tests/deform/lattice/lattice_forces.h"
#include "tests/dense_algebra.h"
#include "tests/linalg/dense.h"

namespace sinew {
namespace {

using namespace test;

// One step by the equations as they are written, dense and in double precision, from matrices that are assembled anew.
class DenseSteps {
 public:
  DenseSteps(Forces& forces, const std::vector<Affine>& pose) : forces_(forces) {
    const LatticeDescription& d = forces.body->description;
    forces.take(pose);
    const std::size_t n = d.role.size();
    p_ = before_ = forces.pose.functions.goal;
    v_.assign(n, {});
    a_.assign(n, {});
    y_.assign(n, {});
    u_ = u1_ = std::vector<Vec3>(n);
    std::vector<int> slot(n);
    for (std::size_t f = 0; f < n; ++f) slot[f] = static_cast<int>(f);
    const SparseRows m = assemble_scalars(d.cells, d.cells.mass, slot, static_cast<int>(n));
    mass_ = dense(m);
    hold_ = dense(assemble_scalars(d.cells, d.cells.hold, slot, static_cast<int>(n)));
  }

  void advance(const std::vector<Affine>& pose) {
    forces_.take(pose);
    const LatticeDescription& d = forces_.body->description;
    const GeneralizedAlpha& g = forces_.body->method;
    const double h = g.step;
    const std::size_t n = d.role.size();
    std::vector<Vec3> x = forces_.pose.functions.goal;  // from there
    const auto of_path = [&](std::size_t f) { return (x[f] - 2.0 * p_[f] + before_[f]) / (h * h); };
    const auto inertial = [&](std::size_t f) {
      if (forces_.active.unknown[f] < 0) return g.force_factor() * (2.0 * of_path(f) - a_[f]) + g.alpha_f * y_[f];
      const Vec3 next = (x[f] - p_[f] - h * v_[f] - (h * h * (0.5 - g.beta)) * a_[f]) / (g.beta * h * h);
      return (1 - g.alpha_m) * next + g.alpha_m * a_[f];
    };
    std::vector<Vec3> rate(n);
    for (std::size_t f = 0; f < n; ++f)
      if (forces_.active.unknown[f] >= 0)
        rate[f] = (3.0 * (x[f] - forces_.pose.functions.goal[f]) -
                   forces_.pose.functions.rotation[f] * (4.0 * u_[f] - u1_[f])) /
                  (2 * h);
    std::vector<double> r(3 * forces_.active.unknowns(), 0.0);
    std::vector<Vec3> damped(n);
    for (std::size_t f = 0; f < n; ++f) damped[f] = d.stiffness_damping * rate[f];
    forces_.elasticity->subtract_force(g.force_factor(), x, damped, r);
    for (std::size_t u = 0; u < forces_.active.unknowns(); ++u) {
      const int row = forces_.active.unknown_function[u];
      Vec3 sum;
      for (std::size_t f = 0; f < n; ++f)
        sum += mass_(row, static_cast<Eigen::Index>(f)) *
                   (g.alpha_f * y_[f] - inertial(f) - g.force_factor() * d.mass_damping * rate[f]) -
               g.force_factor() * hold_(row, static_cast<Eigen::Index>(f)) *
                   (x[f] - forces_.pose.functions.goal[f] + damped[f]);
      for (std::size_t k = 0; k < 3; ++k) r[3 * u + k] += sum[k];
    }
    const Eigen::MatrixXd a = dense_system(forces_);
    const Eigen::VectorXd solved =
        test::solved(a, Eigen::Map<Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())));
    for (std::size_t u = 0; u < forces_.active.unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k)
        x[static_cast<std::size_t>(forces_.active.unknown_function[u])][k] +=
            solved[static_cast<Eigen::Index>(3 * u + k)];
    for (std::size_t f = 0; f < n; ++f) {
      const Vec3 i = inertial(f);
      y_[f] = (i - g.alpha_f * y_[f]) / g.force_factor();
      const Vec3 next = forces_.active.unknown[f] < 0
                            ? of_path(f)
                            : (x[f] - p_[f] - h * v_[f] - (h * h * (0.5 - g.beta)) * a_[f]) / (g.beta * h * h);
      if (forces_.active.unknown[f] >= 0) v_[f] += h * ((1 - g.gamma) * a_[f] + g.gamma * next);
      a_[f] = next;
      before_[f] = p_[f];
      p_[f] = x[f];
      u1_[f] = u_[f];
      u_[f] = transpose_times(forces_.pose.functions.rotation[f], x[f] - forces_.pose.functions.goal[f]);
    }
  }

  const std::vector<Vec3>& displacements() const { return u_; }

 private:
  Forces& forces_;
  static Eigen::MatrixXd dense(const SparseRows& rows) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.rows()), rows.columns);
    for (std::size_t row = 0; row < rows.rows(); ++row)
      for (int k = rows.start[row]; k < rows.start[row + 1]; ++k)
        matrix(static_cast<Eigen::Index>(row), rows.column[static_cast<std::size_t>(k)]) =
            rows.value[static_cast<std::size_t>(k)];
    return matrix;
  }

  Eigen::MatrixXd mass_, hold_;
  std::vector<Vec3> p_, before_, v_, a_, y_, u_, u1_;
};

TEST(LatticeFlesh, StepsAreTheEquationsAsTheyAreWritten) {
  for (const LatticeReference reference : {LatticeReference::rig, LatticeReference::elastic})
    for (const int levels : {1, 2}) {
      LatticeBarOptions options;
      options.levels = levels;
      options.along = 2;
      options.reference = reference;
      options.mass_damping = 3;
      options.stiffness_damping = 0.004;
      options.dynamics.tolerance = 1e-9;
      options.dynamics.max_iterations = 400;
      const auto body = lattice_bar_body(options);
      const auto flesh = lattice_flesh(body);
      Forces forces(options);
      flesh->reset({0, swing(0)}, {flesh->step(), swing(0)});
      DenseSteps dense(forces, swing(0));
      double most = 0;
      for (int step = 1; step <= 30; ++step) {
        const double time = step * flesh->step();
        const std::vector<Affine> pose = swing(time);
        flesh->advance({time, pose});
        dense.advance(pose);
        const std::vector<Vec3>& expected = dense.displacements();
        for (std::size_t s = 0; s < expected.size(); ++s) {
          most = std::max(most, norm(expected[s]));
          ASSERT_LT(distance(flesh->local_displacements()[s], expected[s]), 2e-6) << step << ' ' << levels;
        }
      }
      EXPECT_GT(most, 0.01);  // it does move
    }
}

// (4.5) as it is written, dense: M (v_{n+1} - v_n) = -h S p_{n+1}, p_{n+1} = p_n + h v_{n+1}, for a bar whose rig is
// pushed aside at once and then stands. The functions on bones count by their acceleration (5.6).
TEST(LatticeFlesh, ImplicitEulerIsEquation45) {
  LatticeBarOptions options;
  options.along = 4;
  options.run.integrator = LatticeIntegrator::implicit_euler;
  options.dynamics.tolerance = 1e-9;
  options.dynamics.max_iterations = 400;
  const auto body = lattice_bar_body(options);
  const LatticeDescription& d = body->description;
  const double h = options.dynamics.step;
  const Vec3 aside{0.004, -0.003, 0.002};
  const std::vector<Affine> first = bar_pose(0), then = bar_pose(0, rigid_motion({0, 0, 1}, 0, aside));
  const auto flesh = lattice_flesh(body);
  flesh->reset({0, first}, {h, first});

  std::vector<int> all(d.role.size()), free, held;
  for (std::size_t f = 0; f < all.size(); ++f) {
    all[f] = static_cast<int>(f);
    (d.role[f] == FunctionRole::free ? free : held).push_back(static_cast<int>(f));
  }
  const auto numbers = [](const std::vector<int>& functions) {
    std::vector<int> result;
    for (int f : functions) result.insert(result.end(), {3 * f, 3 * f + 1, 3 * f + 2});
    return result;
  };
  const Eigen::MatrixXd m = dense(assemble_cells(d.cells, all, std::array{CellFactors{1, 0, 0}}));
  const Eigen::MatrixXd s = dense(assemble_cells(d.cells, all, std::array{CellFactors{0, 1, 1}}));
  const std::vector<int> f = numbers(free), b = numbers(held);
  const Eigen::MatrixXd mff = m(f, f), sff = s(f, f);
  const Eigen::VectorXd push =
      Eigen::Vector3d(aside.x, aside.y, aside.z).replicate(static_cast<Eigen::Index>(all.size()), 1);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(f.size())), v = u,
                  drive = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(b.size()));
  const Eigen::MatrixXd system = mff + h * h * sff;
  for (int step = 1; step <= 60; ++step) {
    flesh->advance({step * h, then});
    // Displacements from the new goal; the drive's acceleration is that of a jump and a stop.
    if (step == 1) u = -push(f);
    drive = (step == 1 ? 1.0 : step == 2 ? -1.0 : 0.0) / (h * h) * push(b);
    const Eigen::VectorXd dv = test::solved(system, -h * (sff * (u + h * v)) - h * (m(f, b) * drive));
    v += dv;
    u += h * v;
    for (std::size_t k = 0; k < free.size(); ++k) {
      const Vec3& measured = flesh->local_displacements()[static_cast<std::size_t>(free[k])];
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(measured[static_cast<std::size_t>(c)], u[static_cast<Eigen::Index>(3 * k) + c], 1e-6) << step;
    }
  }
  EXPECT_GT(u.cwiseAbs().maxCoeff(), 1e-5);  // still under way
}

}  // namespace
}  // namespace sinew
